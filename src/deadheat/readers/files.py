"""One file, read and laid out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace

import polars as pl

from deadheat.errors import InputError
from deadheat.evaluation import References
from deadheat.readers.columns import ROLES, Options, is_number, normal, sought, split
from deadheat.readers.formats import read_table
from deadheat.readers.layout import Layout, lay_out, wanted_here
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoTableError

FILE = "file"
"""Column that every table of a folder has unless it has one of that name: where a row lies."""

_Key = tuple[str, tuple[str | int, ...], bool]
_KEPT: ContextVar[dict[_Key, Table | InputError] | None] = ContextVar("kept tables", default=None)


@contextmanager
def kept_tables() -> Iterator[None]:
    """Read each file once while this lasts, however often it is asked for in one way."""
    token = _KEPT.set({})
    try:
        yield
    finally:
        _KEPT.reset(token)


def read_file(
    path: str,
    options: Options,
    references: References | None,
    *,
    name: str | None = None,
    file: str | None = None,
) -> Layout:
    """Read what one file says of one or more systems.

    Parameters
    ----------
    path : str
    options : Options
    references : References or None
        Given apart from the answers.
    name : str, optional
        Of its one system.
    file : str, optional
        What the file is called inside its folder, for whoever asks for the column `FILE`.

    Raises
    ------
    InputError
        If it cannot be read.
    """
    table = table_of(path, options, references, file=file)
    return lay_out(table, options, name=name, references=references)


def table_of(
    path: str, options: Options, references: References | None, *, file: str | None = None
) -> Table:
    """Read one file as a table; parameters as in `read_file`.

    Raises
    ------
    InputError
        If it cannot be read.
    """
    wanted = sought(wanted_here(options, apart=references is not None).values())
    # Systems may be called by numbers: those alone do not say that there is no header.
    wanted.extend(name for name in options.systems or () if not is_number(name))
    if file is not None:
        # It is made here, and the format need not look for it.
        wanted = [column for column in wanted if split(str(column))[0] != FILE]
    table = _read_once(path, wanted, empty_texts=options.empty_texts)
    if file is not None and _one_object(table):
        raise NoTableError("the file is one JSON object, not one a row.", where=path)
    asked = options.named(("system", "cluster", "stratum", "run")).values()
    if (
        file is not None
        and FILE not in table.columns
        and any(split(str(column))[0] == FILE for column in asked)
    ):
        constant = pl.repeat(file, table.height, dtype=pl.String, eager=True).alias(FILE)
        table = replace(table, columns={**table.columns, FILE: constant})
    return table


def _read_once(path: str, wanted: list[str | int], *, empty_texts: bool) -> Table:
    kept = _KEPT.get()
    if kept is None:
        return read_table(path, wanted, empty_texts=empty_texts)
    key = (path, tuple(wanted), empty_texts)
    if key not in kept:
        try:
            kept[key] = read_table(path, wanted, empty_texts=empty_texts)
        except InputError as error:
            kept[key] = error
    found = kept[key]
    if isinstance(found, InputError):
        raise found
    return found


def _one_object(table: Table) -> bool:
    """Whether a file by the name of a JSON document holds one object, and that is no item."""
    item = ROLES["item"].aliases
    return (
        table.height == 1
        and table.source.format == "jsonl"
        and table.source.path.casefold().endswith(".json")
        and not any(normal(column) in item for column in table.columns)
    )
