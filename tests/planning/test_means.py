"""Plans for means of real scores against statsmodels, scipy and algebra."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.power import NormalIndPower, TTestPower

import deadheat
from deadheat import Plan

SQUARED = (stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) ** 2


def needed(plan: Plan) -> dict[str, int | None]:
    return {need.by: need.items for need in plan.needed}


@pytest.mark.parametrize(("gap", "sd"), [(0.04, 0.35), (0.5, 1.0), (3.0, 40.0)])
@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
def test_items_by_statsmodels(gap: float, sd: float, power: float) -> None:
    plan = deadheat.plan(gap=gap, sd=sd, power=power)
    right = TTestPower().solve_power(gap / sd, alpha=0.05, power=power)
    assert needed(plan)["t"] == math.ceil(right)
    assert plan.items == math.ceil(right)


def test_power_at_given_items() -> None:
    """statsmodels 0.15 TTestPower: .798131; R power.t.test(strict=TRUE): .693986."""
    for gap, sd, n, right in ((0.04, 0.35, 600, 0.7981314074), (0.2, 0.5, 40, 0.6939863893)):
        plan = deadheat.plan(gap=gap, sd=sd, items=n)
        assert plan.at is not None
        (found,) = plan.at.power
        assert (found.by, found.power) == ("t", pytest.approx(right, abs=1e-7))


def test_smallest_gap_by_statsmodels() -> None:
    plan = deadheat.plan(sd=2.0, items=900)
    assert plan.at is not None
    effect = NormalIndPower(ddof=0).solve_power(nobs1=900, alpha=0.05, power=0.8, ratio=0)
    assert plan.at.smallest_gap == pytest.approx(2.0 * effect, rel=1e-5)
    assert plan.at.half_width == pytest.approx(stats.norm.ppf(0.975) * 2.0 / 30.0)


def test_half_width_that_is_wanted() -> None:
    plan = deadheat.plan(sd=1.5, half_width=0.05)
    assert plan.items is not None
    assert stats.norm.ppf(0.975) * 1.5 / math.sqrt(plan.items) <= 0.05
    assert stats.norm.ppf(0.975) * 1.5 / math.sqrt(plan.items - 1) > 0.05


def test_gaps_of_usual_effects_where_none_is_given() -> None:
    """34 pairs for half a standard deviation, 199 for a fifth (Cohen's tables)."""
    rows = {round(row.gap / 0.2, 9): row.items for row in deadheat.plan(sd=0.2).table}
    assert (rows[0.5], rows[0.2]) == (34, 199)


def test_family_by_statsmodels() -> None:
    plan = deadheat.plan(gap=0.3, sd=1.0, n_systems=4)
    right = TTestPower().solve_power(0.3, alpha=0.05 / 6, power=0.8)
    assert needed(plan)["t"] == math.ceil(right)


def test_answers_buy_what_the_variance_says() -> None:
    """Items are in proportion to w + (a + b) / K (Miller 2024)."""
    w, a, b, gap = 0.1, 0.2, 0.15, 0.02
    plan = deadheat.plan(
        gap=gap, between_variance=w, answer_variance=(a, b), answers=5, items=4_000
    )
    assert [(row.baseline, row.candidate) for row in plan.answers] == [
        (k, k) for k in (1, 2, 3, 5, 10, 20)
    ]
    for row in plan.answers:
        k = row.baseline
        now, more = (w + (a + b) / n for n in (k, k + 1))
        n, fewer = (SQUARED * variance / gap**2 for variance in (now, more))
        assert row.items == math.ceil(n)
        assert row.in_all == 2 * k * math.ceil(n)
        assert row.saved == math.ceil(n) - math.ceil(fewer)
        assert row.price == pytest.approx((2 * (k + 1) * fewer - 2 * k * n) / (n - fewer))
        assert row.noise == pytest.approx((a + b) / k / now)
        assert row.half_width == pytest.approx(stats.norm.ppf(0.975) * math.sqrt(now / 4_000))
        # So many items more, answered k times, are as precise as one answer more to each.
        assert now / (4_000 + row.worth) == pytest.approx(more / 4_000)
    assert needed(plan)["miller"] == plan.answers[3].items


def test_answers_of_each_system() -> None:
    plan = deadheat.plan(gap=0.1, between_variance=0.5, answer_variance=(1.0, 3.0), answers=(2, 6))
    assert plan.design.sd == pytest.approx(math.sqrt(0.5 + 1.0 / 2 + 3.0 / 6))
    assert (2, 6) in [(row.baseline, row.candidate) for row in plan.answers]


def test_without_noise_answers_buy_nothing() -> None:
    assert deadheat.plan(gap=0.1, between_variance=0.5).answers == ()


@given(
    st.floats(0.01, 3.0), st.integers(2, 3_000), st.floats(0.01, 0.99), st.sampled_from([0.9, 0.99])
)
def test_power_is_a_probability_and_has_no_holes(
    effect: float, n: int, power: float, level: float
) -> None:
    """Noncentral t has no digits far out; the power there is 1."""
    if power <= 1.0 - level:
        return
    plan = deadheat.plan(gap=effect, sd=1.0, items=n, power=power, confidence_level=level)
    assert plan.at is not None
    (found,) = (one.power for one in plan.at.power)
    z, shift = stats.norm.ppf((1 + level) / 2), effect * math.sqrt(n)
    right = stats.norm.cdf(shift - z) + stats.norm.cdf(-shift - z)
    # Student's t is the less powerful of the two, and with many items they are one.
    assert 1.0 - level - 1e-9 <= found <= right + 1e-6
    if n > 300:
        assert found == pytest.approx(right, abs=0.01)
    assert all(np.isfinite(point.power) for point in plan.curve)


@pytest.mark.parametrize("many", [10_000_000, 500_000_000, 999_999_999])
def test_one_more_of_many_answers_has_a_price(many: int) -> None:
    """Of K answers one more saves s / (K (K + 1)) of the variance w + s / K, by exact fractions."""
    found = deadheat.plan(gap=0.04, between_variance=0.111, answer_variance=0.1, answers=many)
    w, s, k = Fraction(0.111), 2 * Fraction(0.1), Fraction(many)
    now, more = w + s / k, w + s / (k + 1)
    row = next(row for row in found.answers if row.baseline == many)
    assert row.price == pytest.approx(float((2 * (k + 1) * more - 2 * k * now) / (now - more)))


def test_answers_that_save_nothing_have_no_price() -> None:
    found = deadheat.plan(gap=0.04, between_variance=0.1, answer_variance=1e-310, answers=1_000)
    assert found.to_dict()["answers"][-1]["answers_per_item_saved"] is None
    assert "none" in found.to_text()
