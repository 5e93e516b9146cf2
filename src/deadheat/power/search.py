"""The least number that does it, where the answer is found by trying."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np

from deadheat.errors import InferenceError
from deadheat.power.binomial import Ints

RUN = 21
"""Numbers of items in a row that must have the power: it is a saw-tooth in n."""

MAX_ITEMS = 10_000_000
"""Items up to which exact powers are searched."""


def least_wins(discordant: Ints, guess: Ints, rejects: Callable[[Ints, Ints], object]) -> Ints:
    """Return the fewest wins among so many discordant items that reject; one more where none does.

    Parameters
    ----------
    discordant : ndarray of int, shape (case,)
    guess : ndarray of int, shape (case,)
        Where to begin; it decides the time, not the result.
    rejects : callable
        Maps wins and discordant items to whether so many wins reject. It never does unless more
        than half are wins, and once it does it does for more wins.
    """
    guess = np.clip(guess, discordant // 2 + 1, discordant + 1)
    wins = guess.copy()
    active = np.arange(wins.size)
    while active.size:
        fewer = wins[active] - 1
        active = active[2 * fewer > discordant[active]]
        active = active[np.asarray(rejects(wins[active] - 1, discordant[active]), dtype=bool)]
        wins[active] -= 1
    # What has come down already rejects where it is.
    active = np.flatnonzero((wins == guess) & (wins <= discordant))
    while active.size:
        active = active[~np.asarray(rejects(wins[active], discordant[active]), dtype=bool)]
        wins[active] += 1
        active = active[wins[active] <= discordant[active]]
    return wins


def least_items(
    power_of: Callable[[int], float],
    wanted: float,
    start: float,
    *,
    teeth: float,
    most: int = MAX_ITEMS,
) -> int:
    """Return the least n such that n and the next 20 numbers of items all have the power.

    Parameters
    ----------
    power_of : callable
        Power of n items: a rising line with a saw-tooth on it.
    wanted : float
        The power, between 0 and 1.
    start : float
        A first guess; it decides the time, not the result.
    teeth : float
        Length of a tooth as a multiple of sqrt(n), see `teeth_of`.
    most : int
        Items up to which powers are computed.

    Raises
    ------
    InferenceError
        If more than `most` are needed.
    """

    @cache
    def enough(n: int) -> bool:
        return n > 0 and power_of(n) >= wanted

    high = _crossing(enough, max(1, math.ceil(min(start, most))), most)
    if high is None:
        raise InferenceError(
            f"a power of {wanted:g} takes more than {most:,} items, too many to try.",
            fix="Take the number by Connor's formula, which is nearly exact there.",
        )
    # Teeth below this crossing: go down until a stretch longer than a tooth has none that reaches.
    stretch = 40 + math.ceil(teeth * math.sqrt(high))
    first = n = high
    while n > 1 and first - n < stretch:
        n -= 1
        first = n if enough(n) else first
    n = first
    while n - first < RUN:
        n += 1
        first = first if enough(n - 1) else n
    return first


def teeth_of(discordance: float, z: float) -> float:
    """Return the length of a tooth of the power of a two-sided test, in units of sqrt(n).

    With few discordant items about, the number of them varies and blurs the steps of the critical
    values: over one standard deviation of it, these move by z sqrt(1 - discordance) / 2 steps,
    which damps the first wave of a saw-tooth by exp(-2 pi^2 times the square of that).

    Parameters
    ----------
    discordance : float
        Share of items on which exactly one system is right.
    z : float
        Normal quantile of the level.
    """
    blur = z / 2.0 * math.sqrt(max(1.0 - discordance, 0.0))
    return 3.0 / math.sqrt(discordance) * math.exp(-2.0 * (math.pi * blur) ** 2)


def _crossing(enough: Callable[[int], bool], start: int, most: int) -> int | None:
    """Return some n that is enough while n - 1 is not; None where none up to `most` is."""
    step = max(8, start // 32)
    low = high = start
    while enough(low):
        high, low, step = low, max(low - step, 0), 2 * step
    while not enough(high):
        if high >= most:
            return None
        low, high, step = high, min(high + step, most), 2 * step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
