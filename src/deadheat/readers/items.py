"""Item ids that a table has under a name that nobody announced."""

from __future__ import annotations

import re

import polars as pl

from deadheat.errors import InputError
from deadheat.notes import Note
from deadheat.readers.cells import labels
from deadheat.readers.columns import normal
from deadheat.readers.table import Table

_ID_LIKE = re.compile(r"(?:^|_)(?:item|key|index|idx|guid|uuid|hash|no|nr|number)$|id$")

_INDEX = ("", "unnamed:_0")
"""What pandas calls an index that it writes as a first column without a name."""


def index_as_item(table: Table, roles: dict[str, str], notes: list[Note]) -> None:
    """Take a nameless first column of different values as the item ids, with a note."""
    first = next(iter(table.columns), "1")
    if normal(first) in _INDEX and table.named and first not in roles.values():
        values = table.columns[first]
        if values.dtype != pl.Object and values.n_unique() == table.height:
            roles["item"] = first
            notes.append(
                Note(
                    code="item_from_index",
                    message=f"The first column of {table.place} has no name and was taken as "
                    "the item ids.",
                )
            )


def check_item(table: Table, roles: dict[str, str], systems: dict[str, bool]) -> None:
    """Refuse to pair by order where an unread column looks like item ids.

    Raises
    ------
    InputError
        That names the column.
    """
    if "item" in roles or not table.named:
        return
    kinds = [labels(table, roles[role]) for role in ("system", "run") if role in roles]
    copies = pl.DataFrame({str(k): v for k, v in enumerate(kinds)}).n_unique() if kinds else 1
    for name, values in table.columns.items():
        if name in roles.values() or name in systems or values.dtype in (pl.Object, pl.Float64):
            continue
        if values.dtype.is_nested() or not _ID_LIKE.search(normal(name)):
            continue
        if 2 * copies * values.n_unique() > table.height > 1:
            raise InputError(
                f"no column is known to hold item ids, and {name!r} looks like it.",
                where=table.place,
                fix=f"Say --item {name}; items are paired by order only where there are no ids.",
            )
