"""Numbers that a plan is made from, checked before any work."""

from __future__ import annotations

import math
from typing import cast

import numpy as np

from deadheat.errors import InferenceError, UsageError, known


def is_number(value: object) -> bool:
    """Whether a value is a real number; True and False are none, NaN is.

    Parameters
    ----------
    value : object
    """
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)


def is_whole(value: object) -> bool:
    """Whether a value is a whole number by its type.

    Parameters
    ----------
    value : object
    """
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def shown(value: object) -> str:
    """Return a value as a message shows it.

    Parameters
    ----------
    value : object
    """
    return f"{value:g}" if is_number(value) else repr(value)


def open_share(name: str, share: object) -> float:
    """Return a number strictly between 0 and 1.

    Parameters
    ----------
    name : str
        What the number is, for the message.
    share : object

    Raises
    ------
    InferenceError
        If it is none; the message begins with `name`.
    """
    # Half of it, a tail, has to be above 0 as well.
    if not is_number(share) or not 0.0 < cast(float, share) / 2.0 < 0.5:
        raise InferenceError(f"{name} is {shown(share)}.", fix="Give a number between 0 and 1.")
    return float(cast(float, share))


def closed_share(name: str, share: object) -> float:
    """Return a number from 0 to 1, both included.

    Parameters
    ----------
    name : str
        What the number is, for the message.
    share : object

    Raises
    ------
    InferenceError
        If it is none.
    """
    if not is_number(share) or not 0.0 <= cast(float, share) <= 1.0:
        raise InferenceError(f"{name} is {shown(share)}.", fix="Give a number from 0 to 1.")
    return float(cast(float, share))


def size(n: object, *, least: int = 1, most: int | None = None, fix: str = "") -> int:
    """Return a number of items.

    Parameters
    ----------
    n : object
        A number of items.
    least : int
        Fewest that are allowed.
    most : int or None
        Most that are allowed; None is no limit.
    fix : str
        What helps where there are more.

    Raises
    ------
    InferenceError
        If it is no whole number, below `least` or above `most`; `fix` says what then helps.
    """
    if not is_whole(n) or cast(int, n) < least:
        raise InferenceError(
            f"there are {shown(n)} items.", fix=f"Give a whole number of at least {least}."
        )
    items = int(cast(int, n))
    if most is not None and items > most:
        raise InferenceError(f"there are {items:,} items, more than {most:,}.", fix=fix)
    return items


def finite(name: str, value: object) -> float:
    """Return a finite number.

    Parameters
    ----------
    name : str
        What the number is, for the message.
    value : object

    Raises
    ------
    InferenceError
        If it is none.
    """
    if not is_number(value) or not math.isfinite(cast(float, value)):
        raise InferenceError(f"{name} is {shown(value)}.", fix="Give a number.")
    return float(cast(float, value))


def positive(name: str, value: object) -> float:
    """Return a finite number above 0.

    Parameters
    ----------
    name : str
        What the number is, for the message.
    value : object

    Raises
    ------
    InferenceError
        If it is none.
    """
    if not is_number(value) or not 0.0 < cast(float, value) < math.inf:
        raise InferenceError(f"{name} is {shown(value)}.", fix="Give a number above 0.")
    return float(cast(float, value))


def one_of(kind: str, wanted: str, names: tuple[str, ...]) -> str:
    """Return `wanted` if it is one of the names.

    Parameters
    ----------
    kind : str
        What is named, for the message.
    wanted : str
        The name that was given.
    names : tuple of str
        Those that there are.

    Raises
    ------
    UsageError
        If it is not.
    """
    if wanted not in names:
        raise UsageError(f"the {kind} is {wanted!r}.", fix=known(names, str(wanted)))
    return wanted


def discordant_shares(only_baseline: object, only_candidate: object) -> tuple[float, float]:
    """Return the two chances that exactly one of the systems is right.

    Parameters
    ----------
    only_baseline : object
        Share of items that only the baseline gets right.
    only_candidate : object
        Share of items that only the candidate gets right.

    Raises
    ------
    InferenceError
        If one is outside [0, 1], or they add up to more than 1.
    """
    losses = closed_share("the share of items that only the baseline gets right", only_baseline)
    wins = closed_share("the share of items that only the candidate gets right", only_candidate)
    if losses + wins > 1.0 + 1e-12:
        raise InferenceError(
            f"the shares of items that only one system gets right, {losses:g} and {wins:g}, add "
            "up to more than 1.",
            fix="Give two shares of the same items.",
        )
    return losses, wins


def countable(n: float) -> float:
    """Return a number of items.

    Parameters
    ----------
    n : float
        A number of items.

    Raises
    ------
    InferenceError
        If it is too large for a number.
    """
    if not math.isfinite(n):
        raise InferenceError(
            "the gap or width is so small that the number of items is beyond all bounds.",
            fix="Give a larger one.",
        )
    return n


def upwards(n: float) -> int:
    """Return the least whole number, at least 1, that is not below `n` by more than rounding.

    Parameters
    ----------
    n : float
        A number of items.

    Raises
    ------
    InferenceError
        If `n` is too large for a number.
    """
    return max(1, math.ceil(countable(n) - 1e-9))
