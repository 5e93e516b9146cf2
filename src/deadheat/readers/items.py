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
    for name in table.columns:
        if name in roles.values() or name in systems:
            continue
        if looks_like_ids(table, name, copies):
            raise InputError(
                f"no column is known to hold item ids, and {name!r} looks like it.",
                where=table.place,
                fix=f"Say --item {name}; items are paired by order only where there are no ids.",
            )


def is_called_id(name: str) -> bool:
    """Whether a column is called as ids are."""
    return _ID_LIKE.search(normal(name)) is not None


def looks_like_ids(table: Table, name: str, copies: int = 1) -> bool:
    """Whether a column is called as ids are, and most of its values differ.

    Parameters
    ----------
    table : Table
    name : str
        Of the column.
    copies : int
        How often each item may come.
    """
    values = table.columns[name]
    if values.dtype in (pl.Object, pl.Float64) or values.dtype.is_nested():
        return False
    return is_called_id(name) and 2 * copies * values.n_unique() > table.height > 1
