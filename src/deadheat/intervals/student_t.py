"""Student's t interval of a mean, or of a mean difference on the same items (Student 1908)."""

from __future__ import annotations

import math

from numpy.typing import ArrayLike
from scipy import special

from deadheat.intervals.interval import Alternative, Interval, between, tail_of, undefined
from deadheat.intervals.moments import moments

METHOD = "student_t"


def one_mean(
    values: ArrayLike,
    multiplicities: ArrayLike | None = None,
    *,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Interval of the mean of scores.

    Parameters
    ----------
    values : array_like, shape (item,) or (type,)
        Scores, or distinct scores.
    multiplicities : array_like, shape (type,), optional
        How many items have each.
    confidence_level : float
        Between 0 and 1.
    alternative : {"two-sided", "less", "greater"}
        Which sides are closed.
    """
    tail = tail_of(confidence_level, alternative)
    found = moments(values, multiplicities)
    if found.note:
        return undefined(METHOD, confidence_level, found.note, alternative)
    half = -float(special.stdtrit(found.n - 1, tail)) * math.sqrt(found.variance / found.n)
    return between(
        found.mean - half,
        found.mean + half,
        method=METHOD,
        confidence_level=confidence_level,
        alternative=alternative,
    )
