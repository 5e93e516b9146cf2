"""Items, power and gaps of means against statsmodels and scipy's noncentral t."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import integrate, stats
from statsmodels.stats.power import TTestPower

from deadheat.errors import InferenceError
from deadheat.power import (
    connor,
    items_for_means,
    miller_gap,
    miller_items,
    minimum_detectable,
    t_power,
)


def test_no_gap_has_no_number() -> None:
    assert items_for_means(0.0, 1.0) is None
    assert math.isnan(miller_items(0.0, 1.0))


def test_sign_of_the_gap_does_not_matter() -> None:
    assert items_for_means(-0.2, 1.0) == items_for_means(0.2, 1.0)
    assert t_power(-0.2, 1.0, 30) == t_power(0.2, 1.0, 30)
    assert miller_items(-0.2, 1.0) == miller_items(0.2, 1.0)


def test_means_at_half_a_standard_deviation() -> None:
    """CASES 81: 33.367, so 34."""
    assert items_for_means(0.5, 1.0) == 34


@pytest.mark.parametrize("effect", [0.05, 0.1, 0.3, 0.8, 2.0])
@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
def test_means_are_the_least_number_by_statsmodels(effect: float, power: float) -> None:
    n = items_for_means(effect * 3.0, 3.0, power=power)
    assert n is not None
    judge = TTestPower()
    slack = 1e-6 if n <= 2_000 else 1e-4
    assert judge.power(effect, n, 0.05) >= power - slack
    if n > 2:
        assert judge.power(effect, n - 1, 0.05) < power + slack


@pytest.mark.parametrize("n", [2, 3, 10, 40, 1_000, 50_000])
@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.5])
@pytest.mark.parametrize("standard_errors", [0.3, 2.0, 4.0])
def test_power_of_t_by_statsmodels(n: int, alpha: float, standard_errors: float) -> None:
    gap = standard_errors * 0.35 / math.sqrt(n)
    expected = TTestPower().power(gap / 0.35, n, alpha)
    assert t_power(gap, 0.35, n, alpha=alpha) == pytest.approx(expected, abs=1e-8)


@given(n=st.integers(2, 10_000), alpha=st.floats(1e-6, 0.9), sd=st.floats(1e-3, 1e3))
def test_power_at_no_gap_is_the_level(n: int, alpha: float, sd: float) -> None:
    assert t_power(0.0, sd, n, alpha=alpha) == pytest.approx(alpha, rel=1e-9)


@given(
    n=st.integers(2, 500),
    gaps=st.tuples(st.floats(0, 3), st.floats(0, 3)),
    alpha=st.sampled_from([0.01, 0.05, 0.2]),
)
def test_power_rises_with_gap_and_items(n: int, gaps: tuple[float, float], alpha: float) -> None:
    small, large = sorted(gaps)
    assert t_power(small, 1.0, n, alpha=alpha) <= t_power(large, 1.0, n, alpha=alpha) + 1e-9
    assert t_power(small, 1.0, n, alpha=alpha) <= t_power(small, 1.0, n + 1, alpha=alpha) + 1e-9


@given(
    n=st.integers(2, 10**6),
    standard_errors=st.floats(0, 1e4),
    alpha=st.floats(1e-6, 0.9),
)
def test_power_is_known_everywhere(n: int, standard_errors: float, alpha: float) -> None:
    """SciPy's noncentral t is NaN in tails that are too thin for it."""
    found = t_power(standard_errors / math.sqrt(n), 1.0, n, alpha=alpha)
    assert alpha * (1.0 - 1e-6) <= found <= 1.0


def test_power_where_the_direct_tail_is_not_known() -> None:
    """Integrated over the law of the standard deviation."""
    critical, shift = stats.t.isf(0.005, 13), 2.0 * math.sqrt(14)
    expected, _ = integrate.quad(
        lambda q: stats.norm.cdf(shift - critical * math.sqrt(stats.chi2.ppf(q, 13) / 13)), 0, 1
    )
    assert t_power(2.0, 1.0, 14, alpha=0.01) == pytest.approx(expected, abs=1e-8)


def test_gaps_beyond_all_measure_are_certain() -> None:
    assert t_power(1e300, 1e-300, 50) == 1.0
    assert items_for_means(1e300, 1e-300) == 2


@given(
    n=st.integers(20, 100_000),
    discordance=st.floats(0.01, 1.0),
    power=st.sampled_from([0.3, 0.5, 0.8, 0.95]),
)
def test_detectable_gap_needs_that_many_items(n: int, discordance: float, power: float) -> None:
    gap = minimum_detectable(n, discordance=discordance, power=power)
    assume(not math.isnan(gap))
    assert connor(gap, discordance, power=power) == pytest.approx(n, rel=1e-6)


def test_no_detectable_gap_at_so_few_discordant_items() -> None:
    assert math.isnan(minimum_detectable(20, discordance=0.05))


def test_detectable_mean() -> None:
    gap = minimum_detectable(400, sd=0.5)
    assert gap == pytest.approx((1.959963984540054 + 0.8416212335729143) * 0.5 / 20)


def test_detectable_arguments() -> None:
    spreads: tuple[dict[str, Any], ...] = ({}, {"sd": 1.0, "discordance": 0.1})
    for spread in spreads:
        with pytest.raises(InferenceError, match="either sd or discordance"):
            minimum_detectable(10, **spread)
    with pytest.raises(InferenceError, match="standard deviation"):
        minimum_detectable(10, sd=0.0)
    with pytest.raises(InferenceError, match=r"discordance is 1\.5"):
        minimum_detectable(10, discordance=1.5)
    with pytest.raises(InferenceError, match="0 items"):
        minimum_detectable(0, sd=1.0)


VARIANCES = st.floats(0.001, 10)


@given(
    n=st.integers(1, 10**6),
    between=VARIANCES,
    within=st.tuples(VARIANCES, VARIANCES),
    answers=st.tuples(st.integers(1, 50), st.integers(1, 50)),
    power=st.sampled_from([0.5, 0.8, 0.99]),
)
def test_the_gap_of_n_items_takes_n_items(
    n: int,
    between: float,
    within: tuple[float, float],
    answers: tuple[int, int],
    power: float,
) -> None:
    design: dict[str, Any] = {"within": within, "answers": answers, "power": power}
    gap = miller_gap(n, between, **design)
    assert miller_items(gap, between, **design) == pytest.approx(n, rel=1e-12)


@given(between=VARIANCES, within=st.tuples(VARIANCES, VARIANCES), answers=st.integers(1, 1_000))
def test_answers_help_down_to_what_items_vary(
    between: float, within: tuple[float, float], answers: int
) -> None:
    """K answers each divide the noise of answers by K and leave that of items alone."""
    floor = miller_items(0.1, between)
    one = miller_items(0.1, between, within=within)
    some = miller_items(0.1, between, within=within, answers=(answers, answers))
    assert some - floor == pytest.approx((one - floor) / answers, rel=1e-6)


def test_power_of_miller_by_the_normal_law() -> None:
    n = miller_items(0.05, 0.1, within=(0.2, 0.1), answers=(4, 2), power=0.9, alpha=0.01)
    standard_error = math.sqrt((0.1 + 0.05 + 0.05) / n)
    power = stats.norm.sf(stats.norm.isf(0.005) - 0.05 / standard_error)
    assert power == pytest.approx(0.9, abs=1e-12)


@pytest.mark.parametrize("share", [0.0, 1.0, -1.0, math.nan, True, "0.5"])
def test_levels_are_checked(share: float) -> None:
    with pytest.raises(InferenceError, match="alpha is"):
        items_for_means(0.1, 0.2, alpha=share)
    with pytest.raises(InferenceError, match="alpha is"):
        minimum_detectable(10, sd=1.0, alpha=share)
    with pytest.raises(InferenceError, match="power is"):
        miller_items(0.1, 1.0, power=share)
    with pytest.raises(InferenceError, match="alpha is"):
        miller_gap(10, 1.0, alpha=share)
    with pytest.raises(InferenceError, match="alpha is"):
        t_power(0.1, 1.0, 10, alpha=share)


@pytest.mark.parametrize("bad", [math.nan, math.inf, True, "0.1", None])
def test_gaps_and_spreads_are_checked(bad: float) -> None:
    for asked in (
        lambda: t_power(bad, 1.0, 10),
        lambda: items_for_means(bad, 1.0),
        lambda: miller_items(bad, 1.0),
    ):
        with pytest.raises(InferenceError, match=r"the gap is .* Give a number"):
            asked()
    for asked in (lambda: t_power(0.1, bad, 10), lambda: items_for_means(0.1, bad)):
        with pytest.raises(InferenceError, match="the standard deviation of the differences is"):
            asked()
    with pytest.raises(InferenceError, match="the variance between items is"):
        miller_items(0.1, bad)
    with pytest.raises(InferenceError, match="the variance within items of the candidate is"):
        miller_gap(10, 0.1, within=(0.0, bad))


@pytest.mark.parametrize("n", [1, 0, -1, 2.5, math.nan, True])
def test_one_item_has_no_spread(n: int) -> None:
    with pytest.raises(InferenceError, match="Give a whole number of at least 2"):
        t_power(0.1, 1.0, n)


@pytest.mark.parametrize("count", [0, -1, 1.5, math.nan, True, "2"])
def test_answers_are_counted(count: int) -> None:
    with pytest.raises(InferenceError, match="answers to each item"):
        miller_items(0.1, 1.0, answers=(1, count))


def test_what_never_varies_is_refused() -> None:
    with pytest.raises(InferenceError, match="no item and no answer differs"):
        miller_items(0.1, 0.0)


def test_gaps_too_small_for_any_number_are_refused() -> None:
    for asked in (lambda: items_for_means(1e-300, 1e300), lambda: miller_items(1e-300, 1.0)):
        with pytest.raises(InferenceError, match="beyond all bounds"):
            asked()
