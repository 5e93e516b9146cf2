"""CSV that a tool wrote: known by the names in its header, and read as columns of text."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping

from deadheat.errors import FormatError
from deadheat.readers import delimited
from deadheat.readers.content import Content
from deadheat.readers.log import Log
from deadheat.readers.table import Table

LARGEST = 256 << 20
"""Bytes in a file: all of it is held."""

_LONGEST_HEADER = 1 << 16


def header(head: bytes) -> frozenset[str]:
    r"""Return the names in the first line of a file; none where it is no header.

    Examples
    --------
    >>> sorted(header(b"id,score\n1,0\n")), header(b'{"id": 1}')
    (['id', 'score'], frozenset())
    """
    line = head[:_LONGEST_HEADER].partition(b"\n")[0]
    if len(line) == _LONGEST_HEADER or line.lstrip()[:1] in (b"", b"{", b"["):
        return frozenset()
    return frozenset(delimited.first_fields(line))


def first_row(head: bytes) -> Mapping[str, str]:
    """Return the row below the header, by name; nothing where there is none."""
    text = head[:_LONGEST_HEADER].decode("utf-8", "replace")
    separator = max(",;\t", key=text.partition("\n")[0].count)
    try:
        rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator)
        return {k: v for k, v in next(rows, {}).items() if isinstance(k, str) and v is not None}
    except csv.Error:
        return {}


def read(log: Log) -> Table:
    """Read the whole file, every column as text.

    Raises
    ------
    FormatError
        If the file has more than 256 MB, or is no table.
    """
    content = Content(path=log.path, data=log.data(LARGEST), sha256="")
    try:
        return delimited.read(content, ())
    except csv.Error as error:
        raise FormatError(
            f"the header cannot be read ({error}).",
            where=log.path,
            fix="Save it with line feeds, and fields that hold line breaks in quotes.",
        ) from None


def values(table: Table, name: str) -> list[str | None]:
    """Return the cells of a column; a blank is None, and so is every cell where it is not there."""
    if name not in table.columns:
        return [None] * table.height
    return [value or None for value in table.columns[name].to_list()]
