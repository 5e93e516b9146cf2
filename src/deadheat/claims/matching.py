"""Which discordant counts give the interval, the p-value and the share that were printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from deadheat.claims.around import basic_drawn, normal_drawn
from deadheat.claims.counts import Margins
from deadheat.claims.drawn import (
    CERTAIN,
    IMPOSSIBLE,
    Likely,
    bca_drawn,
    interval_drawn,
    p_drawn,
    share_drawn,
)
from deadheat.claims.outcome import METHODS, TESTS, UNDRAWN, Outcome
from deadheat.claims.places import discordants_to_try, most_to_try, nets_to_try
from deadheat.claims.printed import Printed
from deadheat.claims.stated import Stated
from deadheat.intervals.interval import Interval
from deadheat.significance.two_proportions import two_proportion_z

MOST_TRIED = 9
"""Numbers of items that both got right, or of right answers, that are tried where many can be."""

LEAST_CHANCE = 0.01
"""Counts under which draws print the numbers more rarely are listed only where no others are."""


DRAWN = ("percentile", "bca", "basic", "normal")
"""Intervals that are drawn; each is asked where those before it explain nothing."""

AROUND = {"basic": basic_drawn, "normal": normal_drawn}
"""Those that are laid around the estimate."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Match:
    """Counts that give what was printed, or come near.

    Attributes
    ----------
    outcome : Outcome
    methods, tests : tuple of str
        Of which the printed interval and p-value can be.
    chance : float or None
        That draws print all of it; None where it was not drawn, or for counts that are only near.
    """

    outcome: Outcome
    methods: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    chance: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Found:
    """What a search found.

    Attributes
    ----------
    exact : tuple of Match
        Counts that give every printed number, by increasing number of discordant items.
    drawn : tuple of Match
        Counts under which draws print the numbers with a chance of 1% or more, or else those that
        chance does not rule out, likeliest first; only looked for where there are no exact ones.
    nearest : tuple of Match
        Two that come nearest, where there is neither.
    complete : bool
        Whether all possible counts were searched.
    """

    exact: tuple[Match, ...] = ()
    drawn: tuple[Match, ...] = ()
    nearest: tuple[Match, ...] = ()
    complete: bool = True

    @property
    def matches(self) -> tuple[Match, ...]:
        """The exact ones, or else the drawn ones."""
        return self.exact or self.drawn


def search(margins: Margins, stated: Stated, confidence_level: float) -> Found:
    """Find the discordant counts that give what is stated.

    Parameters
    ----------
    margins : Margins
        What the values allow.
    stated : Stated
        What is published of the gap.
    confidence_level : float
        Between 0.5 and 1.
    """
    nets, complete = nets_to_try(margins, stated)
    outcomes: list[Outcome] = []
    most = most_to_try(margins.n, len(nets))
    for net in nets:
        chosen, whole = discordants_to_try(margins, net, stated, confidence_level, most=most)
        complete = complete and whole
        outcomes += [Outcome.of(margins.n, net, d, confidence_level) for d in chosen]
    if exact := _all_exact(outcomes, margins, stated):
        return Found(exact=exact, complete=complete)
    drawn = drawn_matches(outcomes, stated)
    if not drawn and (exact := _all_exact(outcomes, margins, stated, unpaired=True)):
        return Found(exact=exact, complete=complete)
    near = () if drawn else tuple(sorted(outcomes, key=lambda one: _distance(one, stated))[:2])
    return Found(drawn=drawn, nearest=tuple(Match(outcome=one) for one in near), complete=complete)


def _all_exact(
    outcomes: Sequence[Outcome], margins: Margins, stated: Stated, *, unpaired: bool = False
) -> tuple[Match, ...]:
    """Return all exact matches; `unpaired` if the p-value may be that of separate items."""
    if unpaired and stated.p_value is None:
        return ()
    found = (_exact(one, margins, stated, unpaired=unpaired) for one in outcomes)
    return tuple(
        sorted((one for one in found if one is not None), key=lambda one: one.outcome.discordant)
    )


def _exact(outcome: Outcome, margins: Margins, stated: Stated, *, unpaired: bool) -> Match | None:
    """Return what gives every stated number exactly; None where one is not given."""
    methods: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    if stated.share is not None:
        ahead, level = outcome.ahead
        if not (stated.share.holds(100.0 * ahead) or stated.share.holds(100.0 * level)):
            return None
    if stated.p_value is not None:
        tests = (
            _unpaired_tests(outcome, margins, stated.p_value)
            if unpaired
            else tests_of(outcome, stated.p_value, TESTS)
        )
        if not tests:
            return None
    if stated.interval is not None:
        methods = methods_of(outcome, stated.interval, margins)
        if not methods:
            return None
    return Match(outcome=outcome, methods=methods, tests=tests)


def methods_of(
    outcome: Outcome, interval: tuple[Printed, Printed], margins: Margins
) -> tuple[str, ...]:
    """Return the methods whose interval is printed like this.

    Parameters
    ----------
    outcome : Outcome
        Two discordant counts.
    interval : (Printed, Printed)
        Its ends, in points.
    margins : Margins
        What the values allow.
    """
    low, high = interval
    found = ((method, outcome.interval(method)) for method in METHODS)
    fitting = tuple(
        method for method, at in found if low.holds(100.0 * at.low) and high.holds(100.0 * at.high)
    )
    return (*fitting, "newcombe") if _by_newcombe(outcome, interval, margins) else fitting


def _by_newcombe(outcome: Outcome, interval: tuple[Printed, Printed], margins: Margins) -> bool:
    """Whether Newcombe's paired interval is printed like this, whatever both got right.

    Where that leaves more numbers than are tried, each end has to be among those of the tried.
    """
    every = margins.both(outcome.net, outcome.discordant)
    tried = _spread_over(every)
    found = [outcome.newcombe(both) for both in tried]
    lows, highs = ([100.0 * end for end in ends] for ends in zip(*map(_ends, found), strict=True))
    low, high = interval
    if any(low.holds(a) and high.holds(b) for a, b in zip(lows, highs, strict=True)):
        return True
    return len(tried) < len(every) and all(
        printed.high >= min(ends) and printed.low <= max(ends)
        for printed, ends in ((low, lows), (high, highs))
    )


def _ends(interval: Interval) -> tuple[float, float]:
    return interval.low, interval.high


def _spread_over(every: range) -> list[int]:
    """Return all numbers, or `MOST_TRIED` of them with both ends."""
    if len(every) <= MOST_TRIED:
        return list(every)
    return [every[at * (len(every) - 1) // (MOST_TRIED - 1)] for at in range(MOST_TRIED)]


def _unpaired_tests(outcome: Outcome, margins: Margins, p_value: Printed) -> tuple[str, ...]:
    """Name the test of two separate sets of items where it gives a p-value."""
    n, only = outcome.n, outcome.only_baseline
    right = [both + only for both in _spread_over(margins.both(outcome.net, outcome.discordant))]
    found = (two_proportion_z(k, n, k + outcome.net, n).p_value for k in right)
    return ("two_proportions",) if any(map(p_value.holds, found)) else ()


def tests_of(outcome: Outcome, p_value: Printed, tests: Sequence[str]) -> tuple[str, ...]:
    """Return the tests whose p-value is printed like this.

    Parameters
    ----------
    outcome : Outcome
        Two discordant counts.
    p_value : Printed
        As it is published.
    tests : sequence of str
        Some of `TESTS`.
    """
    return tuple(test for test in tests if p_value.holds(outcome.p_value(test)))


def drawn_matches(outcomes: Sequence[Outcome], stated: Stated) -> tuple[Match, ...]:
    """Return the counts under which draws print what is stated, the likeliest first.

    First everything is taken to come from the same draws; where that explains nothing, the
    p-value may be that of a test that draws nothing, and then the interval another. Many digits are
    unlikely whatever the counts are: where none reach `LEAST_CHANCE`, those stay that chance does
    not rule out.

    Parameters
    ----------
    outcomes : sequence of Outcome
        Pairs of discordant counts.
    stated : Stated
        What is published of the gap.
    """
    for method in DRAWN if stated.interval is not None else DRAWN[:1]:
        for apart in (False, True) if stated.p_value is not None else (False,):
            found = [
                (_drawn(outcome, stated, method, apart=apart), outcome) for outcome in outcomes
            ]
            plausible = [(likely, outcome) for likely, outcome in found if likely.plausible]
            usual = [pair for pair in plausible if pair[0].chance >= LEAST_CHANCE]
            if kept := usual or plausible:
                kept.sort(key=lambda pair: -pair[0].chance)
                return tuple(
                    _match(outcome, stated, likely.chance, method, apart=apart)
                    for likely, outcome in kept
                )
    return ()


def _drawn(outcome: Outcome, stated: Stated, method: str, *, apart: bool) -> Likely:
    """Return how likely draws are to print everything, the p-value being theirs or not."""
    draws, assumed = stated.draws, stated.n_resamples is None
    found = CERTAIN
    if stated.p_value is not None and apart:
        found = CERTAIN if tests_of(outcome, stated.p_value, UNDRAWN) else IMPOSSIBLE
    elif stated.p_value is not None:
        found = p_drawn(stated.p_value, min(outcome.tails), draws, assumed=assumed)
    if found.plausible and stated.share is not None:
        share = share_drawn(stated.share, outcome.ahead[0], draws, assumed=assumed)
        # The p-value is made of the share: the two are one number.
        found = Likely(min(found.chance, share.chance), min(found.tail, share.tail))
    if found.plausible and stated.interval is not None:
        found = found.beside(_interval_drawn(outcome, stated.interval, draws, method))
    return found


def _interval_drawn(
    outcome: Outcome, interval: tuple[Printed, Printed], draws: int, method: str
) -> Likely:
    distribution, n, tail = outcome.distribution, outcome.n, outcome.alpha / 2.0
    if method == "percentile":
        return interval_drawn(distribution, interval, n, n_resamples=draws, tail=tail)
    if method in AROUND:
        return AROUND[method](outcome, interval, draws)
    if not 0 < abs(outcome.net) + outcome.discordant < 2 * n:
        return IMPOSSIBLE
    return bca_drawn(
        distribution,
        interval,
        n,
        estimate=outcome.net / n,
        corrected=outcome.correction,
        n_resamples=draws,
        tail=tail,
    )


def _match(outcome: Outcome, stated: Stated, chance: float, method: str, *, apart: bool) -> Match:
    """Name what draws print."""
    tests: tuple[str, ...] = ()
    if stated.p_value is not None:
        tests = tests_of(outcome, stated.p_value, UNDRAWN) if apart else ("bootstrap",)
    methods = () if stated.interval is None else (method,)
    return Match(outcome=outcome, methods=methods, tests=tests, chance=chance)


def _distance(outcome: Outcome, stated: Stated) -> float:
    """How far an outcome is from what is stated: its interval in points, else its p-value."""
    if stated.interval is not None:
        low, high = (float(end.value) for end in stated.interval)
        found = outcome.interval("percentile")
        return abs(100.0 * found.low - low) + abs(100.0 * found.high - high)
    if stated.p_value is not None:
        wanted = float(stated.p_value.value)
        return min(abs(outcome.p_value(test) - wanted) for test in TESTS)
    assert stated.share is not None
    return abs(100.0 * outcome.ahead[0] - float(stated.share.value))
