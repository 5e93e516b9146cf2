"""What every format is read into: columns of one length, and how to name a row of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl

from deadheat.evaluation import Rows, Source
from deadheat.notes import Note

UNTYPED = frozenset({"csv", "lines"})
"""Formats in which everything is text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """Which evaluation a log tells of, where a tool may write several logs of one.

    Attributes
    ----------
    of : str
        The same for a log and for what a retry, a repair or a second scoring made of it.
    order : tuple
        The last in order says all that the others say.
    """

    of: str
    order: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A file or frame as columns.

    Attributes
    ----------
    columns : mapping of str to polars.Series
        By name, in order. String throughout in formats without types, where null and "" both
        stand for a blank; dtype Object where a JSON field mixes types.
    height : int
        Number of rows.
    rows : Rows
        Names of the rows.
    source : Source
        Where the table came from.
    named : bool
        Whether the columns have names; otherwise they are called "1", "2" and so on.
    bare : bool
        One value a row, with nothing that says what it is.
    decimal_comma : bool
        Whether a comma may stand for a decimal point.
    empty_texts : bool
        Whether a blank among outputs and references of a format without types is the text "".
    nested : tuple of str
        Fields inside fields, dotted: columns only where they are asked for.
    roles : mapping of str to str
        Column by role, as far as the format itself says so.
    scores : tuple of str
        Columns of scores of a log, the main one first.
    unlisted : float or None
        Score of the items that the source does not list, where it lists some alone.
    about : mapping of str to (mapping of str to str)
        What a log knows of each system: model, version, temperature, date and the like. The key
        is "" where the table holds one system.
    attempt : Attempt or None
        Which evaluation a log tells of, where several logs may tell of one.
    notes : tuple of Note
        What the reading had to say.
    """

    columns: Mapping[str, pl.Series]
    height: int
    rows: Rows
    source: Source
    named: bool = True
    bare: bool = False
    decimal_comma: bool = False
    empty_texts: bool = False
    nested: tuple[str, ...] = ()
    roles: Mapping[str, str] = field(default_factory=dict)
    scores: tuple[str, ...] = ()
    unlisted: float | None = None
    about: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    attempt: Attempt | None = None
    notes: tuple[Note, ...] = ()

    @property
    def place(self) -> str:
        """Name of the table in messages."""
        return self.source.path or f"the {self.source.format}"

    @property
    def untyped(self) -> bool:
        """Whether everything was read as text."""
        return self.source.format in UNTYPED

    def where(self, row: int, column: str | None = None) -> str:
        """Name a cell or a row in messages."""
        cell = f", column {column!r}" if column and not self.bare else ""
        return f"{self.place}, {self.rows.name(row)}{cell}"
