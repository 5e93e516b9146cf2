"""Texts as scores."""

from __future__ import annotations

import polars as pl
import pytest

from deadheat.readers.cells import parse_numbers


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *[(t, 1.0) for t in ("1", "1.0", " 1 ", "+1", "1e0", "TRUE", "true", "True ")],
        *[(t, 0.0) for t in ("0", "-0.0", "FALSE", "false")],
        *[(t, 0.25) for t in (".25", "0.25", "2.5e-1", "2.5E-1")],
        *[(t, None) for t in ("", " ", "NA", "N/A", "n/a", "null", "None", "NaN", "nan")],
        *[(t, None) for t in ("inf", "-inf", "Infinity", "-Infinity", "1e999")],
    ],
)
def test_numbers_and_missing_ones(text: str, value: float | None) -> None:
    parsed, bad = parse_numbers(pl.Series(["0.5", text]), decimal_comma=False)
    assert (parsed.to_list(), bad) == ([0.5, value], [])


@pytest.mark.parametrize(
    "text", ["yes", "C", "71%", "1_000", "0x10", "1,5", "1.2.3", "-", "--", "$"]
)
def test_anything_else_is_no_score(text: str) -> None:
    assert parse_numbers(pl.Series(["0.5", text, "1", text]), decimal_comma=False)[1] == [1, 3]


def test_decimal_commas_where_no_point_stands() -> None:
    parsed, bad = parse_numbers(pl.Series(["0,5", "-1,25", "1", "NA"]), decimal_comma=True)
    assert (parsed.to_list(), bad) == ([0.5, -1.25, 1.0, None], [])
    # With both in one column, 1,000 may be a thousand.
    assert parse_numbers(pl.Series(["0.5", "1,000"]), decimal_comma=True)[1] == [1]
    assert parse_numbers(pl.Series(["1,000,000"]), decimal_comma=True)[1] == [0]
