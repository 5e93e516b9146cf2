"""The difference within each stratum."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from deadheat.comparison import Comparison
from deadheat.inference import binary, clustered
from deadheat.intervals import cr2, student_t, tango
from deadheat.intervals.interval import Interval, undefined
from deadheat.measuring import Measured
from deadheat.report.figure import Figure, Mark, Role, Rule
from deadheat.report.figures.axes import difference_axis, rows_axis, rows_height
from deadheat.report.figures.differences import role_of
from deadheat.report.figures.forest import Estimate, extent, forest, settled
from deadheat.report.pieces import level_text
from deadheat.report.table import Table
from deadheat.scores.units import Units, codes

MOST = 40
"""Strata that are drawn, those with the most items."""

Floats = NDArray[np.float64]


def of_comparison(result: Comparison) -> Figure | None:
    """Draw the difference of each stratum and of all; None without strata."""
    part = result.part
    if part is None or part.by_stratum is None or len(part.by_stratum.names) < 2:
        return None
    strata, scale = part.by_stratum, result.scale
    gaps = strata.values[:, 1] - strata.values[:, 0]
    most = np.sort(np.argsort(-strata.sizes, kind="stable")[:MOST])
    intervals = {int(at): _within(part, int(at), result) for at in most}
    rows = []
    for at in most.tolist():
        interval = intervals[at]
        rows.append(
            _row(
                result,
                f"{strata.names[at]} ({int(strata.sizes[at]):,})",
                float(gaps[at]),
                interval,
                settled(interval.low, interval.high, greater_is_better=result.greater_is_better),
            )
        )
    found = result.difference
    rows.append(
        replace(
            _row(result, f"all ({result.items.n:,})", found.estimate, found.interval, "candidate"),
            role=role_of(result),
        )
    )
    drawn = [row for row in rows if math.isfinite(row.value)]
    if len(drawn) < 2:
        return None
    left = len(strata.names) - len(most)
    above, below = int((gaps > 0.0).sum()), int((gaps < 0.0).sum())
    legend: tuple[tuple[Role, str], ...] = (
        ("ahead", "candidate better"),
        ("behind", "candidate worse"),
        ("open", "not settled"),
    )
    method = next((one.method for one in intervals.values() if one.defined), "")
    how = (
        f"Intervals within strata are {NAMES.get(method, method)}, each at "
        f"{level_text(result.settings.confidence_level)} on its own"
        if method
        else "There are no intervals within strata"
    )
    marks: tuple[Mark, ...] = (Rule(at=0.0, label="no difference"),)
    return Figure(
        name="strata",
        title=f"Difference in {result.metric} within each stratum",
        description=f"The candidate has the greater {result.metric} in {above:,} of "
        f"{len(gaps):,} strata and the lower in {below:,}. {how}; the last row is the comparison "
        "itself."
        + (
            f" {left:,} smaller {'stratum is' if left == 1 else 'strata are'} left out."
            if left
            else ""
        ),
        x=difference_axis(f"{result.metric}: candidate - baseline", extent(drawn), scale),
        y=rows_axis([row.name for row in drawn]),
        marks=(*marks, *forest(drawn)),
        table=Table(
            title="Difference within each stratum",
            columns=("stratum (items)", "difference", "interval"),
            rows=tuple(
                (row.name, scale.difference(row.value), _ends(result, row)) for row in drawn
            ),
            numeric=("difference", "interval"),
        ),
        height=rows_height(len(drawn)),
        beside=tuple(
            (float(at), f"{scale.signed(row.value)} {_ends(result, row)}".strip())
            for at, row in enumerate(drawn)
        ),
        legend=tuple(one for one in legend if any(row.role == one[0] for row in drawn)),
    )


NAMES = {"tango": "Tango's", "student_t": "Student's t", "cr2": "those of CR2"}


def _row(result: Comparison, name: str, gap: float, interval: Interval, role: Role) -> Estimate:
    row = Estimate(name=name, value=gap, low=interval.low, high=interval.high, role=role, said="")
    return replace(row, said=f"{name}: {result.scale.difference(gap)} {_ends(result, row)}".strip())


def _ends(result: Comparison, row: Estimate) -> str:
    if math.isnan(row.low) or math.isnan(row.high):
        return ""
    scale = result.scale
    low = "(-inf" if math.isinf(row.low) else f"[{scale.signed(row.low)}"
    high = "inf)" if math.isinf(row.high) else f"{scale.signed(row.high)}]"
    return f"{low}, {high}"


def _within(part: Measured, stratum: int, result: Comparison) -> Interval:
    """Make a cheap interval of the difference within a stratum, without draws."""
    alignment, scores = part.alignments[0], part.items[0]
    level = result.settings.confidence_level
    none = undefined("", level, "no interval without draws")
    if scores.per_item is None or part.n_runs is not None or alignment.strata is None:
        return none
    own = codes(alignment.strata) == stratum
    baseline, candidate = scores.per_item[own].T
    counts = None if scores.multiplicities is None else scores.multiplicities[own]
    if (len(baseline) if counts is None else counts.sum()) < 2:
        return none
    if alignment.clusters is not None:
        units = _units(codes(alignment.clusters)[own], counts)
        if units.n < cr2.FEWEST:
            return none
        found = clustered.moments(candidate - baseline, units)
        return cr2.clustered_mean(found, confidence_level=level)
    if scores.kind == "binary":
        four = binary.counts_of(baseline, candidate, counts)
        return tango.paired_proportions(
            four.both,
            four.only_baseline,
            four.only_candidate,
            four.neither,
            confidence_level=level,
        )
    values, place = np.unique(candidate - baseline, return_inverse=True)
    multiplicities = np.bincount(place, counts).astype(np.int64)
    return student_t.one_mean(values, multiplicities, confidence_level=level)


def _units(of_item: NDArray[np.int64], counts: NDArray[np.int64] | None) -> Units:
    names, place = np.unique(of_item, return_inverse=True)
    return Units(
        kind="cluster", of_item=place.astype(np.int64), n=len(names), multiplicities=counts
    )
