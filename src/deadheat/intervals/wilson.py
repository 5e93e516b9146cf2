"""Wilson's score interval of one proportion (Wilson 1927)."""

from __future__ import annotations

import math

from deadheat.intervals.interval import Alternative, Interval, between, undefined
from deadheat.intervals.proportions import NO_ITEMS, check_proportion
from deadheat.intervals.quantiles import normal_quantile

METHOD = "wilson"


def ends(k: float, n: float, z: float) -> tuple[float, float]:
    """Both ends at normal quantile `z`; exactly 0 at k = 0 and exactly 1 at k = n."""
    p = k / n
    scale = 1.0 + z * z / n
    centre = (p + z * z / (2.0 * n)) / scale
    half = z / scale * math.sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n))
    low = 0.0 if k == 0 and z >= 0.0 else centre - half
    high = 1.0 if k == n and z >= 0.0 else centre + half
    return low, high


def one_proportion(
    k: float,
    n: float,
    *,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Interval of the proportion k of n.

    Parameters
    ----------
    k, n : float
        Right answers and items; effective numbers need not be whole.
    confidence_level : float
        Between 0 and 1.
    alternative : {"two-sided", "less", "greater"}
        Which sides are closed.

    Examples
    --------
    >>> interval = one_proportion(10, 10)
    >>> round(interval.low, 6), interval.high
    (0.722467, 1.0)
    """
    check_proportion(k, n)
    z = normal_quantile(confidence_level, alternative)
    if n == 0:
        return undefined(METHOD, confidence_level, NO_ITEMS, alternative)
    low, high = ends(k, n, z)
    return between(
        low, high, method=METHOD, confidence_level=confidence_level, alternative=alternative
    )
