"""t tests and the two-proportion score test against scipy and statsmodels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportions_ztest

from deadheat.errors import InferenceError
from deadheat.significance.student_t import paired_t
from deadheat.significance.two_proportions import two_proportion_z
from deadheat.significance.welch import welch_t
from vectors import close, vectors

SIDES = pytest.mark.parametrize("side", ["two-sided", "less", "greater"])
THEIRS = {"two-sided": "two-sided", "less": "smaller", "greater": "larger"}


@pytest.mark.parametrize("vector", vectors("pvalues.t"), ids=lambda v: v["name"])
def test_vector(vector: dict[str, Any]) -> None:
    found = paired_t(vector["input"]["diffs"])
    assert close(vector, "statistic", found.statistic)
    assert close(vector, "p_value", found.p_value)


@SIDES
def test_scipy_agrees(side: Any) -> None:
    rng = np.random.default_rng(2)
    x, y = rng.normal(0.4, 1.0, 18), rng.gamma(2.0, size=25)
    theirs = stats.ttest_1samp(x, 0.0, alternative=side)
    assert paired_t(x, alternative=side).p_value == pytest.approx(theirs.pvalue)
    theirs = stats.ttest_ind(y, x, equal_var=False, alternative=side)
    found = welch_t(x, y, alternative=side)
    assert found.statistic == pytest.approx(theirs.statistic)
    assert found.p_value == pytest.approx(theirs.pvalue)
    assert found.detail["df"] == pytest.approx(theirs.df)


@SIDES
def test_pooled_z_agrees_with_statsmodels(side: Any) -> None:
    z, p = proportions_ztest([374, 356], [500, 480], alternative=THEIRS[side])
    found = two_proportion_z(356, 480, 374, 500, alternative=side)
    assert found.statistic == pytest.approx(z)
    assert found.p_value == pytest.approx(p)


def test_unpaired_z_of_the_same_documents() -> None:
    """CASES 37 by hand: A 145 and B 130 of 200; the pooled form gives 0.1049."""
    assert two_proportion_z(145, 200, 130, 200).p_value == pytest.approx(0.1049, abs=1e-3)


@pytest.mark.parametrize("value", [0.0, 0.1])
def test_identical_differences(value: float) -> None:
    """CASES 2 and 36: 1 where nothing differs, undefined where nothing varies."""
    baseline = np.array([1, 0, 1, 1, 0, 1, 0, 1, 1, 1], dtype=float)
    found = paired_t((baseline + value) - baseline)
    if value == 0.0:
        assert (found.statistic, found.p_value) == (0.0, 1.0)
        assert "do not differ" in found.note
    else:
        assert math.isnan(found.statistic)
        assert math.isnan(found.p_value)
        assert "0.00195" in found.note


def test_two_items_are_enough() -> None:
    theirs = stats.ttest_ind([0.2, 0.9], [0.1, 0.4], equal_var=False)
    assert welch_t([0.1, 0.4], [0.2, 0.9]).p_value == pytest.approx(theirs.pvalue)
    assert paired_t([0.2, 0.9]).p_value == pytest.approx(stats.ttest_1samp([0.2, 0.9], 0).pvalue)


def test_too_few_items_are_undefined() -> None:
    assert math.isnan(paired_t([1.0]).p_value)
    assert math.isnan(paired_t([]).p_value)
    assert math.isnan(welch_t([1.0], [1.0, 2.0]).p_value)
    assert math.isnan(two_proportion_z(0, 0, 3, 5).p_value)


def test_constant_sides_of_welch() -> None:
    same, apart = welch_t([0.1] * 5, [0.1] * 7), welch_t([0.1] * 5, [0.3] * 7)
    assert (same.statistic, same.p_value) == (0.0, 1.0)
    assert math.isnan(apart.statistic)
    assert math.isnan(apart.p_value)
    assert welch_t([0.1] * 5, [0.3, 0.2, 0.4]).p_value < 0.1


def test_all_right_is_no_difference() -> None:
    found = two_proportion_z(5, 5, 9, 9)
    assert (found.p_value, found.statistic) == (1.0, 0.0)


def test_impossible_proportion_is_refused() -> None:
    with pytest.raises(InferenceError, match="6 of 5"):
        two_proportion_z(6, 5, 1, 2)


def test_underflow_is_a_bound() -> None:
    found = two_proportion_z(0, 10**6, 10**6, 10**6)
    assert 0.0 < found.p_value == found.p_value_bound
