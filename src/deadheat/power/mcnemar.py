"""Power of McNemar's test of two accuracies on the same items, and the items that it takes."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy import special

from deadheat.errors import InferenceError
from deadheat.power.binomial import Floats, Ints, at_least, binomial
from deadheat.power.checks import (
    countable,
    discordant_shares,
    is_number,
    one_of,
    open_share,
    shown,
    size,
    upwards,
)
from deadheat.power.search import MAX_ITEMS, least_items, least_wins, teeth_of

TESTS = ("exact", "midp", "chi2", "chi2_cc")

BEYOND = "At this size the formula of Connor says the same."

SLACK = 1e-12
"""Relative slack when a p-value is held against its level."""


def connor(gap: float, discordance: float, *, power: float = 0.8, alpha: float = 0.05) -> float:
    """Items for McNemar's test to resolve a gap in accuracy, not rounded (Connor 1987).

    Parameters
    ----------
    gap : float
        True difference of the two accuracies; its sign does not matter. Not 0.
    discordance : float
        Share of items on which exactly one system is right, at least |gap| and at most 1.
    power : float
        Wanted probability of resolving the gap, between 0 and 1.
    alpha : float
        Two-sided level, between 0 and 1.

    Raises
    ------
    InferenceError
        If the numbers cannot occur together.

    Examples
    --------
    >>> round(connor(0.1, 0.3), 2)
    233.09
    """
    beta, level = 1.0 - open_share("power", power), open_share("alpha", alpha)
    numbers = is_number(gap) and is_number(discordance)
    if not numbers or not 0.0 < abs(gap) <= discordance * (1.0 + 1e-12) or discordance > 1.0:
        raise InferenceError(
            f"a gap of {shown(gap)} does not go with a discordance of {shown(discordance)}.",
            fix="The systems differ on at least the gap and on at most all items.",
        )
    spread = math.sqrt(max(discordance - gap * gap, 0.0))
    # A power below the level is had for nothing.
    ratio = max(_z(level / 2.0) * math.sqrt(discordance) + _z(beta) * spread, 0.0) / abs(gap)
    return countable(ratio * ratio)


def items_to_resolve(
    gap: float, discordance: float, *, power: float = 0.8, alpha: float = 0.05
) -> int | None:
    """Return how many items resolve a gap in accuracy; None for a gap of 0.

    Parameters and errors as in `connor`.

    Examples
    --------
    >>> items_to_resolve(0.02, 0.10)
    1960
    """
    if gap == 0.0:
        return None
    return upwards(connor(gap, discordance, power=power, alpha=alpha))


def mcnemar_power(
    n: int,
    only_baseline: float,
    only_candidate: float,
    *,
    test: str = "exact",
    alpha: float = 0.05,
) -> float:
    """Return the exact probability that McNemar's two-sided test rejects, on either side.

    The number of discordant items is binomial, and given it the wins of the candidate are; the
    sum runs over all numbers of discordant items but for a probability of 1e-16.

    Parameters
    ----------
    n : int
        Items, at least 1.
    only_baseline, only_candidate : float
        Chances that an item is got right by one system alone; together at most 1.
    test : {"exact", "midp", "chi2", "chi2_cc"}
        As in `deadheat.significance.mcnemar`.
    alpha : float
        Two-sided level, between 0 and 1.

    Raises
    ------
    InferenceError
        If a number is out of its range.
    UsageError
        If there is no such test.

    Examples
    --------
    >>> round(mcnemar_power(500, 0.13184720047626344, 0.17184720047626345), 4)
    0.3388
    """
    one_of("test", test, TESTS)
    level = open_share("alpha", alpha)
    losses, wins = discordant_shares(only_baseline, only_candidate)
    items = size(n, most=MAX_ITEMS, fix=BEYOND)
    return rejected(
        items, losses, wins, lambda discordant: least_wins_of_test(discordant, test, level)
    )


def mcnemar_items(
    only_baseline: float,
    only_candidate: float,
    *,
    test: str = "exact",
    power: float = 0.8,
    alpha: float = 0.05,
) -> int | None:
    """Return the least n such that McNemar's test has the power at n, n + 1, ..., n + 20 items.

    Exact power is a saw-tooth in n, hence the 21 in a row.

    Parameters
    ----------
    only_baseline, only_candidate, test, alpha
        As in `mcnemar_power`.
    power : float
        Wanted probability of rejecting, between 0 and 1.

    Returns
    -------
    int or None
        None for a gap of 0, which no number of items resolves.

    Raises
    ------
    InferenceError
        If a number is out of its range, or more than 10 million items are needed.
    UsageError
        If there is no such test.

    Examples
    --------
    >>> mcnemar_items(0.13184720047626344, 0.17184720047626345, test="midp")
    1485
    """
    one_of("test", test, TESTS)
    wanted, level = open_share("power", power), open_share("alpha", alpha)
    losses, wins = discordant_shares(only_baseline, only_candidate)
    if losses == wins:
        return None
    share = min(losses + wins, 1.0)
    rates = np.zeros(0)

    def power_of(n: int) -> float:
        # A rate depends on the number of discordant items alone: each is computed once.
        nonlocal rates
        first, mass = binomial(n, share)
        end = first + mass.size
        if end > rates.size:
            rates = np.concatenate([rates, np.full(end, math.nan)])
        new = first + np.flatnonzero(np.isnan(rates[first:end]))
        rates[new] = _rates(new, least_wins_of_test(new, test, level), wins / share)
        return float((mass * rates[first:end]).sum())

    start = connor(wins - losses, share, power=wanted, alpha=level)
    return least_items(power_of, wanted, start, teeth=teeth_of(share, _z(level / 2.0)))


def least_wins_of_test(discordant: Ints, test: str, alpha: float) -> Ints:
    """Return the fewest wins among so many discordant items with which a test rejects.

    One more than there are where none rejects. By symmetry it is the fewest losses, too.

    Parameters
    ----------
    discordant : ndarray of int, shape (case,)
    test : {"exact", "midp", "chi2", "chi2_cc"}
    alpha : float
        Two-sided level; a p-value of exactly `alpha` rejects.
    """
    z = _z(alpha / 2.0)
    step = 1.0 if test in ("exact", "chi2_cc") else 0.0
    normal = (discordant + step + z * np.sqrt(discordant)) / 2.0
    fewest = np.ceil(normal * (1.0 - SLACK)).astype(np.int64)
    if test in ("chi2", "chi2_cc"):
        return np.clip(fewest, discordant // 2 + 1, discordant + 1)

    def rejects(wins: Ints, trials: Ints) -> object:
        tail = at_least(wins, trials, 0.5)
        other = tail if test == "exact" else at_least(wins + 1, trials, 0.5)
        return tail + other <= alpha * (1.0 + SLACK)

    return least_wins(discordant, fewest, rejects)


def rejected(
    n: int, only_baseline: float, only_candidate: float, fewest: Callable[[Ints], Ints]
) -> float:
    """Return P(wins or losses are at least `fewest` of the discordant items), summed exactly.

    Parameters
    ----------
    n : int
        Items.
    only_baseline : float
        Chance that only the baseline is right.
    only_candidate : float
        Chance that only the candidate is right.
    fewest : callable
        Gives the fewest wins that reject, of numbers of discordant items.
    """
    share = min(only_baseline + only_candidate, 1.0)
    if share == 0.0:
        return 0.0
    first, mass = binomial(n, share)
    discordant = first + np.arange(mass.size)
    rates = _rates(discordant, fewest(discordant), only_candidate / share)
    return min(float((mass * rates).sum()), 1.0)


def _rates(discordant: Ints, fewest: Ints, share_of_wins: float) -> Floats:
    """P(wins >= fewest) + P(losses >= fewest) among so many discordant items."""
    wins = min(share_of_wins, 1.0)
    return at_least(fewest, discordant, wins) + at_least(fewest, discordant, 1.0 - wins)


def _z(tail: float) -> float:
    return -float(special.ndtri(tail))
