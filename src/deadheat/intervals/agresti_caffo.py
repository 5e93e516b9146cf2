"""Agresti and Caffo's interval of a difference of two independent proportions (2000)."""

from __future__ import annotations

from dataclasses import replace

from deadheat.intervals import wald
from deadheat.intervals.interval import Alternative, Interval, undefined
from deadheat.intervals.proportions import NO_ITEMS, check_proportion

METHOD = "agresti_caffo"


def two_proportions(
    k_baseline: float,
    n_baseline: float,
    k_candidate: float,
    n_candidate: float,
    *,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Interval of candidate - baseline: Wald's after adding a right and a wrong answer to each."""
    check_proportion(k_baseline, n_baseline)
    check_proportion(k_candidate, n_candidate)
    if n_baseline == 0 or n_candidate == 0:
        return undefined(METHOD, confidence_level, NO_ITEMS, alternative)
    found = wald.two_proportions(
        k_baseline + 1.0,
        n_baseline + 2.0,
        k_candidate + 1.0,
        n_candidate + 2.0,
        confidence_level=confidence_level,
        alternative=alternative,
    )
    return replace(found, method=METHOD)
