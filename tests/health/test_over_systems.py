"""The bootstrap over systems, against doing it system by system."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from deadheat.health import cronbach_alpha, halves_compared, over_systems, random_halves
from deadheat.health.over_systems import _counts
from deadheat.rng import Purpose, Stream

RNG = np.random.default_rng(11)
SCORES = (RNG.random((40, 7)) < RNG.uniform(0.2, 0.9, 7)).astype(float)
HALVES = list(random_halves(40, 30, seed=2))
COMPARED = halves_compared(SCORES, HALVES)


def resamples(n: int, seed: int) -> Iterator[np.ndarray]:
    """Positions of the systems that make up each resample."""
    counts = _counts(Stream(seed, Purpose.BOOTSTRAP, 0), n, SCORES.shape[1])
    for row in counts.astype(int):
        yield np.repeat(np.arange(SCORES.shape[1]), row)


def test_resamples_are_scored_as_their_systems_are() -> None:
    found = over_systems(SCORES, COMPARED, n_resamples=200, seed=5)
    for at, drawn in enumerate(resamples(200, 5)):
        table = SCORES[:, drawn]
        assert found.alpha[at] == pytest.approx(cronbach_alpha(table), abs=1e-9, nan_ok=True)
        again = halves_compared(table, HALVES)
        known = again.correlations[~np.isnan(again.correlations)]
        wanted = known.mean() if known.size else np.nan
        assert found.correlation[at] == pytest.approx(wanted, abs=1e-9, nan_ok=True)
        untied = again.untied.sum()
        wanted = again.concordance.sum() / untied if untied else np.nan
        assert found.tau[at] == pytest.approx(wanted, abs=1e-12, nan_ok=True)


def test_alpha_of_resamples_allows_for_sizes() -> None:
    sizes = np.arange(1, 41)
    found = over_systems(SCORES, COMPARED, n_resamples=50, seed=5, sizes=sizes)
    for at, drawn in enumerate(resamples(50, 5)):
        wanted = cronbach_alpha(SCORES[:, drawn], sizes)
        assert found.alpha[at] == pytest.approx(wanted, abs=1e-9, nan_ok=True)


def test_systems_are_drawn_uniformly() -> None:
    counts = _counts(Stream(3, Purpose.BOOTSTRAP, 0), 20_000, 5)
    assert (counts.sum(axis=1) == 5).all()
    # Each count is binomial(5, 1/5): mean 1, variance 0.8.
    assert counts.mean(axis=0) == pytest.approx(np.ones(5), abs=4 * np.sqrt(0.8 / 20_000))
    assert counts.var(axis=0) == pytest.approx(np.full(5, 0.8), abs=0.05)


def test_more_resamples_continue_the_same_draws() -> None:
    few = over_systems(SCORES, COMPARED, n_resamples=100, seed=1)
    many = over_systems(SCORES, COMPARED, n_resamples=600, seed=1)
    assert (few.alpha == many.alpha[:100]).all()
    assert (many.alpha != over_systems(SCORES, COMPARED, n_resamples=600, seed=2).alpha).any()


def test_equal_systems_have_no_reliability() -> None:
    same = np.tile(SCORES[:, :1], (1, 5))
    found = over_systems(same, halves_compared(same, HALVES), n_resamples=50, seed=0)
    assert np.isnan(found.alpha).all()
    assert np.isnan(found.correlation).all()
    assert np.isnan(found.tau).all()
