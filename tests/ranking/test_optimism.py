"""The winner's curse against published order statistics, and shares against counting."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from deadheat.errors import InferenceError
from deadheat.ranking.optimism import best_shares, expected_maximum, optimism, rank_shares
from ranking.boards import counted, independent, scattered
from vectors import close, vectors

SEEDS = st.integers(0, 10_000)


@pytest.mark.parametrize("vector", vectors("many.winner"), ids=lambda v: v["name"])
def test_vector(vector):
    assert close(vector, "value", expected_maximum(vector["input"]["k"]))


def test_expected_maximum_in_closed_form():
    assert expected_maximum(1) == pytest.approx(0.0, abs=1e-14)
    assert expected_maximum(2) == pytest.approx(1 / math.sqrt(math.pi), rel=1e-13)
    assert expected_maximum(3) == pytest.approx(1.5 / math.sqrt(math.pi), rel=1e-13)


@pytest.mark.parametrize("k", [4, 50, 1_000, 10**6, 10**9])
def test_expected_maximum_by_quadrature(k):
    """E max = integral of P(max > x) - P(max < -x) over x > 0."""

    def tail(x):
        return -math.expm1(k * stats.norm.logcdf(x)) - math.exp(k * stats.norm.logcdf(-x))

    expected, _ = integrate.quad(tail, 0, 12, points=[1, 3, 5, 6, 7], limit=400, epsabs=1e-12)
    assert expected_maximum(k) == pytest.approx(expected, abs=1e-9)


def test_no_systems_have_no_maximum():
    with pytest.raises(InferenceError, match="there are 0 systems"):
        expected_maximum(0)


@pytest.mark.parametrize("m", [2, 5, 20])
def test_optimism_of_equal_systems_is_the_expected_maximum(m):
    draws = independent(np.full(m, 0.6), 0.02)
    values = draws.estimates + draws.deviations.T
    for sign in (1, -1):
        found = optimism(sign * draws.estimates, sign * values, greater_is_better=sign > 0)
        assert found.optimism == pytest.approx(sign * 0.02 * expected_maximum(m), abs=3e-4)
        assert found.monte_carlo_error < 1e-4
        assert found.corrected == found.value - found.optimism
        assert found.value == sign * 0.6


def test_no_optimism_where_one_is_far_ahead():
    draws = independent([0.1, 0.9], 0.001)
    found = optimism(draws.estimates, draws.estimates + draws.deviations.T)
    assert found.value == 0.9
    assert found.optimism == pytest.approx(0.0, abs=2e-5)


@given(seed=SEEDS, m=st.integers(1, 6))
@settings(max_examples=40)
def test_optimism_one_resample_at_a_time(seed, m):
    estimates, draws = counted(seed, m, n=8)
    gains = []
    for row in draws:
        first = np.flatnonzero(np.isclose(row, row.max(), atol=1e-12))
        gains.append(row.max() - estimates[first].mean())
    assert optimism(estimates, draws).optimism == pytest.approx(np.mean(gains), abs=1e-12)


@given(seed=SEEDS, m=st.integers(1, 6), greater=st.booleans())
@settings(max_examples=40)
def test_shares_one_resample_at_a_time(seed, m, greater):
    _, draws = counted(seed, m, n=6, n_resamples=60)
    expected = np.zeros((m, m))
    for row in np.round(draws if not greater else -draws, 9):
        low, high = (stats.rankdata(row, method=how).astype(int) for how in ("min", "max"))
        for i in range(m):
            expected[i, low[i] - 1 : high[i]] += 1 / (high[i] - low[i] + 1)
    found = rank_shares(draws, greater_is_better=greater)
    assert found == pytest.approx(expected / len(draws), abs=1e-11)
    assert found.sum(axis=0) == pytest.approx(np.ones(m), abs=1e-10)
    assert best_shares(draws, greater_is_better=greater) == pytest.approx(found[:, 0], abs=1e-11)


def test_equal_but_for_rounding_is_a_tie():
    draws = [[0.1 + 0.2, 0.3, 0.2], [0.1 * 3, 0.3, 0.4]]
    assert best_shares(draws).tolist() == [0.25, 0.25, 0.5]
    assert rank_shares(draws)[0].tolist() == [0.25, 0.5, 0.25]
    assert optimism([0.0, 0.1, 0.2], draws).optimism == pytest.approx(0.225)


def test_shares_over_several_blocks():
    _, draws = scattered(3, 4, n_resamples=1_000)
    first = np.bincount(draws.argmax(axis=1), minlength=4) / 1_000
    assert rank_shares(draws)[:, 0] == pytest.approx(first, abs=1e-12)
    assert best_shares(draws) == pytest.approx(first, abs=1e-12)


@pytest.mark.parametrize("share", [best_shares, rank_shares])
def test_undefined_draws_are_refused(share):
    with pytest.raises(InferenceError, match="system 2 is undefined"):
        share([[1.0, math.nan], [1.0, 2.0]])
