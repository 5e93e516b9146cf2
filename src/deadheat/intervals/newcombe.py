"""Newcombe's intervals of a difference: Wilson's intervals squared and added (1998b, c)."""

from __future__ import annotations

import math

from deadheat.intervals import wilson
from deadheat.intervals.interval import Alternative, Interval, between, undefined
from deadheat.intervals.proportions import (
    NO_ITEMS,
    check_cells,
    check_proportion,
    paired_size_note,
)
from deadheat.intervals.quantiles import normal_quantile

METHOD = "newcombe"


def paired_proportions(
    both: float,
    only_baseline: float,
    only_candidate: float,
    neither: float,
    *,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Interval of candidate - baseline on the same items (Newcombe 1998c, method 10)."""
    n = check_cells(both, only_baseline, only_candidate, neither)
    z = normal_quantile(confidence_level, alternative)
    if note := paired_size_note(n):
        return undefined(METHOD, confidence_level, note, alternative)
    k_baseline, k_candidate = both + only_baseline, both + only_candidate
    margins = k_baseline * (n - k_baseline) * k_candidate * (n - k_candidate)
    association = both * neither - only_baseline * only_candidate
    if association > 0.0:
        association = max(association - n / 2.0, 0.0)
    phi = association / math.sqrt(margins) if margins > 0.0 else 0.0
    return _crossed((k_baseline, n), (k_candidate, n), phi, z, confidence_level, alternative)


def two_proportions(
    k_baseline: float,
    n_baseline: float,
    k_candidate: float,
    n_candidate: float,
    *,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Interval of candidate - baseline on different items (Newcombe 1998b, method 10)."""
    check_proportion(k_baseline, n_baseline)
    check_proportion(k_candidate, n_candidate)
    z = normal_quantile(confidence_level, alternative)
    if n_baseline == 0 or n_candidate == 0:
        return undefined(METHOD, confidence_level, NO_ITEMS, alternative)
    return _crossed(
        (k_baseline, n_baseline), (k_candidate, n_candidate), 0.0, z, confidence_level, alternative
    )


def _crossed(
    baseline: tuple[float, float],
    candidate: tuple[float, float],
    phi: float,
    z: float,
    confidence_level: float,
    alternative: Alternative,
) -> Interval:
    p, q = baseline[0] / baseline[1], candidate[0] / candidate[1]
    p_low, p_high = wilson.ends(*baseline, z)
    q_low, q_high = wilson.ends(*candidate, z)
    sign = math.copysign(1.0, z)
    return between(
        q - p - sign * _norm(q - q_low, p_high - p, phi),
        q - p + sign * _norm(q_high - q, p - p_low, phi),
        method=METHOD,
        confidence_level=confidence_level,
        alternative=alternative,
    )


def _norm(a: float, b: float, phi: float) -> float:
    return math.sqrt(max(a * a - 2.0 * phi * a * b + b * b, 0.0))
