"""Welch's t interval of a difference of means on different items (Welch 1947)."""

from __future__ import annotations

import math

from numpy.typing import ArrayLike
from scipy import special

from deadheat.intervals.interval import Alternative, Interval, between, tail_of, undefined
from deadheat.intervals.moments import moments

METHOD = "welch"


def two_means(
    baseline: ArrayLike,
    candidate: ArrayLike,
    *,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Interval of mean(candidate) - mean(baseline).

    Parameters
    ----------
    baseline, candidate : array_like, shape (item,) each
        Scores; the two need not have the same length.
    confidence_level : float
        Between 0 and 1.
    alternative : {"two-sided", "less", "greater"}
        Which sides are closed.
    """
    tail = tail_of(confidence_level, alternative)
    a, b = moments(baseline), moments(candidate)
    # One constant side still leaves a standard error; two leave none.
    if a.n < 2 or b.n < 2 or (a.note and b.note):
        return undefined(METHOD, confidence_level, a.note or b.note, alternative)
    parts = a.variance / a.n, b.variance / b.n
    df = sum(parts) ** 2 / (parts[0] ** 2 / (a.n - 1) + parts[1] ** 2 / (b.n - 1))
    half = -float(special.stdtrit(df, tail)) * math.sqrt(sum(parts))
    return between(
        b.mean - a.mean - half,
        b.mean - a.mean + half,
        method=METHOD,
        confidence_level=confidence_level,
        alternative=alternative,
    )
