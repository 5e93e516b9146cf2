"""What an inference about a difference holds."""

from __future__ import annotations

from dataclasses import dataclass

from deadheat.intervals.interval import Interval
from deadheat.notes import Note
from deadheat.significance.significance import Significance


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How often two systems were right on the same items."""

    both: int
    only_baseline: int
    only_candidate: int
    neither: int

    @property
    def n(self) -> int:
        """Number of items."""
        return self.both + self.only_baseline + self.only_candidate + self.neither

    @property
    def discordant(self) -> int:
        """Items on which exactly one system is right."""
        return self.only_baseline + self.only_candidate


@dataclass(frozen=True, slots=True, kw_only=True)
class Inference:
    """A difference, candidate - baseline, with its interval and tests.

    Attributes
    ----------
    estimate, standard_error : float
        On the metric's own scale; NaN where undefined.
    interval : Interval
        At the level asked for.
    margin_interval : Interval or None
        At level 1 - 2 alpha, by the same method, where a margin was given.
    p_value : float
        The one dual to `interval`.
    p_value_bound : float or None
        Set when the p-value is only known to be below this bound.
    p_value_error : float or None
        Monte Carlo standard error of a drawn p-value (STATISTICS.md 0.7).
    tests : tuple of Significance
        The companion test first.
    counts : Counts or None
        Where both systems have 0/1 scores on the same items.
    varies : bool
        Whether anything differs between the items at all.
    exact : bool
        Whether the interval was made without draws.
    n_undefined : int
        Resamples in which the metric was undefined.
    resolving : tuple of int or None
        Fewest and most items that would resolve the observed gap with 80% power.
    detectable : float
        Smallest gap that this many items resolve with 80% power; NaN where unknown.
    design_effect : float
        Variance over that of independent items; 1 where items are the units.
    notes : tuple of Note
        What the choice of method had to say.
    """

    estimate: float
    standard_error: float
    interval: Interval
    margin_interval: Interval | None = None
    p_value: float
    p_value_bound: float | None = None
    p_value_error: float | None = None
    tests: tuple[Significance, ...] = ()
    counts: Counts | None = None
    varies: bool = True
    exact: bool = True
    n_undefined: int = 0
    resolving: tuple[int, int] | None = None
    detectable: float = float("nan")
    design_effect: float = 1.0
    notes: tuple[Note, ...] = ()
