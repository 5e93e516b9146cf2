"""Jeffreys' interval of one proportion: equal tails of Beta(k + 1/2, n - k + 1/2)."""

from __future__ import annotations

from deadheat.intervals.interval import Alternative, Interval, between, tail_of, undefined
from deadheat.intervals.proportions import NO_ITEMS, check_proportion
from deadheat.intervals.quantiles import beta_lower, beta_upper

METHOD = "jeffreys"


def one_proportion(
    k: float,
    n: float,
    *,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Interval of the proportion k of n under Jeffreys' prior."""
    check_proportion(k, n)
    tail = tail_of(confidence_level, alternative)
    if n == 0:
        return undefined(METHOD, confidence_level, NO_ITEMS, alternative)
    return between(
        beta_lower(k + 0.5, n - k + 0.5, tail),
        beta_upper(k + 0.5, n - k + 0.5, tail),
        method=METHOD,
        confidence_level=confidence_level,
        alternative=alternative,
    )
