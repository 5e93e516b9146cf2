"""Columns as labels (ids, outputs, references) or as numbers (scores)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from deadheat.errors import InputError
from deadheat.readers.structured import Nested, is_structured, structured
from deadheat.readers.table import Table

MISSING = frozenset(
    {"", "na", "n/a", "#n/a", "null", "none", "nan", "-nan", "inf", "+inf", "-inf", "infinity"}
    | {"+infinity", "-infinity"}
)
"""Texts, in any case, that say that there is no score."""

TRUTH = {"true": 1.0, "false": 0.0}

_SCORES_ARE = "Scores are numbers or true/false; an empty cell, NA, null and NaN count as missing."

_WORDS: dict[str, str] = {
    "str": "text",
    "int": "number",
    "float": "number",
    "bool": "true/false",
    "list": "list",
    "tuple": "list",
    "ndarray": "list",
    "dict": "object",
}


def word_for(value: object) -> str:
    """Say in one word what a value is."""
    kind = value.kind if isinstance(value, Nested) else type(value).__name__
    return _WORDS.get(kind, kind)


def labels(table: Table, name: str) -> pl.Series:
    """Return a column of ids, clusters or the like.

    Returns
    -------
    polars.Series
        String, Boolean, Int64 (Int128 where needed), Float64 or Null; blanks and NaN are null.

    Raises
    ------
    InputError
        If one column holds values of several types, lists or bytes.
    """
    values = table.columns[name]
    if values.dtype == pl.Object:
        raise _mixed(table, name)
    if values.dtype.is_nested() or values.dtype == pl.Binary:
        word = "bytes" if values.dtype == pl.Binary else "lists or objects"
        raise InputError(f"column {name!r} holds {word}, not labels.", where=table.place)
    return plain(values, blank_is_null=table.untyped)


def labels_or_lists(table: Table, name: str) -> pl.Series:
    """Return a column of outputs or references: as labels, or canonical JSON.

    Returns
    -------
    polars.Series
        As `labels` gives them; Binary where any value is a list or an object. With
        ``table.empty_texts`` what is blank in a format without types is "", not null.

    Raises
    ------
    InputError
        If plain values are of several types, a column holds bytes, or JSON cannot hold a value.
    """
    values = table.columns[name]
    if values.dtype.is_nested() or (
        values.dtype == pl.Object and any(map(is_structured, values.to_list()))
    ):
        return _structured(table, name, values.to_list())
    found = labels(table, name)
    return found.fill_null("") if table.untyped and table.empty_texts else found


def _structured(table: Table, name: str, values: Sequence[object]) -> pl.Series:
    for row, value in enumerate(values):
        if isinstance(value, Nested) and value.data is None:
            raise InputError(
                f"the field holds a {word_for(value)}, and those are kept only where they are "
                "asked for.",
                where=table.where(row, name),
                fix=f"Say --output-column {name}, --reference-column {name} or the like.",
            )
    try:
        return structured(name, values)
    except ValueError as error:
        row, reason = error.args
        raise InputError(
            f"the value cannot be written as JSON ({reason}).",
            where=table.where(row, name),
            fix="Lists and objects of texts, numbers and truths are read.",
        ) from None


def groups(table: Table, name: str) -> pl.Series:
    """Return a column of clusters or strata: as labels; lists and objects as their JSON.

    Raises
    ------
    InputError
        As `labels_or_lists`.
    """
    found = labels_or_lists(replace(table, empty_texts=False), name)
    return found.cast(pl.String) if found.dtype == pl.Binary else found


def plain(values: pl.Series, *, blank_is_null: bool = False) -> pl.Series:
    """Bring a column to one of the few types that labels have."""
    dtype = values.dtype
    if dtype == pl.String:
        return values.replace("", None) if blank_is_null and (values == "").any() else values
    if dtype in (pl.Boolean, pl.Null, pl.Int64, pl.Int128, pl.Binary):
        return values
    if dtype.is_integer():
        widest = values.cast(pl.Int64, strict=False)
        return widest if widest.null_count() == values.null_count() else values.cast(pl.Int128)
    if dtype.is_float():
        return values.cast(pl.Float64).fill_nan(None)
    return values.cast(pl.String)


def ids(table: Table, name: str) -> pl.Series:
    """Return a column of item ids, systems or the like, in which nothing may be missing.

    Raises
    ------
    InputError
        If a cell is empty, with its line.
    """
    values = labels(table, name)
    if values.null_count():
        row = values.is_null().arg_true()[0]
        raise InputError(
            "the cell is empty.",
            where=table.where(row, name),
            fix="Every row needs an entry in this column.",
        )
    return values


def numbers(table: Table, name: str) -> pl.Series:
    """Return a column of scores as Float64; null where there is no finite score.

    Raises
    ------
    InputError
        If a cell is neither a number nor a known word for a missing one, with its line.
    """
    values = table.columns[name]
    if values.dtype == pl.Object:
        return _element_wise(table, name)
    if values.dtype == pl.String:
        parsed, bad = parse_numbers(values, decimal_comma=table.decimal_comma)
        if bad:
            raise _not_a_number(table, name, bad[0])
        return parsed
    if not (values.dtype.is_numeric() or values.dtype in (pl.Boolean, pl.Null)):
        word = "lists or objects" if values.dtype.is_nested() else str(values.dtype).lower()
        raise InputError(f"column {name!r} holds {word}, not scores.", where=table.place)
    return finite(values)


def finite(values: pl.Series) -> pl.Series:
    """Return numbers or truths as Float64, with null for NaN and infinities."""
    if values.dtype != pl.Float64:
        values = values.cast(pl.Float64)
    # One NaN or infinity makes the sum one too, and a sum is the fastest look at every value.
    if math.isfinite(values.sum()):
        return values
    return values.set(~values.is_finite().fill_null(True), None)


def parse_numbers(text: pl.Series, *, decimal_comma: bool) -> tuple[pl.Series, list[int]]:
    """Parse texts as scores.

    Returns
    -------
    values : polars.Series
        Float64, null where missing.
    bad : list of int
        Rows that are neither a number nor missing.
    """
    values = text.cast(pl.Float64, strict=False)
    unsettled = (values.is_null() & text.is_not_null()).arg_true()
    bad: list[int] = []
    if len(unsettled):
        rest = text.gather(unsettled).str.strip_chars().str.to_lowercase()
        # With points elsewhere in the column a comma could mean thousands: left as it is, an error.
        if decimal_comma and not text.str.contains(".", literal=True).any():
            rest = rest.str.replace(",", ".", literal=True)
        parsed = rest.cast(pl.Float64, strict=False)
        words = rest.filter(parsed.is_null()).unique().to_list()
        unknown = [word for word in words if word not in MISSING and word not in TRUTH]
        bad = unsettled.filter(rest.is_in(unknown)).to_list() if unknown else []
        truth = rest.replace_strict(TRUTH, default=None, return_dtype=pl.Float64)
        values = values.scatter(unsettled, parsed.zip_with(parsed.is_not_null(), truth))
    return finite(values), bad


def looks_numeric(table: Table, name: str) -> bool:
    """Whether a column is meant as numbers: at least half of its first 1,000 entries are."""
    values = table.columns[name]
    if values.dtype != pl.String:
        return values.dtype.is_numeric() or values.dtype == pl.Boolean
    absent = values.head(10_000).str.strip_chars().str.to_lowercase().is_in(list(MISSING))
    first = values.head(10_000).filter(~absent.fill_null(True)).head(1_000)
    _, bad = parse_numbers(first, decimal_comma=table.decimal_comma)
    return len(first) > 0 and 2 * len(bad) <= len(first)


def _element_wise(table: Table, name: str) -> pl.Series:
    found: list[float | None] = []
    for row, value in enumerate(table.columns[name].to_list()):
        if value is None or isinstance(value, (bool, int, float)):
            found.append(None if value is None else float(value))
            continue
        if not isinstance(value, str):
            raise _not_a_number(table, name, row)
        parsed, bad = parse_numbers(pl.Series([value]), decimal_comma=False)
        if bad:
            raise _not_a_number(table, name, row)
        found.append(parsed[0])
    return finite(pl.Series(name, found, dtype=pl.Float64))


def _not_a_number(table: Table, name: str, row: int) -> InputError:
    value = table.columns[name][row]
    shown = f"a {word_for(value)}" if is_structured(value) else repr(value)
    fix = _SCORES_ARE
    if isinstance(value, str) and "," in value:
        fix += " A decimal comma is read where semicolons or tabs separate the columns, and only"
        fix += " where no score of the column has a decimal point."
    return InputError(f"{shown} is not a number.", where=table.where(row, name), fix=fix)


def _mixed(table: Table, name: str) -> InputError:
    """Name the first value of each of two types."""
    seen: dict[str, tuple[int, object]] = {}
    for row, value in enumerate(table.columns[name].to_list()):
        if value is not None:
            seen.setdefault(word_for(value), (row, value))
    for word in ("list", "object"):
        if word in seen:
            return InputError(
                f"the field holds a {word}, not a label.",
                where=table.where(seen[word][0], name),
                fix=f"Name a field inside it with a dot, such as {name}.value."
                if word == "object"
                else "",
            )
    shown = " and ".join(
        f"{value!r} ({word}, {table.rows.name(row)})"
        for word, (row, value) in list(seen.items())[:2]
    )
    return InputError(
        f"column {name!r} holds values of two types: {shown}.",
        where=table.place,
        fix='Write them all in one way; 1 and "1" are different.',
    )
