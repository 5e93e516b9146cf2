"""What is resampled as a whole: metrics such as F1 and AUROC, means of many clusters or strata."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from deadheat.distributions import Replicates
from deadheat.inference import companions
from deadheat.inference.clustered import TOO_FEW, said
from deadheat.inference.conclude import NO_VALUE, ONE_UNIT, conclude
from deadheat.inference.methods import from_distribution, module_for
from deadheat.inference.result import Inference
from deadheat.intervals.acceleration import acceleration, pooled_acceleration
from deadheat.intervals.expanded import widened
from deadheat.intervals.interval import Interval, tail_of, undefined
from deadheat.notes import Note
from deadheat.resampling.bootstrap import bootstrap_together
from deadheat.rng import Purpose
from deadheat.scores import Scores, Types, Units, Weighing, types_together
from deadheat.scores.units import PLURAL
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

FEW = 100
"""Units from which on BCa covers a difference no worse than widened percentiles do."""


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
    strata : ndarray, shape (type,), or None
    values : ndarray, shape (system,)
        The metric on the items as they are.
    draws : ndarray, shape (resample, system)
        The metric on each resample; NaN where undefined.
    left_out : ndarray, shape (type, system)
        The metric with one unit of each type left out.
    units : Units or None
        What is resampled, where it is not items drawn freely.
    design_effects : tuple of float
        Of the value of each system and, last, of the difference of the first two.
    n_undefined : int
        Resamples in which the metric of some system rests on a ratio 0/0.
    """

    metric: str
    weighing: Weighing
    types: Floats
    multiplicities: Ints
    strata: Ints | None
    values: Floats
    draws: Floats
    left_out: Floats
    units: Units | None
    design_effects: tuple[float, ...]
    n_undefined: int

    @property
    def n(self) -> int:
        """Number of units."""
        return int(self.multiplicities.sum())


def resampled(
    parts: Sequence[Scores],
    settings: Settings,
    purpose: Purpose = Purpose.BOOTSTRAP,
    *,
    left_out: bool = True,
) -> list[Resampled]:
    """Draw resamples of items and score every system on each, by every metric alike.

    Parameters
    ----------
    parts : sequence of Scores
        Of the same systems on the same items, one for each metric.
    settings, purpose
        Of the draws.
    left_out : bool
        Whether leave-one-out values are wanted too.
    """
    types = types_together(parts)
    functionals = [
        part.weighing.functional(statistics, types.multiplicities)
        for part, statistics in zip(parts, types.statistics, strict=True)
    ]
    columns = bootstrap_together(
        functionals,
        types.multiplicities,
        n_resamples=settings.n_resamples,
        seed=settings.seed,
        threads=settings.threads,
        engine=settings.engine,
        purpose=purpose,
        strata=types.strata,
        progress=settings.progress,
    )
    ends = np.cumsum([functional.shape[1] for functional in functionals])[:-1]
    return [
        _resampled(part, types, statistics, found, left_out)
        for part, statistics, found in zip(
            parts, types.statistics, np.split(columns, ends, axis=1), strict=True
        )
    ]


def _resampled(
    part: Scores, types: Types, statistics: Floats, columns: Floats, wanted: bool
) -> Resampled:
    n_systems = len(part.systems)
    draws = columns[:, :n_systems]
    # Marks of 0/0 stand beside the values where they can occur; NaN is one wherever it is.
    marks = np.isnan(draws).any(axis=1) | columns[:, n_systems:].any(axis=1)
    shape = (len(statistics) if wanted else 0, n_systems)
    left_out = (
        part.weighing.left_out(statistics, types.multiplicities) if wanted else np.empty(shape)
    )
    return Resampled(
        metric=part.metrics[0].name,
        weighing=part.weighing,
        types=statistics,
        multiplicities=types.multiplicities,
        strata=types.strata,
        values=part.values,
        draws=draws,
        left_out=left_out,
        units=part.units,
        design_effects=design_effects(part, left_out, types.multiplicities)
        if wanted
        else (math.nan,) * (n_systems + 1),
        n_undefined=int(np.count_nonzero(marks)),
    )


def design_effects(part: Scores, left_out: Floats, multiplicities: Ints) -> tuple[float, ...]:
    """Return the jackknife variance over units by that over items, for each value and a gap."""
    if part.units is None or part.units.kind == "item" or part.items is None:
        return (1.0,) * (len(part.systems) + 1)
    if part.units.averaged:
        return (math.nan,) * (len(part.systems) + 1)
    alone = types_together([part.items])
    by_item = part.items.weighing.left_out(alone.statistics[0], alone.multiplicities)
    return tuple(
        variance(unit, multiplicities) / simple if simple > 0.0 else math.nan
        for unit, simple in (
            (unit, variance(item, alone.multiplicities))
            for unit, item in zip(_with_gap(left_out), _with_gap(by_item), strict=True)
        )
    )


def _with_gap(left_out: Floats) -> list[Floats]:
    columns = list(left_out.T)
    return [*columns, columns[1] - columns[0] if len(columns) > 1 else columns[0]]


def variance(left_out: Floats, multiplicities: Ints) -> float:
    """Return the jackknife variance of a value."""
    n = float(multiplicities.sum())
    mean = float((left_out * multiplicities).sum()) / n
    return (n - 1.0) / n * float((multiplicities * (left_out - mean) ** 2).sum())


def refused(found: Resampled) -> str:
    """Say why these units are not resampled; empty where they are."""
    if found.units is None or found.units.kind == "item" or found.n >= TOO_FEW:
        return ""
    kind = PLURAL[found.units.kind]
    if found.n == 1:
        return f"one {found.units.kind} cannot show how much {kind} vary"
    return f"{found.n} {kind} are too few to be resampled (at least {TOO_FEW} are needed)"


def side(found: Resampled, index: int, settings: Settings) -> Interval:
    """Return the interval of one system's own value."""
    method = "bca_t" if settings.method == "auto" else settings.method
    value = float(found.values[index])
    why = refused(found)
    if found.n == 1 or math.isnan(value) or why:
        reason = why or (ONE_UNIT if found.n == 1 else NO_VALUE)
        return undefined(method, settings.confidence_level, reason)
    module_for(method, ("from_distribution",), SCORES)
    return from_distribution(
        method,
        Replicates.of(found.draws[:, index], estimate=value),
        estimate=value,
        n_units=found.n,
        acceleration=lambda: _acceleration(found, found.left_out[:, index]),
        settings=settings,
    ).interval_at(settings.confidence_level)


def expanded(draws: Floats, value: float, n_units: int, settings: Settings) -> Interval:
    """Return the t-expanded percentile interval of one system among many.

    Leaving out each unit of every system in turn, as BCa wants, costs more than all draws.
    """
    return from_distribution(
        "expanded",
        Replicates.of(draws, estimate=value),
        estimate=value,
        n_units=n_units,
        acceleration=lambda: 0.0,
        settings=settings,
    ).interval_at(settings.confidence_level)


def standard_error(draws: Floats, value: float) -> float:
    """Return the standard deviation of the values on the resamples; NaN for one unit."""
    return float(Replicates.of(draws, estimate=value).sd) if not math.isnan(value) else math.nan


def chosen(found: Resampled, settings: Settings) -> tuple[str, str]:
    """Return the automatic method for a difference and why.

    Where a label has a handful of items, its resamples lie to one side for reasons that the next
    sample would not have, and both corrections of BCa are noise: of macro-F1 on 50 items its
    interval covers 87% where the percentile interval at widened levels covers 92%. Of so few units
    that no draw lies beyond the widened levels, BCa clips its own.
    """
    if found.strata is None and found.n < FEW and _placed(found.n, settings):
        return "expanded", f"small n: {_counted(found)}"
    return "bca_t", _counted(found)


def _placed(n: int, settings: Settings) -> bool:
    """Whether some draw lies beyond the levels that n units are widened to."""
    tail = tail_of(settings.confidence_level, settings.alternative)
    return n > 1 and widened(tail, n) * (settings.n_resamples + 1) >= 1.0


def paired(found: Resampled, settings: Settings) -> Inference:
    """Infer the difference between two systems on the same items, the baseline first."""
    method, why = chosen(found, settings) if settings.method == "auto" else (settings.method, "")
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
            acceleration=lambda: _acceleration(found, left_out),
            settings=settings,
        ),
        method=method,
        why=why,
        undefined_because=refused(found),
        estimate=estimate,
        standard_error=distribution.sd,
        n_units=found.n,
        n_items=None if found.units is None else found.units.n_items,
        varies=varies(distribution, estimate),
        tests=()
        if math.isnan(estimate)
        else companions.run(
            _tests(found, distribution, estimate, settings),
            ("swap", *_own_tests(found)),
            settings,
        ),
        settings=settings,
        n_undefined=found.n_undefined,
        design_effect=found.design_effects[-1],
        notes=(
            *remarks(found.n, found.n_undefined, distribution.n_undefined, found.units),
            *(() if found.units is None else said(found.units)),
        ),
    )


def _counted(found: Resampled) -> str:
    return f"{found.n:,} {PLURAL['item' if found.units is None else found.units.kind]}"


def _acceleration(found: Resampled, left_out: Floats) -> float:
    if found.strata is None:
        return acceleration(left_out, found.multiplicities)
    within = [found.strata == stratum for stratum in range(int(found.strata.max()) + 1)]
    sizes = [float(found.multiplicities[types].sum()) for types in within]
    return pooled_acceleration(
        *((1.0 - n) * left_out[types] for types, n in zip(within, sizes, strict=True)),
        multiplicities=[found.multiplicities[types] for types in within],
    )


def varies(distribution: Replicates, estimate: float) -> bool:
    """Whether the statistic took more than one value over the resamples."""
    return bool(distribution.sd > 1e-12 * max(1.0, abs(estimate)))


def remarks(
    n: int, n_undefined: int, n_dropped: int, units: Units | None = None
) -> tuple[Note, ...]:
    """Flag a small set and resamples in which the metric was undefined."""
    notes = []
    if n < SMALL:
        notes.append(
            Note(
                code="small_n",
                message=f"{n} {PLURAL['item' if units is None else units.kind]} are few to be "
                "resampled: an interval may be too short.",
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

    own = {name: partial(test, found, alternative) for name, test in _own_tests(found).items()}
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


def _own_tests(found: Resampled) -> dict[str, Callable[..., Significance]]:
    """Return the tests that answer a question about this metric only, for independent items."""
    return _OF_METRIC.get(found.metric, {}) if found.units is None else {}


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
