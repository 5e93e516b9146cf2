"""Paired 0/1 scores: the interval, the test and the reading follow from their counts alone.

For `--drawn`, a resample's difference is drawn by inverting its exact distribution, one word a
resample: equal in distribution to drawing the items, at a cost that does not grow with them. Data
sets with the same counts share that distribution, and no draw.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from deadheat.distributions import Distribution, Replicates
from deadheat.inference import binary, means, methods
from deadheat.inference.result import Counts, Inference
from deadheat.intervals import percentile
from deadheat.intervals.interval import Interval
from deadheat.power.mcnemar import TESTS
from deadheat.reading import Code
from deadheat.replays.outcomes import Outcome, outcome_of
from deadheat.resampling import exact
from deadheat.rng import Stream
from deadheat.settings import Settings
from deadheat.significance.mcnemar import mcnemar
from deadheat.significance.significance import Significance
from deadheat.simulation.normals import uniforms

Floats = NDArray[np.float64]

STEPS = np.array([-1.0, 0.0, 1.0])

KEPT = 4_096
"""Counts of which what is known is kept."""

LEAST = 2.0**-54
"""Below every uniform number that is drawn."""

VARIANTS = {"auto": "exact", "mcnemar": "exact"} | {name: name for name in TESTS}
"""Variants of McNemar's test by the names that `--test` takes."""


def of_discordant(n: int, only_baseline: int, only_candidate: int) -> Counts:
    """Return counts of n items; those on which the systems agree are all given to `neither`.

    Parameters
    ----------
    n : int
        Items.
    only_baseline : int
        Items that only the baseline gets right.
    only_candidate : int
        Items that only the candidate gets right.
    """
    return Counts(
        both=0,
        only_baseline=only_baseline,
        only_candidate=only_candidate,
        neither=n - only_baseline - only_candidate,
    )


def interval_of(
    counts: Counts, method: str, distribution: Callable[[], Distribution], settings: Settings
) -> Interval:
    """Return the interval by a method, from a bootstrap distribution where it takes one.

    It is the interval of `deadheat.inference.binary`, without the tests beside it.

    Parameters
    ----------
    counts : Counts
    method : str
        Not "auto".
    distribution : callable
        Gives that of the difference.
    settings : Settings

    Raises
    ------
    UsageError
        If there is no such method.
    """
    designs = ("paired_proportions", *means.DESIGNS)
    module, design = methods.module_for(method, designs, "paired 0/1 scores")
    if design == "paired_proportions":
        made: Interval = module.paired_proportions(
            counts.both,
            counts.only_baseline,
            counts.only_candidate,
            counts.neither,
            confidence_level=settings.confidence_level,
        )
        return made
    multiplicities = np.array(
        [counts.only_baseline, counts.n - counts.discordant, counts.only_candidate]
    )
    there = multiplicities > 0
    return means.estimator_of_mean(
        method,
        STEPS[there],
        multiplicities[there],
        settings,
        distribution=distribution,
        scores="paired 0/1 scores",
    ).interval_at(settings.confidence_level)


def redrawn(scores: Floats, stream: Stream, settings: Settings) -> Outcome:
    """Return what a data set comes to, its bootstrap distribution drawn.

    Parameters
    ----------
    scores : ndarray, shape (2, item)
        0 and 1, the baseline first.
    stream : Stream
        Of the resamples of this data set.
    settings : Settings
        Their seed is not used.
    """
    counts = binary.counts_of(*scores)
    known = _known(counts.only_baseline, counts.only_candidate, counts.n, settings)
    if known.computed is not None:
        return known.computed
    interval = known.drawn(stream, settings)
    return Outcome(
        estimate=known.estimate,
        low=interval.low,
        high=interval.high,
        method=interval.method,
        drawn=True,
        test=f"{known.test.name}-{known.test.variant}",
        p_value=known.test.p_value,
        code=known.code(interval, settings),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Known:
    """What follows from the counts of a data set.

    Attributes
    ----------
    counts : Counts
    estimate : float
    method : str
        Of the interval.
    test : Significance
        The companion.
    first : int
        Least difference, in items, that is drawn.
    below : ndarray, ascending
        Probability of at most that difference, and of at most each one above it.
    computed : Outcome or None
        Where the method takes no bootstrap distribution, or there is but one difference.
    codes : dict
        Readings so far, by whether the interval excludes 0 and whether it is a point.
    """

    counts: Counts
    estimate: float
    method: str
    test: Significance
    first: int
    below: Floats
    computed: Outcome | None
    codes: dict[tuple[bool, bool], Code] = field(default_factory=dict)

    def drawn(self, stream: Stream, settings: Settings) -> Interval:
        """Return the interval from draws of the difference on resamples."""
        words = stream.words(settings.n_resamples)
        if self.method != percentile.METHOD:
            replicates = Replicates.of(self._differences(words), estimate=self.estimate)
            return interval_of(self.counts, self.method, lambda: replicates, settings)
        # A greater word is a greater difference: only the two that are the ends are looked up.
        ends = _positions(settings)
        low, high = self._differences(np.partition(words, ends)[[*ends]]).tolist()
        return Interval(
            low=low,
            high=high,
            confidence_level=settings.confidence_level,
            method=self.method,
        )

    def _differences(self, words: NDArray[np.uint64]) -> Floats:
        more = np.searchsorted(self.below, uniforms(words))
        found: Floats = (self.first + more) / self.counts.n
        return found

    def code(self, interval: Interval, settings: Settings) -> Code:
        """Read the interval beside the test."""
        key = interval.excludes(0.0), interval.low == interval.high
        if key not in self.codes:
            found = Inference(
                estimate=self.estimate,
                standard_error=0.0,
                interval=interval,
                p_value=math.nan,
                tests=(self.test,),
                counts=self.counts,
                varies=self.counts.discordant > 0,
            )
            self.codes[key] = outcome_of(found, self.counts.n, settings).code
        return self.codes[key]


@lru_cache(maxsize=KEPT)
def _known(only_baseline: int, only_candidate: int, n: int, settings: Settings) -> _Known:
    # How the items on which the systems agree are split matters to no distribution.
    counts = of_discordant(n, only_baseline, only_candidate)
    method = binary.chosen(counts)[0] if settings.method == "auto" else settings.method
    lattice = exact.paired_counts(only_baseline, only_candidate, n)
    below = np.cumsum(lattice.pmf)
    # Differences less likely than the least uniform number are never drawn.
    first, last = np.searchsorted(below, [LEAST, 1.0 - LEAST]).tolist()
    draws = last > first and method in methods.offering("from_distribution")
    return _Known(
        counts=counts,
        estimate=(only_candidate - only_baseline) / n,
        method=method,
        test=_companion(counts, settings),
        first=lattice.start + first,
        below=below[first:last].copy(),
        computed=None if draws else outcome_of(binary.paired(counts, settings), n, settings),
    )


def _companion(counts: Counts, settings: Settings) -> Significance:
    if settings.test in VARIANTS:
        variant = VARIANTS[settings.test]
        return mcnemar(counts.only_baseline, counts.only_candidate, variant=variant)
    return binary.paired(counts, settings).tests[0]


@lru_cache(maxsize=8)
def _positions(settings: Settings) -> tuple[int, int]:
    """Return the positions, from 0, of the ends of a percentile interval among sorted draws."""
    places = np.arange(settings.n_resamples, dtype=np.float64)
    found = percentile.from_distribution(
        Replicates.of(places), estimate=0.0, confidence_level=settings.confidence_level
    )
    return int(found.low), int(found.high)
