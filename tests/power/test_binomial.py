"""Binomial probabilities against scipy's, and the bound beyond which nothing is added."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from deadheat.power.binomial import at_least, binomial, binomial_rows, reach

few = settings(max_examples=30)


@pytest.mark.parametrize("share", [1e-6, 0.01, 0.3037, 0.5, 0.97, 1 - 1e-9])
@pytest.mark.parametrize("trials", [1, 2, 17, 500, 20_000, 1_000_000])
def test_probabilities(trials: int, share: float) -> None:
    first, mass = binomial(trials, share)
    judge = stats.binom(trials, share)
    points = first + np.arange(mass.size)
    assert mass == pytest.approx(judge.pmf(points), rel=1e-9, abs=1e-17)
    assert judge.cdf(first - 1) + judge.sf(points[-1]) < 2e-16


@pytest.mark.parametrize(("share", "point"), [(0.0, 0), (1.0, 7)])
def test_certain_outcomes(share: float, point: int) -> None:
    first, mass = binomial(7, share)
    assert (first, mass.tolist()) == (point, [1.0])


def test_no_trials() -> None:
    first, mass = binomial(0, 0.3)
    assert (first, mass.tolist()) == (0, [1.0])


@few
@given(
    trials=st.lists(st.integers(0, 400), min_size=1, max_size=6),
    share=st.floats(0, 1),
)
def test_rows_are_the_same_one_by_one(trials: list[int], share: float) -> None:
    first, mass = binomial_rows(np.array(trials), share)
    for row, count in enumerate(trials):
        points = first[row] + np.arange(mass.shape[1])
        expected = stats.binom.pmf(points, count, share)
        assert mass[row] == pytest.approx(expected, rel=1e-9, abs=1e-15)


@given(trials=st.integers(1, 5_000), share=st.floats(0, 1))
def test_reach_leaves_next_to_nothing_outside(trials: int, share: float) -> None:
    mean = trials * share
    far = float(reach(mean * (1.0 - share)))
    judge = stats.binom(trials, share)
    assert judge.cdf(np.floor(mean - far)) <= 1e-16 or mean < far
    assert judge.sf(np.ceil(mean + far)) <= 1e-16


@given(
    trials=st.integers(0, 300), wins=st.integers(1, 302), share=st.sampled_from([0.0, 0.3, 0.5, 1])
)
def test_upper_tail(trials: int, wins: int, share: float) -> None:
    found = at_least(np.array([wins]), np.array([trials]), share)
    assert found[0] == pytest.approx(stats.binom.sf(wins - 1, trials, share), rel=1e-10, abs=1e-300)
