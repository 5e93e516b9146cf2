"""The crossed bootstrap: against full enumeration, and the variance it is known to have."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from deadheat.errors import InferenceError
from deadheat.resampling.crossed import crossed, run_weights
from deadheat.rng import Purpose

RUNS = Purpose.FIRST_RUNS


def test_weights_of_two_runs_come_in_three_kinds():
    weights = run_weights(2, n_resamples=20_000, seed=1, purpose=RUNS)
    shares = [np.mean(weights[:, 0] == value) for value in (0.0, 0.5, 1.0)]
    assert shares == pytest.approx([0.25, 0.5, 0.25], abs=0.012)


def test_weights_add_up_to_one_and_vary_as_multinomial_ones():
    weights = run_weights(5, n_resamples=20_000, seed=2, purpose=RUNS)
    assert np.allclose(weights.sum(axis=1), 1.0)
    assert weights.mean(axis=0) == pytest.approx([0.2] * 5, abs=0.005)
    assert weights.var(axis=0) == pytest.approx([0.2 * 0.8 / 5] * 5, rel=0.05)


def test_systems_have_streams_of_their_own():
    first = run_weights(5, n_resamples=500, seed=3, purpose=Purpose.FIRST_RUNS)
    second = run_weights(5, n_resamples=500, seed=3, purpose=Purpose.SECOND_RUNS)
    assert abs(np.corrcoef(first[:, 0], second[:, 0])[0, 1]) < 0.2


def test_threads_change_nothing_and_more_resamples_only_add():
    one = run_weights(7, n_resamples=1_000, seed=4, purpose=RUNS, threads=1)
    assert np.array_equal(one, run_weights(7, n_resamples=1_000, seed=4, purpose=RUNS, threads=4))
    more = run_weights(7, n_resamples=1_300, seed=4, purpose=RUNS)
    assert np.array_equal(one, more[:1_000])


def test_one_run_has_all_the_weight():
    assert (run_weights(1, n_resamples=10, seed=0, purpose=RUNS) == 1.0).all()


def test_a_weighting_is_the_mean_of_the_table_that_was_drawn():
    rng = np.random.default_rng(6)
    table = rng.normal(size=(6, 3))
    items, runs = rng.integers(0, 6, 6), rng.integers(0, 3, 3)
    drawn = table[np.ix_(items, runs)].mean()
    values = np.bincount(items, minlength=6) @ table / 6
    weights = np.bincount(runs, minlength=3) / 3
    assert crossed(values[None], weights[None])[0] == pytest.approx(drawn)


def test_the_distribution_is_that_of_all_resamples():
    """2 items and 3 runs have 4 x 27 resamples."""
    table = np.array([[0.0, 0.3, 1.0], [0.5, 0.9, 0.1]])
    whole = [
        table[np.ix_(items, runs)].mean()
        for items in product(range(2), repeat=2)
        for runs in product(range(3), repeat=3)
    ]
    rng = np.random.default_rng(7)
    values = rng.multinomial(2, [0.5, 0.5], 40_000) @ table / 2
    found = crossed(values, run_weights(3, n_resamples=40_000, seed=7, purpose=RUNS))
    assert found.mean() == pytest.approx(np.mean(whole), abs=0.004)
    assert found.var() == pytest.approx(np.var(whole), rel=0.03)
    for level in (0.05, 0.5, 0.95):
        reached = np.quantile(whole, level)
        assert np.mean(found <= reached + 1e-9) == pytest.approx(
            np.mean(np.array(whole) <= reached + 1e-9), abs=0.012
        )


def test_residual_variance_counts_about_three_times():
    """For N items and S runs the factor is (2 - 1/N)(2 - 1/S) - 1 (Owen 2007 bounds it by 3)."""
    n, s, resamples = 40, 8, 400
    rng = np.random.default_rng(8)
    variances = []
    for seed in range(300):
        table = rng.normal(size=(n, s))
        values = rng.multinomial(n, np.full(n, 1 / n), resamples) @ table / n
        weights = run_weights(s, n_resamples=resamples, seed=seed, purpose=RUNS)
        variances.append(crossed(values, weights).var())
    factor = (2 - 1 / n) * (2 - 1 / s) - 1
    assert factor == pytest.approx(2.7, abs=0.01)
    assert np.mean(variances) * n * s == pytest.approx(factor, rel=0.06)


def test_a_run_without_weight_may_be_undefined():
    values = np.array([[0.5, np.nan], [0.5, np.nan]])
    found = crossed(values, np.array([[1.0, 0.0], [0.5, 0.5]]))
    assert found[0] == 0.5
    assert np.isnan(found[1])


def test_shapes_have_to_agree():
    with pytest.raises(InferenceError, match="weight for every run"):
        crossed(np.zeros((3, 2)), np.zeros((3, 3)))
