"""Which figures a result has: those that say something about it, from its own numbers.

A kind of figure is a module of this folder. Nothing is drawn or computed anew that the result
does not hold, but for what one pass over its scores gives.
"""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import Any

from deadheat.report.figure import Figure

KINDS: dict[str, tuple[tuple[str, str], ...]] = {
    "Comparison": (
        ("differences", "of_comparison"),
        ("values", "of_comparison"),
        ("distribution", "of_comparison"),
        ("agreement", "of_comparison"),
        ("items", "of_comparison"),
        ("strata", "of_comparison"),
        ("runs", "of_comparison"),
        ("runs", "variance_of_comparison"),
        ("reliability", "of_result"),
        ("precision", "of_comparison"),
    ),
    "Leaderboard": (
        ("values", "of_board"),
        ("ranks", "of_board"),
        ("pairs", "against_one"),
        ("pairs", "of_board"),
        ("reliability", "of_result"),
    ),
    "Plan": (("power", "of_plan"), ("power", "widths_of_plan")),
    "Scorecard": (
        ("values", "of_scorecard"),
        ("runs", "of_scorecard"),
        ("runs", "variance_of_scorecard"),
        ("reliability", "of_result"),
    ),
}
"""Module and function of each figure that a kind of result may have, in order."""


def figures_of(result: Any) -> tuple[Figure, ...]:
    """Return the figures of a result; of several metrics, the figures of each.

    Parameters
    ----------
    result : Comparison, Comparisons, Leaderboard, Leaderboards, Scorecard, Scorecards or Plan
        Other results have none.
    """
    parts = getattr(result, "parts", None)
    if parts is not None:
        return tuple(_named(figure, part) for part in parts for figure in figures_of(part))
    found = (
        getattr(import_module(f"{__name__}.{module}"), function)(result)
        for module, function in KINDS.get(type(result).__name__, ())
    )
    return tuple(figure for figure in found if figure is not None)


def _named(figure: Figure, part: Any) -> Figure:
    """Name a figure after its metric, where there are several."""
    word = "".join(letter if letter.isalnum() else "-" for letter in part.metric.lower())
    return replace(figure, name=f"{figure.name}-{word}")
