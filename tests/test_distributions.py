"""Distributions that were drawn or computed on a lattice answer the same questions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from deadheat.distributions import Lattice, Replicates, floor, midrank, negligible, tails

STEPS = st.lists(st.integers(-6, 6), min_size=2, max_size=40)


def binomial(n: int, p: float) -> Lattice:
    return Lattice(pmf=stats.binom.pmf(np.arange(n + 1), n, p), start=0, denominator=n)


@given(draws=STEPS, at=st.integers(-7, 7))
def test_drawn_shares_are_counts(draws: list[int], at: int) -> None:
    found = Replicates.of(np.array(draws) / 10, estimate=0.1)
    assert found.at_most(at / 10) == pytest.approx(sum(d <= at for d in draws) / len(draws))
    assert found.at_least(at / 10) == pytest.approx(sum(d >= at for d in draws) / len(draws))
    equal = sum(d == at for d in draws) / len(draws)
    assert midrank(found, at / 10) == pytest.approx(
        sum(d < at for d in draws) / len(draws) + equal / 2
    )


@given(draws=STEPS)
def test_drawn_mean_and_sd(draws: list[int]) -> None:
    found = Replicates.of(np.array(draws, dtype=float))
    assert found.mean == pytest.approx(np.mean(draws))
    assert found.sd == pytest.approx(np.std(draws, ddof=1))


@given(draws=STEPS, tail=st.floats(0.02, 0.98))
def test_order_rule_is_mirrored(draws: list[int], tail: float) -> None:
    """STATISTICS 0.4: swapping the systems negates the ends exactly, for every rule."""
    for rule in ("order", "linear", "norm_inter"):
        values = np.array(draws, dtype=float)
        here = Replicates.of(values, rule=rule)  # type: ignore[arg-type]
        there = Replicates.of(-values, rule=rule)  # type: ignore[arg-type]
        assert here.lower(tail) == pytest.approx(-there.upper(tail), abs=1e-12)
        assert here.lower_error(tail) == pytest.approx(there.upper_error(tail), abs=1e-12)


@pytest.mark.parametrize(
    ("size", "tail", "k"), [(999, 0.025, 25), (9_999, 0.025, 250), (40, 0.1, 4)]
)
def test_order_rule_takes_the_kth_from_each_end(size: int, tail: float, k: int) -> None:
    draws = Replicates.of(np.arange(1.0, size + 1.0))
    assert draws.lower(tail) == k
    assert draws.upper(tail) == size + 1 - k


def test_linear_rule_is_numpy() -> None:
    values = np.random.default_rng(0).standard_normal(101)
    found = Replicates.of(values, rule="linear")
    assert found.lower(0.03) == pytest.approx(np.quantile(values, 0.03))
    assert found.upper(0.03) == pytest.approx(np.quantile(values, 0.97))


def test_normal_interpolation_meets_order_statistics() -> None:
    found = Replicates.of(np.arange(1.0, 200.0), rule="norm_inter")
    assert found.lower(0.05) == pytest.approx(10.0)
    assert found.upper(0.05) == pytest.approx(190.0)
    # Davison & Hinkley 1997, eq. 5.8: the level is 10.5 of 200; linear in normal quantiles.
    z, z_low, z_high = stats.norm.ppf([0.0525, 10 / 200, 11 / 200])
    assert found.lower(0.0525) == pytest.approx(10.0 + (z - z_low) / (z_high - z_low))


def test_resolves_when_an_order_statistic_is_there() -> None:
    assert Replicates.of(np.arange(39.0)).resolves(0.025)
    assert not Replicates.of(np.arange(38.0)).resolves(0.025)


def test_undefined_draws_are_left_out_and_counted() -> None:
    found = Replicates.of(np.array([1.0, math.nan, 3.0, math.nan]))
    assert found.n_undefined == 2
    assert found.n_resamples == 2
    assert found.mean == 2.0


def test_no_draws_are_undefined() -> None:
    empty = Replicates.of(np.array([math.nan]))
    assert math.isnan(empty.mean)
    assert math.isnan(empty.sd)
    assert math.isnan(Replicates.of(np.array([1.0])).sd)


def test_ties_are_judged_with_tolerance() -> None:
    """CASES 31: equal in theory, different in the last bit."""
    found = Replicates.of(np.array([0.1 + 0.2, 0.3, 0.1]), estimate=0.3)
    assert found.at_most(0.3) == 1.0
    assert found.at_least(0.1 + 0.2) == pytest.approx(2 / 3)


def test_error_covers_the_true_quantile() -> None:
    rng = np.random.default_rng(0)
    inside = 0
    for _ in range(400):
        draws = Replicates.of(rng.standard_normal(999))
        inside += abs(draws.lower(0.05) - stats.norm.ppf(0.05)) <= draws.lower_error(0.05)
    assert 0.92 <= inside / 400 <= 0.985


@given(n=st.integers(1, 60), p=st.floats(0.02, 0.98), tail=st.floats(1e-6, 0.5))
def test_lattice_is_the_binomial(n: int, p: float, tail: float) -> None:
    found = binomial(n, p)
    law = stats.binom(n, p)
    assert found.mean == pytest.approx(p)
    assert found.sd == pytest.approx(math.sqrt(p * (1 - p) / n))
    assert found.n_resamples is None
    for k in range(-1, n + 2):
        assert found.at_most(k / n) == pytest.approx(law.cdf(k), abs=1e-12)
        assert found.at_least(k / n) == pytest.approx(law.sf(k - 1), abs=1e-12)
    low, high = round(found.lower(tail) * n), round(found.upper(tail) * n)
    # The outer rule: the ends themselves still have the tail beyond them, the next do not.
    assert law.cdf(low) >= tail * (1 - 1e-9)
    assert law.cdf(low - 1) < tail
    assert law.sf(high - 1) >= tail * (1 - 1e-9)
    assert law.sf(high) < tail


def test_lattice_level_met_exactly_is_inside() -> None:
    """P(T <= 0) = 1/4 exactly: the value is not excluded at a tail of 1/4."""
    fair = binomial(2, 0.5)
    assert fair.lower(0.25) == 0.0
    assert fair.upper(0.25) == 1.0


def test_lattice_cleans_negative_noise() -> None:
    noisy = Lattice(pmf=np.array([-1e-17, 0.5, 0.5, -1e-18]), start=-1, denominator=2)
    assert noisy.pmf.min() == 0.0
    assert noisy.at_most(-0.5) == 0.0
    assert noisy.at_most(0.5) == 1.0
    assert list(noisy.points) == [-0.5, 0.0, 0.5, 1.0]


def test_lattice_has_no_monte_carlo_error() -> None:
    found = binomial(10, 0.5)
    assert found.lower_error(0.1) == found.upper_error(0.1) == 0.0
    assert found.resolves(1e-9)


@pytest.mark.parametrize(("at", "below", "above"), [(0.0, 1 / 5, 5 / 5), (2.0, 3 / 5, 4 / 5)])
def test_drawn_tails_add_one(at: float, below: float, above: float) -> None:
    found = Replicates.of(np.array([1.0, 2.0, 3.0, 4.0]))
    assert tails(found, at) == pytest.approx((below, above))
    assert floor(found) == pytest.approx(1 / 5)


def test_exact_tails_stop_at_the_floor() -> None:
    found = binomial(60, 0.5)
    assert tails(found, 0.0)[0] == floor(found) == 1e-12
    assert tails(found, 0.5)[0] == pytest.approx(stats.binom.cdf(30, 60, 0.5))


def test_a_distribution_may_state_its_own_floor() -> None:
    class Inverted:
        n_resamples = None
        floor = 1e-8

    found: Any = Inverted()
    assert floor(found) == 1e-8


def test_negligible_is_relative_to_large_centres() -> None:
    assert negligible(5e-17, 0.1)
    assert negligible(1e-7, 1e6)
    assert not negligible(1e-7, 1.0)
    assert not negligible(math.nan, 1.0)
