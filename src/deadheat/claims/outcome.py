"""What two discordant counts mean: intervals, p-values and whether the gap is resolved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from deadheat.claims import closed
from deadheat.claims.corrected import acceleration_of
from deadheat.distributions import Lattice
from deadheat.inference.binary import chosen
from deadheat.inference.result import Counts
from deadheat.intervals import bca, newcombe, percentile, tango, wald
from deadheat.intervals.bca import Correction
from deadheat.intervals.interval import Interval
from deadheat.resampling import exact
from deadheat.significance.mcnemar import VARIANTS, mcnemar

METHODS = ("percentile", "bca", "tango", "wald", *closed.OF_MEANS, *closed.PAIRED)
"""Methods of which a printed interval may be."""

UNDRAWN = (*VARIANTS, "student_t")
"""Paired tests without draws."""

TESTS = (*UNDRAWN, "bootstrap")
"""Tests of which a printed p-value may be."""

VALUES = (-1, 0, 1)
"""What candidate - baseline can be on one item."""

Code = Literal["resolved", "borderline", "unresolved"]

FAR = 1e-9
"""Tails below this are computed with accuracy relative to themselves."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcome:
    """Two discordant counts on n items.

    Attributes
    ----------
    n : int
    only_baseline, only_candidate : int
        Items that only one of the systems got right.
    confidence_level : float
    distribution : Lattice
        Exact bootstrap distribution of candidate - baseline.
    """

    n: int
    only_baseline: int
    only_candidate: int
    confidence_level: float
    distribution: Lattice = field(repr=False)

    @classmethod
    def of(cls, n: int, net: int, discordant: int, confidence_level: float) -> Outcome:
        """Split `discordant` items so that the candidate is ahead by `net`.

        Parameters
        ----------
        n : int
            Number of items.
        net : int
            Items by which the candidate is ahead; negative where it is behind.
        discordant : int
            Items on which exactly one system is right.
        confidence_level : float
            Between 0.5 and 1.
        """
        only_baseline, only_candidate = (discordant - net) // 2, (discordant + net) // 2
        return cls(
            n=n,
            only_baseline=only_baseline,
            only_candidate=only_candidate,
            confidence_level=confidence_level,
            distribution=exact.paired_counts(only_baseline, only_candidate, n),
        )

    @property
    def discordant(self) -> int:
        """Items on which exactly one system is right."""
        return self.only_baseline + self.only_candidate

    @property
    def net(self) -> int:
        """Items by which the candidate is ahead."""
        return self.only_candidate - self.only_baseline

    @property
    def alpha(self) -> float:
        """Share of misses that the level allows."""
        return round(1.0 - self.confidence_level, 12)

    def interval(self, method: str) -> Interval:
        """Return the interval of candidate - baseline by one of `METHODS`.

        Parameters
        ----------
        method : str
            One of `METHODS`.
        """
        if method == "percentile":
            return percentile.from_distribution(
                self.distribution,
                estimate=self.net / self.n,
                confidence_level=self.confidence_level,
                n_units=self.n,
            )
        if method == "bca":
            return bca.from_distribution(
                self.distribution,
                estimate=self.net / self.n,
                confidence_level=self.confidence_level,
                n_units=self.n,
                acceleration=acceleration_of(VALUES, self._counts),
            )
        if method in closed.OF_MEANS:
            return closed.of_mean(method, VALUES, self._counts, self.confidence_level)
        if method in closed.PAIRED:
            return self._of_cells(closed.PAIRED[method], 0)
        paired = tango.paired_proportions if method == "tango" else wald.paired_proportions
        return self._of_cells(paired, 0)

    @property
    def _counts(self) -> tuple[int, int, int]:
        """Items of each of `VALUES`."""
        return self.only_baseline, self.n - self.discordant, self.only_candidate

    @property
    def correction(self) -> Correction:
        """How BCa moves the ends of the bootstrap distribution."""
        return bca.correction(
            self.distribution, self.net / self.n, acceleration_of(VALUES, self._counts)
        )

    def newcombe(self, both: int) -> Interval:
        """Return Newcombe's paired interval, which depends on how many items both got right.

        Parameters
        ----------
        both : int
            Items that both got right.
        """
        return self._of_cells(newcombe.paired_proportions, both)

    def _of_cells(self, paired: Callable[..., Interval], both: int) -> Interval:
        return paired(
            both,
            self.only_baseline,
            self.only_candidate,
            self.n - self.discordant - both,
            confidence_level=self.confidence_level,
        )

    @property
    def usual(self) -> Interval:
        """The interval that `deadheat.compare` takes unasked."""
        counts = Counts(
            both=0,
            only_baseline=self.only_baseline,
            only_candidate=self.only_candidate,
            neither=self.n - self.discordant,
        )
        return self.interval(chosen(counts)[0])

    def p_value(self, test: str = "exact") -> float:
        """Return the two-sided p-value of one of `TESTS`.

        Parameters
        ----------
        test : str
            One of `TESTS`.
        """
        if test == "bootstrap":
            return min(1.0, 2.0 * min(self.tails))
        if test == "student_t":
            return closed.paired_t(self.net, self.discordant, self.n)
        return mcnemar(self.only_baseline, self.only_candidate, variant=test).p_value

    @property
    def p_value_bound(self) -> float | None:
        """What the exact McNemar p-value is below, where it is too small to be told."""
        return mcnemar(self.only_baseline, self.only_candidate).p_value_bound

    @property
    def tails(self) -> tuple[float, float]:
        """Shares of resamples in which the candidate is not ahead, and not behind."""
        below, above = self.distribution.at_most(0.0), self.distribution.at_least(0.0)
        if min(below, above) < FAR:
            return _far_tails(self.only_baseline, self.only_candidate, self.n)
        return below, above

    @property
    def ahead(self) -> tuple[float, float]:
        """Shares of resamples in which the candidate is ahead, and ahead or level."""
        below, above = self.tails
        return 1.0 - below, above

    @property
    def code(self) -> Code:
        """Whether the interval excludes zero and the exact McNemar test agrees."""
        excludes, rejects = self.usual.excludes(0.0), self.p_value() <= self.alpha
        if excludes != rejects:
            return "borderline"
        return "resolved" if excludes else "unresolved"


@lru_cache(maxsize=4_096)
def _far_tails(only_baseline: int, only_candidate: int, n: int) -> tuple[float, float]:
    return exact.paired_tails(only_baseline, only_candidate, n)
