"""How narrow the interval would be with other numbers of such items."""

from __future__ import annotations

import math

from scipy import special

from deadheat.comparison import Comparison
from deadheat.report.figure import Axis, Figure, Line, Mark, Points, Rule
from deadheat.report.figures.axes import size_axis
from deadheat.report.pieces import counted, level_text
from deadheat.report.table import Table

FACTORS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""Numbers of items by those that there are."""

BETWEEN = 4
"""Points of the line from one factor to the next."""


def of_comparison(result: Comparison) -> Figure | None:
    """Draw half-width against N; None where items alone do not decide it."""
    found, scale, n = result.difference, result.scale, result.items.n
    error = found.standard_error
    if found.runs is not None or not (math.isfinite(error) and error > 0.0) or n < 2:
        return None
    level = found.interval.confidence_level
    reach = float(special.ndtri(0.5 + level / 2.0)) * error
    steps = [2.0 ** (at / BETWEEN) for at in range(-2 * BETWEEN, 4 * BETWEEN + 1)]
    numbers = [max(2, round(n * step)) for step in steps]
    widths = [reach * math.sqrt(n / at) for at in numbers]
    gap = abs(found.estimate)
    marks: list[Mark] = [
        Rule(at=math.log10(n), label=f"these items: {n:,}"),
        Line(
            x=tuple(math.log10(at) for at in numbers),
            y=tuple(widths),
            role="plain",
            hover=tuple(
                f"{at:,} items: {scale.size(width)}"
                for at, width in zip(numbers, widths, strict=True)
            ),
        ),
        Points(x=(math.log10(n),), y=(reach,), role="candidate"),
    ]
    crosses = widths[-1] < gap < widths[0]
    if crosses:
        marks.insert(
            1, Rule(at=gap, across="y", label=f"the gap found: {scale.size(gap)}", role="open")
        )
    rows = tuple(
        (
            f"{round(n * factor):,}",
            scale.size(reach / math.sqrt(factor)),
            "given" if factor == 1.0 else "",
        )
        for factor in FACTORS
        if n * factor >= 2.0
    )
    shown = level_text(level)
    return Figure(
        name="precision",
        title=f"Half-width of the {shown} interval against the number of items",
        description=f"With these {counted(n, 'item')} it is {scale.size(reach)}, with four times "
        f"as many {scale.size(reach / 2.0)}. From the standard error found here: it holds for more "
        "items of this kind in this design, and nothing else.",
        x=_items_axis(numbers),
        y=size_axis("half-width", max(widths), scale),
        marks=tuple(marks),
        table=Table(
            title="Half-width by the number of items",
            columns=("items", "half-width", ""),
            rows=rows,
            numeric=("items", "half-width"),
        ),
        height=0.3,
    )


def _items_axis(numbers: list[int]) -> Axis:
    """Return an axis of numbers of items on which equal steps are equal factors."""
    low, high = math.log10(min(numbers)), math.log10(max(numbers))
    ticks = tuple(
        (math.log10(digit * 10**power), f"{digit * 10**power:,}")
        for power in range(math.floor(low), math.ceil(high) + 1)
        for digit in (1, 2, 5)
        if low - 1e-9 <= math.log10(digit * 10**power) <= high + 1e-9
    )
    return Axis(label="items (logarithmic)", low=low, high=high, ticks=ticks)
