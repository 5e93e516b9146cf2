"""Bayes interval of a paired difference of proportions under a Dirichlet prior.

With the same `prior` on each of the four cells the difference is s (2 r - 1), where the
discordant share s ~ Beta(D + 2 prior, N - D + 2 prior) and the candidate's part of it
r ~ Beta(only_candidate + prior, only_baseline + prior) are independent.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy import special

from deadheat.errors import InferenceError
from deadheat.intervals import beta
from deadheat.intervals.interval import Alternative, Interval, between, tail_of, undefined
from deadheat.intervals.proportions import check_cells, paired_size_note
from deadheat.intervals.roots import root

METHOD = "dirichlet"

Floats = NDArray[np.float64]


def paired_proportions(
    both: float,
    only_baseline: float,
    only_candidate: float,
    neither: float,
    *,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    prior: float = 1.0,
) -> Interval:
    """Equal-tailed posterior interval of candidate - baseline on the same items.

    Parameters
    ----------
    both, only_baseline, only_candidate, neither : float
        Items that both systems, one of them, or neither answered rightly.
    confidence_level : float
        Posterior probability inside.
    alternative : {"two-sided", "less", "greater"}
        Which sides are closed.
    prior : float
        Parameter of the Dirichlet prior in each cell, above 0.
    """
    n = check_cells(both, only_baseline, only_candidate, neither)
    _check_prior(prior)
    tail = tail_of(confidence_level, alternative)
    if note := paired_size_note(n):
        return undefined(METHOD, confidence_level, note, alternative)
    discordant = only_baseline + only_candidate
    shares, weights = _discordance(discordant + 2.0 * prior, n - discordant + 2.0 * prior)
    wins, losses = only_candidate + prior, only_baseline + prior
    return between(
        _low(shares, weights, wins, losses, tail),
        -_low(shares, weights, losses, wins, tail),
        method=METHOD,
        confidence_level=confidence_level,
        alternative=alternative,
        note=f"the prior puts {prior:g} in each of the four cells",
    )


def probability_better(only_baseline: float, only_candidate: float, *, prior: float = 1.0) -> float:
    """Posterior probability that the candidate is better: 1 - I_{1/2}(wins, losses).

    Examples
    --------
    >>> probability_better(1, 5)
    0.9375
    """
    check_cells(only_baseline, only_candidate)
    _check_prior(prior)
    return float(special.betaincc(only_candidate + prior, only_baseline + prior, 0.5))


def _check_prior(prior: float) -> None:
    if not 0.0 < prior < np.inf:
        raise InferenceError(f"the prior is {prior:g}.", fix="Give a number above 0, such as 1.")


def _discordance(a: float, b: float) -> tuple[Floats, Floats]:
    """Nodes and weights that average over s ~ Beta(a, b), all but 1e-15 of it in each tail."""
    low, high = beta.lower(a, b, 1e-15), beta.upper(a, b, 1e-15)
    nodes, weights = _legendre()
    shares = low + (high - low) * nodes
    log_density = special.xlogy(a - 1.0, shares) + special.xlog1py(b - 1.0, -shares)
    weights = weights * np.exp(log_density - log_density.max())
    return shares, weights / weights.sum()


@cache
def _legendre() -> tuple[Floats, Floats]:
    nodes, weights = special.roots_legendre(400)
    return (nodes + 1.0) / 2.0, weights / 2.0


def _low(shares: Floats, weights: Floats, wins: float, losses: float, tail: float) -> float:
    """Solve P(s (2 r - 1) <= x) = tail."""

    def excess(x: float) -> float:
        part = np.clip((1.0 + x / shares) / 2.0, 0.0, 1.0)
        return float(weights @ special.betainc(wins, losses, part)) - tail

    return root(excess, -1.0, 1.0)
