"""How often outputs with some confidence are right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from deadheat.comparison import Comparison
from deadheat.intervals import wilson
from deadheat.leaderboard import Leaderboard
from deadheat.measuring import Measured
from deadheat.metrics.ece import CalibrationError
from deadheat.report.figure import Axis, Figure, Line, Mark, Points, Role
from deadheat.report.figures.forest import brief
from deadheat.report.pieces import counted
from deadheat.report.table import Table
from deadheat.scorecard import Scorecard
from deadheat.scores.inputs import inputs_for

MOST = 4
"""Systems that one diagram holds."""

ROLES: tuple[Role, ...] = ("baseline", "candidate", "ahead", "behind")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """Items whose confidence lies in one range."""

    low: float
    high: float
    n: int
    confidence: float
    right: int


def of_result(result: Comparison | Leaderboard | Scorecard) -> Figure | None:
    """Draw share right against confidence; None but for the calibration error."""
    part = result.part
    if part is None or part.n_runs is not None:
        return None
    found = list(_systems(part))[:MOST]
    if not found:
        return None
    marks: list[Mark] = [Line(x=(0.0, 1.0), y=(0.0, 1.0), role="muted")]
    rows: list[tuple[str, ...]] = []
    for (system, bins), role in zip(found, ROLES, strict=False):
        x, y = (
            tuple(one.confidence for one in bins),
            tuple(one.right / one.n for one in bins),
        )
        marks.append(Line(x=x, y=y, role=role))
        marks.append(Points(x=x, y=y, role=role, hover=tuple(_said(system, one) for one in bins)))
        for one in bins:
            interval = wilson.one_proportion(
                one.right, one.n, confidence_level=result.settings.confidence_level
            )
            rows.append(
                (
                    system,
                    f"{one.low:.3g} to {one.high:.3g}",
                    f"{one.n:,}",
                    f"{one.confidence:.3f}",
                    f"{one.right / one.n:.3f}",
                    f"[{interval.low:.3f}, {interval.high:.3f}]",
                )
            )
    ticks = tuple((at / 5.0, f"{at / 5:.1f}") for at in range(6))
    return Figure(
        name="reliability",
        title="Reliability: share right against confidence",
        description=" ".join(_words(system, bins) for system, bins in found)
        + " On the dotted line confidence is as large as the share that is right.",
        x=Axis(label="mean confidence", low=0.0, high=1.0, ticks=ticks),
        y=Axis(label="share right", low=-0.02, high=1.02, ticks=ticks),
        marks=tuple(marks),
        table=Table(
            title="Share right by confidence",
            columns=(
                "system",
                "confidence",
                "items",
                "mean confidence",
                "share right",
                "Wilson interval",
            ),
            rows=tuple(rows),
            numeric=("items", "mean confidence", "share right", "Wilson interval"),
        ),
        height=0.6,
        legend=tuple((role, system) for (system, _), role in zip(found, ROLES, strict=False)),
    )


def _systems(part: Measured) -> Iterator[tuple[str, list[Bin]]]:
    for alignment, scores in zip(part.alignments, part.items, strict=True):
        metric = scores.metrics[0]
        if not isinstance(metric, CalibrationError):
            return
        given = inputs_for(alignment, metric)
        for system, references, outputs in zip(
            alignment.systems, given.references, given.outputs, strict=True
        ):
            right = metric.positive.truths(references, metric.name)
            confidences = np.asarray(outputs, dtype=np.float64)
            yield system, _bins(metric, confidences, right)


def _bins(metric: CalibrationError, confidences: np.ndarray, right: np.ndarray) -> list[Bin]:
    of_item = metric.bin_of(confidences)
    counts, sums, hits = (
        np.bincount(of_item, weights=weights, minlength=metric.bins)
        for weights in (None, confidences, right.astype(np.float64))
    )
    return [
        Bin(
            low=at / metric.bins,
            high=(at + 1) / metric.bins,
            n=int(counts[at]),
            confidence=float(sums[at] / counts[at]),
            right=round(float(hits[at])),
        )
        for at in range(metric.bins)
        if counts[at]
    ]


def _said(system: str, one: Bin) -> str:
    return (
        f"{system}, confidence {one.low:.3g} to {one.high:.3g}: {counted(one.n, 'item')}, mean "
        f"confidence {one.confidence:.3f}, share right {one.right / one.n:.3f}"
    )


def _words(system: str, bins: Sequence[Bin]) -> str:
    over = sum(one.n for one in bins if one.confidence > one.right / one.n)
    n = sum(one.n for one in bins)
    return (
        f"{brief(system)} is more confident than right in the bins of {over / n:.0%} of its items."
    )
