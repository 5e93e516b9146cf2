"""Numbers do not depend on the unit of the scores; rounding is judged by the scores themselves."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import deadheat


def pairs(n: int = 60) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    x = rng.normal(size=n)
    return x, x + 0.05 + 0.3 * rng.normal(size=n)


@pytest.mark.parametrize("scale", [2.0**-60, 2.0**-40, 2.0**-20, 2.0**40])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"method": "percentile"},
        {"method": "student_t"},
        {"test": "wilcoxon"},
        {"paired": False},
        {"paired": False, "method": "bca"},
    ],
    ids=str,
)
def test_p_values_are_free_of_the_unit(scale: float, options: dict) -> None:
    x, y = pairs()
    one = deadheat.compare(x, y, **options).difference
    other = deadheat.compare(x * scale, y * scale, **options).difference
    assert other.p_value == pytest.approx(one.p_value, rel=1e-6)
    assert other.interval.low == pytest.approx(one.interval.low * scale, rel=1e-6)
    for before, after in zip(one.tests, other.tests, strict=True):
        assert after.p_value == pytest.approx(before.p_value, rel=1e-6)


def test_small_differences_are_differences() -> None:
    x = np.zeros(12)
    y = np.arange(12) * 1e-13
    found = deadheat.compare(x, y, test="t").difference
    assert found.tests[0].p_value == pytest.approx(stats.ttest_rel(y, x).pvalue, rel=1e-9)


def test_a_large_offset_does_not_hide_the_spread() -> None:
    rng = np.random.default_rng(0)
    x = np.round(rng.normal(size=200) * 8) / 8
    y = np.round((x + rng.normal(size=200) * 0.5) * 8) / 8
    found = deadheat.compare(x + 1e12, y + 1e12, paired=False).difference
    assert found.tests[0].p_value == pytest.approx(stats.ttest_ind(y, x, equal_var=False).pvalue)


def test_rounding_of_large_scores_is_no_difference() -> None:
    """The same grades, added up in another order."""
    grades = 1000.0 * np.random.default_rng(1).random(40)
    others = grades * 1.1 / 1.1
    assert np.any(grades != others)
    found = deadheat.compare(grades, others)
    assert found.difference.estimate == 0.0
    assert found.reading.code == "degenerate"


@pytest.mark.parametrize("scale", [1e-155, 1e152, 1e300])
def test_scores_whose_squares_are_no_floats_are_refused(scale: float) -> None:
    x, y = pairs()
    with pytest.raises(deadheat.DeadheatError, match="Scale them"):
        deadheat.compare(x * scale, y * scale)


def test_masked_cells_are_missing() -> None:
    masked = np.ma.array([1, 0, 1, 0], mask=[0, 1, 0, 0])
    with pytest.raises(deadheat.DeadheatError, match="no score"):
        deadheat.compare(masked, [0, 1, 1, 0])
    found = deadheat.compare(masked, [0, 1, 1, 0], missing="drop")
    assert found.items.n == 3


def test_series_with_different_indexes_are_not_paired_by_position() -> None:
    a = pd.Series([1, 0, 1, 1], index=list("dcba"))
    b = pd.Series([1, 1, 0, 1], index=list("abcd"))
    with pytest.raises(deadheat.DeadheatError, match="indexes"):
        deadheat.compare(a, b)
    assert deadheat.compare(a, b.reindex(a.index)).items.n == 4


@pytest.mark.parametrize("scale", [2.0**-50, 1.0, 2.0**50])
def test_items_to_resolve_are_free_of_the_unit(scale: float) -> None:
    x, y = pairs()
    one, other = deadheat.compare(x, y), deadheat.compare(x * scale, y * scale)
    assert other.difference.resolving == one.difference.resolving is not None


@pytest.mark.parametrize("alternative", ["less", "greater"])
def test_a_two_sided_test_does_not_stand_beside_a_one_sided_interval(alternative: str) -> None:
    x, y = pairs()
    with pytest.raises(deadheat.DeadheatError, match="no test 'shift'"):
        deadheat.compare(x, y, test="shift", alternative=alternative)
    assert deadheat.compare(x, y, test="shift").difference.tests[0].name == "shift"
