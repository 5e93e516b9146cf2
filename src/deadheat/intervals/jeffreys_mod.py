"""Jeffreys' interval that reaches 0 at k = 0 and 1 at k = n (Brown, Cai & DasGupta 2001)."""

from __future__ import annotations

from dataclasses import replace

from deadheat.intervals import jeffreys
from deadheat.intervals.interval import Alternative, Interval

METHOD = "jeffreys_mod"


def one_proportion(
    k: float,
    n: float,
    *,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Interval of the proportion k of n under Jeffreys' prior, closed at the edges."""
    found = jeffreys.one_proportion(
        k, n, confidence_level=confidence_level, alternative=alternative
    )
    if not found.defined:
        return replace(found, method=METHOD)
    return replace(
        found,
        low=0.0 if k == 0 and alternative != "less" else found.low,
        high=1.0 if k == n and alternative != "greater" else found.high,
        method=METHOD,
    )
