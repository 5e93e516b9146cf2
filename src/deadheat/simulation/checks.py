"""Numbers that a simulation is given, refused where they cannot be meant."""

from __future__ import annotations

import math

import numpy as np

from deadheat.errors import UsageError


def number(option: str, value: object, fix: str) -> float:
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
    """
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.number)):
        raise UsageError(f"{option} is {value!r}, which is no number.", fix=fix)
    try:
        found = float(value)
    except (OverflowError, TypeError):
        found = math.inf
    if not math.isfinite(found):
        raise UsageError(f"{option} is {found}.", fix=fix)
    return found


def whole(option: str, value: object, low: int, high: int, fix: str) -> int:
    """Return a whole number from `low` to `high`.

    Examples
    --------
    >>> whole("--items", 500, 2, 1000, "Give a number of items.")
    500
    """
    found = number(option, value, fix)
    if found != math.floor(found) or not low <= found <= high:
        shown = f"{int(found):,}" if found == math.floor(found) else f"{found:g}"
        raise UsageError(f"{option} is {shown}.", fix=fix)
    return int(found)


def inside(option: str, value: object, low: float, high: float, fix: str) -> float:
    """Return a number from `low` to `high`."""
    found = number(option, value, fix)
    if not low <= found <= high:
        raise UsageError(f"{option} is {found:g}.", fix=fix)
    return found
