"""BFCL (Berkeley function calling leaderboard): a header, then the failures alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows
from deadheat.readers.log import Log
from deadheat.readers.published import Published, disagreements
from deadheat.readers.table import Table

TOOL = "BFCL"
VERSIONS = "score files of August 2024; BFCL v3 and v4 by files and sources of 2025 and 2026"
QUIRKS = (
    "The file is JSON lines whatever its name ends in.",
    "Only failures are listed: all other items up to total_count of the header were right.",
    "Ids are numbers from 1, or a category and a running number from 0; what follows the running "
    "number of live and memory items (live_simple_17-3-2) is not known of those that passed, so "
    "that the item is live_simple_17.",
    "Where a failure does not fit the numbers, as after --partial-eval, the passes cannot be told "
    "and the file is refused.",
    "The category is the task; failures name the system, else the folder below score does.",
)

_HEAD = re.compile(
    rb'\s*\{\s*"accuracy"\s*:\s*[\d.eE+-]+\s*,\s*"correct_count"\s*:\s*\d+\s*,'
    rb'\s*"total_count"\s*:\s*\d+\s*[,}]'
)
_NUMBERED = re.compile(r"(\D+?)(\d+)(?:-\S*)?$")
_FILE = re.compile(r"(?:BFCL_v\d+_)?(?P<category>.+)_score$")
_VERSIONED = re.compile(r"BFCL_v\d+_")
MOST = 1_000_000
"""Items that a header may count."""


class _Header(msgspec.Struct):
    accuracy: float
    correct_count: int
    total_count: int


class _Failure(msgspec.Struct):
    id: int | str
    model_name: str | None = None
    test_category: str | None = None


def recognises(path: str, head: bytes) -> bool:
    """Whether the first line is a header with counts."""
    return _HEAD.match(head[:4096]) is not None


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each item: those that are not listed are right.

    Raises
    ------
    FormatError
        If the failures do not go with the counts of the header.
    """
    header: _Header | None = None
    failures: list[_Failure] = []
    lines: list[int] = []
    for number, line in log.lines():
        try:
            if header is None:
                header = msgspec.json.decode(line, type=_Header)
            else:
                failures.append(msgspec.json.decode(line, type=_Failure))
                lines.append(number)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise log.broken(number, line, error, "a failure of BFCL") from None
    assert header is not None
    stem = Path(log.path).name.removesuffix(".json")
    named = _FILE.fullmatch(stem)
    category = next((f.test_category for f in failures if f.test_category), None)
    category = category or (named["category"] if named else stem)
    _check_counts(log, header, failures)
    if failures:
        prefix, first, numbers = _numbers(log, failures)
    elif _VERSIONED.match(stem):
        prefix, first, numbers = f"{category}_", 0, []
    else:
        prefix, first, numbers = "", 1, []
    total = header.total_count
    at = dict(zip(numbers, lines, strict=True))
    if len(at) < len(numbers) or not all(first <= number < first + total for number in numbers):
        raise FormatError(
            f"the running numbers of the failures are not {len(numbers):,} of {first} to "
            f"{first + total - 1:,}: which items passed cannot be told.",
            where=log.path,
            fix="Evaluate all items of the category, without --partial-eval.",
        )
    every = range(first, first + total)
    system = next((f.model_name for f in failures if f.model_name), None) or _model(log)
    columns = {
        "id": pl.Series([f"{prefix}{k}" for k in every] if prefix else [*every]),
        "system": pl.repeat(system, total, dtype=pl.String, eager=True),
        "task": pl.repeat(category, total, dtype=pl.String, eager=True),
        "valid": pl.Series([k not in at for k in every], dtype=pl.Boolean),
    }
    roles = {"item": "id", "system": "system", "task": "task"}
    stated = [Published(score="valid", value=header.accuracy)]
    return Table(
        columns=columns,
        height=total,
        rows=Rows(word="line", lines=np.array([at.get(k, 1) for k in every], dtype=np.int64)),
        source=log.source("bfcl"),
        roles=roles,
        scores=("valid",),
        about={"": {"model": system}},
        notes=disagreements(log.path, columns, roles, stated),
    )


def _check_counts(log: Log, header: _Header, failures: Sequence[_Failure]) -> None:
    total, right = header.total_count, header.correct_count
    if not 0 < total <= MOST:
        raise FormatError(f"the header counts {total:,} items.", where=f"{log.path}, line 1")
    if len(failures) != total - right:
        raise FormatError(
            f"{len(failures):,} failures are listed, and the header counts {right:,} right of "
            f"{total:,}: which items passed cannot be told.",
            where=log.path,
            fix="The file may be cut off or hold an item twice; evaluate again.",
        )


def _numbers(log: Log, failures: Sequence[_Failure]) -> tuple[str, int, list[int]]:
    """Return what all ids begin with, the first running number, and those of the failures."""
    if all(isinstance(failure.id, int) for failure in failures):
        return "", 1, [int(failure.id) for failure in failures]
    parts = [_NUMBERED.fullmatch(str(failure.id)) for failure in failures]
    prefixes = {part[1] for part in parts if part}
    if len(prefixes) != 1 or not all(parts):
        raise FormatError(
            "the ids of the failures are no running numbers of one series, so that the items that "
            "passed cannot be told.",
            where=log.path,
            fix="Write a table of all items, with their ids and whether they were valid.",
        )
    (prefix,) = prefixes
    return prefix, 0, [int(part[2]) for part in parts if part]


def _model(log: Log) -> str:
    """Return the folder below "score", in which newer versions have folders of their own."""
    folders = [parent.name for parent in Path(log.path).absolute().parents]
    if "score" in folders[1:]:
        return folders[folders.index("score", 1) - 1]
    return log.folder()
