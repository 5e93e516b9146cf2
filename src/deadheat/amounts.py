"""Numbers that a design or a plan is given, refused where they cannot be meant."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from deadheat.errors import UsageError


def number(option: str, value: Any, fix: str) -> float:
    """Return a finite number.

    Parameters
    ----------
    option : str
        As the command line spells it.
    value : object
    fix : str
        What to give instead.

    Raises
    ------
    UsageError
        If it is no number, or not a finite one.

    Examples
    --------
    >>> number("--sd", 0.5, "Give a number.")
    0.5
    """
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.number)):
        raise UsageError(f"{option} is {value!r}, which is not a number.", fix=fix)
    try:
        found = float(value)
    except (OverflowError, TypeError):
        found = math.inf
    if not math.isfinite(found):
        raise UsageError(f"{option} is {shown(found)}.", fix=fix)
    return found


def inside(
    option: str, value: Any, low: float, high: float, fix: str, *, open_ends: bool = False
) -> float:
    """Return a number from `low` to `high`, or between them where the ends are open."""
    found = number(option, value, fix)
    fits = low < found < high if open_ends else low <= found <= high
    if not fits:
        raise UsageError(f"{option} is {shown(found)}.", fix=fix)
    return found


def whole(option: str, value: Any, low: int, high: int, fix: str) -> int:
    """Return a whole number from `low` to `high`.

    Examples
    --------
    >>> whole("--items", 500, 2, 1000, "Give a number of items.")
    500
    """
    found = number(option, value, fix)
    if found != math.floor(found) or not low <= found <= high:
        raise UsageError(f"{option} is {shown(found)}.", fix=fix)
    return int(found)


def shown(found: float) -> str:
    """Return a number as a message shows it."""
    return f"{int(found):,}" if abs(found) < 1e15 and found.is_integer() else f"{found:.10g}"
