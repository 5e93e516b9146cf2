"""What n independent items do, for each kind of design."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from deadheat import power
from deadheat.planning.design import NAN, Design, Wanted
from deadheat.planning.formulas import MOST_EXACT, connor_power
from deadheat.planning.result import Needed, PowerBy

TESTS = ("exact", "midp", "chi2")

SAW_TOOTH = 200
"""Items up to which the power of the percentile interval has teeth that are worth following."""

TEETH_ARE_SMALL = 2_000
"""Items from which on bisection finds the number of items of the interval in spite of its teeth."""

MOST_SEARCHED = 100_000
"""Items up to which numbers of items are found from exact powers; beyond, by Connor's formula,
which is right to a part in a thousand there."""

ENUMERATED = 5_000
"""Items up to which every outcome is enumerated."""

ROW = 21
"""Numbers of items in a row that have to have the power."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Behaviour:
    """Coverage of the interval, type S and type M error; NaN where unknown."""

    coverage: float = NAN
    wrong_sign: float = NAN
    exaggeration: float = NAN


class Engine(Protocol):
    """What n independent items do; a gap is known wherever power is asked for."""

    @property
    def leads(self) -> str:
        """What the power of a curve is that of."""
        ...

    def needed(self) -> list[Needed]:
        """Items that have the power wanted, by each test, interval and formula."""
        ...

    def powers(self, n: int) -> list[PowerBy]:
        """Power of n items, by each of them."""
        ...

    def power(self, n: int) -> float:
        """Power of n items by what leads."""
        ...

    def behaviour(self, n: int) -> Behaviour:
        """Coverage and errors at n items."""
        ...

    def smallest_gap(self, n: int) -> float:
        """Smallest gap that n items resolve with the power wanted."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """Two systems with 0/1 scores."""

    design: Design
    wanted: Wanted

    @property
    def leads(self) -> str:
        """The reading: interval and companion test together."""
        return "reading"

    @property
    def cells(self) -> power.Cells:
        """Four cells; how items that do not separate the systems fall is of no importance."""
        lost, won = self.design.only_baseline, self.design.only_candidate
        return power.Cells(
            both=max(1.0 - lost - won, 0.0), only_baseline=lost, only_candidate=won, neither=0.0
        )

    @property
    def tests(self) -> tuple[str, ...]:
        """Tests that are shown."""
        return tuple(dict.fromkeys((*TESTS, self.design.test)))

    def needed(self) -> list[Needed]:
        """Items by the reading, tests, the percentile interval and Connor's formula."""
        wanted, lost, won = self.wanted, self.design.only_baseline, self.design.only_candidate
        levels = {"power": wanted.power, "alpha": wanted.alpha}
        formula = power.items_to_resolve(won - lost, lost + won, **levels)
        assert formula is not None
        found: dict[str, int | None] = {}
        if formula <= MOST_SEARCHED:
            each: dict[str, int] = {}
            for test in self.tests:
                n = power.mcnemar_items(lost, won, test=test, **levels)
                assert n is not None
                each[test] = n
            each["percentile"] = self._percentile_from(formula)
            # The reading never has the power before the test has it, nor before the interval.
            least = each[self.design.test]
            if formula > TEETH_ARE_SMALL and self.design.method != "tango":
                least = max(least, each["percentile"])
            found = {"reading": self._reading_from(least), **each}
        return [
            *(
                Needed(by=by, items=n, power=NAN if n is None else self._by(by, n))
                for by, n in found.items()
            ),
            Needed(by="connor", items=formula, power=wanted.power),
        ]

    def powers(self, n: int) -> list[PowerBy]:
        """Power of the reading, of each test and of the percentile interval."""
        if n > MOST_EXACT:
            return [PowerBy(by="connor", power=self.power(n))]
        names = ("reading", *self.tests, "percentile")
        return [PowerBy(by=by, power=self._by(by, n)) for by in names]

    def power(self, n: int) -> float:
        """Power of the reading; by Connor's formula where exact powers are out of reach."""
        if n > MOST_EXACT:
            lost, won = self.design.only_baseline, self.design.only_candidate
            return connor_power(n, won - lost, lost + won, alpha=self.wanted.alpha)
        return self._by("reading", n)

    def behaviour(self, n: int) -> Behaviour:
        """Enumerate all outcomes; beyond `ENUMERATED` items errors are those of the normal law."""
        if n <= ENUMERATED:
            found = power.enumerated(
                n,
                self.cells,
                method=self.design.method,
                test=self.design.test,
                confidence_level=self.wanted.level,
            )
            return Behaviour(
                coverage=found.coverage,
                wrong_sign=found.wrong_sign,
                exaggeration=found.exaggeration,
            )
        return of_normal(self.design, self.wanted, n)

    def smallest_gap(self, n: int) -> float:
        """Smallest gap at this discordance, by Connor's formula."""
        return power.minimum_detectable(
            n,
            discordance=self.design.discordance,
            power=self.wanted.power,
            alpha=self.wanted.alpha,
        )

    def _by(self, by: str, n: int) -> float:
        lost, won, alpha = self.design.only_baseline, self.design.only_candidate, self.wanted.alpha
        if by == "reading":
            return power.reading_power(
                n, self.cells, method=self.design.method, test=self.design.test, alpha=alpha
            )
        if by == "percentile":
            return power.percentile_power(n, lost, won, alpha=alpha)
        return power.mcnemar_power(n, lost, won, test=by, alpha=alpha)

    def _reading_from(self, least: int) -> int | None:
        """Return the first of 21 numbers of items in a row with the power, from `least` on.

        None where the percentile interval is a point, which no reading resolves, too often for
        the power up to `MOST_SEARCHED` items: wherever one system alone gets every item right.
        """
        share = min(max(self.design.only_baseline, self.design.only_candidate), 1.0)
        if self.design.method == "percentile" and share > 0.0:
            # With fewer items points alone are likelier than what the power leaves over.
            rest = math.log1p(-self.wanted.power)
            if rest < MOST_SEARCHED * math.log(share):
                return None
            least = max(least, math.ceil(rest / math.log(share)))
        return _in_a_row(lambda n: self.power(n) >= self.wanted.power, max(least, 2))

    def _percentile_from(self, start: int) -> int:
        """Search around what a formula says."""
        if start <= SAW_TOOTH:
            found = power.percentile_items(
                self.design.only_baseline,
                self.design.only_candidate,
                power=self.wanted.power,
                alpha=self.wanted.alpha,
            )
            assert found is not None
            return found

        def enough(n: int) -> bool:
            return self._by("percentile", n) >= self.wanted.power

        low, high = start // 2, 2 * start
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if enough(middle) else (middle, high)
        return _in_a_row(enough, high)


def _in_a_row(enough: Callable[[int], bool], first: int) -> int:
    """Return the first of 21 numbers of items in a row, from `first` on, that are enough."""
    n = first
    while n < first + ROW:
        if not enough(n):
            first = n + 1
        n += 1
    return first


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """Two systems with real scores, by the law of Student's t and by the normal one."""

    design: Design
    wanted: Wanted

    @property
    def leads(self) -> str:
        """The paired t test."""
        return "t"

    @property
    def formula(self) -> str:
        """Name of the normal formula: Miller's, where answers have a variance of their own."""
        return "normal" if self.design.variances is None else "miller"

    def needed(self) -> list[Needed]:
        """Items by a paired t test and by the normal formula."""
        wanted, sd = self.wanted, self.design.sd
        n = power.items_for_means(wanted.gap, sd, power=wanted.power, alpha=wanted.alpha)
        formula = power.miller_items(wanted.gap, sd * sd, power=wanted.power, alpha=wanted.alpha)
        return [
            Needed(by="t", items=n, power=NAN if n is None else self.power(n)),
            Needed(by=self.formula, items=math.ceil(formula - 1e-9), power=wanted.power),
        ]

    def powers(self, n: int) -> list[PowerBy]:
        """Power of a paired t test."""
        return [PowerBy(by="t", power=self.power(n))]

    def power(self, n: int) -> float:
        """Power of a paired t test."""
        return power.t_power(self.wanted.gap, self.design.sd, n, alpha=self.wanted.alpha)

    def behaviour(self, n: int) -> Behaviour:
        """Errors of the normal law; the coverage of a mean's interval depends on its skewness."""
        return of_normal(self.design, self.wanted, n)

    def smallest_gap(self, n: int) -> float:
        """Smallest gap by the normal formula."""
        return power.minimum_detectable(
            n, sd=self.design.sd, power=self.wanted.power, alpha=self.wanted.alpha
        )


def of_normal(design: Design, wanted: Wanted, n: int) -> Behaviour:
    """Return type S and type M error where the estimate is normal."""
    wrong, size = power.of_normal(wanted.gap, design.sd / math.sqrt(n), alpha=wanted.alpha)
    return Behaviour(wrong_sign=wrong, exaggeration=size)


def engine_of(design: Design, wanted: Wanted) -> Engine | None:
    """Return what computes for a design; None where its spread is unknown, or for one system."""
    if not design.paired or not design.known:
        return None
    kind = Shares if design.binary else Means
    return kind(design=design, wanted=wanted)
