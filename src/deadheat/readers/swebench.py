"""SWE-bench leaderboards: for each system, whether it resolved each instance, cost and calls."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import msgspec
import polars as pl

from deadheat.errors import FormatError, InputError
from deadheat.evaluation import Rows, Source
from deadheat.notes import Note
from deadheat.readers.content import Content
from deadheat.readers.documents import decoded, one_document
from deadheat.readers.table import Table

BY_LINES = False

TOOL = "SWE-bench board"

VERSIONS = "leaderboards.json and the map of results of the site, 2025"

QUIRKS = (
    "Every system of a board that lists its instances is read: resolved, cost and api_calls.",
    "Published percentages are computed again, with a note where they disagree.",
    "Systems without instances are named and left out.",
)

SCORES = ("resolved", "cost", "api_calls")
"""Columns of which the first is the score unless another is asked for."""

_BOARDS = re.compile(rb'\s*\{\s*"leaderboards"\s*:\s*\[')
_BY_NAME = re.compile(rb'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\{\s*"[^"]*"\s*:\s*\{[^{}]*"resolved"\s*:')
_LISTED = 12


class _Instance(msgspec.Struct):
    resolved: bool | None = None
    cost: float | None = None
    api_calls: float | None = None


class _Result(msgspec.Struct):
    name: str
    resolved: float | None = None
    per_instance_details: dict[str, _Instance] | None = None


class _Board(msgspec.Struct):
    name: str
    results: list[_Result]


class _Boards(msgspec.Struct):
    leaderboards: list[_Board]


def recognises(path: str, head: bytes) -> bool:
    """Whether a document is a list of boards, or a map of systems to instances."""
    return bool(_BOARDS.match(head) or _BY_NAME.match(head)) and one_document(head)


def read(content: Content, wanted: Sequence[str | int]) -> Table:
    """Read a row for each system and instance.

    Raises
    ------
    FormatError
        If the document is not of this shape, or no system has outcomes of instances.
    InputError
        If several boards have them, or two systems have one name.
    """
    if _BOARDS.match(content.data):
        boards = decoded(content, _Boards, "SWE-bench leaderboards").leaderboards
        results = _only(content, boards).results
    else:
        maps = decoded(content, dict[str, dict[str, _Instance]], "a map of systems to instances")
        results = [_Result(name=name, per_instance_details=found) for name, found in maps.items()]
    detailed = [result for result in results if result.per_instance_details]
    _check_names(content, detailed)
    rows = [
        (result.name, item, instance)
        for result in detailed
        for item, instance in (result.per_instance_details or {}).items()
    ]
    columns = {
        "system": pl.Series("system", [name for name, _, _ in rows], dtype=pl.String),
        "instance_id": pl.Series("instance_id", [item for _, item, _ in rows], dtype=pl.String),
    }
    for name, kind in zip(SCORES, (pl.Boolean, pl.Float64, pl.Float64), strict=True):
        values = [getattr(instance, name) for _, _, instance in rows]
        columns[name] = pl.Series(name, values, dtype=kind)
    return Table(
        columns=columns,
        height=len(rows),
        rows=Rows(word="entry"),
        source=Source(path=content.path, sha256=content.sha256, format="json"),
        roles={"system": "system", "item": "instance_id", "score": SCORES[0]},
        notes=(*_aggregate_only(results), *_disagreeing(detailed)),
    )


def _only(content: Content, boards: Sequence[_Board]) -> _Board:
    """Return the one board of which there are outcomes of instances."""
    detailed = [board for board in boards if any(r.per_instance_details for r in board.results)]
    if len(detailed) == 1:
        return detailed[0]
    names = ", ".join(repr(board.name) for board in (detailed or boards)[:_LISTED]) or "none"
    if not detailed:
        raise FormatError(
            f"no system of the boards ({names}) has outcomes of instances, only published values.",
            where=content.path,
            fix="Differences need the outcome of every item (per_instance_details).",
        )
    raise InputError(
        f"the file holds {len(detailed)} boards with outcomes of instances: {names}.",
        where=content.path,
        fix="Write the board that is meant into a file of its own: its items are its own.",
    )


def _check_names(content: Content, results: Sequence[_Result]) -> None:
    names = [result.name for result in results]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(
            f"two systems are called {twice!r}.", where=content.path, fix="Rename one of them."
        )


def _aggregate_only(results: Sequence[_Result]) -> tuple[Note, ...]:
    without = [result.name for result in results if not result.per_instance_details]
    if not without:
        return ()
    return (
        Note(
            code="systems_without_items",
            message=f"{len(without)} of {len(results)} systems come with a published value and no "
            f"outcomes of items, and are not compared: {_listed(without)}.",
        ),
    )


def _disagreeing(results: Sequence[_Result]) -> tuple[Note, ...]:
    """Hold the published share against the outcomes, to the digits that were published."""
    said = []
    for result in results:
        right, n = _counted(result.per_instance_details or {})
        if result.resolved is None or not n:
            continue
        decimals = len(repr(result.resolved).partition(".")[2].partition("e")[0])
        if abs(result.resolved - 100.0 * right / n) > 0.5 * 10.0**-decimals + 1e-9:
            share = f"{100.0 * right / n:.2f}".rstrip("0").rstrip(".")
            said.append(f"{result.name} {result.resolved:g} ({right} of {n} is {share})")
    if not said:
        return ()
    return (
        Note(
            code="published_disagrees",
            message=f"The published percentage is not that of the outcomes for {len(said)} of "
            f"{len(results)} systems, and the outcomes were used: {_listed(said)}.",
        ),
    )


def _counted(instances: Mapping[str, _Instance]) -> tuple[int, int]:
    return sum(instance.resolved is True for instance in instances.values()), len(instances)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + more
