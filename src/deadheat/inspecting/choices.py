"""Readings that a table may be meant in, where its columns do not say which."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import polars as pl

from deadheat.inspecting.groups import REFERENCES
from deadheat.inspecting.looking import Seen
from deadheat.readers.cells import looks_numeric
from deadheat.readers.columns import ROLES, is_alias, normal
from deadheat.readers.items import is_called_id, looks_like_ids
from deadheat.readers.table import Table
from deadheat.readers.wide import says_no_score

_MOST_LABELS = 100
"""Different values that a column of labels has at most."""

_MOST_SYSTEMS = 50
"""Systems that a column of glued names may hold."""

_GLUED = r"^(.+)[_:/|](\d+)$"


_POSITIONS = frozenset({"start", "end", "offset", "position"})
"""Words in the names of numbers that say where something stands."""

_SHARED = 0.9
"""Share of rows in which files have one value, from which on it is of the item."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One reading of files that have the same columns.

    Attributes
    ----------
    files : tuple of Seen
    reading : mapping
        Options of `deadheat.read`.
    means : str
        Which column is taken as what.
    """

    files: tuple[Seen, ...]
    reading: Mapping[str, Any]
    means: str


def choices(seen: Sequence[Seen]) -> list[Choice]:
    """Return the readings of tables that cannot be used as they stand, likely ones first.

    Nothing is taken for granted: these are to be tried, and to be told to the user.
    """
    groups: dict[tuple[str, ...], list[Seen]] = {}
    for one in seen:
        if one.error is not None and one.table is not None and one.table.named:
            groups.setdefault(tuple(one.table.columns), []).append(one)
    right = [
        one
        for one in seen
        if one.table is not None and REFERENCES.search(os.path.basename(one.file.path))
    ]
    return [
        choice
        for group in groups.values()
        for choice in (
            *_by_file([one for one in group if one not in right], right),
            *_by_column(group),
            *_by_score(group),
        )
    ]


def _by_file(group: Sequence[Seen], right: Sequence[Seen]) -> Iterator[Choice]:
    """Hold columns of labels against those of a file that is called as right answers are."""
    tables = _tables(group)
    if not tables:
        return
    base = _items(tables[0])
    for one in right:
        (other,) = _tables([one])
        outputs = {column: _labels(tables, column) for column in tables[0].columns}
        references = {column: _labels([other], column) for column in other.columns}
        for output, given in outputs.items():
            for reference, wanted in references.items():
                if not given & wanted:
                    continue
                reading = base | {
                    "output_column": output,
                    "references": one.file.path,
                    "reference_column": reference,
                }
                means = f"{output} held against {reference} of {os.path.basename(one.file.path)}"
                if renamed := _renamed(given, wanted):
                    (new,) = set(renamed.values())
                    old = " and ".join(renamed)
                    yield Choice(
                        files=tuple(group),
                        reading=reading | {"label_map": renamed},
                        means=f"{means}, {old} taken as {new}",
                    )
                    means = f"{means}, labels as they stand"
                yield Choice(files=tuple(group), reading=reading, means=means)


def _renamed(given: frozenset[str], wanted: frozenset[str]) -> dict[str, str]:
    """Map labels that are no right answer to the one right answer that nobody gave."""
    left = wanted - given
    return dict.fromkeys(sorted(given - wanted), next(iter(left))) if len(left) == 1 else {}


def _by_column(group: Sequence[Seen]) -> Iterator[Choice]:
    """Hold one column of labels against another, that which all files share being the right one."""
    tables = _tables(group)
    base = _items(tables[0])
    labels = {column: _labels(tables, column) for column in tables[0].columns}
    pairs = [
        (output, reference)
        for output, reference in permutations(labels, 2)
        if 2 * len(labels[output] & labels[reference]) > len(labels[output] | labels[reference])
    ]
    agreement = {reference: _agreement(tables, reference) for _, reference in pairs}
    shared = [pair for pair in pairs if agreement[pair[1]] >= _SHARED]
    called = ROLES["reference"].aliases
    for output, reference in sorted(
        shared or pairs, key=lambda pair: (normal(pair[1]) not in called, -agreement[pair[1]])
    ):
        yield Choice(
            files=tuple(group),
            reading=base | {"output_column": output, "reference_column": reference},
            means=f"{output} as the output, {reference} as the reference",
        )


def _by_score(group: Sequence[Seen]) -> Iterator[Choice]:
    """Take one column of numbers as the score, where something else names several systems."""
    tables = _tables(group)
    first = tables[0]
    base = _items(first)
    if not (len(group) > 1 or "system_column" in base or _systems(first) > 1):
        return
    for column in first.columns:
        if (
            is_alias(column)
            or says_no_score(column)
            or is_called_id(column)
            or _POSITIONS & set(normal(column).split("_"))
            or not looks_numeric(first, column)
        ):
            continue
        yield Choice(
            files=tuple(group),
            reading=base | {"score": column},
            means=f"{column} as the score",
        )


def _tables(group: Iterable[Seen]) -> list[Table]:
    return [one.table for one in group if one.table is not None]


def _items(table: Table) -> dict[str, Any]:
    """Return the options that say where item ids stand, where no column is called so."""
    if any(map(_is_item, table.columns)):
        return {}
    for column, values in table.columns.items():
        if values.dtype == pl.String and (glued := _unglued(column, values)):
            return glued
    copies = _systems(table)
    likely = [column for column in table.columns if looks_like_ids(table, column, copies)]
    return {"item": likely[0]} if len(likely) == 1 else {}


def _systems(table: Table) -> int:
    """Return how many systems a column that is called so names; one where there is none."""
    for column, values in table.columns.items():
        if normal(column) in ROLES["system"].aliases and values.dtype == pl.String:
            return values.n_unique()
    return 1


def _unglued(column: str, values: pl.Series) -> dict[str, Any]:
    """Take a few systems and their items out of a column in which every row is SYSTEM_NUMBER."""
    if values.null_count() or values.n_unique() < len(values):
        return {}
    systems = values.str.extract(_GLUED, 1)
    if systems.null_count() or not 1 < systems.n_unique() <= min(_MOST_SYSTEMS, len(values) // 4):
        return {}
    return {"system_column": rf"{column}:^(.+)[_:/|]\d+$", "item": rf"{column}:(\d+)$"}


def _labels(tables: Sequence[Table], column: str) -> frozenset[str]:
    """Return the different texts of a column; none where they are no labels."""
    found: set[str] = set()
    for table in tables:
        values = table.columns[column]
        if values.dtype != pl.String:
            return frozenset()
        found.update(values.unique().drop_nulls().head(_MOST_LABELS + 1))
    many = len(found) > min(_MOST_LABELS, max(table.height for table in tables) // 2)
    return frozenset() if many or len(found) < 2 else frozenset(found)


def _agreement(tables: Sequence[Table], column: str) -> float:
    """Return the share of items for which files have the same value as the first of them."""
    names = [*_items(tables[0]).values()] or [c for c in tables[0].columns if _is_item(c)]
    if len(tables) < 2 or len(names) != 1 or names[0] not in tables[0].columns:
        return 0.0
    first, *others = (
        pl.DataFrame({"item": table.columns[names[0]], "value": table.columns[column]})
        for table in tables
    )
    same = [first.join(other, on=["item", "value"], how="semi").height for other in others]
    return sum(same) / (len(same) * first.height)


def _is_item(column: str) -> bool:
    return normal(column) in ROLES["item"].aliases
