"""The top band: each system against the best of the others (Hsu 1981, 1996)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from deadheat.ranking.draws import Draws, Floats, Integers, allowed, critical, running_maxima
from deadheat.ranking.family import Family
from deadheat.ranking.pairs import Flags


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AgainstBest:
    """How far each system may lie ahead of, or behind, the best of the others.

    Attributes
    ----------
    differences : ndarray, shape (system,)
        Its estimate less that of the best of the others, on the scale of the metric.
    low, high : ndarray, shape (system,)
        Simultaneous intervals for the same of the true values, each held to include 0. Outside
        the band the favourable end is 0; a system that is alone in it has 0 as its other end. An
        end that rests on a pair decided by other means is NaN.
    top : ndarray of bool, shape (system,)
        The band at the top: its interval does not exclude that the system is the best.
    p_values : ndarray, shape (system,)
        Of the null that the system is at least as good as all others, 1 where none is ahead;
        `top` holds what is above 1 - confidence level. NaN where a system is put behind without
        a test: by a pair decided by other means, or by the same amount in every resample.
    critical_values : ndarray, shape (system,)
        One-sided, of the system against all others; NaN where no pair varies.
    """

    differences: Floats
    low: Floats
    high: Floats
    top: Flags
    p_values: Floats
    critical_values: Floats
    confidence_level: float
    n_resamples: int


def against_best(
    draws: Draws,
    *,
    confidence_level: float = 0.95,
    greater_is_better: bool = True,
    apart: ArrayLike | None = None,
    apart_ahead: ArrayLike | None = None,
) -> AgainstBest:
    """Multiple comparisons with the best: the band holds all truly best systems at the level.

    Parameters
    ----------
    draws : Draws
    confidence_level : float
    greater_is_better : bool
    apart, apart_ahead : array_like of bool, shape (system, system), optional
        Pairs decided by other means, see `deadheat.ranking.ranks.rank_sets`; they widen no
        interval, and a system that one of them puts behind is not in the band.

    Raises
    ------
    InferenceError
        If there are too few resamples for the level, or a table has another shape.

    Notes
    -----
    Only the comparisons of the truly best system with the others have to hold, so that each
    system i needs the critical value of a many-to-one family with i as the one. That is sharper
    than the set of `rank_sets`, which orders all pairs.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> draws = Draws.of([0.70, 0.79, 0.80], rng.normal([0.70, 0.79, 0.80], 0.02, (9999, 3)))
    >>> against_best(draws).top.tolist()
    [False, True, True]
    """
    m, k = draws.n_systems, allowed(confidence_level, draws.n_resamples)
    family = Family.of(
        draws, greater_is_better=greater_is_better, apart=apart, apart_ahead=apart_ahead
    )
    quantiles = np.full(m, np.nan)
    counts = np.full(m, draws.n_resamples, dtype=np.int64)
    for i in range(m):
        others = np.flatnonzero(family.tested[i]).astype(np.int64)
        if not others.size:
            continue
        this = np.full_like(others, i)
        maxima = _maxima(draws, this, others, greater_is_better)
        quantiles[i] = draws.widened(critical(maxima, confidence_level)[0])
        statistics = draws.expanded(-family.leads[i, others] / draws.standard_errors[i, others])
        at = int(np.argmax(statistics))
        if statistics[at] > 0.0:
            reached = statistics[at] - draws.slack(this, others, statistics)[at]
            counts[i] = np.count_nonzero(maxima >= reached)
    beaten = family.known.any(axis=0)
    top = (counts >= k) & ~beaten
    centre, low, high = _ends(draws, family, quantiles, top)
    if not greater_is_better:
        centre, low, high = 0.0 - centre, 0.0 - high, 0.0 - low
    return AgainstBest(
        differences=centre,
        low=low,
        high=high,
        top=top,
        p_values=np.where(beaten, np.nan, (1 + counts) / (draws.n_resamples + 1)),
        critical_values=quantiles,
        confidence_level=confidence_level,
        n_resamples=draws.n_resamples,
    )


def _maxima(draws: Draws, this: Integers, others: Integers, greater_is_better: bool) -> Floats:
    """Return how far, at most, any of the others is drawn ahead of this one."""
    first, second = (this, others) if greater_is_better else (others, this)
    maxima = np.full(draws.n_resamples, -np.inf)
    for _, highest in running_maxima(draws, first, second, two_sided=False):
        maxima = highest
    return maxima


def _ends(
    draws: Draws, family: Family, quantiles: Floats, top: Flags
) -> tuple[Floats, Floats, Floats]:
    """Return leads over the best other and their constrained ends (Hsu 1996, unequal variances)."""
    m, leads, outside = draws.n_systems, family.leads, family.outside
    if m < 2:
        return np.full(m, np.nan), np.full(m, np.nan), np.full(m, np.nan)
    spread = draws.standard_errors
    reach = np.where(spread > 0.0, quantiles[:, None] * spread, 0.0)
    other = ~np.eye(m, dtype=np.bool_)
    above = np.where(other & ~outside, leads + reach, np.inf).min(axis=1)
    high = np.where(top, np.maximum(above, 0.0), 0.0)
    high[np.isinf(high)] = np.nan
    rivals = other & top
    below = np.where(rivals, leads - reach.T, np.inf).min(axis=1)
    low = np.minimum(below, 0.0)
    low[(rivals & outside).any(axis=1)] = np.nan
    return np.where(other, leads, np.inf).min(axis=1), low, high
