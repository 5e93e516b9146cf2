"""BFCL (Berkeley function calling leaderboard): a header, then the failures alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows
from deadheat.readers.log import Log
from deadheat.readers.published import Published, disagreements
from deadheat.readers.table import Table

TOOL = "BFCL"
VERSIONS = "score files of 2024 and 2025"
QUIRKS = (
    "The file is JSON lines whatever its name ends in.",
    "Only failures are listed: all other ids up to total_count of the header were right.",
    "Ids are numbers from 1, or a category and a number from 0 (simple_5).",
)

_HEAD = re.compile(
    rb'\s*\{\s*"accuracy"\s*:\s*[\d.eE+-]+\s*,\s*"correct_count"\s*:\s*\d+\s*,'
    rb'\s*"total_count"\s*:\s*\d+\s*\}'
)
_NUMBERED = re.compile(r"^(.*?)(\d+)$")


class _Header(msgspec.Struct):
    accuracy: float
    correct_count: int
    total_count: int


class _Failure(msgspec.Struct):
    id: int | str
    model_name: str | None = None
    test_category: str | None = None
    error_type: str | list[str] | None = None


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
    for number, line in log.lines():
        try:
            if header is None:
                header = msgspec.json.decode(line, type=_Header)
            else:
                failures.append(msgspec.json.decode(line, type=_Failure))
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise log.broken(number, line, error, "a failure of BFCL") from None
    assert header is not None
    failed = [failure.id for failure in failures]
    items = _universe(log, failed, header)
    system = next((f.model_name for f in failures if f.model_name), None) or log.folder()
    category = next((f.test_category for f in failures if f.test_category), None)
    wrong = set(map(str, failed))
    columns = {
        "id": pl.Series(items),
        "system": pl.repeat(system, len(items), dtype=pl.String, eager=True),
        "valid": pl.Series([str(item) not in wrong for item in items], dtype=pl.Boolean),
    }
    roles = {"item": "id", "system": "system"}
    if category is not None:
        columns["task"] = pl.repeat(category, len(items), dtype=pl.String, eager=True)
        roles["task"] = "task"
    return Table(
        columns=columns,
        height=len(items),
        rows=Rows(word="item"),
        source=log.source("bfcl"),
        roles=roles,
        scores=("valid",),
        about={"": {"model": system}},
        notes=disagreements(
            log.path, columns, roles, [Published(score="valid", value=header.accuracy)]
        ),
    )


def _universe(log: Log, failed: Sequence[int | str], header: _Header) -> list[int] | list[str]:
    """Return all ids, of which the file names those that failed."""
    total = header.total_count
    if len(set(map(str, failed))) < len(failed) or len(failed) != total - header.correct_count:
        raise FormatError(
            f"{len(failed):,} failures are listed, and the header counts {header.correct_count:,} "
            f"right of {total:,}: the passes cannot be told.",
            where=log.path,
            fix="The file may be cut off or hold an item twice; write it again.",
        )
    if all(isinstance(item, int) for item in failed):
        numbers = [int(item) for item in failed]
        first = 0 if 0 in numbers else 1
        found: list[int] | list[str] = list(range(first, total + first))
    else:
        parts = [_NUMBERED.match(str(item)) for item in failed]
        prefixes = {part[1] for part in parts if part}
        if len(prefixes) != 1 or not all(parts):
            raise FormatError(
                "the ids of the failures do not end in numbers of one series, so that the items "
                "that passed cannot be told.",
                where=log.path,
                fix="Write a table of all items.",
            )
        (prefix,) = prefixes
        found = [f"{prefix}{number}" for number in range(total)]
    if not set(map(str, failed)) <= set(map(str, found)):
        raise FormatError(
            f"a failure is listed that is none of {total:,} items.",
            where=log.path,
            fix="Write a table of all items.",
        )
    return found
