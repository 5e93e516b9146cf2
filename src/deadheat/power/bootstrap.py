"""The ideal percentile bootstrap interval of a difference of accuracies: its ends and its power.

Ideal means without draws: the interval that infinitely many resamples would give.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from deadheat.errors import InferenceError
from deadheat.power.binomial import Floats, Ints
from deadheat.power.checks import discordant_shares, open_share, size
from deadheat.power.fourier import Totals
from deadheat.power.mcnemar import connor, rejected
from deadheat.power.outcomes import blocks
from deadheat.power.search import least_items, least_wins, teeth_of

SLACK = 1e-12
"""Relative slack when a cumulated probability is held against a level."""

THINNEST = 1e-9
"""Tails below this are not computed to enough digits."""

MAX_POWER_ITEMS = 1_000_000
"""Items up to which `percentile_power` is computed."""

SAME_THERE = "The power of the chi2 test (mcnemar_power) is the same at this size."


def percentile_power(
    n: int, only_baseline: float, only_candidate: float, *, alpha: float = 0.05
) -> float:
    """Return the exact probability that the ideal percentile interval excludes 0.

    For each number of discordant items the interval excludes 0 from some number of wins on.

    Parameters
    ----------
    n : int
        Items, from 1 to 1,000,000.
    only_baseline, only_candidate : float
        Chances that an item is got right by one system alone; together at most 1.
    alpha : float
        1 - confidence level of the interval, between 2e-9 and 1.

    Raises
    ------
    InferenceError
        If a number is out of its range.

    Examples
    --------
    >>> round(percentile_power(500, 0.13184720047626344, 0.17184720047626345), 4)
    0.3569
    """
    tail = tail_of(alpha)
    losses, wins = discordant_shares(only_baseline, only_candidate)
    items = size(n, most=MAX_POWER_ITEMS, fix=SAME_THERE)
    return rejected(items, losses, wins, lambda d: least_wins_of_percentile(d, items, tail))


def percentile_items(
    only_baseline: float, only_candidate: float, *, power: float = 0.8, alpha: float = 0.05
) -> int | None:
    """Return the least n such that the interval has the power at n, n + 1, ..., n + 20 items.

    Parameters
    ----------
    only_baseline, only_candidate, alpha
        As in `percentile_power`.
    power : float
        Wanted probability that the interval excludes 0, between 0 and 1.

    Returns
    -------
    int or None
        None for a gap of 0, which no number of items resolves.

    Raises
    ------
    InferenceError
        If a number is out of its range, or more than 1,000,000 items are needed.
    """
    wanted, level = open_share("power", power), open_share("alpha", alpha)
    losses, wins = discordant_shares(only_baseline, only_candidate)
    if losses == wins:
        return None
    start = connor(wins - losses, min(losses + wins, 1.0), power=wanted, alpha=level)
    return least_items(
        lambda n: percentile_power(n, losses, wins, alpha=level),
        wanted,
        start,
        teeth=teeth_of(losses + wins, -float(special.ndtri(level / 2.0))),
        most=MAX_POWER_ITEMS,
    )


def tail_of(alpha: float) -> float:
    """Return alpha / 2.

    Parameters
    ----------
    alpha : float
        Two-sided level.

    Raises
    ------
    InferenceError
        If alpha is not between 0 and 1, or its tail too thin to be computed.
    """
    tail = open_share("alpha", alpha) / 2.0
    if tail < THINNEST:
        raise InferenceError(
            f"an end that leaves {tail:.3g} outside lies in a tail too far out to be computed.",
            fix="Choose a lower confidence level.",
        )
    return tail


def least_wins_of_percentile(discordant: Ints, n: int, tail: float) -> Ints:
    """Return the fewest wins among so many discordant items with which the interval excludes 0.

    One more than there are where none does. By symmetry it is the fewest losses, too.

    Parameters
    ----------
    discordant : ndarray of int, shape (case,)
    n : int
        Items.
    tail : float
        Probability outside each end; the interval excludes 0 where P(T <= 0) is below it.
    """
    z = -float(special.ndtri(tail))
    gain = 0.5 + z * np.sqrt(discordant / (1.0 + z * z / n))
    guess = np.ceil((discordant + gain) / 2.0).astype(np.int64)

    def rejects(wins: Ints, among: Ints) -> object:
        losses = among - wins
        below = [
            Totals.of(losses[block], wins[block], n).at_most_own(losses[block] - wins[block])
            for block in blocks(wins.size)
        ]
        return np.concatenate([*below, np.zeros(0)]) < tail * (1.0 - SLACK)

    return least_wins(discordant, guess, rejects)


def percentile_ends(losses: Ints, wins: Ints, n: int, tail: float) -> tuple[Ints, Ints]:
    """Return both ends of the ideal percentile interval of tables, in items.

    The low end is the least t with P(T <= t) >= tail, the high end the greatest with
    P(T >= t) >= tail.

    Parameters
    ----------
    losses, wins : ndarray of int, shape (table,)
        Fastest where neighbours have like numbers of discordant items.
    n : int
        Items.
    tail : float
        Probability outside each end.
    """
    low, high = np.empty_like(wins), np.empty_like(wins)
    for block in blocks(wins.size):
        totals = Totals.of(losses[block], wins[block], n)
        guess = expansion(losses[block], wins[block], n, tail)
        low[block] = _low(totals, guess, tail)
        guess = expansion(wins[block], losses[block], n, tail)
        high[block] = -_low(totals.mirrored(), guess, tail)
    gain = wins - losses
    return gain + low, gain + high


def cumulated(totals: Totals, guess: Floats, least: float, most: float) -> tuple[Ints, Floats]:
    """Return consecutive points, and P(T - mean <= point), from below `least` up to `most`.

    At the first point all tables lie below `least`, at the last all have reached `most`.

    Parameters
    ----------
    totals : Totals
    guess : ndarray, any shape
        About where the points will be; it decides the time, not the result.
    least, most : float
        Probabilities.
    """
    first, last = int(np.floor(guess.min())) - 1, int(np.ceil(guess.max())) + 1
    more = 2
    while True:
        points = np.arange(max(first, -totals.far - 1), min(last, totals.far) + 1)
        below = totals.at_most(points)
        short = bool((below[:, 0] >= least).any()) and first > -totals.far - 1
        shorter = bool((below[:, -1] < most).any()) and last < totals.far
        if not (short or shorter):
            return points, below
        first, last = first - more * short, last + more * shorter
        more *= 2


def _low(totals: Totals, guess: Floats, tail: float) -> Ints:
    """Return the least distance from the mean with P(T - mean <= distance) >= tail."""
    level = tail * (1.0 - SLACK)
    points, below = cumulated(totals, guess, level, level)
    return np.asarray(points[0] + (below < level).sum(axis=1), dtype=np.int64)


def expansion(losses: Ints, wins: Ints, n: int, tail: float) -> Floats:
    """Low end less the mean, by the expansion of Cornish & Fisher (1938) with half a step off.

    Parameters
    ----------
    losses : ndarray of int, shape (table,)
        Items that only the baseline gets right.
    wins : ndarray of int, shape (table,)
        Items that only the candidate gets right.
    n : int
        Items.
    tail : float
        Probability outside each end.
    """
    discordant, gain = losses + wins, wins - losses
    variance = np.maximum(discordant - gain * (gain / n), 0.25)
    third = gain * (1.0 - 3.0 * discordant / n + 2.0 * (gain / n) ** 2)
    z = float(special.ndtri(tail))
    return z * np.sqrt(variance) + (z * z - 1.0) / 6.0 * third / variance - 0.5
