"""Texts of items from a file of their own, and how values are paired with the aligned items."""

from __future__ import annotations

import hashlib
from os import PathLike, fspath
from typing import Any

import polars as pl

from deadheat.alignment import Alignment
from deadheat.errors import InputError, UsageError, known
from deadheat.readers import arrays, frames
from deadheat.readers.cells import ids, labels_or_lists
from deadheat.readers.columns import Options, is_number, normal, resolve, sought
from deadheat.readers.expressions import with_derived
from deadheat.readers.formats import read_table
from deadheat.readers.table import Table

Column = str | int
Found = tuple[pl.Series | None, pl.Series]
"""Item ids, or None, and a value for each."""

TEXT = frozenset(
    {"text", "question", "prompt", "input", "problem", "content", "sentence", "document"}
    | {"instruction", "query", "passage"}
)
"""Names of columns that hold texts, for files of texts."""


def texts_of_file(
    source: Any, column: Column | None, item: Column | None, alignment: Alignment
) -> pl.Series:
    """Return the texts of the aligned items from a file, frame or sequence of their own.

    Parameters
    ----------
    source : object
        A path, a frame or a sequence.
    column : str, int or None
        Name or number of the column.
    item : str, int or None
        Column of the item ids.
    alignment : Alignment
        The items, in order.

    Raises
    ------
    InputError
        If it is not clear which column holds them, or they do not pair with the items.
    """
    if isinstance(source, (str, PathLike)) or frames.recognises(source):
        return placed(of_table(source, column, item, "--text-column"), alignment, "--texts")
    return placed((None, given_texts(source, "--texts")), alignment, "--texts")


def given_texts(source: Any, option: str) -> pl.Series:
    """Return the texts of a sequence in memory.

    Parameters
    ----------
    source : object
        A path, a frame or a sequence.
    option : str
        What gave it, for messages.

    Raises
    ------
    UsageError
        If it is none.
    """
    if not arrays.recognises(source):
        raise UsageError(
            f"the texts ({option}) are {type(source).__name__}, which cannot be read.",
            fix="Give a path, a data frame or a sequence of texts.",
        )
    return arrays.read(source, f"the texts ({option})")


def of_table(source: Any, column: Column | None, item: Column | None, option: str) -> Found:
    """Read item ids, where there are some, and texts.

    Parameters
    ----------
    source : object
        A path, a frame or a sequence.
    column : str, int or None
        Name or number of the column.
    item : str, int or None
        Column of the item ids.
    option : str
        What gave it, for messages.

    Raises
    ------
    InputError
        If the column is not there, or it is not clear which one is meant.
    """
    wanted = [name for name in (column, item) if name is not None]
    if frames.recognises(source):
        table = frames.read(source, sought(wanted))
    else:
        table = read_table(fspath(source), sought(wanted), empty_texts=True)
    numbered = column is not None and is_number(column)
    by_item = item if item is None or is_number(item) == numbered else None
    named = Options(item=by_item)
    table = with_derived(table, named, ["item"])
    roles = resolve(table, named.named(["item"]), optional=["item"])
    chosen = text_column(table, column, roles.get("item"), option)
    held = roles.get("item")
    return (
        ids(table, held) if held is not None and held != chosen else None,
        labels_or_lists(table, chosen),
    )


def text_column(table: Table, column: Column | None, item: str | None, option: str) -> str:
    """Return the column of texts: the one asked for, the only one, or that of a known name.

    Parameters
    ----------
    table : Table
        As it was read.
    column : str, int or None
        Name or number of the column.
    item : str, int or None
        Column of the item ids.
    option : str
        What gave it, for messages.

    Raises
    ------
    InputError
        If the column is not there, or it is not clear which one is meant.
    """
    if column is not None:
        if str(column) in table.columns:
            return str(column)
        raise InputError(
            f"there is no column {column!r} ({option}).",
            where=table.place,
            fix=known({*table.columns, *table.nested}, str(column)),
        )
    rest = [name for name in table.columns if name != item]
    fitting = rest if len(rest) == 1 else [name for name in rest if normal(name) in TEXT]
    if len(fitting) == 1:
        return fitting[0]
    raise InputError(
        "it is not clear which column holds the texts; the columns are "
        f"{', '.join(map(repr, list(table.columns)[:12]))}.",
        where=table.place,
        fix=f"Name it with {option}.",
    )


def placed(found: Found, alignment: Alignment, option: str) -> pl.Series:
    """Bring values to the order of the aligned items; null where an item has none.

    Parameters
    ----------
    found : Found
        Values, with their item ids where there are some.
    alignment : Alignment
        The items, in order.
    option : str
        What gave it, for messages.

    Raises
    ------
    InputError
        If there are no ids on one side, and not as many values as items.
    """
    items, values = found
    if items is not None and alignment.items is not None:
        held = pl.DataFrame({"item": items.cast(pl.String), "value": values})
        held = held.unique("item", keep="first", maintain_order=True)
        wanted = pl.DataFrame({"item": alignment.items.cast(pl.String)})
        return wanted.join(held, on="item", how="left", maintain_order="left")["value"]
    if alignment.items is None and alignment.kept is not None and len(values) > alignment.n:
        values = values.gather(alignment.kept)
    if len(values) != alignment.n or alignment.items is not None:
        what = (
            "the items have ids and these have none"
            if alignment.items is not None
            else (f"there are {alignment.n:,} items")
        )
        raise InputError(
            f"{len(values):,} values ({option}) cannot be paired with the items: {what}.",
            fix="Give them with the item ids, or one for each item in the same order.",
        )
    return values


def as_texts(values: pl.Series) -> list[str]:
    """Return values as texts; lists and objects as JSON, and nothing as the empty text.

    Parameters
    ----------
    values : polars.Series
        Of any type.
    """
    if values.dtype == pl.Binary:
        return ["" if value is None else value.decode() for value in values.to_list()]
    return values.cast(pl.String).fill_null("").to_list()


def sha256_of(source: Any) -> dict[str, str]:
    """Return the digest of a file by its path; nothing of what is in memory.

    Parameters
    ----------
    source : object
        A path, or texts in memory.
    """
    if not isinstance(source, (str, PathLike)):
        return {}
    with open(source, "rb") as file:
        return {fspath(source): hashlib.file_digest(file, "sha256").hexdigest()}
