"""P-values dual to intervals: the smallest alpha at which the interval excludes a value."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from deadheat.distributions import Distribution, floor, negligible, tails
from deadheat.errors import InferenceError
from deadheat.intervals.interval import Alternative, Interval
from deadheat.intervals.proportions import ONE_ITEM

SMALLEST = 1e-12
"""No p-value below this is told from it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dual:
    """The p-value that goes with an interval.

    Attributes
    ----------
    p_value : float
        NaN where undefined; never 0.
    bound : float or None
        Set when the p-value is only known to be at most this.
    note : str
        Why it is undefined; empty otherwise.
    """

    p_value: float
    bound: float | None = None
    note: str = ""


ONE_UNIT = Dual(p_value=math.nan, note=ONE_ITEM)


def same(share: float) -> float:
    """Return the share: the tail of a percentile interval is the tail of its distribution."""
    return share


def of_normal(z: float, alternative: Alternative) -> Dual:
    """P-value of a standard normal score, large where the statistic exceeds the value."""
    below, above = (
        (max(0.5 * math.erfc(side * z / math.sqrt(2.0)), SMALLEST), False) for side in (1.0, -1.0)
    )
    return _choose(below, above, SMALLEST, alternative)


def of_tails(
    distribution: Distribution,
    *,
    value: float,
    alternative: Alternative,
    below: Callable[[float], float] = same,
    above: Callable[[float], float] = same,
) -> Dual:
    """P-value from the tails of a distribution at `value`.

    Parameters
    ----------
    distribution : Distribution
        Of the statistic.
    value : float
        The hypothesis.
    alternative : {"two-sided", "less", "greater"}
        About the statistic.
    below, above : callable
        Map a tail of the distribution to the nominal tail at which the lower or upper end of
        the interval meets `value`: the inverse of how the method picks its levels.
    """
    if (settled := degenerate(distribution, value)) is not None:
        return settled
    least = floor(distribution)
    at_most, at_least = tails(distribution, value)
    return _choose(
        (max(below(at_most), least), at_most <= least),
        (max(above(at_least), least), at_least <= least),
        least,
        alternative,
    )


def degenerate(distribution: Distribution, value: float) -> Dual | None:
    """P-value where the distribution has no spread: 1 at its only point, undefined elsewhere."""
    mean, sd = distribution.mean, distribution.sd
    if math.isnan(sd):
        return Dual(p_value=math.nan, note="the statistic is undefined in the resamples")
    if not negligible(sd, mean):
        return None
    if negligible(abs(mean - value), mean):
        return Dual(p_value=1.0)
    return Dual(p_value=math.nan, note="every resample gives the same value")


def _choose(
    below: tuple[float, bool], above: tuple[float, bool], least: float, alternative: Alternative
) -> Dual:
    """Pick the tail asked for; each comes with whether it is only a bound."""
    sides = 2.0 if alternative == "two-sided" else 1.0
    tail, bounded = {"greater": below, "less": above, "two-sided": min(below, above)}[alternative]
    p_value = min(1.0, sides * tail)
    return Dual(p_value=p_value, bound=p_value if bounded or tail <= least else None)


def by_bisection(interval_at: Callable[[float], Interval], value: float = 0.0) -> Dual:
    """P-value dual to any family of nested intervals.

    Parameters
    ----------
    interval_at : callable
        Maps a confidence level to an interval.
    value : float
        The hypothesis.

    Examples
    --------
    >>> from deadheat.intervals import tango
    >>> dual = by_bisection(lambda level: tango.paired_proportions(
    ...     289, 67, 85, 59, confidence_level=level))
    >>> round(dual.p_value, 6)
    0.144292
    """
    widest = 1.0 - 2.0**-53

    def excluded(alpha: float) -> bool | None:
        """Whether the value lies outside at this level; None where there are too few draws."""
        try:
            found = interval_at(min(1.0 - alpha, widest))
        except InferenceError:
            return None
        if not found.defined:
            raise InferenceError(found.note or "the interval is undefined.")
        return value < found.low or value > found.high

    try:
        if excluded(SMALLEST):
            return Dual(p_value=SMALLEST, bound=SMALLEST)
        low, high = SMALLEST, 1.0 - SMALLEST
        if not excluded(high):
            return Dual(p_value=1.0)
        while high / low > 1.0 + 1e-13:
            middle = math.sqrt(low * high)
            if middle in (low, high):
                break
            if excluded(middle):
                high = middle
            else:
                low = middle
    except InferenceError as error:
        return Dual(p_value=math.nan, note=error.found)
    return Dual(p_value=high, bound=high if excluded(low) is None else None)
