"""The difference of two systems with its interval, against zero and the margin."""

from __future__ import annotations

import math

from deadheat.comparison import Comparison
from deadheat.report.comparison import difference_table
from deadheat.report.figure import Figure, Mark, Role, Rule
from deadheat.report.figures.axes import difference_axis, rows_axis, rows_height
from deadheat.report.figures.forest import Estimate, brief, estimate, extent, forest, settled
from deadheat.report.pieces import level_text

WORDS: dict[Role, str] = {
    "ahead": "candidate better",
    "behind": "candidate worse",
    "open": "not settled",
}


def of_comparison(result: Comparison) -> Figure | None:
    """Draw the difference, and its interval against the margin where there is one."""
    scale, found = result.scale, result.difference
    if not found.interval.defined:
        return None
    role = role_of(result)
    rows = [
        _row(
            f"{level_text(found.interval.confidence_level)} interval",
            result,
            estimate("", found.estimate, found.interval, role, ""),
        )
    ]
    margin, inner = result.settings.margin, found.margin_interval
    marks: tuple[Mark, ...] = ()
    beyond: list[float] = []
    if margin is not None and inner is not None and inner.defined:
        rows.append(
            _row(
                f"{level_text(inner.confidence_level)} interval, for the margin",
                result,
                estimate("", found.estimate, inner, role, ""),
            )
        )
        beyond = [-margin, margin]
        marks = tuple(
            Rule(at=at, label=f"{scale.signed(at)} margin") for at in beyond if margin > 0.0
        )
    if not all(map(math.isfinite, extent(rows))):
        return None
    pair = f"{brief(result.candidate.system)} - {brief(result.baseline.system)}"
    return Figure(
        name="difference",
        title=f"Difference in {result.metric}: {pair}",
        description=f"{rows[0].said}. {_shows(result)}",
        x=difference_axis(
            f"{result.metric}: candidate - baseline", [*extent(rows), *beyond], scale
        ),
        y=rows_axis([row.name for row in rows]),
        marks=(Rule(at=0.0, label="no difference"), *marks, *forest(rows)),
        table=difference_table(result),
        height=rows_height(len(rows), tall=32.0),
        beside=tuple((float(at), row.said.rpartition(": ")[2]) for at, row in enumerate(rows)),
        legend=((role, _word(result, role)),),
    )


def _word(result: Comparison, role: Role) -> str:
    """Name what the reading makes of the difference."""
    if result.reading.code == "borderline":
        return "borderline"
    if result.reading.code == "equivalent":
        return "within the margin" if role == "open" else f"{WORDS[role]}, within the margin"
    return WORDS[role]


def _shows(result: Comparison) -> str:
    """Say what can be seen."""
    interval, code = result.difference.interval, result.reading.code
    zero = "includes" if interval.low <= 0.0 <= interval.high else "excludes"
    more = {
        "borderline": ", and the companion test disagrees",
        "equivalent": ", and the interval for the margin lies within it",
        "unresolved": ": these items do not settle the direction",
    }
    return f"The interval {zero} zero{more.get(code, '')}."


def role_of(result: Comparison) -> Role:
    """Return what the reading makes of the difference; a borderline one is not settled."""
    interval = result.difference.interval
    if result.reading.code == "borderline":
        return "open"
    return settled(interval.low, interval.high, greater_is_better=result.greater_is_better)


def _row(name: str, result: Comparison, row: Estimate) -> Estimate:
    scale = result.scale
    low, high = scale.signed(row.low), scale.signed(row.high)
    ends = (
        f"{'(' if math.isinf(row.low) else '['}{low}, {high}{')' if math.isinf(row.high) else ']'}"
    )
    said = f"{name}: {scale.difference(row.value)} {ends}"
    return Estimate(
        name=name, value=row.value, low=row.low, high=row.high, role=row.role, said=said
    )
