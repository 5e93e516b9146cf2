"""Bonett and Price's adjusted Wald interval of a paired difference (2012)."""

from __future__ import annotations

import math

from deadheat.intervals.interval import Alternative, Interval, between, undefined
from deadheat.intervals.proportions import check_cells, clip, paired_size_note
from deadheat.intervals.quantiles import normal_quantile

METHOD = "bonett_price"


def paired_proportions(
    both: float,
    only_baseline: float,
    only_candidate: float,
    neither: float,
    *,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Interval of candidate - baseline: Wald's after adding one item to each discordant cell."""
    n = check_cells(both, only_baseline, only_candidate, neither)
    z = normal_quantile(confidence_level, alternative)
    if note := paired_size_note(n):
        return undefined(METHOD, confidence_level, note, alternative)
    wins, losses = (only_candidate + 1.0) / (n + 2.0), (only_baseline + 1.0) / (n + 2.0)
    centre = wins - losses
    half = z * math.sqrt((wins + losses - centre * centre) / (n + 2.0))
    return between(
        clip(centre - half, -1.0, 1.0),
        clip(centre + half, -1.0, 1.0),
        method=METHOD,
        confidence_level=confidence_level,
        alternative=alternative,
    )
