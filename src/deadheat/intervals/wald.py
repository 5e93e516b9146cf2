"""Wald's intervals: estimate -+ z standard errors. For cross-checks only."""

from __future__ import annotations

import math

from deadheat.intervals.interval import Alternative, Interval, between, undefined
from deadheat.intervals.proportions import (
    NO_ITEMS,
    check_cells,
    check_proportion,
    clip,
    paired_size_note,
)
from deadheat.intervals.quantiles import normal_quantile

METHOD = "wald"

NO_WIDTH = "the standard error is zero on these counts, so the width says nothing"


def one_proportion(
    k: float,
    n: float,
    *,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Interval of the proportion k of n, clipped to [0, 1]."""
    check_proportion(k, n)
    z = normal_quantile(confidence_level, alternative)
    if n == 0:
        return undefined(METHOD, confidence_level, NO_ITEMS, alternative)
    p = k / n
    error = math.sqrt(p * (1.0 - p) / n)
    return _around(p, error, z, 0.0, confidence_level, alternative)


def paired_proportions(
    both: float,
    only_baseline: float,
    only_candidate: float,
    neither: float,
    *,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Interval of candidate - baseline on the same items, clipped to [-1, 1]."""
    n = check_cells(both, only_baseline, only_candidate, neither)
    z = normal_quantile(confidence_level, alternative)
    if note := paired_size_note(n):
        return undefined(METHOD, confidence_level, note, alternative)
    difference = (only_candidate - only_baseline) / n
    variance = (only_candidate + only_baseline) / n - difference * difference
    error = math.sqrt(max(variance, 0.0) / n)
    return _around(difference, error, z, -1.0, confidence_level, alternative)


def two_proportions(
    k_baseline: float,
    n_baseline: float,
    k_candidate: float,
    n_candidate: float,
    *,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Interval of candidate - baseline on different items, clipped to [-1, 1]."""
    check_proportion(k_baseline, n_baseline)
    check_proportion(k_candidate, n_candidate)
    z = normal_quantile(confidence_level, alternative)
    if n_baseline == 0 or n_candidate == 0:
        return undefined(METHOD, confidence_level, NO_ITEMS, alternative)
    p, q = k_baseline / n_baseline, k_candidate / n_candidate
    error = math.sqrt(p * (1.0 - p) / n_baseline + q * (1.0 - q) / n_candidate)
    return _around(q - p, error, z, -1.0, confidence_level, alternative)


def _around(
    centre: float,
    error: float,
    z: float,
    least: float,
    confidence_level: float,
    alternative: Alternative,
) -> Interval:
    return between(
        clip(centre - z * error, least, 1.0),
        clip(centre + z * error, least, 1.0),
        method=METHOD,
        confidence_level=confidence_level,
        alternative=alternative,
        note=NO_WIDTH if error == 0.0 else "",
    )
