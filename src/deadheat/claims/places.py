"""Where to look for counts: never at all of them where there are many.

Ends of intervals and p-values move one way with the number of discordant items, so that bisection
finds between which numbers they are as stated. Closed forms stand in for what takes a bootstrap
distribution, hence the room that is left on both sides.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy import special

from deadheat.claims.counts import Margins
from deadheat.claims.printed import Printed
from deadheat.claims.stated import Stated
from deadheat.intervals import tango, wald
from deadheat.intervals.interval import Interval
from deadheat.significance.mcnemar import VARIANTS, mcnemar

Paired = Callable[..., Interval]

FEW = 200
"""Numbers of discordant items that are all tried."""

BUDGET = 400
"""Numbers that are tried where there are more, over all net numbers."""

BIG = 100_000
"""Items from which a bootstrap distribution takes a millisecond or more."""


class Rising(NamedTuple):
    """A function that rises with the number of discordant items, and where it has to be."""

    of: Callable[[int], float]
    low: float
    high: float


def nets_to_try(margins: Margins, stated: Stated) -> tuple[list[int], bool]:
    """Return the net numbers to try, and whether these are all that can do.

    Where there are many, they are those nearest to the middle of the interval, or spread out.

    Parameters
    ----------
    margins : Margins
        What the values allow.
    stated : Stated
        What is published of the gap.
    """
    every = margins.spread(stated.discordant)
    most = 9 if margins.n <= BIG else 3
    if len(every) <= most:
        return list(every), True
    if stated.interval is None:
        places = np.linspace(0, len(every) - 1, most)
        return [every[round(float(place))] for place in places], False
    middle = round(sum(end.value for end in stated.interval) * margins.n / 200)
    at = bisect_left(every, middle) - most // 2
    first = min(max(at, 0), len(every) - most)
    return list(every[first : first + most]), False


def most_to_try(n: int, nets: int) -> int:
    """Return how many numbers of discordant items to try for each net number.

    Parameters
    ----------
    n : int
        Number of items.
    nets : int
        How many net numbers are tried.
    """
    return (BUDGET if n <= BIG else BUDGET // 10) // nets


def discordants_to_try(
    margins: Margins, net: int, stated: Stated, confidence_level: float, *, most: int
) -> tuple[list[int], bool]:
    """Return numbers of discordant items, about `most` of them, and whether no other can do.

    Parameters
    ----------
    margins : Margins
        What the values allow.
    net : int
        Items by which the candidate is ahead; negative where it is behind.
    stated : Stated
        What is published of the gap.
    confidence_level : float
        Between 0.5 and 1.
    most : int
        How many to try where there are more.
    """
    every = margins.discordants(net)
    if stated.discordant is not None:
        return ([stated.discordant] if stated.discordant in every else []), True
    if len(every) <= FEW:
        return list(every), True
    ends = sorted(
        end
        for rising in _rising(margins.n, net, stated, confidence_level)
        for end in (
            min(bisect_left(every, rising.low, key=rising.of), len(every) - 1),
            max(bisect_right(every, rising.high, key=rising.of) - 1, 0),
        )
    )
    # Widths go with the root of the number, and the fewer the draws, the more they are off.
    # A tenth is for the methods that no bisection is done for.
    room = max(10.0 / stated.draws**0.5, 0.1)
    low = max(0, bisect_left(every, every[ends[0]] * (1.0 - room)) - 6)
    high = min(len(every) - 1, bisect_left(every, every[ends[-1]] * (1.0 + room)) + 6)
    if high - low < most:
        return list(every[low : high + 1]), True
    around = {min(max(end + step, low), high) for end in ends for step in (-1, 0, 1)}
    spread = {round(float(at)) for at in np.linspace(low, high, most)}
    return [every[at] for at in sorted(around | spread)], False


def _rising(n: int, net: int, stated: Stated, confidence_level: float) -> Iterator[Rising]:
    """Yield a function for everything stated that depends on the number of discordant items."""
    if stated.interval is not None:
        yield from _of_interval(n, net, stated.interval, confidence_level)
    if stated.p_value is not None:
        yield from _of_p_value(n, net, stated.p_value)
    if stated.share is not None:
        # The share on the other side of zero; it rises to a half.
        share = [float(end) / 100.0 for end in (stated.share.low, stated.share.high)]
        low, high = sorted(1.0 - end for end in share) if net > 0 else share
        yield Rising(lambda discordant: _tail(n, net, discordant), low, high)


def _of_interval(
    n: int, net: int, interval: tuple[Printed, Printed], confidence_level: float
) -> Iterator[Rising]:
    low, high = interval
    for paired in (tango.paired_proportions, wald.paired_proportions):

        def end(discordant: int, side: int, paired: Paired = paired) -> float:
            only = (discordant - net) // 2, (discordant + net) // 2
            found = paired(0, *only, n - discordant, confidence_level=confidence_level)
            return 100.0 * (found.high if side > 0 else -found.low)

        yield Rising(partial(end, side=-1), -float(low.high), -float(low.low))
        yield Rising(partial(end, side=1), float(high.low), float(high.high))


def _of_p_value(n: int, net: int, p_value: Printed) -> Iterator[Rising]:
    low, high = float(p_value.low), float(p_value.high)
    for variant in VARIANTS:
        yield Rising(partial(_tested, net, variant), low, high)
    yield Rising(lambda discordant: 2.0 * _tail(n, net, discordant), low, high)


def _tested(net: int, variant: str, discordant: int) -> float:
    """Return a p-value of McNemar's test."""
    return mcnemar((discordant - net) // 2, (discordant + net) // 2, variant=variant).p_value


def _tail(n: int, net: int, discordant: int) -> float:
    """Return the share of resamples on the other side of zero, about."""
    variance = max(discordant - net * net / n, 1e-9)
    return float(special.ndtr(-abs(net) / variance**0.5))
