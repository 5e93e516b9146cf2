"""Numbers that a plan is given, refused where they cannot be meant."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from deadheat.errors import UsageError

MOST_ITEMS = 1_000_000_000
"""Items that a plan may be about."""


def real(option: str, value: Any, fix: str) -> float:
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
    >>> real("--sd", 0.5, "Give a number.")
    0.5
    """
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.number)):
        raise UsageError(f"{option} is {value!r}, which is not a number.", fix=fix)
    try:
        number = float(value)
    except (OverflowError, TypeError):
        number = math.inf
    if not math.isfinite(number):
        raise UsageError(f"{option} is {_shown(number)}.", fix=fix)
    return number


def inside(
    option: str, value: Any, low: float, high: float, fix: str, *, open_ends: bool = False
) -> float:
    """Return a number from `low` to `high`, or between them where the ends are open."""
    number = real(option, value, fix)
    fits = low < number < high if open_ends else low <= number <= high
    if not fits:
        raise UsageError(f"{option} is {_shown(number)}.", fix=fix)
    return number


def positive(option: str, value: Any, fix: str) -> float:
    """Return a number above 0, neither so small nor so large that its square is lost."""
    return inside(option, value, 1e-100, 1e100, fix)


def whole(option: str, value: Any, least: int, fix: str) -> int:
    """Return a whole number from `least` to `MOST_ITEMS`."""
    number = real(option, value, fix)
    if number != int(number) or not least <= number <= MOST_ITEMS:
        most = f" (at most {MOST_ITEMS:,})" if number > MOST_ITEMS else ""
        raise UsageError(f"{option} is {_shown(number)}{most}.", fix=fix)
    return int(number)


def share(option: str, value: Any) -> float:
    """Return an accuracy; percents and counts are recognised and refused with the share meant."""
    fix = "Give a share from 0 to 1, such as 0.72."
    number = real(option, value, fix)
    if 1.0 < number <= 100.0:
        fix = f"Accuracies are shares: {number:g}% is {_shown(number / 100.0)}."
    if not 0.0 <= number <= 1.0:
        raise UsageError(f"{option} is {_shown(number)}.", fix=fix)
    return number


def part_of_one(option: str, size: float) -> float:
    """Return a gap or half-width of accuracies; points are refused with the share meant.

    NaN, where none was given, is returned as it is.
    """
    if not size >= 1.0:
        return size
    fix = "Give a share below 1; 4 points are 0.04."
    if size <= 100.0:
        points = "1 point is" if size == 1.0 else f"{_shown(size)} points are"
        fix = f"On the scale of accuracy, {points} {_shown(size / 100.0)}."
    raise UsageError(f"{option} is {_shown(size)}.", fix=fix)


def _shown(number: float) -> str:
    return f"{number:.10g}"
