"""Route scores to the inference that is made for their kind."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import MetricError
from deadheat.inference import binary, corpus, means, single
from deadheat.inference import unpaired as two_sets
from deadheat.inference.result import Inference
from deadheat.intervals.interval import Interval
from deadheat.rng import Purpose
from deadheat.scores import Scores
from deadheat.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Between:
    """A difference and the interval of each of its two sides."""

    difference: Inference
    baseline: Interval
    candidate: Interval


def paired(scores: Scores, settings: Settings) -> Between:
    """Infer the difference between the two systems of `scores`, the baseline first."""
    if scores.kind == "corpus":
        found = corpus.resampled(scores, settings)
        difference = corpus.paired(found, settings)
        sides = [corpus.side(found, index, _alone(settings)) for index in (0, 1)]
    else:
        columns = [_column(scores, index) for index in (0, 1)]
        sides = [_side(scores, index, _alone(settings)) for index in (0, 1)]
        difference = (
            binary.paired(binary.counts_of(*columns), settings)
            if scores.kind == "binary"
            else means.paired(
                means.without_rounding(
                    columns[1] - columns[0], max(float(np.abs(side).max()) for side in columns)
                ),
                settings,
                mirrored=scores.systems[0] > scores.systems[1],
            )
        )
    return Between(difference=difference, baseline=sides[0], candidate=sides[1])


def unpaired(baseline: Scores, candidate: Scores, settings: Settings) -> Between:
    """Infer the difference between two systems on items of their own."""
    kinds = {baseline.kind, candidate.kind}
    # Streams belong to systems, not to roles: exchanging the two sides only flips the sign.
    first = baseline.systems[0] <= candidate.systems[0]
    alone = (Purpose.FIRST_ALONE, Purpose.SECOND_ALONE)
    purposes = alone if first else alone[::-1]
    if "corpus" in kinds:
        found = [
            corpus.resampled(scores, settings, purpose)
            for scores, purpose in zip((baseline, candidate), purposes, strict=True)
        ]
        sides = [corpus.side(part, 0, _alone(settings)) for part in found]
        difference = two_sets.corpora(found[0], found[1], settings)
    else:
        columns = [_column(scores, 0) for scores in (baseline, candidate)]
        sides = [_side(scores, 0, _alone(settings)) for scores in (baseline, candidate)]
        infer = two_sets.proportions if kinds == {"binary"} else two_sets.two_means
        difference = infer(columns[0], columns[1], purposes, settings)
    return Between(difference=difference, baseline=sides[0], candidate=sides[1])


def alone(scores: Scores, settings: Settings) -> Interval:
    """Return the interval of the one system of `scores`."""
    if scores.kind == "corpus":
        return corpus.side(corpus.resampled(scores, settings), 0, settings)
    return _side(scores, 0, settings)


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
    if scores.kind == "binary":
        return single.proportion(int(np.count_nonzero(column)), len(column), settings)
    return single.mean(column, settings)
