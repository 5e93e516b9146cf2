"""Whether systems lie far enough apart for these items: spread, resolution, clusters."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from deadheat import power
from deadheat.benchmark.parts import DesignEffect, Resolution, Spread
from deadheat.inference.pairs import Pairs
from deadheat.scores import Scores
from deadheat.settings import Settings

Floats = NDArray[np.float64]

POWER = 0.8
"""Wanted probability of resolving a gap."""


def spread_of(scores: Scores, pairs: Pairs, errors: Floats) -> Spread:
    """Hold the spread of the systems against the standard errors of their differences.

    Parameters
    ----------
    scores : Scores
    pairs : Pairs
        All of them.
    errors : ndarray, shape (pair,)
        Standard errors, see `standard_errors`.
    """
    values = np.sort(scores.values)
    gaps = np.abs(np.diff(values if scores.metrics[0].greater_is_better else values[::-1]))
    varied = errors[errors > 0.0]
    median = float(np.median(varied)) if varied.size else math.nan
    sd = float(np.std(values, ddof=1))
    return Spread(
        sd=sd,
        standard_error=median,
        ratio=sd / median,
        range=float(values[-1] - values[0]),
        first_gap=float(gaps[-1]),
        n_pairs=len(errors),
        n_resolved=int(np.count_nonzero(pairs.separated)),
        n_identical=_identical(scores, pairs),
    )


def _identical(scores: Scores, pairs: Pairs) -> int:
    """Count the pairs of systems with the same score on every item."""
    if scores.per_item is None:
        return 0
    equal = np.flatnonzero(pairs.differences == 0.0)
    members = pairs.members[equal]
    return sum(
        bool((scores.per_item[:, first] == scores.per_item[:, second]).all())
        for first, second in members.tolist()
    )


def standard_errors(scores: Scores, pairs: Pairs) -> Floats:
    """Return the standard error of every difference, shape (pair,).

    Means over independent items need no draws for it; others have that of the draws, or over
    clusters.

    Parameters
    ----------
    scores : Scores
        Of all systems.
    pairs : Pairs
        Of systems.
    """
    if scores.per_item is None or scores.units is not None:
        return pairs.standard_errors
    return independent_errors(scores.per_item, pairs)


def independent_errors(table: Floats, pairs: Pairs) -> Floats:
    """Return standard errors of mean differences as of independent items, shape (pair,).

    Parameters
    ----------
    table : ndarray, shape (item, system)
    pairs : Pairs
        Of systems.
    """
    n = len(table)
    centred = table - table.mean(axis=0)
    products = centred.T @ centred
    own = np.diag(products)
    first, second = pairs.members.T
    squares = own[first] + own[second] - 2.0 * products[first, second]
    # Differences that cancel leave rounding behind.
    squares[squares <= 1e-13 * np.maximum(own[first], own[second])] = 0.0
    return np.asarray(np.sqrt(squares / (n - 1.0) / n))


def discordances(table: Floats, pairs: Pairs) -> Floats:
    """Return on what share of the items exactly one of two 0/1 systems is right, shape (pair,).

    Parameters
    ----------
    table : ndarray of float, shape (item, system)
        Scores of 0 and 1.
    pairs : Pairs
        Of systems.
    """
    both = table.T @ table
    right = np.diag(both)
    first, second = pairs.members.T
    return np.asarray((right[first] + right[second] - 2.0 * both[first, second]) / len(table))


def resolution_of(
    scores: Scores, pairs: Pairs, errors: Floats, settings: Settings
) -> Resolution | str:
    """Return the smallest gap that the items resolve, or why there is none.

    For 0/1 scores of independent items it follows from how often two systems differ (Connor
    1987), otherwise from the standard error of their difference.

    Parameters
    ----------
    scores : Scores
        Of all systems.
    pairs : Pairs
        Of systems.
    errors : ndarray of float, shape (pair,)
        Standard errors of the differences.
    settings : Settings
        Level, draws and seed.
    """
    alpha = settings.planning_alpha
    by_discordance = scores.kind == "binary" and scores.units is None
    shares = np.full(len(errors), np.nan)
    if by_discordance:
        assert scores.per_item is not None
        n = len(scores.per_item)
        shares = discordances(scores.per_item, pairs)
        found = _by_discordance(n, shares, alpha)
    else:
        # Linear in the standard error, which is sd / sqrt(n).
        found = errors * power.minimum_detectable(1, sd=1.0, power=POWER, alpha=alpha)
    known = np.isfinite(found) & (found > 0.0)
    if not known.any():
        return (
            "no two systems differ on any item"
            if not np.any(errors > 0.0)
            else "two systems differ on so few items that no gap can be resolved"
        )
    chosen = found[known]
    median = float(np.median(chosen))
    whole = by_discordance and scores.metrics[0].bounds == (0.0, 1.0)
    return Resolution(
        power=POWER,
        alpha=alpha,
        minimum_detectable=median,
        low=float(chosen.min()),
        high=float(chosen.max()),
        items=median * len(scores.rows) if whole else math.nan,
        discordance=float(np.median(shares[known])) if by_discordance else math.nan,
        n_pairs=int(known.sum()),
    )


def _by_discordance(n: int, shares: Floats, alpha: float) -> Floats:
    """Solve for the gap of every pair; many pairs differ on the same number of items."""
    distinct, back = np.unique(shares, return_inverse=True)
    gaps = [
        power.minimum_detectable(n, discordance=float(share), power=POWER, alpha=alpha)
        if share > 0.0
        else math.nan
        for share in distinct
    ]
    return np.array(gaps)[back]


def design_effect(scores: Scores, pairs: Pairs, errors: Floats) -> DesignEffect | None:
    """Return by what factor clusters raise the variance of differences.

    None where items are independent, or nothing varies.

    Parameters
    ----------
    scores : Scores
        Of all systems.
    pairs : Pairs
        Of systems.
    errors : ndarray of float, shape (pair,)
        Standard errors of the differences.
    """
    if scores.units is None or scores.units.kind != "cluster" or scores.per_item is None:
        return None
    alone = independent_errors(scores.per_item, pairs)
    varied = (alone > 0.0) & (errors > 0.0)
    if not varied.any():
        return None
    effects = (errors[varied] / alone[varied]) ** 2
    return DesignEffect(
        median=float(np.median(effects)), low=float(effects.min()), high=float(effects.max())
    )
