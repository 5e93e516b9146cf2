"""How likely draws are to print what was printed: the laws of order statistics and of counts."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

from scipy import special

from deadheat.claims.printed import Printed
from deadheat.distributions import Lattice

INTERPOLATED = Fraction(3, 100)
"""Part of a step by which linear interpolation moves an end of 1,000, 2,000, ... draws, at most."""

LEAST_TAIL = 5e-3
"""Numbers further out in the law of the draws are no matter of chance."""


class Likely(NamedTuple):
    """How likely draws are to print some numbers.

    Attributes
    ----------
    chance : float
        That they print exactly these digits.
    tail : float
        The least chance that one number comes out as low as it is printed, or lower, or as high
        or higher. Digits can be unlikely only for being many; this cannot.
    """

    chance: float
    tail: float

    @property
    def plausible(self) -> bool:
        """Whether chance explains the numbers."""
        return self.tail >= LEAST_TAIL

    def beside(self, other: Likely) -> Likely:
        """Return the same of both, taken as independent."""
        return Likely(self.chance * other.chance, min(self.tail, other.tail))


CERTAIN = Likely(1.0, 1.0)
IMPOSSIBLE = Likely(0.0, 0.0)


def interval_drawn(
    distribution: Lattice,
    interval: tuple[Printed, Printed],
    n: int,
    *,
    n_resamples: int,
    tail: float,
) -> Likely:
    """How likely both ends of a drawn percentile interval are printed like this.

    The lower end is the k-th smallest of R draws, k = floor((R + 1) tail), the upper end the k-th
    largest. The rank-th smallest is at most x where at least `rank` draws are, which has a
    binomial chance (David & Nagaraja 2003, eq. 2.1.3).

    Parameters
    ----------
    distribution : Lattice
        Exact bootstrap distribution of the statistic, with steps of 1 / n.
    interval : (Printed, Printed)
        In points.
    n : int
        Number of items.
    n_resamples : int
        R, draws behind the interval.
    tail : float
        Left outside at each end.
    """
    rank = math.floor((n_resamples + 1) * tail + 1e-9)
    if rank < 1:
        return IMPOSSIBLE
    ranks = (rank, n_resamples + 1 - rank)
    low, high = (
        _end(distribution, printed, n, n_resamples, at)
        for printed, at in zip(interval, ranks, strict=True)
    )
    return low.beside(high)


def _end(distribution: Lattice, printed: Printed, n: int, n_resamples: int, rank: int) -> Likely:
    first = math.ceil(printed.low * n / 100 - INTERPOLATED)
    last = math.floor(printed.high * n / 100 + INTERPOLATED)
    if first > last:
        return IMPOSSIBLE

    def at_most(steps: int) -> float:
        share = distribution.at_most(steps / n)
        return float(special.betainc(rank, n_resamples - rank + 1, share))

    below, up_to = at_most(first - 1), at_most(last)
    return Likely(max(0.0, up_to - below), min(up_to, 1.0 - below))


def p_drawn(printed: Printed, tail: float, n_resamples: int, *, assumed: bool) -> Likely:
    """How likely twice the share of draws in a tail is printed like this.

    One may have been added to the count and to the draws, which matters where the plain share
    cannot be printed like this. Where the number of draws is `assumed`, its steps are not held
    against the digits.
    """
    half = Fraction(n_resamples, 2)
    low, high = printed.low * half, printed.high * half
    if math.ceil(low) > math.floor(high):
        more = Fraction(n_resamples + 1, 2)
        low, high = printed.low * more - 1, printed.high * more - 1
    if printed.high >= 1:
        high = Fraction(n_resamples)
    return _count(low, high, tail, n_resamples, assumed=assumed)


def share_drawn(printed: Printed, ahead: float, n_resamples: int, *, assumed: bool) -> Likely:
    """How likely the percentage of draws with the candidate ahead is printed like this."""
    each = Fraction(n_resamples, 100)
    return _count(printed.low * each, printed.high * each, ahead, n_resamples, assumed=assumed)


def _count(
    low: Fraction, high: Fraction, chance: float, n_resamples: int, *, assumed: bool
) -> Likely:
    """How likely low <= X <= high is, X ~ Binomial(R, chance)."""
    first, last = math.ceil(low), math.floor(high)
    if assumed and first > last:
        first, last = last, first

    def at_most(count: int) -> float:
        if not 0 <= count < n_resamples:
            return float(count >= 0)
        return float(special.bdtr(count, n_resamples, chance))

    below, up_to = at_most(first - 1), at_most(last)
    if first > last:
        return IMPOSSIBLE
    return Likely(max(0.0, up_to - below), min(up_to, 1.0 - below))
