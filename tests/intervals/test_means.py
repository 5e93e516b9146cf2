"""Student's and Welch's intervals against scipy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from deadheat.intervals import student_t, welch
from vectors import close, vectors


@pytest.mark.parametrize("vector", vectors("pvalues.t"), ids=lambda v: v["name"])
def test_vector(vector: dict[str, Any]) -> None:
    interval = student_t.one_mean(vector["input"]["diffs"])
    assert close(vector, "lower", interval.low)
    assert close(vector, "upper", interval.high)


@pytest.mark.parametrize("side", ["two-sided", "greater", "less"])
def test_scipy_agrees(side: Any) -> None:
    rng = np.random.default_rng(0)
    x, y = rng.gamma(2.0, size=23), rng.normal(size=31)
    theirs = stats.ttest_1samp(x, 0.0, alternative=side).confidence_interval(0.9)
    ours = student_t.one_mean(x, confidence_level=0.9, alternative=side)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high))
    theirs = stats.ttest_ind(y, x, equal_var=False, alternative=side).confidence_interval(0.9)
    ours = welch.two_means(x, y, confidence_level=0.9, alternative=side)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high))


def test_two_items_on_each_side_are_enough() -> None:
    theirs = stats.ttest_ind([0.2, 0.9], [0.1, 0.4], equal_var=False).confidence_interval(0.95)
    ours = welch.two_means([0.1, 0.4], [0.2, 0.9])
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high))


def test_multiplicities_equal_repetition() -> None:
    repeated = student_t.one_mean([0.0] * 7 + [0.5] * 2 + [1.0] * 4)
    counted = student_t.one_mean([0.0, 0.5, 1.0], [7, 2, 4])
    assert (counted.low, counted.high) == pytest.approx((repeated.low, repeated.high))


@pytest.mark.parametrize("values", [[], [1.0], [2.0, 2.0, 2.0], [0.0, 0.0]])
def test_without_variation_it_is_undefined_with_a_reason(values: list[float]) -> None:
    """CASES 1, 5 and 6."""
    interval = student_t.one_mean(values)
    assert not interval.defined
    assert interval.note


def test_a_constant_gain_is_no_variation_despite_rounding() -> None:
    """CASES 2: scipy gives a standard error of 5e-17 and p = 4.5e-140."""
    baseline = np.array([1, 0, 1, 1, 0, 1, 0, 1, 1, 1], dtype=float)
    interval = student_t.one_mean((baseline + 0.1) - baseline)
    assert math.isnan(interval.low)
    assert "no variation" in interval.note


def test_welch_with_one_constant_side_uses_the_other() -> None:
    y = [0.1, 0.4, 0.5, 0.9]
    interval = welch.two_means([1.0, 1.0, 1.0], y)
    alone = student_t.one_mean(y)
    assert (interval.low, interval.high) == pytest.approx((alone.low - 1.0, alone.high - 1.0))


@pytest.mark.parametrize("sides", [([1.0], [0.0, 1.0]), ([], [0.0, 1.0]), ([1.0, 1.0], [2.0, 2.0])])
def test_welch_undefined(sides: tuple[list[float], list[float]]) -> None:
    assert not welch.two_means(*sides).defined
    assert not welch.two_means(*sides[::-1]).defined
