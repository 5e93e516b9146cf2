"""Agresti and Min's adjusted Wald interval of a paired difference (2005)."""

from __future__ import annotations

from dataclasses import replace

from deadheat.intervals import wald
from deadheat.intervals.interval import Alternative, Interval, undefined
from deadheat.intervals.proportions import check_cells, paired_size_note

METHOD = "agresti_min"


def paired_proportions(
    both: float,
    only_baseline: float,
    only_candidate: float,
    neither: float,
    *,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Interval of candidate - baseline: Wald's after adding half an item to each cell."""
    n = check_cells(both, only_baseline, only_candidate, neither)
    if note := paired_size_note(n):
        return undefined(METHOD, confidence_level, note, alternative)
    found = wald.paired_proportions(
        both + 0.5,
        only_baseline + 0.5,
        only_candidate + 0.5,
        neither + 0.5,
        confidence_level=confidence_level,
        alternative=alternative,
    )
    return replace(found, method=METHOD)
