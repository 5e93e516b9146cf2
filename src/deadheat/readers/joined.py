"""Several files of one system, as one: its runs, or parts of its items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

import numpy as np
import polars as pl

from deadheat.errors import InputError
from deadheat.evaluation import Answers, Rows, Source
from deadheat.readers.table import UNTYPED
from deadheat.readers.tasks import qualified

_BY_CHANCE = frozenset({"date", "seed"})
"""What differs between runs as a matter of course."""

_LISTED = 6

COLUMNS = (
    "items",
    "outputs",
    "scores",
    "references",
    "runs",
    "clusters",
    "strata",
    "tasks",
    "item_hashes",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """A system read from several files.

    Attributes
    ----------
    answers : Answers
    how : {"runs", "parts"}
        Whether every file holds the same items, or each has items of its own.
    unlike : str
        In what its runs were not made alike, by what their logs say.
    """

    answers: Answers
    how: Literal["runs", "parts"]
    unlike: str = ""


def joined(
    system: str,
    folder: str,
    files: Mapping[str, str],
    parts: Sequence[Answers],
    *,
    told_apart: bool,
) -> Joined:
    """Put what several files say of one system into one table.

    Parameters
    ----------
    system, folder : str
    files : mapping of str to str
        Paths of the files inside the folder, by what their runs are to be called.
    parts : sequence of Answers
        One for each file.
    told_apart : bool
        Whether the user named a column of runs, so that the files need not.

    Raises
    ------
    InputError
        If the files have no item ids, differ in their columns, share some of their items only, or
        ask something else under one item id, by the hashes in logs.
    """
    names, paths = [*files], [*files.values()]
    _check_alike(system, folder, paths, parts)
    items = _of_one_type(system, folder, [*map(qualified, parts)])
    distinct = [values.unique().sort() for values in items]
    same = all(values.equals(distinct[0]) for values in distinct[1:])
    held = sum(map(len, distinct))
    total = len(pl.concat(distinct).unique())
    runs = [part.runs for part in parts if part.runs is not None]
    told_apart = told_apart or _own_runs(items, runs)
    if not same and held > total and not told_apart:
        shared = sum(1 for k in pl.concat(distinct).value_counts()["count"] if k == len(parts))
        raise InputError(
            f"the {len(parts)} files of {system} share some of their items and not all: "
            f"{', '.join(f'{f} {len(d)}' for f, d in zip(paths[:4], distinct, strict=False))}"
            f"{', ...' if len(paths) > 4 else ''}, of which {shared} are in every file. They are "
            "neither runs on the same items nor parts of one set.",
            where=folder,
            fix="Say --run file if each file is a run all the same; else give one file for each "
            "system.",
        )
    _check_one_question(system, folder, paths, parts)
    columns = {name: _concatenated(system, folder, name, parts) for name in COLUMNS}
    of = np.repeat(np.arange(len(parts)), [len(values) for values in items])
    if same and not told_apart:
        columns["runs"] = _runs(names, of, pl.concat(items), columns["runs"] if runs else None)
    first = parts[0]
    source = Source(
        path=folder,
        sha256="",
        format=first.source.format,
        parts=tuple(file for part in parts for file in part.source.files),
    )
    answers = Answers(
        system=system,
        source=source,
        rows=_rows(paths, of, parts),
        candidates=_candidates(parts),
        about=_about(parts),
        unlisted=parts[0].unlisted,
        **columns,
    )
    how: Literal["runs", "parts"] = "parts" if held == total else "runs"
    return Joined(answers=answers, how=how, unlike=_unlike(parts))


def _of_one_type(system: str, folder: str, parts: Sequence[Answers]) -> list[pl.Series]:
    """Return the item ids of every file; refuse texts beside numbers, which are never equal."""
    items = [part.items for part in parts if part.items is not None]
    kinds = {values.dtype for values in items}
    if len(kinds) < 2:
        return items
    if pl.String in kinds:
        raise InputError(
            f"the files of {system} hold item ids that are text, and others that are numbers.",
            where=folder,
            fix="Write them in one way.",
        )
    whole = _concatenated(system, folder, "items", parts)
    assert whole is not None
    return [values.cast(whole.dtype) for values in items]


def _own_runs(items: Sequence[pl.Series], runs: Sequence[pl.Series]) -> bool:
    """Whether every file says of which run it is, and no two hold one item of one run."""
    if len(runs) < len(items) or len({values.dtype for values in runs}) > 1:
        return False
    keys = [
        pl.DataFrame({"item": of.cast(pl.String), "run": run}).unique()
        for of, run in zip(items, runs, strict=True)
    ]
    return not pl.concat(keys).is_duplicated().any()


def _about(parts: Sequence[Answers]) -> dict[str, str]:
    """Return what all files state alike, and where they differ every value, each once."""
    keys = dict.fromkeys(key for part in parts for key in part.about)
    return {key: _all_of([part.about[key] for part in parts if key in part.about]) for key in keys}


def _all_of(values: Sequence[str]) -> str:
    """Write different values in a row, or a hash of them where they are many."""
    different = [*dict.fromkeys(values)]
    if len(different) <= _LISTED:
        return ", ".join(different)
    return f"{len(different)} values ({sha256(', '.join(different).encode()).hexdigest()[:12]})"


def _unlike(parts: Sequence[Answers]) -> str:
    """Name the settings in which files of one task differ, besides when and by chance."""
    by_task: dict[str, list[Answers]] = {}
    for part in parts:
        task = "" if part.tasks is None else ", ".join(map(str, part.tasks.unique().sort()))
        by_task.setdefault(task, []).append(part)
    said: dict[str, None] = {}
    for same in by_task.values():
        for key, values in ((key, _all_of([*values])) for key, values in _stated(same).items()):
            said[f"{key} ({values})"] = None
    return "; ".join(said)


def _stated(parts: Sequence[Answers]) -> dict[str, dict[str, None]]:
    """Return the settings of which files state several values, and these."""
    keys = dict.fromkeys(key for part in parts for key in part.about if key not in _BY_CHANCE)
    stated = {key: dict.fromkeys(p.about[key] for p in parts if key in p.about) for key in keys}
    return {key: values for key, values in stated.items() if len(values) > 1}


def _candidates(parts: Sequence[Answers]) -> dict[str, pl.Series]:
    """Return the columns that may name clusters and that every file has, of one type."""
    found = {}
    for name in parts[0].candidates:
        columns = [part.candidates[name] for part in parts if name in part.candidates]
        if len(columns) == len(parts) and len({column.dtype for column in columns}) == 1:
            found[name] = pl.concat(columns)
    return found


def _check_alike(system: str, folder: str, files: Sequence[str], parts: Sequence[Answers]) -> None:
    for file, part in zip(files, parts, strict=True):
        if part.items is None:
            raise InputError(
                f"{file} is one of {len(files)} files of {system} and has no item ids, by which "
                "what they hold could be told apart.",
                where=folder,
                fix="Name the column of item ids with --item, or give one file for each system.",
            )
        first = parts[0]
        for name in COLUMNS:
            if (getattr(part, name) is None) != (getattr(first, name) is None):
                has, lacks = (files[0], file) if getattr(part, name) is None else (file, files[0])
                raise InputError(
                    f"{has} has {name} and {lacks} has none, and both are files of {system}.",
                    where=folder,
                    fix="Write the files of a system with the same columns.",
                )
        if (part.source.format in UNTYPED) != (first.source.format in UNTYPED):
            raise InputError(
                f"{files[0]} and {file} are files of {system}, and only one of them has types.",
                where=folder,
                fix="Write all files of a system in one format.",
            )


def _check_one_question(
    system: str, folder: str, files: Sequence[str], parts: Sequence[Answers]
) -> None:
    """Refuse to take as runs what asked something else under one item id."""
    stated = [
        pl.DataFrame(
            {
                "item": part.items.cast(pl.String),
                "hash": part.item_hashes.cast(pl.String),
                "file": pl.repeat(at, len(part.items), eager=True),
            }
        ).drop_nulls()
        for at, part in enumerate(map(qualified, parts))
        if part.items is not None and part.item_hashes is not None
    ]
    if len(stated) < 2:
        return
    first = pl.concat(stated).unique(["item", "file"], keep="first", maintain_order=True)
    differ = first.filter((pl.col("hash") != pl.col("hash").first()).over("item"))
    if not len(differ):
        return
    file, item, n = files[differ["file"][0]], differ["item"][0], differ["item"].n_unique()
    raise InputError(
        f"the {len(files)} files of {system} ask something else under {n:,} of the item ids that "
        f"they share, by the hashes in the logs; the first is {item!r} in {file}.",
        where=folder,
        fix="They are not runs of one task. Give a folder for each task, or name files NAME=PATH.",
    )


def _concatenated(
    system: str, folder: str, name: str, parts: Sequence[Answers]
) -> pl.Series | None:
    columns = [getattr(part, name) for part in parts]
    if columns[0] is None:
        return None
    try:
        frames = [column.alias(name).to_frame() for column in columns]
        whole: pl.Series = pl.concat(frames, how="vertical_relaxed")[name]
    except pl.exceptions.PolarsError:
        kinds = ", ".join(sorted({str(column.dtype) for column in columns}))
        raise InputError(
            f"the files of {system} hold {name} of several types ({kinds}).",
            where=folder,
            fix="Write them in one way.",
        ) from None
    return whole


def _runs(
    files: Sequence[str],
    of: np.ndarray[tuple[int], np.dtype[np.int64]],
    items: pl.Series | None,
    given: pl.Series | None,
) -> pl.Series:
    """Call runs by their files; runs that have names keep them unless two files use one alike."""
    named = pl.Series("runs", files, dtype=pl.String).gather(of)
    if given is None:
        return named
    assert items is not None
    if not pl.DataFrame({"item": items, "run": given}).is_duplicated().any():
        return given
    return (named + ", run " + given.cast(pl.String)).alias("runs")


def _rows(
    files: Sequence[str],
    of: np.ndarray[tuple[int], np.dtype[np.int64]],
    parts: Sequence[Answers],
) -> Rows:
    lines = []
    for part in parts:
        rows, n = part.rows or Rows(word="row"), len(part.items if part.items is not None else ())
        lines.append(rows.first + np.arange(n) if rows.lines is None else rows.lines)
    word = parts[0].rows.word if parts[0].rows is not None else "row"
    return Rows(word=word, lines=np.concatenate(lines), files=tuple(files), of=of)
