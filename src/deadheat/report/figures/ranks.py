"""The ranks that systems may have, with their bands."""

from __future__ import annotations

from deadheat.leaderboard import Leaderboard
from deadheat.report.figure import Axis, Figure, Role
from deadheat.report.figures.axes import rows_axis, rows_height, ticks
from deadheat.report.figures.forest import Estimate, brief, forest
from deadheat.report.leaderboard import MOST_ROWS, board, letters
from deadheat.report.pieces import level_text

MOST_NAMED = 8
MOST_TICKS = 15


def of_board(result: Leaderboard) -> Figure | None:
    """Draw the ranks of each system, those that are possible and that by value."""
    shown = result.systems[:MOST_ROWS]
    n = len(result.systems)
    if n < 2:
        return None
    rows = [
        Estimate(
            name=row.system,
            value=float(row.rank),
            low=float(row.rank_interval[0]),
            high=float(row.rank_interval[1]),
            role="candidate" if row.rank_interval[0] == 1 else "baseline",
            said=f"{row.system}: rank {row.rank}, {_ranks(row.rank_interval)}, band {letters(row)}",
        )
        for row in shown
    ]
    level = level_text(result.settings.confidence_level)
    best = ", ".join(map(brief, result.best_set[:MOST_NAMED]))
    best += " and more" if len(result.best_set) > MOST_NAMED else ""
    legend: tuple[tuple[Role, str], ...] = (
        ("candidate", "may be first"),
        ("baseline", "cannot be first"),
    )
    return Figure(
        name="ranks",
        title=f"Ranks that each system may have ({level} for all together)",
        description=f"A dot is the rank by value, a bar the ranks that these items leave possible. "
        f"Rank 1 is open to {best}. Systems that share a letter are not put in order.",
        x=Axis(label="rank", low=0.5, high=n + 0.5, ticks=_along(n)),
        y=rows_axis([row.name for row in rows]),
        marks=forest(rows),
        table=board(result),
        height=rows_height(len(rows)),
        beside=tuple((float(at), letters(row)) for at, row in enumerate(shown)),
        legend=legend if len({row.role for row in rows}) > 1 else (),
    )


def _along(n: int) -> tuple[tuple[float, str], ...]:
    """Return all ranks where they are few, else the first and round ones."""
    if n <= MOST_TICKS:
        return tuple((float(rank), f"{rank}") for rank in range(1, n + 1))
    whole = [value for value, _ in ticks(1.5, n + 0.5)]
    return tuple((value, f"{value:.0f}") for value in (1.0, *whole) if value == round(value))


def _ranks(ends: tuple[int, int]) -> str:
    low, high = ends
    return f"{low} for certain" if low == high else f"{low} to {high} possible"
