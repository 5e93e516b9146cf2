"""Wilson's score interval with continuity correction (Newcombe 1998a, method 4)."""

from __future__ import annotations

import math

from deadheat.intervals.interval import Alternative, Interval, between, undefined
from deadheat.intervals.proportions import NO_ITEMS, check_proportion, clip
from deadheat.intervals.quantiles import normal_quantile

METHOD = "wilson_cc"


def one_proportion(
    k: float,
    n: float,
    *,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Interval of the proportion k of n; conservative."""
    check_proportion(k, n)
    z = normal_quantile(confidence_level, alternative)
    if n == 0:
        return undefined(METHOD, confidence_level, NO_ITEMS, alternative)
    return between(
        _low(k, n, z),
        1.0 - _low(n - k, n, z),
        method=METHOD,
        confidence_level=confidence_level,
        alternative=alternative,
    )


def _low(k: float, n: float, z: float) -> float:
    if k == 0:
        return 0.0
    spread = z * math.sqrt(max(z * z - 2.0 - 1.0 / n + 4.0 * k * (n - k + 1.0) / n, 0.0))
    return clip((2.0 * k + z * z - 1.0 - spread) / (2.0 * (n + z * z)), 0.0, 1.0)
