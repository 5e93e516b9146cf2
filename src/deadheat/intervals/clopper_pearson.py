"""Clopper and Pearson's exact interval of one proportion (1934)."""

from __future__ import annotations

from deadheat.intervals.interval import Alternative, Interval, between, tail_of, undefined
from deadheat.intervals.proportions import NO_ITEMS, check_proportion
from deadheat.intervals.quantiles import beta_lower, beta_upper

METHOD = "clopper_pearson"


def one_proportion(
    k: float,
    n: float,
    *,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Interval of the proportion k of n that covers at least at the nominal level."""
    check_proportion(k, n)
    tail = tail_of(confidence_level, alternative)
    if n == 0:
        return undefined(METHOD, confidence_level, NO_ITEMS, alternative)
    return between(
        beta_lower(k, n - k + 1.0, tail),
        beta_upper(k + 1.0, n - k, tail),
        method=METHOD,
        confidence_level=confidence_level,
        alternative=alternative,
    )
