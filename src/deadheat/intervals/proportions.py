"""Counts of right answers that intervals are made from, checked."""

from __future__ import annotations

import math

from deadheat.errors import InferenceError

NO_ITEMS = "there are no items"
ONE_ITEM = "one item cannot show how much items vary"


def check_proportion(k: float, n: float) -> None:
    """Refuse k of n unless 0 <= k <= n; halves and effective sizes are allowed.

    Raises
    ------
    InferenceError
        If the two numbers are no proportion.
    """
    if not (math.isfinite(n) and 0.0 <= k <= n):
        raise InferenceError(
            f"{k:g} of {n:g} is not a proportion.", fix="Give 0 <= k <= n, both finite."
        )


def check_cells(*cells: float) -> float:
    """Return the sum of the four cells of a paired table.

    Raises
    ------
    InferenceError
        If a cell is negative or not finite.
    """
    if not all(math.isfinite(cell) and cell >= 0.0 for cell in cells):
        listed = ", ".join(f"{cell:g}" for cell in cells)
        raise InferenceError(
            f"the four cells of the paired table are {listed}.",
            fix="Give counts of zero or more: both right, only baseline, only candidate, neither.",
        )
    return sum(cells)


def paired_size_note(n: float) -> str:
    """Why a paired difference over n items has no interval; empty where it has one."""
    if n == 0:
        return NO_ITEMS
    return ONE_ITEM if n == 1 else ""


def clip(value: float, low: float, high: float) -> float:
    """Return `value` held inside [low, high]."""
    return min(max(value, low), high)
