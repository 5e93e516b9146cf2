"""Metrics of the whole set, such as F1: functions of summed statistics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from deadheat.distributions import Replicates
from deadheat.inference import companions
from deadheat.inference.conclude import NO_VALUE, ONE_UNIT, conclude
from deadheat.inference.methods import from_distribution, module_for
from deadheat.inference.result import Inference
from deadheat.intervals.acceleration import acceleration
from deadheat.intervals.interval import Interval, undefined
from deadheat.notes import Note
from deadheat.resampling.bootstrap import bootstrap_together
from deadheat.rng import Purpose
from deadheat.scores import Scores, Weighing, types_together
from deadheat.settings import Alternative, Settings
from deadheat.significance.delong import delong
from deadheat.significance.shift import shift
from deadheat.significance.significance import Significance
from deadheat.significance.swap import swap

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SCORES = "a metric of the whole set"

SMALL = 50
"""Fewer items than this and the interval of a corpus metric is flagged (STATISTICS.md 0.2)."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Resampled:
    """Systems scored on the same resamples.

    Attributes
    ----------
    metric : str
        Its name.
    weighing : Weighing
        How the metric depends on the weights of items.
    types : ndarray, shape (type, system, k)
        What is weighted.
    multiplicities : ndarray, shape (type,)
    values : ndarray, shape (system,)
        The metric on the items as they are.
    draws : ndarray, shape (resample, system)
        The metric on each resample; NaN where undefined.
    left_out : ndarray, shape (type, system)
        The metric with one unit of each type left out.
    n_undefined : int
        Resamples in which the metric of some system rests on a ratio 0/0.
    """

    metric: str
    weighing: Weighing
    types: Floats
    multiplicities: Ints
    values: Floats
    draws: Floats
    left_out: Floats
    n_undefined: int

    @property
    def n(self) -> int:
        """Number of units."""
        return int(self.multiplicities.sum())


def resampled(
    parts: Sequence[Scores], settings: Settings, purpose: Purpose = Purpose.BOOTSTRAP
) -> list[Resampled]:
    """Draw resamples of items and score every system on each, by every metric alike.

    Parameters
    ----------
    parts : sequence of Scores
        Of the same systems on the same items, one for each metric.
    """
    types, multiplicities = types_together(parts)
    functionals = [
        part.weighing.functional(statistics, multiplicities)
        for part, statistics in zip(parts, types, strict=True)
    ]
    columns = bootstrap_together(
        functionals,
        multiplicities,
        n_resamples=settings.n_resamples,
        seed=settings.seed,
        threads=settings.threads,
        purpose=purpose,
        progress=settings.progress,
    )
    ends = np.cumsum([functional.shape[1] for functional in functionals])[:-1]
    return [
        _resampled(part, statistics, multiplicities, found)
        for part, statistics, found in zip(
            parts, types, np.split(columns, ends, axis=1), strict=True
        )
    ]


def _resampled(part: Scores, types: Floats, multiplicities: Ints, columns: Floats) -> Resampled:
    n_systems = len(part.systems)
    draws = columns[:, :n_systems]
    # Marks of 0/0 stand beside the values where they can occur; NaN is one wherever it is.
    marks = np.isnan(draws).any(axis=1) | columns[:, n_systems:].any(axis=1)
    return Resampled(
        metric=part.metrics[0].name,
        weighing=part.weighing,
        types=types,
        multiplicities=multiplicities,
        values=part.values,
        draws=draws,
        left_out=part.weighing.left_out(types, multiplicities),
        n_undefined=int(np.count_nonzero(marks)),
    )


def side(found: Resampled, index: int, settings: Settings) -> Interval:
    """Return the interval of one system's own value."""
    method = "bca_t" if settings.method == "auto" else settings.method
    value = float(found.values[index])
    if found.n == 1 or math.isnan(value):
        reason = ONE_UNIT if found.n == 1 else NO_VALUE
        return undefined(method, settings.confidence_level, reason)
    module_for(method, ("from_distribution",), SCORES)
    return from_distribution(
        method,
        Replicates.of(found.draws[:, index], estimate=value),
        estimate=value,
        n_units=found.n,
        acceleration=lambda: acceleration(found.left_out[:, index], found.multiplicities),
        settings=settings,
    ).interval_at(settings.confidence_level)


def standard_error(draws: Floats, value: float) -> float:
    """Return the standard deviation of the values on the resamples; NaN for one unit."""
    return float(Replicates.of(draws, estimate=value).sd) if not math.isnan(value) else math.nan


def paired(found: Resampled, settings: Settings) -> Inference:
    """Infer the difference between two systems on the same items, the baseline first."""
    method = "bca_t" if settings.method == "auto" else settings.method
    module_for(method, ("from_distribution",), SCORES)
    estimate = float(found.values[1] - found.values[0])
    distribution = Replicates.of(found.draws[:, 1] - found.draws[:, 0], estimate=estimate)
    left_out = found.left_out[:, 1] - found.left_out[:, 0]
    return conclude(
        from_distribution(
            method,
            distribution,
            estimate=estimate,
            n_units=found.n,
            acceleration=lambda: acceleration(left_out, found.multiplicities),
            settings=settings,
        ),
        method=method,
        why=f"{found.n:,} items" if settings.method == "auto" else "",
        estimate=estimate,
        standard_error=distribution.sd,
        n_units=found.n,
        varies=varies(distribution, estimate),
        tests=()
        if math.isnan(estimate)
        else companions.run(
            _tests(found, distribution, estimate, settings),
            ("swap", *_OF_METRIC.get(found.metric, ())),
            settings,
        ),
        settings=settings,
        n_undefined=found.n_undefined,
        notes=remarks(found.n, found.n_undefined, distribution.n_undefined),
    )


def varies(distribution: Replicates, estimate: float) -> bool:
    """Whether the statistic took more than one value over the resamples."""
    return bool(distribution.sd > 1e-12 * max(1.0, abs(estimate)))


def remarks(n: int, n_undefined: int, n_dropped: int) -> tuple[Note, ...]:
    """Flag a small set and resamples in which the metric was undefined."""
    notes = []
    if n < SMALL:
        notes.append(
            Note(
                code="small_n",
                message=f"{n} items are few for an interval of a metric of the whole set: it may "
                "be too short.",
            )
        )
    if n_undefined:
        notes.append(
            Note(
                code="undefined_resamples",
                message=f"The metric rests on a ratio 0/0 in {n_undefined:,} resamples: "
                f"{_decided(n_undefined, n_dropped)}.",
            )
        )
    return tuple(notes)


def _decided(n_undefined: int, n_dropped: int) -> str:
    if n_dropped == n_undefined:
        return "it has no value there, and they were left out"
    policy = "the zero-division policy decided its value there"
    return f"{policy}, and {n_dropped:,} without a value were left out" if n_dropped else policy


def _tests(
    found: Resampled, distribution: Replicates, estimate: float, settings: Settings
) -> companions.Tests:
    alternative = settings.alternative

    def exchanged() -> Significance:
        null = found.weighing.exchanged(
            found.types,
            found.multiplicities,
            seed=settings.seed,
            n_resamples=settings.n_resamples,
            threads=settings.threads,
            progress=settings.progress,
        )
        return swap(null, estimate, alternative=alternative)

    own = {
        name: partial(test, found, alternative)
        for name, test in _OF_METRIC.get(found.metric, {}).items()
    }
    return (
        {
            "swap": exchanged,
            "bootstrap": lambda: companions.share(distribution, alternative),
        }
        | own
        | companions.two_sided_only(
            {"shift": lambda: shift(distribution, estimate, variant="two-sided")}, alternative
        )
    )


def _delong(found: Resampled, alternative: Alternative) -> Significance:
    return delong(
        found.types[:, 0, 0],
        found.types[:, 0, 1],
        found.types[:, 1, 1],
        found.multiplicities,
        alternative=alternative,
    )


_OF_METRIC = {"auroc": {"delong": _delong}}
"""Tests that answer a question about one metric only."""
