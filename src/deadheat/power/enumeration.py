"""What an interval and its companion test do on a design: every outcome enumerated, no replays."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from deadheat.errors import InferenceError
from deadheat.power.binomial import Floats, Ints, binomial
from deadheat.power.bootstrap import percentile_ends, tail_of
from deadheat.power.checks import one_of, open_share, size
from deadheat.power.copula import Cells
from deadheat.power.mcnemar import TESTS, least_wins_of_test
from deadheat.power.outcomes import MAX_ITEMS, Outcomes, outcomes
from deadheat.power.tango import tango_ends

METHODS = ("auto", "percentile", "tango")

MANY_ITEMS = 50
MANY_DISCORDANT = 10
"""From so many items, and discordant items, on the automatic method is the percentile interval."""

MAX_CALLS = 50_000
"""Calls of a method that works on one table at a time."""

LEFT_OUT_OF_CALLS = 1e-9
"""Probability of the outcomes for which no such call is made, all together."""

SAME = 1e-12
"""Values that differ by no more are the same difference."""

Booleans = NDArray[np.bool_]

Ends = Callable[[int, int, int, int], tuple[float, float]]
"""Maps both, only baseline, only candidate and neither, as counts, to the ends of an interval."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Enumerated:
    """Long-run behaviour of an interval and a test on a design.

    Attributes
    ----------
    n : int
        Items.
    method, test : str
        The interval and its companion test.
    confidence_level : float
    coverage : float
        P(the interval holds the true difference).
    below, above : float
        P(the interval lies wholly below the truth), and wholly above it.
    undefined : float
        P(the interval has no ends); such intervals hold nothing.
    width : float
        Mean width of the intervals that have ends.
    interval_power : float
        P(the interval excludes 0).
    test_power : float
        P(the test rejects at 1 - confidence_level).
    power : float
        P(the reading is "resolved"): the interval has a width and excludes 0, and the test
        rejects on the same side.
    wrong_sign : float
        Type S: P(the sign is wrong | resolved). NaN at a gap of 0.
    exaggeration : float
        Type M: E(|observed difference| | resolved) / |gap|. NaN at a gap of 0.
    left_out : float
        Probability of the outcomes that were not enumerated; they count as nothing.
    """

    n: int
    method: str
    test: str
    confidence_level: float
    coverage: float
    below: float
    above: float
    undefined: float
    width: float
    interval_power: float
    test_power: float
    power: float
    wrong_sign: float
    exaggeration: float
    left_out: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sides:
    """What the interval of each outcome does, shape (outcome,), as 0 or 1.

    Attributes
    ----------
    below, above : ndarray
        It lies wholly below the true difference, wholly above it.
    negative, positive : ndarray
        It lies wholly below 0, wholly above it.
    point : ndarray
        It has no width.
    width : ndarray
        Its width; NaN where it has no ends.
    """

    below: Floats
    above: Floats
    negative: Floats
    positive: Floats
    point: Floats
    width: Floats

    @classmethod
    def of(cls, low: Floats, high: Floats, gap: float) -> Sides:
        """Ask intervals with these ends; NaN ends lie nowhere.

        Parameters
        ----------
        low : ndarray, shape (outcome,)
            Low ends, NaN where there are none.
        high : ndarray, shape (outcome,)
            High ends, NaN where there are none.
        gap : float
            True candidate - baseline.
        """
        return cls(
            below=(high < gap - SAME).astype(np.float64),
            above=(low > gap + SAME).astype(np.float64),
            negative=(high < -SAME).astype(np.float64),
            positive=(low > SAME).astype(np.float64),
            point=(high - low <= SAME).astype(np.float64),
            width=high - low,
        )


def enumerated(
    n: int,
    cells: Cells,
    *,
    method: str = "auto",
    test: str = "exact",
    confidence_level: float = 0.95,
    ends: Ends | None = None,
    split: bool = True,
    max_calls: int = MAX_CALLS,
) -> Enumerated:
    """Return what an interval and McNemar's test do on n items, over all outcomes.

    Parameters
    ----------
    n : int
        Items, from 2 to 100,000.
    cells : Cells
        The truth.
    method : str
        "percentile" (ideal), "tango", or "auto": percentile from 50 items and 10 discordant
        items on unless one system alone gets every item right, else tango. With `ends`, only
        the name under which the result stands.
    test : {"exact", "midp", "chi2", "chi2_cc"}
        The companion test.
    confidence_level : float
        Between 0 and 1. `ends` has to be of the same level.
    ends : callable, optional
        Interval of another method: maps the counts both, only baseline, only candidate and
        neither to its two ends, NaN where there are none. It is called once for each outcome.
    split : bool
        Whether `ends` depends on how the items that do not separate the systems are split into
        both and neither. Where it does not, False saves most of the calls.
    max_calls : int
        Calls of `ends` beyond which the design is refused.

    Raises
    ------
    InferenceError
        If a number is out of its range, or there are too many outcomes for `ends`.
    UsageError
        If there is no such test, or no such method without `ends`.

    Examples
    --------
    >>> from deadheat.power import cells
    >>> found = enumerated(100, cells(0.72, 0.76, 0.36))
    >>> round(found.coverage, 4), round(found.power, 4)
    (0.9541, 0.077)
    """
    items = size(n, least=2, most=MAX_ITEMS, fix="Take the power alone: reading_power.")
    level = open_share("the confidence level", confidence_level)
    one_of("test", test, TESTS)
    if ends is None:
        one_of("method", method, METHODS)
        listed = outcomes(items, cells)
        low, high = _built_in(items, listed, method, level)
    else:
        listed, both = _called_for(items, cells, split, max_calls)
        low, high = _called(items, listed, both, ends)
    return summed(
        items,
        cells,
        listed,
        Sides.of(low, high, cells.gap),
        method=method,
        test=test,
        confidence_level=level,
    )


def summed(
    n: int,
    cells: Cells,
    listed: Outcomes,
    sides: Sides,
    *,
    method: str,
    test: str,
    confidence_level: float,
) -> Enumerated:
    """Add up what the intervals and the test do over the outcomes.

    Parameters
    ----------
    n : int
        Items.
    cells : Cells
        The truth.
    listed : Outcomes
        What the items can show.
    sides : Sides
        What the interval of each outcome does.
    method : str
        Name of the interval.
    test : str
        The companion test.
    confidence_level : float
        Between 0 and 1.
    """
    discordant, gain = listed.losses + listed.wins, listed.wins - listed.losses
    start = int(discordant.min())
    fewest = least_wins_of_test(
        np.arange(start, int(discordant.max()) + 1), test, alpha_of(confidence_level)
    )[discordant - start]
    lost, won = listed.losses >= fewest, listed.wins >= fewest

    def chance(of: Floats) -> float:
        return min(float((listed.mass * of).sum()), 1.0)

    defined = ~np.isnan(sides.width)
    extended = 1.0 - sides.point
    worse, better = sides.negative * lost * extended, sides.positive * won * extended
    power = chance(worse + better)
    wrong = chance(worse if cells.gap > 0.0 else better)
    size_shown = float((listed.mass * (worse + better) * np.abs(gain)).sum()) / n
    known_sign = power > 0.0 and abs(cells.gap) > SAME
    return Enumerated(
        n=n,
        method=method,
        test=test,
        confidence_level=confidence_level,
        coverage=chance(defined * (1.0 - sides.below - sides.above)),
        below=chance(sides.below),
        above=chance(sides.above),
        undefined=chance(~defined),
        width=_mean(sides.width[defined], listed.mass[defined]),
        interval_power=chance(sides.negative + sides.positive),
        test_power=chance(lost | won),
        power=power,
        wrong_sign=wrong / power if known_sign else math.nan,
        exaggeration=size_shown / power / abs(cells.gap) if known_sign else math.nan,
        left_out=listed.left_out,
    )


def alpha_of(confidence_level: float) -> float:
    """Return 1 - confidence_level without the rounding of binary fractions.

    Parameters
    ----------
    confidence_level : float
        Between 0 and 1.
    """
    return round(1.0 - confidence_level, 12) or 1.0 - confidence_level


def by_percentile(discordant: Ints, n: int) -> Booleans:
    """Where the automatic method is the percentile interval, shape of `discordant`.

    Parameters
    ----------
    discordant : ndarray of int, shape (outcome,)
        Items on which exactly one system is right.
    n : int
        Items.
    """
    return np.asarray((discordant >= MANY_DISCORDANT) & (n >= MANY_ITEMS))


def _mean(values: Floats, weights: Floats) -> float:
    return float((values * weights).sum() / weights.sum()) if values.size else math.nan


def _built_in(n: int, listed: Outcomes, method: str, level: float) -> tuple[Floats, Floats]:
    losses, wins = listed.losses, listed.wins
    if method == "auto":
        drawn = by_percentile(losses + wins, n) & (losses < n) & (wins < n)
    else:
        drawn = np.full(wins.shape, method == "percentile")
    low, high = np.empty(wins.shape), np.empty(wins.shape)
    alpha = alpha_of(level)
    if drawn.any():
        first, last = percentile_ends(losses[drawn], wins[drawn], n, tail_of(alpha))
        low[drawn], high[drawn] = first / n, last / n
    if not drawn.all():
        z = -float(special.ndtri(alpha / 2.0))
        low[~drawn], high[~drawn] = tango_ends(losses[~drawn], wins[~drawn], n, z)
    return low, high


def _called_for(n: int, cells: Cells, split: bool, most: int) -> tuple[Outcomes, Ints]:
    """Return the outcomes to call a method for, and how many items both systems get right."""
    listed = outcomes(n, cells, left_out=LEFT_OUT_OF_CALLS)
    concordant = n - listed.losses - listed.wins
    _check_calls(concordant.size, most)
    if not split:
        return listed, concordant
    same = cells.both + cells.neither
    share = min(cells.both / same, 1.0) if same else 0.0
    parts = {int(count): binomial(int(count), share) for count in np.unique(concordant)}
    each = [parts[count] for count in concordant.tolist()]
    lengths = np.array([mass.size for _, mass in each])
    # Most of these are too unlikely to be called for; far too many need not be looked at.
    _check_calls(int(lengths.sum()) // 20, most)
    mass = np.repeat(listed.mass, lengths) * np.concatenate([mass for _, mass in each])
    kept = mass > LEFT_OUT_OF_CALLS / mass.size
    _check_calls(int(kept.sum()), most)
    both = np.concatenate([first + np.arange(mass.size) for first, mass in each])
    return (
        Outcomes(
            losses=np.repeat(listed.losses, lengths)[kept],
            wins=np.repeat(listed.wins, lengths)[kept],
            mass=mass[kept],
            left_out=max(1.0 - float(mass[kept].sum()), 0.0),
        ),
        both[kept],
    )


def _check_calls(count: int, most: int) -> None:
    if count > most:
        raise InferenceError(
            f"the design has {count:,} outcomes or more, and each takes an interval of its own.",
            fix=f"Up to {most:,} are enumerated: take fewer items, or replays.",
        )


def _called(n: int, listed: Outcomes, both: Ints, ends: Ends) -> tuple[Floats, Floats]:
    counts = zip(both.tolist(), listed.losses.tolist(), listed.wins.tolist(), strict=True)
    found = [ends(right, lost, won, n - right - lost - won) for right, lost, won in counts]
    low, high = np.array(found, dtype=np.float64).reshape(-1, 2).T
    return low, high
