"""How much runs of the same system vary, and what a variance is due to."""

from __future__ import annotations

import math
from collections.abc import Sequence

from deadheat.comparison import Comparison
from deadheat.inference.result import OverRuns
from deadheat.intervals.interval import Interval
from deadheat.report.figure import Axis, Boxes, Figure, Mark, Points, Role, Spans
from deadheat.report.figures.axes import rows_axis, rows_height, value_axis
from deadheat.report.figures.forest import brief
from deadheat.report.pieces import counted, level_text
from deadheat.report.table import Table
from deadheat.scale import Scale
from deadheat.scorecard import Scorecard

PARTS: dict[str, tuple[Role, str]] = {
    "item": ("plain", "items"),
    "run": ("candidate", "runs"),
    "residual": ("muted", "items and runs together, and what is left"),
}


def of_comparison(result: Comparison) -> Figure | None:
    """Draw the value of every run of the two sides."""
    over = result.difference.runs
    if over is None:
        return None
    sides = (result.baseline, result.candidate)
    return _values(
        result.metric,
        result.scale,
        [side.system for side in sides],
        [side.interval for side in sides],
        [system.values for system in over.systems],
        ("baseline", "candidate"),
    )


def of_scorecard(result: Scorecard) -> Figure | None:
    """Draw the value of every run of each system."""
    rows = [row for row in result.systems if row.runs is not None]
    if not rows:
        return None
    return _values(
        result.metric,
        result.scale,
        [row.system for row in rows],
        [row.interval for row in rows],
        [row.runs.systems[0].values for row in rows if row.runs is not None],
        ["plain" for _ in rows],
    )


def variance_of_comparison(result: Comparison) -> Figure | None:
    """Draw what the variance of the difference is due to."""
    over = result.difference.runs
    return None if over is None else _variance([("difference", over)])


def variance_of_scorecard(result: Scorecard) -> Figure | None:
    """Draw what the variance of each value is due to."""
    return _variance([(row.system, row.runs) for row in result.systems if row.runs is not None])


def _values(
    metric: str,
    scale: Scale,
    names: Sequence[str],
    intervals: Sequence[Interval],
    values: Sequence[Sequence[float]],
    roles: Sequence[Role],
) -> Figure | None:
    marks: list[Mark] = []
    for at, (name, interval, runs, role) in enumerate(
        zip(names, intervals, values, roles, strict=True)
    ):
        marks.append(Spans(low=(interval.low,), high=(interval.high,), y=(at + 0.22,), role=role))
        marks.append(
            Points(
                x=tuple(runs),
                y=(at - 0.12,) * len(runs),
                role=role,
                hover=tuple(
                    f"{name}, run {run + 1}: {scale.value(value)}" for run, value in enumerate(runs)
                ),
            )
        )
    everything = [value for runs in values for value in runs if math.isfinite(value)]
    ends = [end for one in intervals for end in (one.low, one.high) if math.isfinite(end)]
    if not everything:
        return None
    show = scale.value
    spans = "; ".join(
        f"{brief(name)}: {counted(len(runs), 'run')} from {show(min(runs))} to {show(max(runs))}"
        for name, runs in zip(names, values, strict=True)
    )
    shown = level_text(intervals[0].confidence_level)
    return Figure(
        name="runs",
        title=f"Runs: {metric} of each",
        description=f"{spans}. A dot is a run on all items; the bar below is the {shown} interval "
        "of the system, for new items and new runs.",
        x=value_axis(metric, [*everything, *ends], scale),
        y=rows_axis(names),
        marks=tuple(marks),
        table=Table(
            title=f"{metric} of every run",
            columns=("system", "run", metric),
            rows=tuple(
                (name, f"{run + 1}", scale.value(value))
                for name, runs in zip(names, values, strict=True)
                for run, value in enumerate(runs)
            ),
            numeric=("run", metric),
        ),
        height=rows_height(len(names), tall=40.0),
        legend=tuple(
            (role, name) for role, name in zip(roles, ("baseline", "candidate"), strict=False)
        )
        if roles[0] != "plain"
        else (),
    )


def _variance(parts: Sequence[tuple[str, OverRuns]]) -> Figure | None:
    shares = [
        (name, over.mean.shares)
        for name, over in parts
        if all(map(math.isfinite, over.mean.shares.values()))
    ]
    if not shares:
        return None
    marks: list[Mark] = []
    for part, (role, words) in PARTS.items():
        before = [
            sum(own[one] for one in list(PARTS)[: list(PARTS).index(part)]) for _, own in shares
        ]
        sizes = [own[part] for _, own in shares]
        if not any(sizes):
            continue
        marks.append(
            Boxes(
                left=tuple(before),
                right=tuple(start + size for start, size in zip(before, sizes, strict=True)),
                bottom=tuple(at + 0.34 for at in range(len(shares))),
                top=tuple(at - 0.34 for at in range(len(shares))),
                role=role,
                texts=tuple(f"{size:.0%}" for size in sizes),
                hover=tuple(
                    f"{name}, {words}: {size:.1%}"
                    for (name, _), size in zip(shares, sizes, strict=True)
                ),
            )
        )
    return Figure(
        name="variance",
        title="What the variance is due to",
        description="; ".join(
            f"{brief(name)}: "
            + ", ".join(f"{PARTS[part][1]} {share:.0%}" for part, share in own.items())
            for name, own in shares
        )
        + ".",
        x=Axis(
            label="share of the variance (%)",
            low=0.0,
            high=1.0,
            ticks=tuple((share / 100.0, f"{share}") for share in range(0, 101, 20)),
        ),
        y=rows_axis([name for name, _ in shares]),
        marks=tuple(marks),
        table=Table(
            title="Shares of the variance",
            columns=("", *(words for _, words in PARTS.values())),
            rows=tuple((name, *(f"{own[part]:.1%}" for part in PARTS)) for name, own in shares),
            numeric=tuple(words for _, words in PARTS.values()),
        ),
        height=rows_height(len(shares), tall=36.0),
        legend=tuple(
            one for part, one in PARTS.items() if any(own[part] > 0.0 for _, own in shares)
        ),
    )
