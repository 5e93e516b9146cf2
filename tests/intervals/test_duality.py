"""P-values and intervals give one answer."""

from __future__ import annotations

import math
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from bootstrap_cases import METHODS, drawn_cases, exact_cases, mirrored, paired
from deadheat.distributions import Replicates
from deadheat.errors import InferenceError
from deadheat.intervals import (
    Interval,
    duality,
    newcombe,
    percentile,
    student_t,
    tango,
    undefined,
    welch,
    wilson,
)
from vectors import vectors

ALL = pytest.mark.parametrize("method", METHODS.values(), ids=METHODS.keys())
SIDES = st.sampled_from(["two-sided", "greater", "less"])


@pytest.mark.parametrize(
    "vector", vectors("pvalues.bootstrap", "interval_p_duality"), ids=lambda v: v["name"]
)
def test_vector(vector: dict[str, Any]) -> None:
    draws = Replicates.of(np.array(vector["input"]["reps"]))
    estimate, alpha = draws.mean, vector["input"]["alpha"]
    interval = percentile.from_distribution(draws, estimate=estimate, confidence_level=1 - alpha)
    dual = percentile.p_value(draws, estimate=estimate)
    assert interval.excludes(0.0) == bool(vector["expected"]["excludes_zero"])
    assert (dual.p_value <= alpha) == bool(vector["expected"]["p_le_alpha"])


@ALL
@given(case=exact_cases(), side=SIDES, alpha=st.floats(0.002, 0.5), at=st.integers(-12, 12))
def test_exact_interval_excludes_a_value_when_p_is_below_alpha(
    method: ModuleType, case: dict[str, Any], side: str, alpha: float, at: int
) -> None:
    value = at / case["n_units"]
    dual = method.p_value(**case, value=value, alternative=side)
    interval = method.from_distribution(**case, confidence_level=1.0 - alpha, alternative=side)
    assume(interval.method == method.METHOD)
    assume(abs(dual.p_value - alpha) > 1e-9)
    assert interval.excludes(value) == (dual.p_value < alpha)


@ALL
@given(
    case=drawn_cases(),
    side=SIDES,
    alpha=st.floats(0.03, 0.5),
    share=st.floats(0.0, 1.0),
)
def test_drawn_interval_excludes_a_value_when_p_is_at_most_alpha(
    method: ModuleType, case: dict[str, Any], side: str, alpha: float, share: float
) -> None:
    value = float(np.quantile(case["distribution"].values, share, method="nearest"))
    if method.METHOD == "basic":
        value = 2.0 * case["estimate"] - value
    dual = method.p_value(**case, value=value, alternative=side)
    try:
        interval = method.from_distribution(**case, confidence_level=1.0 - alpha, alternative=side)
    except InferenceError:
        assume(False)
    assume(interval.method == method.METHOD)
    assume("outermost" not in interval.note)
    assume(abs(dual.p_value - alpha) > 1e-7)
    assert interval.excludes(value) == (dual.p_value <= alpha)


@ALL
@given(case=st.one_of(exact_cases(), drawn_cases()))
def test_swapping_the_systems_keeps_p_and_turns_its_side(
    method: ModuleType, case: dict[str, Any]
) -> None:
    swapped = mirrored(case)
    for side, other in (("two-sided", "two-sided"), ("greater", "less"), ("less", "greater")):
        here = method.p_value(**case, alternative=side)
        there = method.p_value(**swapped, alternative=other)
        assert here.p_value == pytest.approx(there.p_value, rel=1e-6)
        assert 0.0 < here.p_value <= 1.0


def test_share_of_seed_2_and_seed_1() -> None:
    """Vectors exactboot.paired: p = 2 min(P(T <= 0), P(T >= 0))."""
    assert percentile.p_value(paired(67, 85, 500), estimate=0.036).p_value == pytest.approx(
        0.154722, abs=1e-6
    )
    dual = percentile.p_value(paired(8, 24, 120), estimate=16 / 120)
    assert dual.p_value == pytest.approx(0.00417302, abs=1e-8)
    assert dual.bound is None


@pytest.mark.parametrize(("side", "floor"), [("two-sided", 2 / 1000), ("greater", 1 / 1000)])
def test_no_draw_beyond_gives_the_floor_as_a_bound(side: str, floor: float) -> None:
    """CASES 30: never 0."""
    draws = Replicates.of(np.linspace(0.5, 1.5, 999))
    dual = percentile.p_value(draws, estimate=1.0, alternative=side)  # type: ignore[arg-type]
    assert dual.p_value == pytest.approx(floor)
    assert dual.bound == dual.p_value


@ALL
@pytest.mark.parametrize("side", ["two-sided", "greater", "less"])
def test_p_is_never_zero(method: ModuleType, side: str) -> None:
    far = {"estimate": 50.0, "n_units": 30, "acceleration": 0.05}
    draws = Replicates.of(50.0 + np.random.default_rng(0).standard_normal(999))
    for distribution in (draws, paired(0, 39, 40)):
        for value in (-1e6, 0.0, 1e6):
            dual = method.p_value(distribution, **far, value=value, alternative=side)
            assert 0.0 < dual.p_value <= 1.0


def test_far_tail_of_an_exact_distribution_is_a_bound() -> None:
    dual = percentile.p_value(paired(2, 395, 400), estimate=0.98)
    assert dual.p_value == pytest.approx(2e-12)
    assert dual.bound == dual.p_value


@ALL
def test_no_spread_is_one_at_the_point_and_undefined_elsewhere(method: ModuleType) -> None:
    """CASES 1, 25 and 35: identical systems give 1; no standard error gives no p-value."""
    same = Replicates.of(np.zeros(999))
    assert method.p_value(same, estimate=0.0, n_units=10).p_value == 1.0
    shifted = Replicates.of(np.full(999, 0.1))
    dual = method.p_value(shifted, estimate=0.1, n_units=10)
    assert math.isnan(dual.p_value)
    assert dual.note


@pytest.mark.parametrize("name", ["expanded", "bca_t"])
def test_one_unit_has_no_p(name: str) -> None:
    dual = METHODS[name].p_value(paired(3, 5, 10), estimate=0.2, n_units=1)
    assert math.isnan(dual.p_value)
    assert "one item" in dual.note


def test_bisection_of_tango_is_mcnemar() -> None:
    for side, tail in (
        ("two-sided", 2 * stats.norm.sf(18 / math.sqrt(152))),
        ("greater", stats.norm.sf(18 / math.sqrt(152))),
        ("less", stats.norm.cdf(18 / math.sqrt(152))),
    ):

        def interval_at(level: float, side: Any = side) -> Interval:
            return tango.paired_proportions(
                289, 67, 85, 59, confidence_level=level, alternative=side
            )

        assert duality.by_bisection(interval_at).p_value == pytest.approx(tail, rel=1e-9)


def test_bisection_of_t_intervals_is_the_t_test() -> None:
    rng = np.random.default_rng(3)
    x, y = rng.normal(0.3, 1.0, 25), rng.normal(0.0, 2.0, 30)
    paired_t = duality.by_bisection(lambda level: student_t.one_mean(x, confidence_level=level))
    assert paired_t.p_value == pytest.approx(stats.ttest_1samp(x, 0.0).pvalue, rel=1e-9)
    two = duality.by_bisection(lambda level: welch.two_means(x, y, confidence_level=level))
    theirs = stats.ttest_ind(x, y, equal_var=False).pvalue
    assert two.p_value == pytest.approx(theirs, rel=1e-9)


def test_bisection_holds_any_value() -> None:
    dual = duality.by_bisection(
        lambda level: wilson.one_proportion(60, 100, confidence_level=level), value=0.5
    )
    assert dual.p_value == pytest.approx(2 * stats.norm.sf(2.0), rel=1e-9)


def test_bisection_of_a_tie_is_one() -> None:
    dual = duality.by_bisection(
        lambda level: newcombe.paired_proportions(20, 5, 5, 10, confidence_level=level)
    )
    assert dual.p_value == 1.0


def test_bisection_below_its_floor_is_a_bound() -> None:
    dual = duality.by_bisection(
        lambda level: tango.paired_proportions(0, 0, 900, 100, confidence_level=level)
    )
    assert dual.p_value == dual.bound == duality.SMALLEST


def test_bisection_stops_where_draws_run_out() -> None:
    draws = Replicates.of(np.linspace(0.5, 1.5, 999))
    dual = duality.by_bisection(
        lambda level: percentile.from_distribution(draws, estimate=1.0, confidence_level=level)
    )
    assert dual.p_value == pytest.approx(2 / 1000, rel=1e-9)
    assert dual.bound == dual.p_value


def test_bisection_of_an_undefined_interval_is_undefined() -> None:
    dual = duality.by_bisection(lambda level: undefined("m", level, "one item"))
    assert math.isnan(dual.p_value)
    assert dual.note == "one item"
