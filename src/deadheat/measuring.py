"""Read, align and score, once for all metrics that want the data in the same form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, get_args

import numpy as np
from numpy.typing import NDArray

from deadheat.alignment import Alignment, Missing, Unparseable, align
from deadheat.alignment.alignment import Runs
from deadheat.dependence import ByStratum, Unit, by_stratum, in_units
from deadheat.engine import Engine
from deadheat.errors import UsageError, known
from deadheat.evaluation import Evaluation
from deadheat.metrics import Metric
from deadheat.readers import read
from deadheat.scores import Scores, score_apart
from deadheat.scores.runs import Claim, each_run
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
        One for each group; every run is a system where the claim is about other runs.
    units : tuple of Unit
        What is resampled, for each group.
    items : tuple of Scores
        Of the items as they were scored, before they were put in units, for each group.
    by_stratum : ByStratum or None
        What each stratum shows, where there are strata and one group.
    n_runs : tuple of tuple of int, or None
        Runs of each system, for each group, where the claim is about other runs.
    """

    evaluation: Evaluation
    alignments: tuple[Alignment, ...]
    scores: tuple[Scores, ...]
    units: tuple[Unit, ...]
    items: tuple[Scores, ...]
    by_stratum: ByStratum | None = None
    n_runs: tuple[tuple[int, ...], ...] | None = None

    def __reduce__(self) -> tuple[type, tuple[()]]:
        """Send nothing: it is as large as the data, and may hold functions of the user's."""
        return type(None), ()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return itself, as nothing of it changes."""
        return self

    @property
    def values(self) -> tuple[float, ...]:
        """The metric of each system of each group; the mean over its runs where there are some."""
        if self.n_runs is None:
            return tuple(float(value) for scores in self.scores for value in scores.values)
        return tuple(
            float(value)
            for scores, counts in zip(self.scores, self.n_runs, strict=True)
            for value in _over_runs(scores.values, counts)
        )


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
    runs: Claim = "fixed",
    memory: int | str | None = None,
    kinds: bool = True,
    engine: Engine | None = None,
    progress: Callable[[int, int], None] | None = None,
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
    runs : {"fixed", "random"}
        Whether scores are averaged over the runs of each item, or every run is scored.
    memory : int or str, optional
        Bytes that a table may take before it is counted in passing.
    kinds : bool
        Whether it may be counted, kind of item by kind of item; else it is refused.
    engine : Engine, optional
        Where its parts are counted.
    progress : callable, optional
        Told how many files of a folder are read, of how many.

    Raises
    ------
    UsageError
        If strata are to be random or averaged and there are none, or runs are to be random and
        a system has one, or the metric is one of runs itself.
    """
    for option, value, choices in (
        ("strata", strata, get_args(Strata)),
        ("weighting", weighting, get_args(Weighting)),
        ("runs", runs, get_args(Claim)),
    ):
        if value not in choices:
            raise UsageError(f"--{option} is {value!r}.", fix=known(choices, str(value)))
    # Who wants to tell files from resamples has a method of that name.
    of_files = getattr(progress, "files", progress)
    evaluations: dict[bool, Evaluation] = {}
    aligned: dict[tuple[bool, Runs], tuple[Alignment, ...]] = {}
    found = []
    for measure in measures:
        texts, kept = _wants(measure, runs)
        if texts not in evaluations:
            evaluations[texts] = read(
                *sources,
                **reading,
                empty_texts=texts,
                memory=memory,
                kinds=kinds,
                engine=engine,
                progress=of_files,
            )
        evaluation = evaluations[texts]
        if (texts, kept) not in aligned:
            aligned[texts, kept] = tuple(
                align(
                    evaluation,
                    systems,
                    missing=missing,
                    unparseable=unparseable,
                    runs=kept,
                )
                for systems in groups(evaluation.systems)
            )
        alignments = aligned[texts, kept]
        shown = tuple(map(each_run, alignments)) if kept == "cross" else alignments
        scored = score_apart(shown, measure)
        pairs = [
            in_units(part, alignment, strata, weighting)
            for part, alignment in zip(scored, shown, strict=True)
        ]
        strata_of = by_stratum(scored[0], shown[0]) if len(shown) == 1 else None
        n_runs = _n_runs(alignments)
        if strata_of is not None and n_runs is not None:
            strata_of = replace(
                strata_of,
                values=_over_runs(strata_of.values, n_runs[0]),
                pooled=_over_runs(strata_of.pooled, n_runs[0]),
            )
        found.append(
            Measured(
                evaluation=evaluation,
                alignments=alignments,
                scores=tuple(scores for scores, _ in pairs),
                units=tuple(unit for _, unit in pairs),
                items=tuple(scored),
                by_stratum=strata_of,
                n_runs=n_runs,
            )
        )
    return found


def together(parts: Sequence[Measured]) -> list[list[int]]:
    """Return the positions of metrics whose systems are on the same rows, grouped."""
    groups: dict[int, list[int]] = {}
    for position, part in enumerate(parts):
        groups.setdefault(id(part.alignments), []).append(position)
    return list(groups.values())


def _wants(measure: Metric | None, runs: Claim) -> tuple[bool, Runs]:
    """Whether a metric wants empty cells as texts, and what becomes of the runs of an item."""
    if measure is None or measure.takes != "runs":
        texts = measure is not None and measure.takes == "texts"
        return texts, "cross" if runs == "random" else "average"
    if runs == "random":
        raise UsageError(
            f"{measure.name} is a metric of the runs of an item, which leaves no runs to be a "
            "sample of others.",
            fix="Use --runs fixed with it, or another metric.",
        )
    return False, "keep"


def _n_runs(alignments: Sequence[Alignment]) -> tuple[tuple[int, ...], ...] | None:
    """Return the number of runs of each system, for each group; None where runs are not crossed."""
    if any(alignment.run_names is None for alignment in alignments):
        return None
    return tuple(
        tuple(len(names) for names in alignment.run_names or ()) for alignment in alignments
    )


def _over_runs(values: NDArray[np.float64], n_runs: Sequence[int]) -> NDArray[np.float64]:
    """Average over the runs of each system, shape (..., run) to (..., system)."""
    parts = np.split(values, np.cumsum(n_runs)[:-1], axis=-1)
    return np.stack([part.mean(axis=-1) for part in parts], axis=-1)
