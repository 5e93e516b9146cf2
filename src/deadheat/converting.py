"""Logs and tables of any kind, written as one tidy table or as Every Eval Ever."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import polars as pl

from deadheat._version import __version__
from deadheat.alignment.identity import check_same_items
from deadheat.errors import AlignmentError, UsageError, known
from deadheat.evaluation import Answers, Evaluation
from deadheat.every_eval_ever import documents
from deadheat.notes import Note
from deadheat.readers import read
from deadheat.remarks import about_of, settings_differ
from deadheat.rendering import Rendered, plain_dict
from deadheat.settings import MEMORY
from deadheat.tabular import FrameKind, check_ending, frame_kind, write_table
from deadheat.writing import write_whole

SCHEMA = "deadheat/conversion/1"

Form = Literal["tidy", "every-eval-ever"]

TIDY = ("item", "system", "run", "score", "output", "reference", "cluster", "stratum")
"""Columns of the tidy table, in order; those that nothing was read of are left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion(Rendered):
    """What was read, and where it was written.

    Attributes
    ----------
    form : {"tidy", "every-eval-ever"}
    files : tuple of str
        That were written.
    rows : mapping of str to int
        Of each system.
    columns : tuple of str
        Of the tidy table; empty for other forms.
    notes : tuple of Note
    frame : {"polars", "pandas", "pyarrow"}
        Library of the frames or series that came in; "polars" where none did.
    """

    form: Form
    files: tuple[str, ...]
    rows: Mapping[str, int]
    columns: tuple[str, ...]
    notes: tuple[Note, ...]
    frame: FrameKind = "polars"
    version: str = __version__

    def to_dict(self) -> dict[str, Any]:
        """Return plain data of schema deadheat/conversion/1."""
        return plain_dict(
            {
                "schema": SCHEMA,
                "version": self.version,
                "form": self.form,
                "files": list(self.files),
                "systems": [{"system": name, "rows": n} for name, n in self.rows.items()],
                "columns": list(self.columns),
                "notes": [note.to_dict() for note in self.notes],
            }
        )


def convert(
    *sources: Any,
    output: str | Path,
    to: Form = "tidy",
    references: Any = None,
    item: str | None = None,
    system_column: str | None = None,
    systems: Sequence[str] | None = None,
    score: str | None = None,
    output_column: str | None = None,
    reference_column: str | int | None = None,
    cluster: str | None = None,
    stratum: str | None = None,
    run: str | None = None,
    label_map: Mapping[str, str] | None = None,
    names: Sequence[str] | None = None,
    different_items: bool = False,
    memory: int | str = MEMORY,
    progress: Callable[[int, int], None] | None = None,
) -> Conversion:
    """Write what was read as one tidy table, or as documents of Every Eval Ever.

    The tidy table has a row for each item, system and run. Reading it again gives the same numbers
    as reading the logs.

    Parameters
    ----------
    *sources, references, item, ...
        As for `deadheat.compare`.
    output : path
        Of the table: its ending (.csv, .tsv, .jsonl, .parquet) says in which form; or of the
        folder into which documents of Every Eval Ever go, two for each system.
    to : {"tidy", "every-eval-ever"}
    memory : int or str
        Bytes that tables may take, such as "500MB"; what needs more is refused.
    progress : callable, optional
        Told how many files of a folder are read, of how many.

    Raises
    ------
    DeadheatError
        If inputs cannot be read, or the ending of the name says no form of a table.

    Examples
    --------
    >>> import deadheat, tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "tidy.csv")
    >>> done = deadheat.convert({"a": [1, 0], "b": [1, 1]}, output=path)
    >>> dict(done.rows), done.columns
    ({'a': 2, 'b': 2}, ('item', 'system', 'score'))
    """
    if to not in get_args(Form):
        raise UsageError(f"--to is {to!r}.", fix=known(get_args(Form), str(to)))
    if to == "tidy":
        check_ending(output)
    evaluation = read(
        *sources,
        references=references,
        item=item,
        system_column=system_column,
        systems=systems,
        score=score,
        output_column=output_column,
        reference_column=reference_column,
        cluster=cluster,
        stratum=stratum,
        run=run,
        label_map=label_map,
        names=names,
        different_items=different_items,
        memory=memory,
        kinds=False,
        progress=progress,
    )
    # The table has no hashes or settings: what compare refuses of them is refused here.
    said = (
        *check_same_items(evaluation.answers, different=different_items),
        *settings_differ(about_of(evaluation, {}, evaluation.systems)),
    )
    columns: tuple[str, ...] = ()
    files: tuple[str, ...] = (str(output),)
    notes = (*said, *evaluation.notes)
    if to == "tidy":
        table = tidy(evaluation)
        write_table(table, output)
        columns = tuple(table.columns)
    else:
        written, more = documents(evaluation)
        paths = {Path(output) / name: text for name, text in written.items()}
        for path, text in paths.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, text)
        files, notes = tuple(map(str, paths)), (*notes, *more)
    return Conversion(
        form=to,
        files=files,
        rows={answers.system: _height(answers) for answers in evaluation.answers},
        columns=columns,
        notes=notes,
        frame=frame_kind((*sources, references)),
    )


def tidy(evaluation: Evaluation) -> pl.DataFrame:
    """Return one table of all systems; null is missing.

    Item ids that nobody gave are the numbers of the rows, from 1. Lists and objects are JSON text.

    Raises
    ------
    UsageError
        If systems hold a column in types that do not go into one.
    """
    right = evaluation.references
    frames = []
    for answers in evaluation.answers:
        n = _height(answers)
        items = answers.items
        if items is None:
            items = pl.Series(range(1, n + 1), dtype=pl.Int64)
        columns = {
            "item": items,
            "system": pl.repeat(answers.system, n, dtype=pl.String, eager=True),
            "run": answers.runs,
            "score": answers.scores,
            "output": _as_text(answers.outputs),
            "reference": _as_text(answers.references) if right is None else None,
            "cluster": answers.clusters,
            "stratum": answers.strata,
        }
        frame = pl.DataFrame({k: v.alias(k) for k, v in columns.items() if v is not None})
        if right is not None:
            frame = _with_references(frame, answers.system, evaluation)
        frames.append(frame)
    _check_types(evaluation.systems, frames)
    try:
        whole = pl.concat(frames, how="diagonal_relaxed")
    except pl.exceptions.PolarsError as error:
        raise UsageError(
            f"the systems do not go into one table ({str(error).splitlines()[0]}).",
            fix="Convert them one by one.",
        ) from None
    return whole.select(name for name in TIDY if name in whole.columns)


def _check_types(systems: Sequence[str], frames: Sequence[pl.DataFrame]) -> None:
    """Refuse text beside anything else in one column: "1" never is 1."""
    for name in TIDY:
        texts: dict[bool, str] = {}
        for system, frame in zip(systems, frames, strict=True):
            if name in frame.columns and frame[name].dtype != pl.Null:
                texts.setdefault(frame[name].dtype == pl.String, system)
        if len(texts) > 1:
            raise UsageError(
                f"the systems do not go into one table: {name} is text for {texts[True]} and is "
                f"not for {texts[False]}.",
                fix="Write them in one type, or convert the systems one by one.",
            )


def _with_references(frame: pl.DataFrame, system: str, evaluation: Evaluation) -> pl.DataFrame:
    """Put references, clusters and strata that stand apart beside the answers."""
    right = evaluation.references
    assert right is not None
    columns = {
        "reference": _as_text(right.values),
        "cluster": right.clusters,
        "stratum": right.strata,
    }
    beside = pl.DataFrame({k: v.alias(k) for k, v in columns.items() if v is not None})
    beside = beside.drop(name for name in beside.columns if name in frame.columns)
    if right.items is None:
        if len(beside) != len(frame):
            raise AlignmentError(
                f"there are {len(beside):,} references and {len(frame):,} answers of {system!r}.",
                where=right.source.path,
                fix="Give one reference for each answer, in the same order, or items with both.",
            )
        return frame.hstack(beside)
    beside = beside.with_columns(right.items.alias("item"))
    if beside["item"].dtype != frame["item"].dtype:
        beside = beside.with_columns(pl.col("item").cast(pl.String))
        frame = frame.with_columns(pl.col("item").cast(pl.String))
    return frame.join(beside, on="item", how="left", maintain_order="left")


def _as_text(values: pl.Series | None) -> pl.Series | None:
    if values is None or values.dtype != pl.Binary:
        return values
    return values.cast(pl.String)


def _height(answers: Answers) -> int:
    given = answers.scores if answers.scores is not None else answers.outputs
    assert given is not None
    return len(given)
