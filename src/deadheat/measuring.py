"""Read, align and score, once for all metrics that want the data in the same form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from deadheat.alignment import Alignment, Missing, Unparseable, align
from deadheat.dependence import ByStratum, Unit, by_stratum, in_units
from deadheat.errors import UsageError, known
from deadheat.evaluation import Evaluation
from deadheat.metrics import Metric
from deadheat.readers import read
from deadheat.scores import Scores, score_apart
from deadheat.scores.units import Strata, Weighting

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
    units : tuple of Unit
        What is resampled, for each group.
    by_stratum : ByStratum or None
        What each stratum shows, where there are strata and one group.
    """

    evaluation: Evaluation
    alignments: tuple[Alignment, ...]
    scores: tuple[Scores, ...]
    units: tuple[Unit, ...]
    by_stratum: ByStratum | None = None


def measured(
    sources: Sequence[Any],
    reading: Mapping[str, Any],
    measures: Sequence[Metric | None],
    groups: Groups,
    *,
    missing: Missing,
    unparseable: Unparseable,
    strata: Strata = "fixed",
    weighting: Weighting = "pooled",
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
    strata : {"fixed", "random"}
        Whether strata are these, or a sample of others.
    weighting : {"pooled", "macro"}
        Whether every item counts alike, or every stratum.

    Raises
    ------
    UsageError
        If strata are to be random or averaged, and there are none.
    """
    for option, value, choices in (
        ("strata", strata, get_args(Strata)),
        ("weighting", weighting, get_args(Weighting)),
    ):
        if value not in choices:
            raise UsageError(f"--{option} is {value!r}.", fix=known(choices, str(value)))
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
        scored = score_apart(alignments, measure)
        pairs = [
            in_units(part, alignment, strata, weighting)
            for part, alignment in zip(scored, alignments, strict=True)
        ]
        found.append(
            Measured(
                evaluation=evaluation,
                alignments=alignments,
                scores=tuple(scores for scores, _ in pairs),
                units=tuple(unit for _, unit in pairs),
                by_stratum=by_stratum(scored[0], alignments[0]) if len(alignments) == 1 else None,
            )
        )
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
