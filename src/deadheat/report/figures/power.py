"""Power and half-width against the number of items of a plan."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from deadheat.planning.result import Plan, Point
from deadheat.report.figure import Axis, Figure, Line, Mark, Points, Rule
from deadheat.report.figures.axes import number_axis, size_axis
from deadheat.report.pieces import level_text
from deadheat.report.plan import curve_table
from deadheat.report.plan_numbers import BY, percent, sized, tenths_of_percent
from deadheat.scale import Scale


def of_plan(result: Plan) -> Figure | None:
    """Draw power against the number of items; None where no gap is known."""
    points = [point for point in result.curve if math.isfinite(point.power)]
    if result.curve_by is None or len(points) < 2:
        return None
    wanted = result.wanted.power
    rules: list[Mark] = [
        Rule(at=wanted, across="y", label=f"{percent(wanted)} power", role="candidate")
    ]
    needed = "" if result.items is None else f" {result.items:,} items reach {percent(wanted)}."
    return Figure(
        name="power",
        title=f"Power against the number of items ({BY[result.curve_by]})",
        description=f"From {tenths_of_percent(points[0].power)} with {points[0].items:,} items to "
        f"{tenths_of_percent(points[-1].power)} with {points[-1].items:,}.{needed}",
        x=_items(points),
        y=Axis(
            label="power (%)",
            low=0.0,
            high=1.04,
            ticks=tuple((share / 100.0, f"{share}") for share in range(0, 101, 20)),
        ),
        marks=(
            *rules,
            *_numbers(result),
            *_curve(points, [point.power for point in points], tenths_of_percent),
        ),
        table=curve_table(result),
        height=0.34,
    )


def widths_of_plan(result: Plan) -> Figure | None:
    """Draw the half-width of the interval against the number of items."""
    points = [point for point in result.curve if math.isfinite(point.half_width)]
    if len(points) < 2:
        return None
    widths = [point.half_width for point in points]
    wanted = result.wanted.half_width
    marks: list[Mark] = []
    if math.isfinite(wanted):
        marks.append(
            Rule(at=wanted, across="y", label=f"wanted: {sized(result, wanted)}", role="candidate")
        )
    level = level_text(result.wanted.confidence_level)
    scale = Scale(in_points=result.design.binary, decimals=2)
    return Figure(
        name="precision",
        title=f"Half-width of the {level} interval against the number of items",
        description=f"From {sized(result, widths[0])} with {points[0].items:,} items to "
        f"{sized(result, widths[-1])} with {points[-1].items:,}, of systems such as were stated.",
        x=_items(points),
        y=size_axis("half-width", max(widths), scale),
        marks=(
            *marks,
            *_numbers(result),
            *_curve(points, widths, lambda width: sized(result, width)),
        ),
        table=curve_table(result),
        height=0.3,
    )


def _items(points: Sequence[Point]) -> Axis:
    most = float(points[-1].items)
    return number_axis("items", 0.0, 1.02 * most, most=6, whole=True)


def _numbers(result: Plan) -> list[Mark]:
    """Mark the items that are needed and those that there are."""
    marks: list[Mark] = []
    if result.items is not None:
        marks.append(Rule(at=float(result.items), label=f"needed: {result.items:,}"))
    there = result.wanted.items
    if there is not None and there != result.items:
        marks.append(Rule(at=float(there), label=f"given: {there:,}"))
    return marks


def _curve(
    points: Sequence[Point], heights: Sequence[float], show: Callable[[float], str]
) -> tuple[Mark, ...]:
    """Draw a line with a dot at each number of items that was computed."""
    x, y = tuple(float(point.items) for point in points), tuple(heights)
    hover = tuple(
        f"{point.items:,} items: {show(height)}"
        for point, height in zip(points, heights, strict=True)
    )
    return Line(x=x, y=y, hover=hover), Points(x=x, y=y, role="muted")
