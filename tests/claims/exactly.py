"""Right values by other routes: whole numbers and fractions, no transforms, no closed forms."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

Cells = tuple[int, int, int, int]
"""Items that both, only the baseline, only the candidate and neither got right."""


def tables(n: int) -> Iterator[Cells]:
    """Every outcome of n items under two systems."""
    for both in range(n + 1):
        for only_baseline in range(n + 1 - both):
            for only_candidate in range(n + 1 - both - only_baseline):
                yield both, only_baseline, only_candidate, n - both - only_baseline - only_candidate


@lru_cache(maxsize=256)
def ways(n: int, only_baseline: int, only_candidate: int) -> tuple[int, ...]:
    """Of n^n resamples, how many have each net number of items from -n to n.

    Coefficients of (only_baseline / x + rest + only_candidate x)^n, one factor after the other.
    """
    rest = n - only_baseline - only_candidate
    row = [1]
    for _ in range(n):
        longer = [0] * (len(row) + 2)
        for at, count in enumerate(row):
            longer[at] += count * only_baseline
            longer[at + 1] += count * rest
            longer[at + 2] += count * only_candidate
        row = longer
    return tuple(row)


def percentile(
    n: int, only_baseline: int, only_candidate: int, level: Fraction = Fraction(95, 100)
) -> tuple[Fraction, Fraction]:
    """Ends of the bootstrap distribution in points, each the last that leaves enough outside."""
    row, tail = ways(n, only_baseline, only_candidate), (1 - level) / 2 * n**n
    low = high = below = above = 0
    for at, count in enumerate(row):
        below += count
        if below >= tail:
            low = at - n
            break
    for at in range(2 * n, -1, -1):
        above += row[at]
        if above >= tail:
            high = at - n
            break
    return Fraction(100 * low, n), Fraction(100 * high, n)


def shares(n: int, only_baseline: int, only_candidate: int) -> tuple[Fraction, Fraction]:
    """Shares of resamples with the candidate not ahead, and not behind."""
    row = ways(n, only_baseline, only_candidate)
    return Fraction(sum(row[: n + 1]), n**n), Fraction(sum(row[n:]), n**n)


def bootstrap_p(n: int, only_baseline: int, only_candidate: int) -> Fraction:
    """Twice the smaller share."""
    return min(Fraction(1), 2 * min(shares(n, only_baseline, only_candidate)))


def mcnemar(only_baseline: int, only_candidate: int) -> Fraction:
    """Exact two-sided p-value."""
    total, least = only_baseline + only_candidate, min(only_baseline, only_candidate)
    return min(
        Fraction(1), Fraction(2 * sum(math.comb(total, k) for k in range(least + 1)), 2**total)
    )


def rounds_to(number: Fraction, text: str) -> bool:
    """Whether a number is printed like this, by either rule for a half."""
    step = Fraction(1, 10 ** len(text.partition(".")[2]))
    return abs(number - Fraction(text)) <= step / 2
