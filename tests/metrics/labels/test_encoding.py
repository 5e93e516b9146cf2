"""Labels to codes."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deadheat.errors import MetricError
from deadheat.metrics.labels.encoding import encoded

values = st.one_of(
    st.lists(st.none() | st.text(max_size=3), min_size=1, max_size=12),
    st.lists(st.none() | st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=12),
    st.lists(st.none() | st.integers(-3, 3), min_size=1, max_size=12),
    st.lists(st.none() | st.booleans(), min_size=1, max_size=12),
    st.lists(st.none() | st.floats(allow_nan=False), min_size=1, max_size=12),
)


@settings(max_examples=80)
@given(values, st.integers(0, 12))
def test_codes_are_positions_among_the_sorted_labels(column, cut):
    head, tail = pl.Series(column[:cut]), pl.Series(column[cut:])
    labels, codes = encoded([head, tail])
    assert list(labels) == sorted({value for value in column if value is not None})
    assert {type(label) for label in labels} <= {type(value) for value in column}
    expected = [-1 if value is None else labels.index(value) for value in column]
    assert [*codes[0].tolist(), *codes[1].tolist()] == expected


def test_numbers_and_truths_that_are_equal_are_one_label():
    # CASES row 66: 1, 1.0 and True compare equal.
    for first, second in (([1, 0], [1.0, 0.0]), ([1, 0], [True, False]), ([True], [1.0])):
        labels, codes = encoded([pl.Series(first), pl.Series(second)])
        assert labels == tuple(sorted(first))
        assert codes[0].tolist() == codes[1].tolist()


def test_nan_is_no_label():
    labels, codes = encoded([pl.Series([1.0, float("nan")]), pl.Series([2.0, None])])
    assert labels == (1.0, 2.0)
    assert [code.tolist() for code in codes] == [[0, -1], [1, -1]]


def test_categories_and_whole_numbers_of_any_size():
    colours = pl.Series(["red", "blue"], dtype=pl.Categorical)
    assert encoded([colours, pl.Series(["blue", None])])[0] == ("blue", "red")
    assert encoded([pl.Series([2**100, 1], dtype=pl.Int128), pl.Series([1])])[0] == (1, 2**100)
    assert encoded([pl.Series([2**64 - 1, 1], dtype=pl.UInt64)])[0] == (1, 2**64 - 1)
    assert encoded([pl.Series([3, 1], dtype=pl.UInt8), pl.Series([-1], dtype=pl.Int8)])[0] == (
        -1,
        1,
        3,
    )


def test_text_is_never_a_number():
    # CASES row 66: never a silent accuracy of 0.
    for numbers in ([1, 0], [1.0, 0.5], [True, False]):
        with pytest.raises(MetricError, match="would never be equal"):
            encoded([pl.Series(["1", "0"]), pl.Series(numbers)])


def test_lists_are_no_labels():
    with pytest.raises(MetricError, match="List"):
        encoded([pl.Series([["a"], ["b"]])])


def test_nothing_but_nulls():
    labels, codes = encoded([pl.Series([None, None]), pl.Series([None, None])])
    assert labels == ()
    assert [code.tolist() for code in codes] == [[-1, -1], [-1, -1]]
