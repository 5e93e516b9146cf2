"""Numbers of a plan as they are shown."""

from __future__ import annotations

import math
from collections.abc import Sequence

from deadheat.planning import Plan
from deadheat.report.pieces import counted

CELLS = 24
"""Width of a bar of 100%."""

EIGHTHS = " ▏▎▍▌▋▊▉"

BY = {
    "reading": "interval and test together",
    "exact": "exact McNemar test",
    "midp": "mid-p McNemar test",
    "chi2": "chi-square McNemar test",
    "chi2_cc": "corrected chi-square McNemar test",
    "percentile": "ideal percentile interval",
    "connor": "Connor's formula",
    "t": "paired t test",
    "normal": "normal formula",
    "miller": "Miller's formula",
    "unpaired": "unpaired, for each system",
    "half_width": "for the half-width",
}
"""What the numbers of items are by."""


def size(result: Plan, x: float) -> str:
    """Show a gap or a half-width: in points where scores are 0/1."""
    if math.isnan(x):
        return "none"
    if not result.design.binary:
        return number(x)
    shown = f"{100.0 * x:.3g}"
    if shown == "100" and x < 1.0:
        # What is not all is not shown as all, whatever digits that takes.
        shown = f"{100.0 * x:.12g}"
    return f"{shown} point{'' if shown == '1' else 's'}"


def sized(result: Plan, x: float) -> str:
    """Show a size in a column, where decimals stand below each other."""
    return f"{100.0 * x:.2f} points" if result.design.binary else number(x)


def tenths_of_percent(share: float) -> str:
    """Show a share in a column; what is not all is not shown as 100%."""
    shown = f"{100.0 * share:.1f}%"
    return "> 99.9%" if shown == "100.0%" and share < 1.0 else shown


def percent(share: float) -> str:
    """Show a share in percent; what is neither none nor all is not shown as such."""
    shown = f"{100.0 * share:.1f}".removesuffix(".0")
    if 0.0 < share < 0.0005:
        return "< 0.1%"
    if 0.9995 <= share < 1.0:
        return "> 99.9%"
    return f"{shown}%"


def chance(share: float) -> str:
    """Show a small probability in percent."""
    if math.isnan(share):
        return "undefined"
    return "0%" if share == 0.0 else f"{100.0 * share:.2g}%" if share >= 1e-6 else "< 0.0001%"


def times(factor: float) -> str:
    """Show an exaggeration."""
    return "undefined" if math.isnan(factor) else f"{factor:.2f} times the true gap"


def number(x: float) -> str:
    """Show a number on the scale of the scores."""
    return f"{x:.4g}"


def tenths(x: float) -> str:
    """Show a number of items that need not be whole."""
    return f"{x:,.1f}"


def span(items: Sequence[int]) -> str:
    """Show the fewest and the most of several numbers of items."""
    low, high = min(items), max(items)
    return counted(low, "item") if low == high else f"{low:,} to {high:,} items"


def price(x: float) -> str:
    """Show answers that an item saved costs; beyond a billion nobody pays them."""
    return "none" if math.isnan(x) else "> 1e9" if x > 1e9 else tenths(x)


def whole(x: float) -> str:
    """Show a number of items."""
    return f"{x:,.0f}"


def pair(first: int, second: int) -> str:
    """Show two numbers of answers, or the one that both systems have."""
    return f"{first:,}" if first == second else f"{first:,}, {second:,}"


def bar(share: float) -> str:
    """Draw a share as a bar of block characters, a 24th of 100% each.

    Examples
    --------
    >>> bar(0.25), bar(0.0)
    ('██████', '')
    """
    eighths = round(8 * CELLS * min(max(share, 0.0), 1.0))
    return ("█" * (eighths // 8) + EIGHTHS[eighths % 8]).rstrip()
