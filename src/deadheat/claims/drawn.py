"""How likely draws are to print what was printed: the laws of order statistics and of counts."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

from scipy import special

from deadheat.claims.corrected import levels_drawn
from deadheat.claims.printed import Printed
from deadheat.distributions import Lattice
from deadheat.intervals.bca import Correction

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
        """Return the same of both, taken as independent.

        Parameters
        ----------
        other : Likely
            Of further numbers.
        """
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
        _likely(_end(distribution, printed, n, n_resamples, at))
        for printed, at in zip(interval, ranks, strict=True)
    )
    return low.beside(high)


def bca_drawn(
    distribution: Lattice,
    interval: tuple[Printed, Printed],
    n: int,
    *,
    estimate: float,
    corrected: Correction,
    n_resamples: int,
    tail: float,
) -> Likely:
    """How likely both ends of a drawn BCa interval are printed like this.

    Its levels fall between two draws, and so does an end if these differ: quantiles are
    interpolated (numpy.percentile, which scipy.stats.bootstrap takes).

    Parameters
    ----------
    distribution, interval, n, n_resamples, tail
        As in `interval_drawn`.
    estimate : float
        The statistic on the data.
    corrected : Correction
        Of the exact bootstrap distribution.
    """
    each = levels_drawn(distribution, estimate, corrected, tail, n_resamples)
    found, between = CERTAIN, 1.0
    for side, printed in enumerate(interval):
        first, last = _steps(printed, n)
        law = _interpolated if first > last else _end
        sums = [0.0, 0.0, 0.0]
        for weight, *levels in each:
            rank = math.floor((n_resamples - 1) * levels[side]) + 1
            end = law(distribution, printed, n, n_resamples, rank)
            sums = [total + weight * part for total, part in zip(sums, end, strict=True)]
        likely = _likely((sums[0], sums[1], sums[2]))
        if first > last:
            # Two ends that both lie between steps are as rare as it is for each, multiplied.
            between *= likely.chance
            digits = float((printed.high - printed.low) * n / 100)
            likely = Likely(likely.chance * digits, between)
        found = found.beside(likely)
    return found


End = tuple[float, float, float]
"""Chances that an end is printed like this, and that it is so low or lower, so high or higher."""


def _likely(end: End) -> Likely:
    chance, up_to, on_from = end
    return Likely(chance, min(up_to, on_from))


def _steps(printed: Printed, n: int) -> tuple[int, int]:
    """Return the first and the last number of items that are printed like this."""
    return (
        math.ceil(printed.low * n / 100 - INTERPOLATED),
        math.floor(printed.high * n / 100 + INTERPOLATED),
    )


def _end(distribution: Lattice, printed: Printed, n: int, n_resamples: int, rank: int) -> End:
    """Return the law of the rank-th smallest draw."""
    first, last = _steps(printed, n)
    if first > last:
        return 0.0, 0.0, 0.0
    below = _at_most(distribution, (first - 1) / n, n_resamples, rank)
    up_to = _at_most(distribution, last / n, n_resamples, rank)
    return max(0.0, up_to - below), up_to, 1.0 - below


def _interpolated(
    distribution: Lattice, printed: Printed, n: int, n_resamples: int, rank: int
) -> End:
    """Return how likely a number of items lies between the rank-th draw and the next one."""
    _, last = _steps(printed, n)
    up_to, over = (_at_most(distribution, last / n, n_resamples, at) for at in (rank, rank + 1))
    return up_to - over, up_to, 1.0 - over


def _at_most(distribution: Lattice, value: float, n_resamples: int, rank: int) -> float:
    """Return the chance that the rank-th smallest of so many draws is at most `value`."""
    if rank > n_resamples:
        return 0.0
    share = distribution.at_most(value)
    return float(special.betainc(rank, n_resamples - rank + 1, share))


def p_drawn(printed: Printed, tail: float, n_resamples: int, *, assumed: bool) -> Likely:
    """How likely twice the share of draws in a tail is printed like this.

    One may have been added to the count and to the draws, which matters where the plain share
    cannot be printed like this. Where the number of draws is `assumed`, its steps are not held
    against the digits.

    Parameters
    ----------
    printed : Printed
        In percent or points.
    tail : float
        Share of the exact distribution on the other side of zero.
    n_resamples : int
        Draws.
    assumed : bool
        Whether nobody said how many draws there were.
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
    """How likely the percentage of draws with the candidate ahead is printed like this.

    Parameters
    ----------
    printed : Printed
        In percent or points.
    ahead : float
        Share of the exact distribution on the side of the candidate.
    n_resamples : int
        Draws.
    assumed : bool
        Whether nobody said how many draws there were.
    """
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
