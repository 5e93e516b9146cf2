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
from deadheat.intervals.interval import Alternative, Interval, between, tail_of, undefined
from deadheat.intervals.proportions import check_cells, paired_size_note
from deadheat.intervals.quantiles import beta_lower, beta_upper
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
        Parameter of the Dirichlet prior in each cell, at least 0.5.
    """
    n = check_cells(both, only_baseline, only_candidate, neither)
    _check_prior(prior)
    tail = tail_of(confidence_level, alternative)
    if note := paired_size_note(n):
        return undefined(METHOD, confidence_level, note, alternative)
    discordant = only_baseline + only_candidate
    share = discordant + 2.0 * prior, n - discordant + 2.0 * prior
    wins, losses = only_candidate + prior, only_baseline + prior
    return between(
        -_high(share, losses, wins, tail),
        _high(share, wins, losses, tail),
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
    if not 0.5 <= prior < np.inf:
        raise InferenceError(
            f"the prior is {prior:g}.", fix="Give 0.5 (Jeffreys), 1 (uniform) or more."
        )


def _high(share: tuple[float, float], wins: float, losses: float, tail: float) -> float:
    """Solve P(difference > x) = tail."""
    better = float(special.betaincc(wins, losses, 0.5))
    if tail <= better:
        return root(lambda x: _beyond(x, share, wins, losses) - tail, 0.0, 1.0)
    return -root(lambda x: _beyond(x, share, losses, wins) - (1.0 - tail), 0.0, 1.0)


def _beyond(x: float, share: tuple[float, float], wins: float, losses: float) -> float:
    """P(s (2 r - 1) > x) for x >= 0: the mean over s > x of P(r > (1 + x / s) / 2)."""
    if x == 0.0:
        return float(special.betaincc(wins, losses, 0.5))
    low, high = max(x, beta_lower(*share, 1e-16)), beta_upper(*share, 1e-16)
    if low >= high:
        return 0.0
    nodes, weights = _legendre()
    s = low + (high - low) * nodes
    a, b = share
    log_density = special.xlogy(a - 1.0, s) + special.xlog1py(b - 1.0, -s) - special.betaln(a, b)
    part = special.betainc(losses, wins, (1.0 - x / s) / 2.0)
    return float((high - low) * weights @ (np.exp(log_density) * part))


@cache
def _legendre() -> tuple[Floats, Floats]:
    """Return 400 Gauss-Legendre nodes on (0, 1) and weights, drawn to both ends.

    Where w = u^2 (3 - 2 u) replaces w, roots at the ends of the range turn smooth.
    """
    roots, weights = special.roots_legendre(400)
    u = (roots + 1.0) / 2.0
    return u * u * (3.0 - 2.0 * u), weights / 2.0 * 6.0 * u * (1.0 - u)
