"""Outcomes of paired 0/1 scores by the plainest route: loops over counts, and whole numbers."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import accumulate
from math import comb

from deadheat.power import Cells


def outcomes(n: int, cells: Cells) -> Iterator[tuple[int, int, float]]:
    """Losses, wins and their probability, for all that have one above 1e-18."""
    same = cells.both + cells.neither
    for wins in range(n + 1):
        for losses in range(n + 1 - wins):
            ways = comb(n, wins) * comb(n - wins, losses)
            rest = same ** (n - wins - losses)
            mass = ways * cells.only_candidate**wins * cells.only_baseline**losses * rest
            if mass > 1e-18:
                yield losses, wins, mass


@cache
def ideal_ends(losses: int, wins: int, n: int, tail: Fraction) -> tuple[int, int]:
    """Ends of the ideal percentile interval in items, from the n-th power of a polynomial."""
    ways = [1]
    for _ in range(n):
        step = [0] * (len(ways) + 2)
        for power, count in enumerate(ways):
            step[power] += losses * count
            step[power + 1] += (n - losses - wins) * count
            step[power + 2] += wins * count
        ways = step
    level = tail * n**n
    low = next(i for i, below in enumerate(accumulate(ways)) if below >= level)
    high = next(i for i, above in enumerate(accumulate(reversed(ways))) if above >= level)
    return low - n, n - high
