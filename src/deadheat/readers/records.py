"""JSON objects, one a row, into typed columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from types import NoneType

import polars as pl

from deadheat.errors import FormatError
from deadheat.readers.columns import ROLES, normal
from deadheat.readers.structured import Nested, canonical

Value = str | int | float | bool | Nested | None

_EXACT = 2**53
"""Up to here a float holds every whole number."""

_SPARE = 4 << 20
"""Cells that a table may have beyond four for each byte of the file."""

_KEPT = frozenset().union(*(ROLES[role].aliases for role in ("score", "output", "reference")))
"""Names of fields whose lists and objects are kept unasked: logs hold many that nobody needs."""

_TO_CONSTANT = re.compile(
    rb'((?:[^"NI-]++|"[^"\\]*+(?:\\.[^"\\]*+)*+"|-(?!NaN|Infinity))*+)-?\b(?:NaN|Infinity)\b',
    re.DOTALL,
)
"""Up to the next bare constant, texts as a whole: nothing is kept of each text."""


class Records:
    """Columns that grow by one record at a time.

    Parameters
    ----------
    path : str
        For messages.
    wanted : sequence of (str or int)
        Columns that were asked for; a dotted one is looked up inside nested objects. Lists and
        objects are kept in these, and in those that may be scores, outputs or references.
    size : int
        Bytes of the file, to which the memory is held in proportion.
    """

    def __init__(self, path: str, wanted: Sequence[str | int], size: int) -> None:
        self.path = path
        self.height = 0
        self.nested: tuple[str, ...] = ()
        self._columns: dict[str, list[Value]] = {}
        self._wanted = frozenset(map(str, wanted))
        self._kept: set[str] = set()
        self._dotted = [column for column in map(str, wanted) if "." in column]
        self._limit = 4 * size + _SPARE

    def add(self, record: dict[str, object]) -> None:
        """Append one row."""
        columns, row = self._columns, self.height
        if row == 0:
            self.nested = tuple(_leaves(record))
        for name in self._dotted:
            if name not in record and (value := _inside(record, name)) is not None:
                record[name] = value
        for name, value in record.items():
            column = columns.get(name)
            if column is None:
                column = columns[name] = []
                self._check_size()
                if name in self._wanted or normal(name) in _KEPT:
                    self._kept.add(name)
            if len(column) < row:
                column.extend([None] * (row - len(column)))
            if isinstance(value, (dict, list)):
                data = canonical(value) if name in self._kept else None
                column.append(Nested(type(value).__name__, data))
            else:
                column.append(value)  # type: ignore[arg-type]  # what JSON holds is no wider
        self.height += 1

    def columns(self) -> dict[str, pl.Series]:
        """Return the columns."""
        self._check_size()
        finished = {}
        for name, values in self._columns.items():
            values.extend([None] * (self.height - len(values)))
            finished[name] = typed_series(name, values, self.path)
        return finished

    def _check_size(self) -> None:
        """Refuse to fill up a table whose rows have little in common."""
        if len(self._columns) * self.height > self._limit:
            raise FormatError(
                f"the first {self.height:,} rows have {len(self._columns):,} different fields.",
                where=self.path,
                fix="Every row is expected to have the same fields; ids must not be names.",
            )


def typed_series(name: str, values: Sequence[object], path: str) -> pl.Series:
    """Make a column of one type, or of dtype Object where the values have several.

    Raises
    ------
    FormatError
        If a whole number does not fit 128 bits or a text is not valid Unicode.
    """
    kinds = set(map(type, values)) - {NoneType}
    try:
        if not kinds:
            return pl.Series(name, values, dtype=pl.Null)
        if kinds == {str}:
            return pl.Series(name, values, dtype=pl.String)
        if kinds == {bool}:
            return pl.Series(name, values, dtype=pl.Boolean)
        if kinds == {int}:
            return _whole(name, values)
        if kinds == {float} or (kinds == {int, float} and _exact(values)):
            return pl.Series(name, values, dtype=pl.Float64, strict=False)
    except (OverflowError, UnicodeError, TypeError, pl.exceptions.PolarsError):
        raise FormatError(
            f"field {name!r} holds a number beyond 128 bits or a text that is not Unicode.",
            where=path,
            fix="Write large numbers as text.",
        ) from None
    return pl.Series(name, values, dtype=pl.Object)


def without_constants(data: bytes) -> bytes:
    """Replace the bare constants NaN and Infinity, which JSON does not have, by null.

    Examples
    --------
    >>> without_constants(b'{"score": NaN, "text": "NaN"}')
    b'{"score": null, "text": "NaN"}'
    """
    if b"NaN" not in data and b"Infinity" not in data:
        return data
    pieces, at = [], 0
    while found := _TO_CONSTANT.match(data, at):
        pieces += [found[1], b"null"]
        at = found.end()
    return b"".join([*pieces, data[at:]])


def _whole(name: str, values: Sequence[object]) -> pl.Series:
    try:
        return pl.Series(name, values, dtype=pl.Int64)
    except (OverflowError, TypeError, pl.exceptions.PolarsError):
        return pl.Series(name, values, dtype=pl.Int128)


def _exact(values: Sequence[object]) -> bool:
    return all(abs(value) <= _EXACT for value in values if isinstance(value, int))


def _leaves(record: dict[str, object], prefix: str = "") -> Iterable[str]:
    """Names of the values inside nested objects, dotted, two levels deep."""
    for name, value in record.items():
        if isinstance(value, dict) and prefix.count(".") < 2:
            yield from _leaves(value, f"{prefix}{name}.")
        elif prefix and not isinstance(value, list):
            yield prefix + name


def _inside(record: dict[str, object], dotted: str) -> object:
    value: object = record
    for part in dotted.split("."):
        if not isinstance(value, dict):
            return None
        value = value.get(part)
    return value
