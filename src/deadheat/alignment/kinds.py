"""What kind of values columns hold, and how columns of different kinds compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import polars as pl

from deadheat.errors import AlignmentError
from deadheat.evaluation import Source
from deadheat.notes import Note

UNTYPED = frozenset({"csv", "lines"})
"""Formats in which a number, a truth and a text look alike."""

LONGEST = 80
"""Characters of a list or an object that messages show."""

_WHOLE = r"^([+-]?[0-9]+)\.0+$"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """Values with a name for messages.

    Attributes
    ----------
    name : str
        Such as "the outputs of bert".
    values : polars.Series
        String, Int64 (Int128 where needed), Float64, Boolean, Null, or Binary, which holds
        canonical JSON.
    untyped : bool
        Read from a format in which everything is text.
    """

    name: str
    values: pl.Series
    untyped: bool

    @property
    def kind(self) -> str:
        """One of "text", "numbers", "true/false", "lists" and, for only nulls, "nothing"."""
        if self.values.null_count() == len(self.values):
            return "nothing"
        if self.values.dtype == pl.Binary:
            return "lists"
        if self.values.dtype == pl.String:
            return "text"
        return "true/false" if self.values.dtype == pl.Boolean else "numbers"

    def shown(self, n: int = 3) -> str:
        """Show the kind and the first few distinct values in sorted order."""
        return f"{self.kind} ({listed(self.values, n)})"


def column(name: str, values: pl.Series, source: Source, *, structured: bool = False) -> Column:
    """Bring a column that was read to one of the types that are compared.

    Whole numbers written as reals (1.0) become integers; dates, times and categories become text.

    Parameters
    ----------
    name : str
        For messages.
    values : polars.Series
    source : Source
    structured : bool
        Whether lists and objects may be there, as canonical JSON of type Binary.

    Raises
    ------
    AlignmentError
        If the column holds what cannot be compared.
    """
    dtype = values.dtype
    if dtype.is_integer() or (isinstance(dtype, pl.Decimal) and dtype.scale == 0):
        values = _integers(values)
    elif dtype.is_numeric():
        values = _reals(values)
    elif dtype.is_temporal() or dtype in (pl.Categorical, pl.Enum):
        values = values.cast(pl.String)
    elif dtype == pl.Binary and structured:
        values = values if values.null_count() < len(values) else _nothing(values)
    elif dtype not in (pl.String, pl.Boolean, pl.Null):
        word = "lists or objects" if dtype == pl.Binary else f"of type {dtype}"
        raise AlignmentError(
            f"{name} are {word}, which cannot be compared.",
            where=source.path,
            fix="Give text, numbers or true/false.",
        )
    return Column(name=name, values=values, untyped=source.format in UNTYPED)


def _nothing(values: pl.Series) -> pl.Series:
    """Return nulls that agree with values of any type."""
    return pl.Series(values.name, [None] * len(values), dtype=pl.Null)


def _integers(values: pl.Series) -> pl.Series:
    narrow = values.cast(pl.Int64, strict=False)
    return narrow if narrow.null_count() == values.null_count() else values.cast(pl.Int128)


def _reals(values: pl.Series) -> pl.Series:
    real = values.cast(pl.Float64).fill_nan(None)
    whole = real.cast(pl.Int64, strict=False)
    # Beyond 2**53 neighbouring integers share one real number: they stay real.
    same = (whole.cast(pl.Float64) == real) & (real.abs() <= 2.0**53)
    return whole if same.sum() == real.len() - real.null_count() else real + 0.0


def clash(columns: Sequence[Column]) -> tuple[Column, Column] | None:
    """Return the first two columns that must not be compared: typed text with a typed number.

    Lists and objects clash with nothing: what they are compared with is for the metric to say.
    """
    unsaid = ("nothing", "lists")
    typed = [c for c in columns if c.kind not in unsaid and not (c.untyped and c.kind == "text")]
    texts = [c for c in typed if c.kind == "text"]
    others = [c for c in typed if c.kind != "text"]
    if not texts or not others:
        return None
    first, second = sorted((texts[0], others[0]), key=lambda c: columns.index(c))
    return first, second


def unified(columns: Sequence[Column], what: str) -> tuple[list[pl.Series], tuple[Note, ...]]:
    """Bring columns that do not clash to one type, and say so where that takes a step.

    Text from an untyped format beside typed numbers or truths: all are compared as text, in which
    a whole number has no decimals and truths are ``true`` and ``false`` in lower case. Numbers
    beside truths: true is 1, false is 0.

    Parameters
    ----------
    columns : sequence of Column
        Between which `clash` finds nothing; without lists.
    what : str
        For the notes, such as "labels" (code ``labels_compared_as_text``) or "ids".
    """
    kinds = {c.kind for c in columns} - {"nothing"}
    series = [c.values for c in columns]
    if kinds <= {"text"}:
        return [s.cast(pl.String) for s in series], ()
    if "text" in kinds:
        truths = "true/false" in kinds
        if "numbers" in kinds:
            series = [s.cast(pl.Int64) if s.dtype == pl.Boolean else s for s in series]
        untyped = next(c for c in columns if c.kind == "text")
        typed = next(c for c in columns if c.kind in kinds - {"text"})
        message = (
            f"{_capital(untyped.name)} were read from a format without types and {typed.name} "
            f"are {typed.kind}: {what} were compared as text."
        )
        note = Note(code=f"{what}_compared_as_text", message=message)
        return [_text(s, lower_truths=truths) for s in series], (note,)
    if len(kinds) == 2:
        truth = next(c for c in columns if c.kind == "true/false")
        message = f"{_capital(truth.name)} are true/false beside numbers: true counts as 1."
        note = Note(code=f"{what}_compared_as_numbers", message=message)
        return _one_number_type(series), (note,)
    if kinds == {"true/false"}:
        return [s.cast(pl.Boolean) for s in series], ()
    return _one_number_type(series), ()


def _one_number_type(series: Sequence[pl.Series]) -> list[pl.Series]:
    dtypes = {s.dtype for s in series}
    widest = next((t for t in (pl.Float64, pl.Int128) if t in dtypes), pl.Int64)
    return [s.cast(widest) for s in series]


def _text(values: pl.Series, *, lower_truths: bool) -> pl.Series:
    text = values.cast(pl.String).str.replace(_WHOLE, "$1")
    if lower_truths:
        lower = text.str.to_lowercase()
        text = text.zip_with(~lower.is_in(["true", "false"]).fill_null(False), lower)
    return text


def listed(values: pl.Series, n: int = 3) -> str:
    """List the first `n` distinct values in sorted order, text in quotes, and say how many more.

    Examples
    --------
    >>> listed(pl.Series(["b", "a", "c", "a", "d"]))
    "'a', 'b', 'c' and 1 more"
    """
    distinct = values.drop_nulls().unique().sort()
    head = ", ".join(shown(value) for value in distinct.head(n).to_list())
    more = len(distinct) - n
    return f"{head} and {more} more" if more > 0 else head


def shown(value: Any) -> str:
    """Write a value for messages: text in quotes, lists and objects as JSON, long ones cut.

    Examples
    --------
    >>> shown("a"), shown(1), shown(b'["a","b"]')
    ("'a'", '1', '["a","b"]')
    """
    text = value.decode(errors="replace") if isinstance(value, bytes) else repr(value)
    return text if len(text) <= LONGEST or not isinstance(value, bytes) else f"{text[:LONGEST]}..."


def as_json(values: pl.Series) -> pl.Series:
    """Write each value as canonical JSON, of type Binary; null stays null.

    Examples
    --------
    >>> as_json(pl.Series(["a", None])).to_list()
    [b'"a"', None]
    """
    if values.dtype == pl.Binary:
        return values
    encoded = [None if v is None else msgspec.json.encode(v) for v in values.to_list()]
    return pl.Series(values.name, encoded, dtype=pl.Binary)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
