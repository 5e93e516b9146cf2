"""Claims about recipes: items and runs are both samples, and the runs of two systems differ."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy import special

from deadheat.distributions import Replicates
from deadheat.errors import UsageError
from deadheat.inference import clustered, companions, corpus
from deadheat.inference.between import Alone, Between
from deadheat.inference.conclude import conclude
from deadheat.inference.methods import Estimator, module_for
from deadheat.inference.result import Inference, OverRuns, RunPairs
from deadheat.inference.run_pairs import run_pairs
from deadheat.inference.run_tables import RunTable, tables_of
from deadheat.intervals import components, crossed, percentile
from deadheat.intervals.components import MeanOverRuns, Part, mean_over_runs
from deadheat.intervals.duality import Dual, by_bisection
from deadheat.intervals.interval import Interval
from deadheat.notes import Note
from deadheat.resampling.crossed import crossed as over_runs
from deadheat.resampling.crossed import run_weights
from deadheat.rng import Purpose
from deadheat.scores import Scores
from deadheat.settings import Alternative, Settings
from deadheat.significance.components_t import components_t
from deadheat.significance.run_permutation import run_permutation

Floats = NDArray[np.float64]
Draws = Callable[[], Floats]
"""Makes draws when they are asked for, shape (resample,)."""

DESIGNS = ("over_runs", "from_crossed")

SHOWN = ("components_t", "run_permutation")

FEW = 5
"""Fewer runs than this and how much they vary is guesswork (STATISTICS.md 5.3)."""


def paired(scores: Scores, n_runs: Sequence[int], settings: Settings) -> Between:
    """Infer the difference between two recipes on the same items.

    Parameters
    ----------
    scores : Scores
        Every run of the baseline, then every run of the candidate, as a system each.
    n_runs : sequence of int
        Runs of either.
    """
    baseline, candidate = tables_of(scores, n_runs)
    gaps = candidate.rows.mean(axis=1) - baseline.rows.mean(axis=1)
    return _between(
        (baseline, candidate),
        baseline.part(gaps),
        lambda: _on_resamples([scores], [n_runs], settings),
        settings,
        n_units=baseline.n_units,
        n_items=len(baseline.rows),
        design_effect=baseline.design_effect(gaps),
        notes=few_units(scores),
        pairs=run_pairs(baseline, candidate, settings),
    )


def unpaired(baseline: Scores, candidate: Scores, settings: Settings) -> Between:
    """Infer the difference between two recipes on items of their own.

    Parameters
    ----------
    baseline, candidate : Scores
        Every run as a system.
    """
    parts = (baseline, candidate)
    counts = [[len(scores.systems)] for scores in parts]
    first, second = (tables_of(scores, n)[0] for scores, n in zip(parts, counts, strict=True))
    return _between(
        (first, second),
        _sum(first.part_of_means(), second.part_of_means()),
        lambda: _on_resamples(parts, counts, settings),
        settings,
        n_units=min(first.n_units, second.n_units),
        n_items=len(first.rows) + len(second.rows),
        design_effect=_effect_of_both(first, second),
        notes=(*few_units(baseline), *few_units(candidate)),
    )


def alone(scores: Scores, settings: Settings) -> Alone:
    """Return the interval of the value of one recipe.

    Parameters
    ----------
    scores : Scores
        Every run as a system.
    """
    counts = [len(scores.systems)]
    (table,) = tables_of(scores, counts)
    found = table.mean()
    estimator, error = _estimator(
        found, lambda: _on_resamples([scores], [counts], settings)[0], table.n_runs, settings
    )
    return Alone(
        interval=estimator.interval_at(settings.confidence_level),
        standard_error=error,
        design_effect=table.design_effect(table.rows.mean(axis=1)),
        runs=OverRuns(mean=found, systems=(table.runs(),)),
        notes=(*few_runs(counts), *few_units(scores)),
    )


def few_runs(n_runs: Sequence[int]) -> tuple[Note, ...]:
    """Say that few runs do not show how much runs vary."""
    if min(n_runs) >= FEW:
        return ()
    message = (
        f"With {' and '.join(str(n) for n in n_runs)} runs, how much runs vary is guesswork "
        f"(below {FEW} of a system), and the interval has the length that goes with a guess."
    )
    return (Note(code="few_runs", message=message),)


def few_units(scores: Scores) -> tuple[Note, ...]:
    """Say that few or uneven clusters do not show how much clusters vary."""
    return () if scores.units is None else clustered.said(scores.units)


def _sum(*parts: Part) -> Part:
    """Add variances of independent means."""
    variance = sum(part.variance for part in parts)
    spread = sum(part.variance**2 / part.df for part in parts if part.variance > 0.0)
    return Part(variance=variance, df=variance**2 / spread if spread > 0.0 else math.nan)


def _effect_of_both(*tables: RunTable) -> float:
    """Return the variance of the gap of two means over rows by that without clusters."""
    variances = [table.part_of_means().variance for table in tables]
    effects = [table.design_effect(table.rows.mean(axis=1)) for table in tables]
    alone = sum(v / effect for v, effect in zip(variances, effects, strict=True) if v > 0.0)
    return sum(variances) / alone if alone > 0.0 else math.nan


def _between(
    sides: tuple[RunTable, RunTable],
    rows: Part,
    drawn: Callable[[], list[Floats]],
    settings: Settings,
    *,
    n_units: int,
    n_items: int,
    design_effect: float = 1.0,
    notes: tuple[Note, ...] = (),
    pairs: RunPairs | None = None,
) -> Between:
    values = [table.values for table in sides]
    found = mean_over_runs(
        float(values[1].mean() - values[0].mean()), rows, [table.parts() for table in sides]
    )
    n_runs = (sides[0].n_runs, sides[1].n_runs)

    def gaps() -> Floats:
        first, second = drawn()
        return second - first

    tests: companions.Tests = {
        "components_t": lambda: components_t(
            found.estimate,
            found.standard_error,
            found.df,
            n_runs=n_runs,
            alternative=settings.alternative,
            note=found.note,
        ),
        "run_permutation": lambda: run_permutation(*values, alternative=settings.alternative),
    }
    automatic = settings.method == "auto"
    estimator, error = _estimator(found, gaps, min(n_runs), settings)
    inferred = conclude(
        estimator,
        method=components.METHOD if automatic else settings.method,
        why=f"{n_runs[0]} and {n_runs[1]} runs, a sample of others" if automatic else "",
        undefined_because=found.note,
        estimate=found.estimate,
        standard_error=error,
        n_units=n_units,
        n_items=n_items,
        varies=found.standard_error > 0.0,
        tests=companions.run(tests, SHOWN, settings),
        settings=settings,
        detectable=_detectable(found, settings),
        design_effect=design_effect,
        notes=(*few_runs(n_runs), *notes),
    )
    own = replace(settings, method="auto", alternative="two-sided")
    intervals = [
        components.over_runs(table.mean(), confidence_level=own.confidence_level) for table in sides
    ]
    return Between(
        difference=_over_runs(inferred, found, sides, pairs),
        baseline=intervals[0],
        candidate=intervals[1],
    )


def _over_runs(
    inferred: Inference, found: MeanOverRuns, sides: Sequence[RunTable], pairs: RunPairs | None
) -> Inference:
    """Add what the inference rests on; no number of items resolves a gap that runs blur."""
    over = OverRuns(mean=found, systems=tuple(table.runs() for table in sides), pairs=pairs)
    return replace(inferred, runs=over, resolving=None)


def _detectable(found: MeanOverRuns, settings: Settings) -> float:
    """Return the gap that t with so few degrees of freedom resolves with 80% power, about."""
    if found.note:
        return math.nan
    quantiles = special.stdtrit(found.df, [1.0 - settings.planning_alpha / 2.0, 0.8])
    return float(quantiles.sum()) * found.standard_error


def _estimator(
    found: MeanOverRuns, drawn: Draws, n_runs: int, settings: Settings
) -> tuple[Estimator, float]:
    """Make intervals and a standard error, by components or by the crossed bootstrap."""
    method = components.METHOD if settings.method == "auto" else settings.method
    module, design = module_for(method, DESIGNS, "runs that are a sample of others")
    if design == "from_crossed":
        if n_runs < crossed.TOO_FEW:
            raise UsageError(
                f"{n_runs} runs of a system are too few to be resampled; --method crossed takes "
                f"{crossed.TOO_FEW} or more.",
                fix="Use --method components, or give more runs.",
            )
        return _crossed(found.estimate, drawn(), settings)

    def interval_at(
        confidence_level: float, alternative: Alternative = settings.alternative
    ) -> Interval:
        made: Interval = module.over_runs(
            found, confidence_level=confidence_level, alternative=alternative
        )
        return made

    estimator = Estimator(interval_at=interval_at, p_value=lambda: by_bisection(interval_at))
    return estimator, found.standard_error


def _crossed(estimate: float, draws: Floats, settings: Settings) -> tuple[Estimator, float]:
    distribution = Replicates.of(draws, estimate=estimate)

    def interval_at(
        confidence_level: float, alternative: Alternative = settings.alternative
    ) -> Interval:
        return crossed.from_crossed(
            distribution,
            estimate=estimate,
            confidence_level=confidence_level,
            alternative=alternative,
        )

    def p_value() -> Dual:
        return percentile.p_value(distribution, estimate=estimate, alternative=settings.alternative)

    made = Estimator(interval_at=interval_at, p_value=p_value, distribution=distribution)
    return made, distribution.sd


def _on_resamples(
    parts: Sequence[Scores], n_runs: Sequence[Sequence[int]], settings: Settings
) -> list[Floats]:
    """Return the value of each system on resamples of items and runs, shape (resample,) each.

    Parameters
    ----------
    parts : sequence of Scores
        One for both systems on the same items, or one for each.
    n_runs : sequence of sequence of int
        Runs of each system, by part.
    """
    # Streams belong to systems, not to roles: exchanging the two sides only flips the sign.
    last = parts[-1].systems[-1]
    turn = 1 if parts[0].systems[0] <= last else -1
    of_runs = (Purpose.FIRST_RUNS, Purpose.SECOND_RUNS)[::turn]
    of_items: tuple[Purpose, ...] = (Purpose.FIRST_ALONE, Purpose.SECOND_ALONE)[::turn]
    if len(parts) == 1:
        of_items = (Purpose.BOOTSTRAP,)
    if sum(map(len, n_runs)) == 1:
        of_runs = (Purpose.FIRST_RUNS,)
    found: list[Floats] = []
    for part, counts, purpose in zip(parts, n_runs, of_items, strict=True):
        (resampled,) = corpus.resampled([part], settings, purpose)
        for values in np.split(resampled.draws, np.cumsum(counts)[:-1], axis=1):
            weights = run_weights(
                values.shape[1],
                n_resamples=settings.n_resamples,
                seed=settings.seed,
                purpose=of_runs[len(found)],
                threads=settings.threads,
            )
            found.append(over_runs(values, weights))
    return found
