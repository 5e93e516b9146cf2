"""What an inference about a difference holds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.distributions import Distribution
from deadheat.intervals.components import Components, MeanOverRuns
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunPairs:
    """Every run of the candidate held against every run of the baseline.

    Attributes
    ----------
    differences : ndarray, shape (run of the baseline, run of the candidate)
        Candidate - baseline.
    settled : ndarray of int8, same shape
        1 or -1 where a comparison of the two runs alone is resolved, by the sign of the
        difference; else 0.
    """

    differences: NDArray[np.float64]
    settled: NDArray[np.int8]

    @property
    def contradict(self) -> bool:
        """Whether one pair of runs settles the comparison one way and another the other way."""
        return bool((self.settled > 0).any() and (self.settled < 0).any())

    def to_dict(self) -> dict[str, int | bool]:
        """Count the pairs; the candidate is above where the difference is above 0."""
        return {
            "n": self.differences.size,
            "candidate_above": int((self.differences > 0.0).sum()),
            "candidate_below": int((self.differences < 0.0).sum()),
            "resolved_above": int((self.settled > 0).sum()),
            "resolved_below": int((self.settled < 0).sum()),
            "contradict": self.contradict,
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SystemRuns:
    """The runs of one system.

    Attributes
    ----------
    values : tuple of float
        The metric of each run.
    components : Components
        Of its table of items by runs.
    """

    values: tuple[float, ...]
    components: Components

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        found = self.components
        return {
            "n": len(self.values),
            "values": [*self.values],
            "variance": {
                "item": found.var_item,
                "run": found.var_run,
                "residual": found.var_residual,
            },
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OverRuns:
    """What an inference for new items and new runs rests on.

    Attributes
    ----------
    mean : MeanOverRuns
        Parts of the variance.
    systems : tuple of SystemRuns
        The baseline first, or one.
    pairs : RunPairs or None
        Where two systems were run on the same items.
    """

    mean: MeanOverRuns
    systems: tuple[SystemRuns, ...]
    pairs: RunPairs | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, without what belongs to one system."""
        return {
            "claim": "random",
            "df": self.mean.df,
            "shares": self.mean.shares,
            "standard_error": self.mean.standard_error,
            "standard_error_of_these_runs": self.mean.error_of_these_runs,
        }


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
    runs : OverRuns or None
        Where the claim is about other runs than these.
    notes : tuple of Note
        What the choice of method had to say.
    distribution : Distribution or None
        What `interval` was read off, where it was: to be drawn, and no part of any record.
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
    runs: OverRuns | None = None
    notes: tuple[Note, ...] = ()
    distribution: Distribution | None = field(default=None, repr=False, compare=False)
