"""Boards of systems with their draws, for tests that need no files."""

from __future__ import annotations

import numpy as np

from deadheat.ranking.draws import Draws


def scattered(seed, m=5, n_resamples=199, *, spread=1.5):
    """Systems on a common part of the noise, standard errors that differ; estimates and draws."""
    rng = np.random.default_rng(seed)
    estimates = rng.normal(size=m) * spread
    noise = rng.normal(size=(n_resamples, 1)) + rng.normal(size=(n_resamples, m)) * rng.uniform(
        0.3, 1.5, m
    )
    return estimates, estimates + noise


def counted(seed, m=5, n=30, n_resamples=199):
    """Numbers right of n items, bootstrapped over shared items: a lattice full of ties."""
    rng = np.random.default_rng(seed)
    right = rng.random((n, m)) < rng.uniform(0.2, 0.9, m)
    weights = rng.multinomial(n, np.full(n, 1 / n), size=n_resamples)
    return right.mean(axis=0), weights @ right / n


def board(seed, kind=scattered, **size):
    return Draws.of(*kind(seed, **size))


def independent(estimates, standard_error, n_resamples=99_999, seed=0):
    """Independent normal draws of equal spread: what the published constants are for."""
    rng = np.random.default_rng(seed)
    centre = np.asarray(estimates, dtype=float)
    return Draws.of(centre, rng.normal(centre, standard_error, (n_resamples, centre.size)))
