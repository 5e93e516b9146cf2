"""The bootstrap distribution that an interval of the difference was read off."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from deadheat.comparison import Comparison
from deadheat.distributions import Distribution
from deadheat.report.figure import Axis, Boxes, Figure, Mark, Points, Rule, Spans
from deadheat.report.figures.axes import difference_axis
from deadheat.report.figures.differences import role_of
from deadheat.report.pieces import level_text
from deadheat.report.table import Table

BARS = 48
"""About how many bars there are."""

MOST_POINTS = 1000
"""Points of a drawn distribution among which a common step is looked for."""

SHARES = (0.005, 0.025, 0.05, 0.25)
"""Tails whose ends the table has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """The probability of a range of differences, both edges within none or one of the points."""

    left: float
    right: float
    share: float


def of_comparison(result: Comparison) -> Figure | None:
    """Draw the distribution, with the interval and zero; None where there was none."""
    found = result.difference
    distribution, interval, scale = found.distribution, found.interval, result.scale
    if distribution is None or not interval.defined or not distribution.sd > 0.0:
        return None
    bars = bars_of(distribution)
    if not bars:  # Draws that are equal but for rounding.
        return None
    most = max(bar.share for bar in bars)
    drawn = "exact" if distribution.n_resamples is None else f"{distribution.n_resamples:,} draws"
    level = level_text(interval.confidence_level)
    below, above = distribution.at_most(0.0), distribution.at_least(0.0)
    said = f"{level} interval {scale.interval(interval)}"
    inside = [bar for bar in bars if interval.low <= (bar.left + bar.right) / 2.0 <= interval.high]
    outside = [bar for bar in bars if bar not in inside]
    marks: list[Mark] = [
        Boxes(
            left=tuple(bar.left for bar in own),
            right=tuple(bar.right for bar in own),
            bottom=(0.0,) * len(own),
            top=tuple(bar.share for bar in own),
            role="muted" if own is outside else "plain",
            hover=tuple(
                f"{scale.signed(bar.left)} to {scale.difference(bar.right)}: {bar.share:.1%}"
                for bar in own
            ),
        )
        for own in (outside, inside)
        if own
    ]
    role = role_of(result)
    under = -0.07 * most
    marks += [
        Rule(at=0.0, label="no difference"),
        Spans(low=(interval.low,), high=(interval.high,), y=(under,), role=role),
        Points(x=(found.estimate,), y=(under,), role=role),
    ]
    return Figure(
        name="distribution",
        title=f"Bootstrap distribution of the difference in {result.metric} ({drawn})",
        description=f"What the difference would be on other samples of such items, around "
        f"{scale.difference(found.estimate)}. {said}. It is at or below zero in {_share(below)} "
        f"of resamples, at or above zero in {_share(above)}.",
        x=difference_axis(
            f"{result.metric}: candidate - baseline",
            [bars[0].left, bars[-1].right, 0.0],
            scale,
        ),
        y=Axis(label="share of resamples", low=-0.14 * most, high=1.04 * most, ticks=()),
        marks=tuple(marks),
        table=_table(result, distribution),
        height=0.3,
        legend=(("plain", f"within the {level} interval"), ("muted", "outside it")),
    )


def bars_of(distribution: Distribution) -> list[Bar]:
    """Divide a distribution into bars; their edges lie between its points.

    Bars are as wide as some whole number of steps between points: bars with one point more than
    their neighbours would show a comb that is not there. There are none where the points differ by
    rounding alone.
    """
    middle, spread = distribution.mean, 4.0 * distribution.sd
    low, high = middle - spread, middle + spread
    size = distribution.n_resamples
    # Of few draws fewer bars, by the rule of Freedman and Diaconis (1981) for normal draws.
    most = BARS if size is None else min(BARS, max(8, round(3.0 * size ** (1.0 / 3.0))))
    unit = _step(distribution)
    if unit is None:
        step = (high - low) / most
        edges = [low + step * at for at in range(most + 1)]
    else:
        step = unit * max(1, round((high - low) / most / unit))
        first = (math.floor(low / unit) - 0.5) * unit
        edges = [first + step * at for at in range(math.ceil((high - first) / step) + 1)]
    below = [distribution.at_most(edge) for edge in edges]
    bars = [
        Bar(left=edges[at], right=edges[at + 1], share=below[at + 1] - below[at])
        for at in range(len(edges) - 1)
    ]
    seen = [at for at, bar in enumerate(bars) if bar.share > 1e-6]
    return bars[seen[0] : seen[-1] + 1] if seen else []


def _step(distribution: Distribution) -> float | None:
    """Return the distance of neighbouring points that are multiples of it; None where not so."""
    denominator = getattr(distribution, "denominator", None)
    if denominator is not None:
        return 1.0 / abs(float(denominator))
    values = getattr(distribution, "values", None)
    if values is None:
        return None
    points = np.unique(np.round(values / distribution.sd, 9))
    if not 1 < len(points) <= MOST_POINTS:
        return None
    step = float(np.diff(points).min())
    multiples = points / step
    if np.abs(multiples - np.rint(multiples)).max() > 1e-3:
        return None
    return step * distribution.sd


def _share(probability: float) -> str:
    return "less than 0.01%" if probability < 1e-4 else f"{probability:.2%}"


def _table(result: Comparison, distribution: Distribution) -> Table:
    scale = result.scale
    rows = [
        *(
            (f"{100.0 * share:g}% lie at or below", scale.difference(distribution.lower(share)))
            for share in SHARES
        ),
        ("half lie at or below", scale.difference(distribution.lower(0.5))),
        *(
            (f"{100.0 * share:g}% lie at or above", scale.difference(distribution.upper(share)))
            for share in reversed(SHARES)
        ),
        ("mean", scale.difference(distribution.mean)),
        ("standard deviation", scale.size(distribution.sd)),
        ("at or below zero", _share(distribution.at_most(0.0))),
        ("at or above zero", _share(distribution.at_least(0.0))),
    ]
    return Table(
        title="Bootstrap distribution of the difference",
        columns=("", "value"),
        rows=tuple(rows),
        numeric=("value",),
    )
