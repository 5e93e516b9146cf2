from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from deadheat.errors import InferenceError
from deadheat.resampling.types import collapse

SHAPES = hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=12)
ENTRIES = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0]),
    st.integers(-3, 5).map(float),
    st.sampled_from([0.1 + 0.2, 0.3, 2.5]),
    st.sampled_from([1e15, 1e15 + 1, -(2.0**60), 1e300]),
)
TABLES = hnp.arrays(np.float64, SHAPES, elements=ENTRIES)


def reference(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distinct rows and counts as Python counts tuples."""
    counts: dict[tuple[float, ...], int] = {}
    for row in (table + 0.0).tolist():
        counts[tuple(row)] = counts.get(tuple(row), 0) + 1
    ordered = sorted(counts)
    return np.array(ordered), np.array([counts[row] for row in ordered])


@given(TABLES)
def test_agrees_with_counting_tuples(table):
    types = collapse(table, inverse=True)
    rows, multiplicities = reference(table)
    np.testing.assert_array_equal(types.rows, rows)
    np.testing.assert_array_equal(types.multiplicities, multiplicities)
    np.testing.assert_array_equal(types.rows[types.inverse], table)


@given(TABLES, st.randoms(use_true_random=False))
def test_order_of_rows_does_not_matter(table, random):
    order = list(range(len(table)))
    random.shuffle(order)
    one, other = collapse(table), collapse(table[order])
    assert one.rows.tobytes() == other.rows.tobytes()
    assert one.multiplicities.tobytes() == other.multiplicities.tobytes()


@pytest.mark.parametrize(
    ("width", "top"),
    [(2, 1), (3, 40), (12, 30), (60, 1), (4, 2**20)],
    ids=["bins", "bins_of_scores", "codes", "batches_of_codes", "wide_codes"],
)
def test_whole_numbers_by_every_path(width, top):
    table = np.random.default_rng(7).integers(0, top + 1, (50, width)).astype(float)
    table = np.concatenate([table, table[:20]]) - 3.0
    types = collapse(table, inverse=True)
    rows, multiplicities = reference(table)
    np.testing.assert_array_equal(types.rows, rows)
    np.testing.assert_array_equal(types.multiplicities, multiplicities)
    np.testing.assert_array_equal(types.rows[types.inverse], table)


def test_negative_zero_is_zero():
    types = collapse(np.array([-0.0, 0.0, 0.5, -0.0]))
    assert types.multiplicities.tolist() == [3, 1]
    assert not np.signbit(types.rows).any()


def test_equality_is_exact():
    assert len(collapse(np.array([0.1 + 0.2, 0.3])).rows) == 2


def test_one_column_may_be_given_flat():
    assert collapse(np.array([2.0, 1.0, 2.0])).rows.tolist() == [[1.0], [2.0]]


def test_inverse_is_given_only_when_asked_for():
    assert collapse(np.ones((3, 2))).inverse is None


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_not_finite_is_refused(bad):
    with pytest.raises(InferenceError, match="2 statistics are not finite"):
        collapse(np.array([[1.0, bad], [bad, 0.0]]))


def test_nothing_is_refused():
    with pytest.raises(InferenceError, match="no rows"):
        collapse(np.empty((0, 2)))
