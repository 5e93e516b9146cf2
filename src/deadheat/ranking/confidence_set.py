"""Model confidence set: what is left when the worst are dropped until the rest may be equal."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deadheat.ranking.draws import NO_SPREAD, TIE, Draws, Floats, Integers, allowed
from deadheat.ranking.pairs import Flags


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ConfidenceSet:
    """Systems that may be the best (Hansen, Lunde & Nason 2011).

    Attributes
    ----------
    members : ndarray of bool, shape (system,)
        Those whose p-value is above 1 - confidence level.
    p_values : ndarray, shape (system,)
        Largest p-value of the tests of equality up to the one after which the system was
        dropped; 1 for the last.
    dropped : ndarray of int, shape (system,)
        When each was dropped, from 1; equal systems go together, and the last to be left have
        the greatest number.
    """

    members: Flags
    p_values: Floats
    dropped: Integers
    confidence_level: float
    n_resamples: int


def confidence_set(
    draws: Draws, *, confidence_level: float = 0.95, greater_is_better: bool = True
) -> ConfidenceSet:
    """Test equality by the system farthest behind the mean of those left; drop it, and repeat.

    Parameters
    ----------
    draws : Draws
    confidence_level : float
    greater_is_better : bool

    Raises
    ------
    InferenceError
        If there are too few resamples for the level.

    Notes
    -----
    T_max: t_i = (mean of those left - value_i) / se_i, with se_i from the centred draws, and
    p = (1 + #{max_i t*_ri >= max_i t_i}) / (R + 1). The dropping goes on to the last system, so
    that all have a p-value.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> draws = Draws.of([0.70, 0.79, 0.80], rng.normal([0.70, 0.79, 0.80], 0.02, (9999, 3)))
    >>> confidence_set(draws).members.tolist()
    [False, True, True]
    """
    k = allowed(confidence_level, draws.n_resamples)
    sign = 1.0 if greater_is_better else -1.0
    left = np.arange(draws.n_systems, dtype=np.int64)
    counts = np.full(draws.n_systems, draws.n_resamples, dtype=np.int64)
    dropped = np.zeros(draws.n_systems, dtype=np.int64)
    step, largest = 1, 0
    while left.size > 1:
        statistics, count = _equality(draws, left, sign)
        most = float(statistics.max())
        worst = left[statistics >= _reached(most)]
        if worst.size == left.size or most <= 0.0:
            break
        largest = max(largest, count)
        counts[worst], dropped[worst] = largest, step
        left, step = np.setdiff1d(left, worst), step + 1
    dropped[left] = step
    return ConfidenceSet(
        members=counts >= k,
        p_values=(1 + counts) / (draws.n_resamples + 1),
        dropped=dropped,
        confidence_level=confidence_level,
        n_resamples=draws.n_resamples,
    )


def _equality(draws: Draws, left: Integers, sign: float) -> tuple[Floats, int]:
    """Return how far each is behind the mean of those left, and how many maxima reach that."""
    rows = draws.deviations
    mean = rows[left].mean(axis=0)
    behind = sign * (draws.estimates[left].mean() - draws.estimates[left])
    size = float(draws.sizes[left].max())
    maxima = np.full(draws.n_resamples, -np.inf)
    statistics = np.zeros(left.size)
    for at, i in enumerate(left.tolist()):
        value: NDArray[np.float64] = mean - rows[i]
        spread = float(value.std(ddof=1))
        if spread > NO_SPREAD * size:
            statistics[at] = behind[at] / spread
            value *= sign / spread
            np.maximum(maxima, value, out=maxima)
        elif abs(behind[at]) > NO_SPREAD * size:
            statistics[at] = np.copysign(np.inf, behind[at])
    most = float(draws.expanded(statistics).max())
    return statistics, int(np.count_nonzero(maxima >= _reached(most)))


def _reached(statistic: float) -> float:
    """Return from where on a value is as large as a statistic but for rounding."""
    return statistic if math.isinf(statistic) else statistic - TIE * max(1.0, abs(statistic))
