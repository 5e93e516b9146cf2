"""Every pair of systems of a board."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deadheat.leaderboard import Leaderboard
from deadheat.report.figure import Axis, Boxes, Figure, Gaps, Role, Rule
from deadheat.report.figures.axes import difference_axis, rows_axis, rows_height
from deadheat.report.figures.forest import Estimate, brief, extent, forest, settled
from deadheat.report.leaderboard import MOST_PAIRS, MOST_ROWS, board, letters, pairs_table
from deadheat.report.pieces import counted, level_text
from deadheat.report.table import Table
from deadheat.scale import p_text

MOST_AGAINST = 20
"""Systems beyond which only a baseline that was named has a figure of the differences to it."""

MOST_TEXTS = 12
"""Systems up to which every cell has its difference written in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A pair by the places of its systems on the board, `upper` the one with the better value."""

    upper: int
    lower: int
    difference: float
    low: float
    high: float
    adjusted: float

    def role(self, result: Leaderboard) -> Role:
        """Return whether the upper one is settled to be ahead."""
        return settled(self.low, self.high, greater_is_better=result.greater_is_better)


def pairs_of(result: Leaderboard) -> list[Pair]:
    """Return the pairs of the first systems, each as upper - lower."""
    pairs = result.pairs
    place = {row.system: at for at, row in enumerate(result.systems[:MOST_ROWS])}
    columns = (pairs.differences, pairs.low, pairs.high, pairs.adjusted)
    found = []
    for (first, second), gap, low, high, adjusted in zip(
        pairs.members.tolist(), *(np.asarray(column).tolist() for column in columns), strict=True
    ):
        one, other = place.get(result.names[first]), place.get(result.names[second])
        if one is None or other is None:
            continue
        if one < other:
            gap, low, high = -gap, -high, -low
        found.append(
            Pair(
                upper=min(one, other),
                lower=max(one, other),
                difference=gap,
                low=low,
                high=high,
                adjusted=adjusted,
            )
        )
    return sorted(found, key=lambda pair: (pair.upper, pair.lower))


def of_board(result: Leaderboard) -> Figure | None:
    """Draw a cell for each pair: the row minus the column, settled or not."""
    n = min(len(result.systems), MOST_ROWS)
    if result.baseline is not None or n < 3:
        return None
    pairs, scale = pairs_of(result), result.scale
    names = tuple(row.system for row in result.systems[:n])
    factor = 100.0 if scale.in_points else 1.0
    gaps = Gaps(
        names=names,
        numbers=tuple(factor * row.value for row in result.systems[:n]),
        decimals=scale.decimals + 1,
        unit=scale.unit,
    )
    marks = []
    for role in ("ahead", "behind", "open"):
        own = [pair for pair in pairs if pair.role(result) == role]
        if own:
            marks.append(
                Boxes(
                    left=tuple(pair.lower - 0.5 for pair in own),
                    right=tuple(pair.lower + 0.5 for pair in own),
                    bottom=tuple(pair.upper + 0.5 for pair in own),
                    top=tuple(pair.upper - 0.5 for pair in own),
                    role=role,
                    texts=tuple(scale.signed(pair.difference) for pair in own)
                    if n <= MOST_TEXTS
                    else (),
                    hover=tuple(_said(result, pair) for pair in own) if n <= MOST_TEXTS else (),
                    gaps=None if n <= MOST_TEXTS else gaps,
                )
            )
    n_settled = sum(pair.role(result) != "open" for pair in pairs)
    level = level_text(result.settings.confidence_level)
    legend: tuple[tuple[Role, str], ...] = (
        ("ahead", "row ahead of column"),
        ("behind", "row behind column"),
        ("open", "not settled"),
    )
    return Figure(
        name="pairs",
        title=f"Every pair: which gaps are settled ({result.correction}, {level})",
        description=f"{n_settled:,} of {counted(len(pairs), 'pair')} are settled. Rows and columns "
        "are the systems from best to worst; letters are bands: systems that share one are not "
        "put in order.",
        x=Axis(
            label="number of the row",
            low=0.5,
            high=n - 0.5,
            ticks=tuple(
                (float(at), f"{at + 1}") for at in range(1, n) if n <= 24 or (at + 1) % 5 == 0
            ),
        ),
        y=Axis(
            label="",
            low=n - 1.5,
            high=-0.5,
            ticks=tuple((float(at), f"{at + 1} {name}") for at, name in enumerate(names[:-1])),
        ),
        marks=tuple(marks),
        table=pairs_table(result) if len(pairs) <= MOST_PAIRS else board(result),
        height=rows_height(n - 1, tall=30.0 if n <= MOST_TEXTS else 16.0),
        beside=tuple((float(at), letters(row)) for at, row in enumerate(result.systems[: n - 1])),
        legend=tuple(one for one in legend if any(mark.role == one[0] for mark in marks)),
    )


def against_one(result: Leaderboard) -> Figure | None:
    """Draw the differences to the baseline, or to the first of the board."""
    names = [row.system for row in result.systems[:MOST_ROWS]]
    one = result.baseline or names[0]
    if one not in names:
        return None
    place, scale = names.index(one), result.scale
    rows = []
    for pair in pairs_of(result):
        if place not in (pair.upper, pair.lower):
            continue
        other = pair.lower if pair.upper == place else pair.upper
        gap, low, high = (
            (-pair.difference, -pair.high, -pair.low)
            if pair.upper == place
            else (pair.difference, pair.low, pair.high)
        )
        rows.append(
            (
                other,
                Estimate(
                    name=names[other],
                    value=gap,
                    low=low,
                    high=high,
                    role=settled(low, high, greater_is_better=result.greater_is_better),
                    said=f"{names[other]} - {one}: {scale.difference(gap)} "
                    f"[{scale.signed(low)}, {scale.signed(high)}]",
                ),
            )
        )
    shown = [row for _, row in sorted(rows, key=lambda row: row[0])]
    if not extent(shown):
        return None
    words: tuple[tuple[Role, str], ...] = (
        ("ahead", f"better than {brief(one)}"),
        ("behind", f"worse than {brief(one)}"),
        ("open", "not settled"),
    )
    if result.baseline is None and len(names) > MOST_AGAINST:
        return None
    what = "the baseline" if result.baseline else "the first"
    return Figure(
        name="differences",
        title=f"Differences in {result.metric} to {brief(one)}, {what}",
        description=f"{sum(row.role != 'open' for row in shown):,} of "
        f"{counted(len(shown), 'difference')} are settled. The intervals allow for the number of "
        f"pairs ({result.correction}).",
        x=difference_axis(f"{result.metric}: system - {brief(one)}", extent(shown), scale),
        y=rows_axis([row.name for row in shown]),
        marks=(Rule(at=0.0, label="no difference"), *forest(shown)),
        table=Table(
            title=f"Against {one}",
            columns=("system", "difference", "interval"),
            rows=tuple(
                (row.name, scale.difference(row.value), f"[{row.said.rpartition(' [')[2]}")
                for row in shown
            ),
            numeric=("difference", "interval"),
        ),
        height=rows_height(len(shown)),
        beside=tuple(
            (
                float(at),
                f"{scale.signed(row.value)} [{scale.signed(row.low)}, {scale.signed(row.high)}]",
            )
            for at, row in enumerate(shown)
        ),
        legend=tuple(one for one in words if any(row.role == one[0] for row in shown)),
    )


def _said(result: Leaderboard, pair: Pair) -> str:
    scale = result.scale
    ends = f"[{scale.signed(pair.low)}, {scale.signed(pair.high)}]"
    upper, lower = (result.systems[at].system for at in (pair.upper, pair.lower))
    gap = f"{upper} - {lower}: {scale.difference(pair.difference)}"
    return f"{gap} {ends}, adjusted {p_text(pair.adjusted)}"
