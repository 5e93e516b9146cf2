"""Route scores to the inference that is made for their kind."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import MetricError
from deadheat.inference import binary, clustered, corpus, means, methods, single
from deadheat.inference import unpaired as two_sets
from deadheat.inference.result import Inference, OverRuns
from deadheat.intervals import wilson
from deadheat.intervals.interval import Interval
from deadheat.notes import Note
from deadheat.rng import Purpose
from deadheat.scores import Scores
from deadheat.scores.units import PLURAL, Units
from deadheat.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Between:
    """A difference and the interval of each of its two sides."""

    difference: Inference
    baseline: Interval
    candidate: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Alone:
    """The interval and the standard error of one system's value."""

    interval: Interval
    standard_error: float
    design_effect: float = 1.0
    runs: OverRuns | None = None
    notes: tuple[Note, ...] = ()


def paired(parts: Sequence[Scores], settings: Settings) -> list[Between]:
    """Infer the difference between two systems, the baseline first, by each of several metrics.

    Parameters
    ----------
    parts : sequence of Scores
        Of the same two systems on the same items, one for each metric. What is drawn is drawn
        once for all of them.
    """
    corpora = _resampled(parts, settings)
    return [
        _of_means(part, settings) if found is None else _of_corpus(part, found, settings)
        for part, found in zip(parts, corpora, strict=True)
    ]


def _resampled(
    parts: Sequence[Scores], settings: Settings, purpose: Purpose = Purpose.BOOTSTRAP
) -> list[corpus.Resampled | None]:
    """Resample together what has to be; None for means that have a way of their own."""
    whole = [part for part in parts if is_resampled(part, settings)]
    drawn = iter(corpus.resampled(whole, settings, purpose) if whole else ())
    return [next(drawn) if is_resampled(part, settings) else None for part in parts]


def is_resampled(part: Scores, settings: Settings) -> bool:
    """Whether values are resampled with all that is weighted, rather than scores of items."""
    units = part.units
    if part.kind == "corpus":
        return True
    if units is None:
        return False
    if units.kind != "item" and units.strata is None:
        if settings.method == "auto":
            return False
        if part.kind == "binary" and len(part.systems) == 1 and settings.method == wilson.METHOD:
            return False
        _, design = methods.module_for(
            settings.method,
            ("clustered_mean", "from_distribution"),
            f"a mean over {PLURAL[units.kind]}",
        )
        return design != "clustered_mean"
    return True


def _of_corpus(part: Scores, found: corpus.Resampled, settings: Settings) -> Between:
    difference = corpus.paired(found, settings)
    sides = [_corpus_side(part, found, index, _alone(settings)) for index in (0, 1)]
    return Between(difference=difference, baseline=sides[0], candidate=sides[1])


def _corpus_side(part: Scores, found: corpus.Resampled, index: int, settings: Settings) -> Interval:
    """Return the interval of one value; 0/1 scores in clusters have Wilson's all the same."""
    units = part.units
    clusters = units is not None and units.kind != "item" and units.strata is None
    if part.kind == "binary" and clusters and settings.method == "auto":
        return _side(part, index, settings)
    return corpus.side(found, index, settings)


def _of_means(scores: Scores, settings: Settings) -> Between:
    columns = [_column(scores, index) for index in (0, 1)]
    sides = [_side(scores, index, _alone(settings)) for index in (0, 1)]
    if scores.units is not None:
        difference = clustered.paired(columns[1] - columns[0], scores.units, settings)
        return Between(difference=difference, baseline=sides[0], candidate=sides[1])
    difference = (
        binary.paired(binary.counts_of(columns[0], columns[1], scores.multiplicities), settings)
        if scores.kind == "binary"
        else means.paired(
            means.without_rounding(
                columns[1] - columns[0], max(float(np.abs(side).max()) for side in columns)
            ),
            settings,
            mirrored=scores.systems[0] > scores.systems[1],
            units=scores.multiplicities,
        )
    )
    return Between(difference=difference, baseline=sides[0], candidate=sides[1])


def unpaired(
    baseline: Sequence[Scores], candidate: Sequence[Scores], settings: Settings
) -> list[Between]:
    """Infer the difference between two systems on items of their own, by each of several metrics.

    Parameters
    ----------
    baseline, candidate : sequence of Scores
        One for each metric.
    """
    # Streams belong to systems, not to roles: exchanging the two sides only flips the sign.
    first = baseline[0].systems[0] <= candidate[0].systems[0]
    alone = (Purpose.FIRST_ALONE, Purpose.SECOND_ALONE)
    purposes = alone if first else alone[::-1]
    drawn = [
        _resampled(parts, settings, purpose)
        for parts, purpose in zip((baseline, candidate), purposes, strict=True)
    ]
    return [
        _two_means(sides, purposes, settings)
        if found[0] is None or found[1] is None
        else _two_corpora((found[0], found[1]), settings)
        for sides, found in zip(
            zip(baseline, candidate, strict=True), zip(*drawn, strict=True), strict=True
        )
    ]


def _two_corpora(found: tuple[corpus.Resampled, corpus.Resampled], settings: Settings) -> Between:
    sides = [corpus.side(part, 0, _alone(settings)) for part in found]
    difference = two_sets.corpora(found[0], found[1], settings)
    return Between(difference=difference, baseline=sides[0], candidate=sides[1])


def _two_means(
    parts: tuple[Scores, Scores], purposes: tuple[Purpose, ...], settings: Settings
) -> Between:
    columns = [_column(scores, 0) for scores in parts]
    sides = [_side(scores, 0, _alone(settings)) for scores in parts]
    units = [scores.units or Units.alone(len(scores.rows)) for scores in parts]
    if any(own.kind != "item" for own in units):
        difference = clustered.unpaired(columns[0], columns[1], (units[0], units[1]), settings)
        return Between(difference=difference, baseline=sides[0], candidate=sides[1])
    both_binary = all(scores.kind == "binary" for scores in parts)
    infer = two_sets.proportions if both_binary else two_sets.two_means
    difference = infer(columns[0], columns[1], purposes, settings)
    return Between(difference=difference, baseline=sides[0], candidate=sides[1])


def alone(parts: Sequence[Scores], settings: Settings) -> list[Alone]:
    """Return the interval of the one system of `parts`, by each of several metrics."""
    return [
        _mean_alone(part, settings)
        if found is None
        else Alone(
            interval=_corpus_side(part, found, 0, settings),
            standard_error=corpus.standard_error(found.draws[:, 0], found.values[0]),
            design_effect=found.design_effects[0],
            notes=() if found.units is None else clustered.said(found.units),
        )
        for part, found in zip(parts, _resampled(parts, settings), strict=True)
    ]


def each(scores: Scores, settings: Settings, draws: NDArray[np.float64] | None) -> list[Interval]:
    """Return the interval of every system's own value.

    Parameters
    ----------
    draws : ndarray, shape (resample, system), or None
        Values on shared resamples, for what has to be drawn.
    """
    alone = _alone(settings)
    if draws is None or (scores.per_item is not None and scores.units is None):
        return [_side(scores, at, alone) for at in range(len(scores.systems))]
    units = scores.units
    if scores.kind == "binary" and units is not None and units.strata is None:
        return [_side(scores, at, alone) for at in range(len(scores.systems))]
    return [
        corpus.expanded(draws[:, at], float(scores.values[at]), scores.n, alone)
        for at in range(len(scores.systems))
    ]


def _mean_alone(scores: Scores, settings: Settings) -> Alone:
    column, units = _column(scores, 0), scores.units
    interval = _side(scores, 0, settings)
    if units is not None:
        found = clustered.moments(column, units)
        return Alone(
            interval=interval,
            standard_error=found.standard_error,
            design_effect=found.design_effect,
            notes=clustered.said(units, found.df),
        )
    n = scores.n
    _, sd = means.spread(*means.distinct(column, scores.multiplicities))
    error = sd / math.sqrt(n)
    return Alone(interval=interval, standard_error=error)


def _alone(settings: Settings) -> Settings:
    """Return the settings for a side: its interval is automatic and two-sided."""
    return replace(settings, method="auto", alternative="two-sided")


def _column(scores: Scores, index: int) -> NDArray[np.float64]:
    if scores.per_item is None:
        raise MetricError(f"{scores.metrics[index].name} has no score for each item.")
    column: NDArray[np.float64] = scores.per_item[:, index]
    return column


def _side(scores: Scores, index: int, settings: Settings) -> Interval:
    column = _column(scores, index)
    if scores.units is not None:
        return clustered.side(column, scores.units, settings, binary=scores.kind == "binary")
    if scores.kind == "binary":
        right = binary.counted(column == 1.0, scores.multiplicities)
        return single.proportion(right, scores.n, settings)
    return single.mean(column, settings, scores.multiplicities)
