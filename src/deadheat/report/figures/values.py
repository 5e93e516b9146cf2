"""Values of systems with the interval of each on its own."""

from __future__ import annotations

from deadheat.comparison import Comparison
from deadheat.intervals.interval import Interval
from deadheat.leaderboard import Leaderboard
from deadheat.report.comparison import values_table
from deadheat.report.figure import Figure, Role
from deadheat.report.figures.axes import rows_axis, rows_height, value_axis
from deadheat.report.figures.forest import Estimate, brief, estimate, extent, forest
from deadheat.report.leaderboard import MOST_ROWS, board
from deadheat.report.pieces import counted, level_text
from deadheat.report.scorecard import table
from deadheat.report.table import Table
from deadheat.scale import Scale
from deadheat.scorecard import Scorecard

SAID = (
    "Each interval is about one system alone. Whether two of them overlap does not say whether "
    "the systems differ."
)


def of_comparison(result: Comparison) -> Figure | None:
    """Draw the values of the two sides."""
    roles: tuple[tuple[str, Role], ...] = (("baseline", "baseline"), ("candidate", "candidate"))
    rows = [
        _row(side.system, side.value, side.interval, role, result.scale, f"{word} ")
        for (word, role), side in zip(roles, (result.baseline, result.candidate), strict=True)
    ]
    return _figure(
        rows,
        result.metric,
        result.scale,
        values_table(result),
        level=result.settings.confidence_level,
        legend=(("baseline", "baseline"), ("candidate", "candidate")),
    )


def of_scorecard(result: Scorecard) -> Figure | None:
    """Draw the values of systems in the order of the sources."""
    rows = [
        _row(row.system, row.value, row.interval, "plain", result.scale)
        for row in result.systems[:MOST_ROWS]
    ]
    level = result.settings.confidence_level
    return _figure(rows, result.metric, result.scale, table(result), level=level)


def of_board(result: Leaderboard) -> Figure | None:
    """Draw the values of systems from best to worst."""
    rows = [
        _row(
            row.system,
            row.value,
            row.interval,
            "candidate" if row.rank_interval[0] == 1 else "baseline",
            result.scale,
        )
        for row in result.systems[:MOST_ROWS]
    ]
    return _figure(
        rows,
        result.metric,
        result.scale,
        board(result),
        level=result.settings.confidence_level,
        legend=(("candidate", "may be first"), ("baseline", "cannot be first"))
        if len({row.role for row in rows}) > 1
        else (),
    )


def _row(
    name: str, value: float, interval: Interval, role: Role, scale: Scale, word: str = ""
) -> Estimate:
    ends = scale.ends(interval, signed=False)
    return estimate(name, value, interval, role, f"{word}{name}: {scale.value(value)} {ends}")


def _figure(
    rows: list[Estimate],
    metric: str,
    scale: Scale,
    numbers: Table,
    *,
    level: float,
    legend: tuple[tuple[Role, str], ...] = (),
) -> Figure | None:
    if not extent(rows):
        return None
    shown = level_text(level)
    return Figure(
        name="values",
        title=f"Systems: {metric} with {shown} intervals",
        description=_described(rows),
        x=value_axis(metric, extent(rows), scale),
        y=rows_axis([row.name for row in rows]),
        marks=forest(rows),
        table=numbers,
        height=rows_height(len(rows)),
        beside=tuple((float(at), row.said.rpartition(": ")[2]) for at, row in enumerate(rows)),
        legend=legend,
    )


def _described(rows: list[Estimate]) -> str:
    if len(rows) == 1:
        return f"{_end(rows[0])}."
    ends = f"from {_end(rows[0])} to {_end(rows[-1])}"
    return f"{counted(len(rows), 'system')}, {ends}. {SAID}"


def _end(row: Estimate) -> str:
    name, _, numbers = row.said.rpartition(": ")
    return f"{brief(name)}: {numbers}"
