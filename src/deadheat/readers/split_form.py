"""Tables in split form, as pandas and W&B write them: names of columns, a list for each row."""

from __future__ import annotations

import json
import re

import msgspec

from deadheat.errors import FormatError
from deadheat.readers.log import Log

_LOOK = 1 << 20
_START = re.compile(rb'\s*\{\s*"columns"\s*:\s*(?=\[)')
_TYPED = re.compile(rb'\s*\{\s*"_type"\s*:\s*"table"')
_LATER = re.compile(rb'"columns"\s*:\s*(?=\[)')
_ROWS = re.compile(r'\s*,\s*"(?:index|data)"\s*:\s*\[')


class _Split(msgspec.Struct):
    columns: list[str]
    data: list[list[object]]


def header(head: bytes) -> frozenset[str]:
    """Return the names of columns at the start of such a table; none where it is none.

    Examples
    --------
    >>> sorted(header(b'{"columns": ["a", "b"], "data": [[1, 2]]}'))
    ['a', 'b']
    """
    found = _START.match(head)
    if found is None and _TYPED.match(head):
        found = _LATER.search(head[:_LOOK])
    if found is None:
        return frozenset()
    text = head[found.end() : found.end() + _LOOK].decode("utf-8", "replace")
    try:
        names, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return frozenset()
    if not all(isinstance(name, str) for name in names) or not _ROWS.match(text, end):
        return frozenset()
    return frozenset(names)


def read(log: Log, what: str) -> dict[str, list[object]]:
    """Return the columns of a table.

    Raises
    ------
    FormatError
        If a row has other fields than the header, a name stands twice or there is no row.
    """
    found = log.document(_Split, what)
    if not found.data:
        raise FormatError("there are columns and 0 rows.", where=log.path)
    if len(set(found.columns)) < len(found.columns):
        raise FormatError(
            "the table names a column more than once.", where=log.path, fix="Rename it."
        )
    for number, row in enumerate(found.data, start=1):
        if len(row) != len(found.columns):
            raise FormatError(
                f"row {number} has {len(row)} fields and there are {len(found.columns)} columns.",
                where=log.path,
                fix="Check how the file was written.",
            )
    return {name: [row[at] for row in found.data] for at, name in enumerate(found.columns)}
