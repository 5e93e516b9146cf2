"""Power of the reading: interval and companion test together."""

from __future__ import annotations

import numpy as np
from scipy import special

from deadheat.errors import InferenceError
from deadheat.power.binomial import Ints
from deadheat.power.bootstrap import (
    MAX_POWER_ITEMS,
    SAME_THERE,
    least_wins_of_percentile,
    tail_of,
)
from deadheat.power.checks import one_of, open_share, size
from deadheat.power.copula import Cells
from deadheat.power.enumeration import METHODS, by_percentile
from deadheat.power.mcnemar import TESTS, connor, least_wins_of_test, rejected
from deadheat.power.search import least_items, teeth_of


def reading_power(
    n: int, cells: Cells, *, method: str = "auto", test: str = "exact", alpha: float = 0.05
) -> float:
    """Return the exact probability that the reading is "resolved".

    The interval excludes 0 and McNemar's test rejects on the same side. This is the `power` of
    `enumerated` without the rest, and much faster for many items: for each number of discordant
    items the reading is resolved from some number of wins, or of losses, on.

    Parameters
    ----------
    n : int
        Items, from 2 to 1,000,000.
    cells : Cells
        The truth.
    method : {"auto", "percentile", "tango"}
        The interval, as in `enumerated`.
    test : {"exact", "midp", "chi2", "chi2_cc"}
        The companion test.
    alpha : float
        Level of the test and 1 - confidence level of the interval, above 0 and at most 0.5.

    Raises
    ------
    InferenceError
        If a number is out of its range.
    UsageError
        If there is no such method or test.

    Examples
    --------
    >>> from deadheat.power import cells
    >>> round(reading_power(500, cells(0.72, 0.76, 0.36)), 4)
    0.3388
    """
    one_of("method", method, METHODS)
    one_of("test", test, TESTS)
    tail = tail_of(alpha)
    if tail > 0.25:
        # Beyond, an interval may have no width although the items differ.
        raise InferenceError(f"alpha is {alpha:g}.", fix="A reading takes a level of at most 0.5.")
    items = size(n, least=2, most=MAX_POWER_ITEMS, fix=SAME_THERE)

    def fewest(discordant: Ints) -> Ints:
        return _least_wins(discordant, items, method, test, tail)

    power = rejected(items, cells.only_baseline, cells.only_candidate, fewest)
    if method == "percentile" and int(fewest(np.array([items]))[0]) <= items:
        # Where one system alone gets every item right, the interval is a point: no reading.
        power -= cells.only_baseline**items + cells.only_candidate**items
    return max(power, 0.0)


def reading_items(
    cells: Cells,
    *,
    method: str = "auto",
    test: str = "exact",
    power: float = 0.8,
    alpha: float = 0.05,
) -> int | None:
    """Return the least n such that the reading has the power at n, n + 1, ..., n + 20 items.

    Parameters
    ----------
    cells, method, test, alpha
        As in `reading_power`.
    power : float
        Wanted probability of a resolved reading, between 0 and 1.

    Returns
    -------
    int or None
        None for a gap of 0, which no number of items resolves.

    Raises
    ------
    InferenceError
        If a number is out of its range, or more than 1,000,000 items are needed.
    UsageError
        If there is no such method or test.

    Examples
    --------
    >>> from deadheat.power import cells
    >>> reading_items(cells(0.6, 0.8, 0.5))
    67
    """
    wanted, level = open_share("power", power), open_share("alpha", alpha)
    one_of("method", method, METHODS)
    one_of("test", test, TESTS)
    if cells.gap == 0.0:
        return None
    share = min(cells.discordance, 1.0)

    def power_of(n: int) -> float:
        return 0.0 if n < 2 else reading_power(n, cells, method=method, test=test, alpha=level)

    return least_items(
        power_of,
        wanted,
        connor(cells.gap, share, power=wanted, alpha=level),
        teeth=teeth_of(share, -float(special.ndtri(level / 2.0))),
        most=MAX_POWER_ITEMS,
    )


def _least_wins(discordant: Ints, n: int, method: str, test: str, tail: float) -> Ints:
    """Fewest wins with which interval and test agree that the candidate is ahead."""
    by_test = least_wins_of_test(discordant, test, 2.0 * tail)
    drawn = by_percentile(discordant, n) if method == "auto" else method == "percentile"
    # Tango's interval excludes 0 exactly where the uncorrected test rejects.
    by_tango = least_wins_of_test(discordant, "chi2", 2.0 * tail)
    by_draws = least_wins_of_percentile(discordant, n, tail) if np.any(drawn) else by_tango
    return np.maximum(by_test, np.where(drawn, by_draws, by_tango))
