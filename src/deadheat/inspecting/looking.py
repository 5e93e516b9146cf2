"""Each file on its own: what it is, and what it holds."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from deadheat.errors import DeadheatError
from deadheat.evaluation import Answers, References
from deadheat.inspecting.inspection import InspectedFile, InspectedSystem
from deadheat.readers import explainaboard, swebench, terminal_bench
from deadheat.readers.columns import Options
from deadheat.readers.content import HEAD, opened
from deadheat.readers.files import table_of
from deadheat.readers.folders import NOTES, is_prose
from deadheat.readers.layout import Layout, lay_out
from deadheat.readers.listing import listing
from deadheat.readers.logs import log_of, readers
from deadheat.readers.references import read_references
from deadheat.readers.sources import named_path
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

FORMS = {
    "csv": "CSV",
    "jsonl": "JSON lines",
    "json": "JSON",
    "parquet": "Parquet",
    "lines": "lines of text",
    "conll": "CoNLL",
}
"""What tables are called, by their format."""

BOARDS = (swebench, terminal_bench, explainaboard)
"""Files of JSON that are read as they are published."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A file as far as it can be read by itself.

    Attributes
    ----------
    file : InspectedFile
    answers : tuple of Answers
        What it says of systems; none where it is not used.
    format : str
        Name of the format, or of the reader.
    error : DeadheatError or None
        Why it is not used.
    table : Table or None
        What it holds, where it could be read and is not used.
    log : bool
        Whether a tool is known to have written it.
    """

    file: InspectedFile
    answers: tuple[Answers, ...] = ()
    format: str = ""
    error: DeadheatError | None = None
    table: Table | None = None
    log: bool = False

    @property
    def refuses(self) -> bool:
        """Whether it is the log of a tool that holds no answers to items."""
        return self.log and isinstance(self.error, NoAnswersError)


def look(
    text: str,
    reading: Mapping[str, Any],
    progress: Callable[[int, int], None] | None = None,
) -> list[Seen]:
    """Read what one argument names: a file, or every file of a folder.

    Parameters
    ----------
    text : str
        PATH or NAME=PATH.
    reading : mapping
        Options of `deadheat.read`.
    progress : callable, optional
        Told how many files of a folder were looked at, of how many.

    Raises
    ------
    InputError
        If a folder cannot be listed, or references cannot be read.
    """
    given = named_path(text)
    path = str(given.value)
    options = _options(reading)
    right = None
    if reading.get("references") is not None:
        right, _ = read_references(reading["references"], options)
    if not os.path.isdir(path):
        return [_seen(path, options, right, name=given.name, inside=None)]
    listed = listing(path)
    found = []
    for number, file in enumerate(listed.files):
        if progress is not None:
            progress(number, len(listed.files))
        full, inside = listed.full(file), os.path.splitext(file)[0]
        if right is not None and _is(full, right.source.path):
            known = InspectedFile(path=full, problem="these are the references.")
            found.append(Seen(file=known))
        else:
            found.append(_seen(full, options, right, name=None, inside=inside))
    return found if right is not None else _without_notes(found)


def _without_notes(seen: Sequence[Seen]) -> list[Seen]:
    """Leave out what a folder leaves out: lines of text beside logs that hold no answers."""
    if not any(one.refuses for one in seen):
        return list(seen)
    return [
        replace(
            one,
            file=replace(one.file, systems=(), problem=NOTES.found),
            answers=(),
            error=NOTES,
        )
        if one.answers and is_prose(one.answers[0])
        else one
        for one in seen
    ]


def _is(path: str, other: str) -> bool:
    return os.path.isfile(other) and os.path.samefile(path, other)


def _options(reading: Mapping[str, Any]) -> Options:
    names = {"output": "output_column", "reference": "reference_column", "system": "system_column"}
    roles = ("item", "score", "output", "reference", "cluster", "stratum", "run", "system")
    systems = reading.get("systems")
    given: dict[str, Any] = {role: reading.get(names.get(role, role)) for role in roles}
    return Options(**given, systems=None if systems is None else tuple(systems))


def _seen(
    path: str,
    options: Options,
    right: References | None,
    *,
    name: str | None,
    inside: str | None,
) -> Seen:
    try:
        table = table_of(path, options, right, file=inside)
    except DeadheatError as error:
        tool = _tool_by_head(path)
        known = InspectedFile(path=path, tool=tool, problem=unplaced(error, path))
        return Seen(file=known, error=error, log=bool(tool))
    found = _file(path, table, options)
    try:
        layout = lay_out(table, options, name=name, references=right)
    except DeadheatError as error:
        columns = tuple(table.columns) if table.named else ()
        return Seen(
            file=replace(found, columns=columns, problem=unplaced(error, path)),
            format=table.source.format,
            error=error,
            table=table,
        )
    return Seen(
        file=replace(
            found,
            systems=tuple(dict.fromkeys(answers.system for answers in layout.answers)),
            tasks=_tasks(layout),
            runs=max(map(runs_of, layout.answers)),
        ),
        answers=layout.answers,
        format=table.source.format,
    )


def _file(path: str, table: Table, options: Options) -> InspectedFile:
    scores = tuple(table.scores)
    if options.score in scores:
        scores = (str(options.score), *(name for name in scores if name != options.score))
    versions = dict.fromkeys(
        known["version"] for known in table.about.values() if known.get("version")
    )
    return InspectedFile(
        path=path,
        tool=_tool(path, table.source.format),
        version=", ".join(versions),
        rows=table.height,
        scores=scores,
    )


def _tool(path: str, format_: str) -> str:
    reader = readers().get(format_)
    if reader is not None:
        return str(getattr(reader, "TOOL", format_))
    if format_ == "json":
        head = _head(path)
        for board in BOARDS:
            if board.recognises(path, head):
                return str(board.TOOL)
    return FORMS.get(format_, format_)


def _tool_by_head(path: str) -> str:
    """Return the tool that wrote a file which cannot be read; empty where none is known."""
    try:
        found = log_of(path, _head(path))
    except DeadheatError:
        return ""
    return "" if found is None else str(getattr(found[1], "TOOL", found[0]))


def _head(path: str) -> bytes:
    with opened(path) as file:
        head = file.read(HEAD) if file.seekable() else b""
    return head.removeprefix(b"\xef\xbb\xbf")


def _tasks(layout: Layout) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for answers in layout.answers:
        values = answers.tasks if answers.tasks is not None else answers.strata
        if values is not None:
            found |= dict.fromkeys(values.cast(pl.String).unique(maintain_order=True).drop_nulls())
    return tuple(found)


def unplaced(error: DeadheatError, path: str) -> str:
    """Return what an error says, without the path that stands beside it."""
    where = error.where.removeprefix(path).lstrip(", ")
    return " ".join(
        part for part in (f"{where}: {error.found}" if where else error.found, error.fix) if part
    )


def system_of(answers: Answers, file: str = "") -> InspectedSystem:
    """Say what there is of one system."""
    given = answers.scores if answers.scores is not None else answers.outputs
    assert given is not None
    return InspectedSystem(
        system=answers.system,
        file=file,
        items=len(given) if answers.items is None else answers.items.n_unique(),
        rows=len(given),
        runs=runs_of(answers),
        duplicated=_duplicated(answers),
        clusters=0 if answers.clusters is None else answers.clusters.n_unique(),
        tasks=0 if answers.tasks is None else answers.tasks.n_unique(),
        unscored=given.null_count(),
        kind=_kind(answers),
        about=answers.about,
    )


def runs_of(answers: Answers) -> int:
    """Count the runs of the item that has most of them; its rows, where nothing names runs."""
    if answers.items is None or not len(answers.items):
        return 1
    named = _keys(answers)
    rows = named.unique() if answers.runs is not None else named
    counts = rows.group_by([name for name in rows.columns if name != "run"]).len()["len"]
    return int(counts.max())  # type: ignore[arg-type]


def _keys(answers: Answers) -> pl.DataFrame:
    """Return what tells the rows of a system apart."""
    named = {"item": answers.items, "task": answers.tasks, "run": answers.runs}
    return pl.DataFrame({name: values for name, values in named.items() if values is not None})


def _duplicated(answers: Answers) -> int:
    """Count the rows that say again what a row of the same item and run says."""
    if answers.items is None or answers.runs is None:
        return 0
    named = _keys(answers)
    return len(named) - named.n_unique()


def _kind(answers: Answers) -> str:
    if answers.scores is not None:
        binary = answers.scores.drop_nulls().is_in([0.0, 1.0]).all()
        return "0/1 scores" if binary else "scores"
    return "outputs" if answers.references is None else "outputs with references"


def usable(seen: Iterable[Seen]) -> Sequence[Seen]:
    """Return the files that say something of systems."""
    return [one for one in seen if one.answers]
