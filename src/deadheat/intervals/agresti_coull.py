"""Agresti and Coull's interval of one proportion (1998)."""

from __future__ import annotations

import math

from deadheat.intervals.interval import Alternative, Interval, between, undefined
from deadheat.intervals.proportions import NO_ITEMS, check_proportion, clip
from deadheat.intervals.quantiles import normal_quantile

METHOD = "agresti_coull"


def one_proportion(
    k: float,
    n: float,
    *,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Interval of the proportion k of n: Wald's after adding z^2 / 2 right and wrong answers."""
    check_proportion(k, n)
    z = normal_quantile(confidence_level, alternative)
    if n == 0:
        return undefined(METHOD, confidence_level, NO_ITEMS, alternative)
    n_added = n + z * z
    p = (k + z * z / 2.0) / n_added
    half = z * math.sqrt(p * (1.0 - p) / n_added)
    return between(
        clip(p - half, 0.0, 1.0),
        clip(p + half, 0.0, 1.0),
        method=METHOD,
        confidence_level=confidence_level,
        alternative=alternative,
    )
