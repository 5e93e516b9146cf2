"""Numbers that a plan is given, refused where they cannot be meant."""

from __future__ import annotations

from typing import Any

from deadheat.amounts import inside, number, shown
from deadheat.errors import UsageError

MOST_ITEMS = 1_000_000_000
"""Items that a plan may be about."""


def positive(option: str, value: Any, fix: str) -> float:
    """Return a number above 0, neither so small nor so large that its square is lost.

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
        If it is no finite number, or lies elsewhere.
    """
    return inside(option, value, 1e-100, 1e100, fix)


def whole(option: str, value: Any, least: int, fix: str) -> int:
    """Return a whole number from `least` to `MOST_ITEMS`.

    Parameters
    ----------
    option : str
        As the command line spells it.
    value : object
    least : int
        Least that is allowed.
    fix : str
        What to give instead.

    Raises
    ------
    UsageError
        If it is not whole, or lies elsewhere.
    """
    found = number(option, value, fix)
    if not found.is_integer() or not least <= found <= MOST_ITEMS:
        most = f" (at most {MOST_ITEMS:,})" if found > MOST_ITEMS else ""
        raise UsageError(f"{option} is {shown(found)}{most}.", fix=fix)
    return int(found)


def share(option: str, value: Any) -> float:
    """Return an accuracy; percents and counts are recognised and refused with the share meant.

    Parameters
    ----------
    option : str
        As the command line spells it.
    value : object

    Raises
    ------
    UsageError
        If it is no number from 0 to 1.
    """
    fix = "Give a share from 0 to 1, such as 0.72."
    found = number(option, value, fix)
    if 1.0 < found <= 100.0:
        fix = f"Accuracies are shares: {found:g}% is {shown(found / 100.0)}."
    if not 0.0 <= found <= 1.0:
        raise UsageError(f"{option} is {shown(found)}.", fix=fix)
    return found


def part_of_one(option: str, size: float) -> float:
    """Return a gap or half-width of accuracies; points are refused with the share meant.

    NaN, where none was given, is returned as it is.

    Parameters
    ----------
    option : str
        As the command line spells it.
    size : float
        A gap or half-width; NaN where none was given.

    Raises
    ------
    UsageError
        If it is 1 or more.
    """
    if not size >= 1.0:
        return size
    fix = "Give a share below 1; 4 points are 0.04."
    if size <= 100.0:
        points = "1 point is" if size == 1.0 else f"{shown(size)} points are"
        fix = f"On the scale of accuracy, {points} {shown(size / 100.0)}."
    raise UsageError(f"{option} is {shown(size)}.", fix=fix)
