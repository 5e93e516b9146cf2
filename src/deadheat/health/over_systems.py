"""Reliability on other systems: the bootstrap that draws systems and keeps the items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deadheat.health.reliability import Halves, alpha_of, centred_products, lengthening
from deadheat.rng import BLOCK, Purpose, Stream

Floats = NDArray[np.float64]

MOST_HALVES = 100
"""Splits over which the correlation of a resample is averaged: enough for its interval."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReliabilityDraws:
    """Reliability on resampled systems, shape (resample,); NaN where it is undefined.

    Attributes
    ----------
    alpha : ndarray
    correlation : ndarray
        Mean correlation of halves.
    tau : ndarray
        Of halves: concordant less discordant pairs over untied ones, summed over the halves.
    """

    alpha: Floats
    correlation: Floats
    tau: Floats


def over_systems(
    scores: Floats,
    halves: Halves,
    *,
    n_resamples: int,
    seed: int,
    sizes: NDArray[np.int64] | None = None,
) -> ReliabilityDraws:
    """Resample the systems and compute alpha and the agreement of halves on each resample.

    Parameters
    ----------
    scores : ndarray, shape (item, system)
    halves : Halves
        Of the same systems; a resample is compared on the same halves.
    n_resamples : int
    seed : int
    sizes : ndarray of int, shape (item,), optional
        As for `cronbach_alpha`.
    """
    n_items, n_systems = scores.shape
    factor = lengthening(n_items, sizes)
    products, totals = centred_products(scores)
    found = np.empty((3, n_resamples))
    # A bootstrap, of systems: nothing sets its draws beside those of items.
    stream = Stream(seed, Purpose.BOOTSTRAP, 0)
    for start in range(0, n_resamples, BLOCK):
        weights = _counts(stream, min(BLOCK, n_resamples - start), n_systems)
        part = slice(start, start + len(weights))
        found[0, part] = _alpha(weights, products, totals, factor)
        found[1, part] = _correlation(weights, halves)
        found[2, part] = _ratio(
            _form(weights, halves.concordance),
            _form(weights, halves.untied),
        )
    return ReliabilityDraws(alpha=found[0], correlation=found[1], tau=found[2])


def _counts(stream: Stream, n: int, n_systems: int) -> Floats:
    """Return how often each system is drawn in n resamples, shape (resample, system)."""
    high = stream.words(n * n_systems) >> np.uint64(32)
    drawn = ((high * np.uint64(n_systems)) >> np.uint64(32)).astype(np.int64)
    row = np.repeat(np.arange(n) * n_systems, n_systems)
    counts = np.bincount(row + drawn, minlength=n * n_systems)
    return counts.reshape(n, n_systems).astype(np.float64)


def _alpha(weights: Floats, products: Floats, totals: Floats, factor: float) -> Floats:
    """Return alpha of each resample, from products of systems alone.

    An item's sum of squared deviations in a resample is ``sum w x^2 - (sum w x)^2 / m``; summed
    over the items it is ``w . diag(P) - w P w / m``.
    """
    m = weights.shape[1]
    spread = _form(weights, products)
    of_items = weights @ np.diag(products) - spread / m
    of_totals = weights @ totals**2 - (weights @ totals) ** 2 / m
    found = alpha_of(of_items, np.maximum(of_totals, 0.0), factor)
    # A resample of one system alone has nothing but rounding.
    found[of_items <= 1e-13 * (weights @ np.diag(products))] = np.nan
    return found


def _correlation(weights: Floats, halves: Halves) -> Floats:
    """Return the mean correlation of the halves in each resample; splits without one are left."""
    m = weights.shape[1]
    chosen = halves.first[:MOST_HALVES], halves.second[:MOST_HALVES]
    # Deviations first: squares of values far from 0 would cancel.
    a, b = (side - side.mean(axis=1, keepdims=True) for side in chosen)
    sums = weights @ a.T, weights @ b.T
    squares = [
        weights @ (side**2).T - total**2 / m for side, total in zip((a, b), sums, strict=True)
    ]
    products = weights @ (a * b).T - sums[0] * sums[1] / m
    scales = [weights @ (side**2).T for side in (a, b)]
    defined = (squares[0] > 1e-13 * scales[0]) & (squares[1] > 1e-13 * scales[1])
    found = np.zeros_like(products)
    under = np.sqrt(np.maximum(squares[0] * squares[1], 0.0))
    np.divide(products, under, out=found, where=defined)
    return _ratio(np.clip(found, -1.0, 1.0).sum(axis=1), defined.sum(axis=1).astype(np.float64))


def _form(weights: Floats, table: Floats) -> Floats:
    """Return w T w for each row of weights."""
    return np.asarray(((weights @ table) * weights).sum(axis=1))


def _ratio(numerator: Floats, denominator: Floats) -> Floats:
    found = np.full(numerator.shape, np.nan)
    np.divide(numerator, denominator, out=found, where=denominator > 0.0)
    return found
