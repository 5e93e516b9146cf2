"""Read, align and score, once for all metrics that want the data in the same form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deadheat.alignment import Alignment, Missing, Unparseable, align
from deadheat.evaluation import Evaluation
from deadheat.metrics import Metric
from deadheat.readers import read
from deadheat.scores import Scores, by_units, score_apart, units_of

Groups = Callable[[tuple[str, ...]], Sequence[Sequence[str]]]
"""From the systems that were read to those that are aligned with each other."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Measured:
    """Systems as one metric sees them.

    Attributes
    ----------
    evaluation : Evaluation
        As read.
    alignments : tuple of Alignment
        One for each group of systems.
    scores : tuple of Scores
        One for each group.
    """

    evaluation: Evaluation
    alignments: tuple[Alignment, ...]
    scores: tuple[Scores, ...]


def measured(
    sources: Sequence[Any],
    reading: Mapping[str, Any],
    measures: Sequence[Metric | None],
    groups: Groups,
    *,
    missing: Missing,
    unparseable: Unparseable,
) -> list[Measured]:
    """Score systems by several metrics.

    Metrics of texts read an empty cell as an empty text, and metrics of runs keep the runs of an
    item apart; all others share one alignment.

    Parameters
    ----------
    sources : sequence
        See `deadheat.readers.read`.
    reading : mapping
        Options of `deadheat.readers.read`.
    measures : sequence of (Metric or None)
        None for the metric that suits the data.
    groups : callable
        Which systems are aligned with each other.
    missing, unparseable
        See `deadheat.alignment.align`.
    """
    evaluations: dict[bool, Evaluation] = {}
    aligned: dict[tuple[bool, bool], tuple[Alignment, ...]] = {}
    found = []
    for measure in measures:
        texts, runs = _wants(measure)
        if texts not in evaluations:
            evaluations[texts] = read(*sources, **reading, empty_texts=texts)
        evaluation = evaluations[texts]
        if (texts, runs) not in aligned:
            aligned[texts, runs] = tuple(
                align(
                    evaluation,
                    systems,
                    missing=missing,
                    unparseable=unparseable,
                    runs="keep" if runs else "average",
                )
                for systems in groups(evaluation.systems)
            )
        alignments = aligned[texts, runs]
        scores = tuple(
            by_units(part, units_of(alignment))
            for part, alignment in zip(score_apart(alignments, measure), alignments, strict=True)
        )
        found.append(Measured(evaluation=evaluation, alignments=alignments, scores=scores))
    return found


def together(parts: Sequence[Measured]) -> list[list[int]]:
    """Return the positions of metrics whose systems are on the same rows, grouped."""
    groups: dict[int, list[int]] = {}
    for position, part in enumerate(parts):
        groups.setdefault(id(part.alignments), []).append(position)
    return list(groups.values())


def _wants(measure: Metric | None) -> tuple[bool, bool]:
    """Whether a metric wants empty cells as texts, and runs kept apart."""
    takes = None if measure is None else measure.takes
    return takes == "texts", takes == "runs"
