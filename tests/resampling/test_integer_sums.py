"""Sums that no order can change, and the error that this costs."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.errors import InferenceError
from deadheat.resampling import integer_sums
from deadheat.resampling.integer_sums import Factor, IntegerSums, product


@pytest.mark.parametrize(
    ("largest", "n", "dtype"),
    [(1, 100, np.float32), (2**14, 2**10, np.float32), (2**14, 2**10 + 1, np.float64)],
    ids=["small", "edge", "beyond"],
)
def test_whole_numbers_are_kept(largest: int, n: int, dtype: type) -> None:
    statistics = np.array([[0.0, largest], [1.0, -3.0]])
    sums = IntegerSums.of(statistics, n)
    assert sums.matrix.dtype == dtype
    assert np.array_equal(sums.matrix, statistics)
    assert sums.unit.tolist() == [1.0, 1.0]


def test_counts_beyond_float32_are_not_kept_in_it() -> None:
    assert IntegerSums.of(np.array([[0.0], [1.0]]), 2**24).matrix.dtype == np.float64


@given(
    values=st.lists(
        st.floats(-1e6, 1e6).filter(lambda x: x == 0.0 or abs(x) > 1e-200), min_size=1, max_size=20
    ),
    n=st.integers(1, 10**7),
)
def test_rounding_is_as_documented(values: list[float], n: int) -> None:
    sums = IntegerSums.of(np.array(values)[:, None], n)
    unit = Fraction(float(sums.unit[0]))
    assert unit.numerator == 1 or unit.denominator == 1
    assert np.array_equal(sums.matrix, np.rint(sums.matrix))
    assert float(np.abs(sums.matrix).max()) * n <= 2.0**53
    largest = max(abs(Fraction(value)) for value in values)
    for value, whole in zip(values, sums.matrix[:, 0].tolist(), strict=True):
        error = abs(Fraction(value) - Fraction(whole) * unit)
        assert error <= unit / 2
        assert error <= n * largest / 2**53


def test_dyadic_scores_are_exact() -> None:
    statistics = np.array([[0.5], [0.25], [1.75]])
    sums = IntegerSums.of(statistics, 10_000)
    assert np.array_equal(sums.totals(np.eye(3)), statistics)


def test_any_order_gives_the_same_bits() -> None:
    rng = np.random.default_rng(0)
    statistics, weights = rng.normal(size=(5_000, 3)), rng.poisson(1.0, (40, 5_000)).astype(float)
    turn = rng.permutation(5_000)
    sums = IntegerSums.of(statistics, 6_000)
    turned = IntegerSums.of(statistics[turn], 6_000)
    totals = sums.totals(weights)
    assert np.array_equal(totals, turned.totals(weights[:, turn]))
    assert totals == pytest.approx(weights @ statistics, rel=0, abs=1e-8)
    plain = weights @ statistics
    assert not np.array_equal(plain, weights[:, turn] @ statistics[turn])


@pytest.mark.parametrize("one_thread", [1, 5_000, 1 << 18])
@pytest.mark.parametrize("rows", [1, 31, 32, 70])
@pytest.mark.parametrize("columns", [1, 2, 7, 200])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_product_in_pieces(
    dtype: type, columns: int, rows: int, one_thread: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Against whole-number arithmetic."""
    monkeypatch.setattr(integer_sums, "ONE_THREAD", one_thread)
    rng = np.random.default_rng(0)
    left, right = rng.integers(0, 9, (rows, 90)), rng.integers(-99, 99, (90, columns))
    got = product(left.astype(dtype), right.astype(dtype))
    assert got.dtype == dtype
    assert np.array_equal(got, left @ right)


@pytest.mark.parametrize("rows", [1, 70])
@pytest.mark.parametrize("share", [0.0, 0.02, 0.5])
@pytest.mark.parametrize("columns", [1, 31, 32, 300])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_products_of_matrices_that_are_nearly_empty(
    dtype: type, columns: int, share: float, rows: int
) -> None:
    """Against whole-number arithmetic, whichever way is taken."""
    rng = np.random.default_rng(1)
    left = rng.integers(0, 9, (rows, 90))
    right = rng.integers(-99, 99, (90, columns)) * (rng.random((90, columns)) < share)
    factor = Factor.of(right.astype(dtype), 9 * 90)
    assert (factor.sparse is not None) == (columns >= 32 and share < 1 / 16)
    got = factor.product(left.astype(dtype))
    assert got.dtype == dtype
    assert np.array_equal(got, left @ right)
    assert np.array_equal(got, product(left.astype(dtype), right.astype(dtype)))


@pytest.mark.parametrize("n", [1, 500, 14_000, 2**17 - 1, 2**17])
@pytest.mark.parametrize("columns", [32, 50, 51, 200])
@pytest.mark.parametrize("largest", [1, 5])
def test_small_totals_share_numbers(largest: int, columns: int, n: int) -> None:
    """Against whole-number arithmetic, with totals up to the greatest that may occur."""
    rng = np.random.default_rng(2)
    right = rng.integers(0, largest + 1, (40, columns))
    right[:, 7] = largest
    weights = rng.multinomial(n, np.full(40, 1 / 40), 70)
    factor = Factor.of(right.astype(np.float32), n)
    # Three totals and more in 53 bits: of up to 17 each.
    assert (factor.packed is not None) == (largest * n < 2**17)
    got = factor.product(weights.astype(factor.dtype))
    assert np.array_equal(got, weights @ right)
    assert got[:, 7].max() == largest * n


def test_changes_may_be_negative_and_are_not_packed() -> None:
    assert Factor.of(np.full((9, 40), -1.0), 5).packed is None


def test_product_of_no_types_is_zero() -> None:
    assert product(np.empty((2, 0)), np.empty((0, 3))).tolist() == [[0.0] * 3] * 2


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_not_finite_is_refused(bad: float) -> None:
    with pytest.raises(InferenceError, match="1 statistics are not finite"):
        IntegerSums.of(np.array([[1.0], [bad]]), 2)


def test_sums_that_overflow_are_refused() -> None:
    with pytest.raises(InferenceError, match="overflow in sums of 1,000"):
        IntegerSums.of(np.array([[1e306]]), 1_000)


def test_the_smallest_scores_do_not_break_anything() -> None:
    assert IntegerSums.of(np.array([[5e-324], [0.0]]), 1).totals(np.ones((1, 2))).tolist() == [
        [0.0]
    ]
