from __future__ import annotations

import datetime

import polars as pl
import pytest

from alignment.builder import source
from deadheat.alignment.kinds import clash, column, listed, unified
from deadheat.errors import AlignmentError


def made(values, format_="jsonl", dtype=None):
    return column(f"{format_} {values}", pl.Series(values, dtype=dtype), source(format_))


@pytest.mark.parametrize(
    ("values", "dtype", "expected"),
    [
        ([1.0, 2.0, None], pl.Float64, pl.Series([1, 2, None], dtype=pl.Int64)),
        ([1.0, 2.5], pl.Float32, pl.Series([1.0, 2.5])),
        ([1, 2], pl.UInt8, pl.Series([1, 2])),
        ([2**64 - 1], pl.UInt64, pl.Series([2**64 - 1], dtype=pl.Int128)),
        ([2.0**60], pl.Float64, pl.Series([2.0**60])),
        ([-0.5, float("nan")], pl.Float64, pl.Series([-0.5, None])),
        (["a", "b"], pl.Categorical, pl.Series(["a", "b"])),
        ([datetime.date(2024, 2, 3)], pl.Date, pl.Series(["2024-02-03"])),
        ([True], pl.Boolean, pl.Series([True])),
    ],
    ids=str,
)
def test_columns_come_in_few_types(values, dtype, expected):
    got = made(values, dtype=dtype).values
    assert got.dtype == expected.dtype
    assert got.to_list() == expected.to_list()


@pytest.mark.parametrize("values", [[[1, 2]], [{"a": 1}], [b"x"]], ids=str)
def test_what_cannot_be_compared_is_refused(values):
    with pytest.raises(AlignmentError, match="cannot be compared"):
        made(values)


CASES_66 = [
    # left, right, right's format, equal?, note
    ([1, 0], [1.0, 0.0], "jsonl", [True, True], None),
    ([1, 0], [True, False], "jsonl", [True, True], "labels_compared_as_numbers"),
    ([1, 0], ["1", "0"], "csv", [True, True], "labels_compared_as_text"),
    ([1, 0], ["1.0", "0.0"], "csv", [True, True], "labels_compared_as_text"),
    ([1, 10], ["01", "1e1"], "csv", [False, False], "labels_compared_as_text"),
    ([0.5, 1.0], ["0.5", "1"], "lines", [True, True], "labels_compared_as_text"),
    ([True, False], ["TRUE", "false"], "csv", [True, True], "labels_compared_as_text"),
    (["True", "no"], ["true", "no"], "csv", [False, True], None),
    (["a", "b"], ["a", "c"], "csv", [True, False], None),
    ([True, False], [True, True], "parquet", [True, False], None),
    ([None, None], ["a", "b"], "jsonl", [None, None], None),
    ([None, None], [True, False], "jsonl", [None, None], None),
]


@pytest.mark.parametrize(("left", "right", "format_", "equal", "code"), CASES_66, ids=str)
@pytest.mark.parametrize("swapped", [False, True])
def test_labels_compare_across_types(left, right, format_, equal, code, swapped):
    columns = [made(left), made(right, format_)]
    columns = columns[::-1] if swapped else columns
    assert clash(columns) is None
    series, notes = unified(columns, "labels")
    assert series[0].dtype == series[1].dtype
    assert (series[0] == series[1]).to_list() == equal
    assert [note.code for note in notes] == ([code] if code else [])


@pytest.mark.parametrize("typed", [[1, 0], [0.5, 1.0], [True, False]], ids=str)
def test_typed_text_never_meets_a_number(typed):
    text, number, csv = made(["1", "0"]), made(typed), made(["1", "0"], "csv")
    assert clash([csv, text, number]) == (text, number)
    assert clash([number, csv, text]) == (number, text)
    assert clash([csv, number]) is None
    assert clash([csv, text]) is None


def test_truths_beside_numbers_and_untyped_text_count_as_numbers():
    series, _ = unified([made([True, False]), made([1, 0]), made(["1", "0"], "csv")], "labels")
    assert [s.to_list() for s in series] == [["1", "0"]] * 3


def test_values_are_listed_sorted_and_quoted():
    assert listed(pl.Series([3, 1, 2, 10, 1])) == "1, 2, 3 and 1 more"
    assert listed(pl.Series(["b", None, "a"])) == "'a', 'b'"
