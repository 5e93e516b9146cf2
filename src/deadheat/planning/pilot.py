"""What a pilot says of the spread: discordance, variances, clusters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.alignment import Missing, Unparseable, align
from deadheat.errors import AlignmentError, InputError, MetricError, UsageError
from deadheat.inference.binary import counts_of
from deadheat.inference.means import without_rounding
from deadheat.inference.result import Counts
from deadheat.intraclass import intra_class_correlation, kish_design_effect
from deadheat.measuring import Measured, measured
from deadheat.metrics import Metric, metrics_of
from deadheat.notes import Note
from deadheat.planning.design import Clustering, Pilot, Variances
from deadheat.recipe import written_down
from deadheat.scores import Scores, score_items
from deadheat.scores.runs import each_run
from deadheat.scores.units import units_of
from deadheat.sides import chosen_pair

Floats = NDArray[np.float64]

SMALL = 30
"""Items below which a pilot says little of a spread."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piloted:
    """A pilot, and what it says.

    Attributes
    ----------
    pilot : Pilot
    binary : bool
        Whether scores are 0 and 1.
    counts : Counts or None
        Who is right on how many items; None for other scores, or one system.
    side_variances : tuple of float
        Variance of the scores of each system.
    variances : Variances or None
        Where systems answered items repeatedly.
    clustering : Clustering or None
        Where items have clusters.
    notes : tuple of Note
    """

    pilot: Pilot
    binary: bool
    counts: Counts | None
    side_variances: tuple[float, ...]
    variances: Variances | None
    clustering: Clustering | None
    notes: tuple[Note, ...]


def read_pilot(
    pilot: Any,
    reading: Mapping[str, Any],
    *,
    metric: Any,
    baseline: str | None,
    candidate: str | None,
    missing: Missing,
    unparseable: Unparseable,
) -> Piloted:
    """Read a pilot of two systems, or of one.

    Parameters
    ----------
    pilot : path, data frame, array, mapping, or several of these
    reading : mapping
        Options of `deadheat.readers.read`.
    metric : str, Metric or None
    baseline, candidate : str, optional
        Names of the systems.
    missing, unparseable
        See `deadheat.alignment.align`.

    Raises
    ------
    DeadheatError
        If the pilot cannot be read, has one item, or its metric is no mean over items.
    """
    measures = metrics_of(metric)
    if len(measures) > 1:
        raise UsageError("a plan is about one metric.", fix="Name one with --metric.")

    def groups(systems: tuple[str, ...]) -> list[tuple[str, ...]]:
        if len(systems) == 1 and candidate is None and baseline in (None, *systems):
            return [systems]
        return [chosen_pair(systems, baseline, candidate)]

    sources = sources_of(pilot)
    (part,) = measured(sources, reading, measures, groups, missing=missing, unparseable=unparseable)
    (scores,), (alignment,) = part.scores, part.alignments
    table = _per_item(scores)
    if len(table) < 2:
        raise InputError(
            "the pilot has 1 item, which shows no spread.",
            fix="Give a pilot of more items, or plan from numbers such as --discordance.",
        )
    differences = _differences(table)
    variances, of_answers = _of_answers(part, measures[0], missing, unparseable)
    clustering, n_clusters, of_clusters = _of_clusters(part, differences)
    binary, two = scores.kind == "binary", table.shape[1] == 2
    counts = counts_of(table[:, 0], table[:, 1]) if binary and two else None
    return Piloted(
        pilot=Pilot(
            sources=tuple(written_down(source) for source in sources),
            metric=scores.metrics[0].name,
            items=len(table),
            hash=alignment.hash,
            systems=scores.systems,
            values=tuple(float(value) for value in scores.values),
            discordant=None if counts is None else counts.discordant,
            sd=float(differences.std(ddof=1)),
            runs=None if variances is None else variances.answers,
            clusters=n_clusters,
        ),
        binary=binary,
        counts=counts,
        side_variances=tuple(float(column.var(ddof=1)) for column in table.T),
        variances=variances,
        clustering=clustering,
        notes=(
            *part.evaluation.notes,
            *(note for note in alignment.notes if note.code != "runs_averaged"),
            *scores.notes,
            *_small(len(table)),
            *of_answers,
            *of_clusters,
            *(() if alignment.strata is None else (STRATA,)),
        ),
    )


def sources_of(pilot: Any) -> tuple[Any, ...]:
    """Return the sources of a pilot, as `compare` takes them.

    A tuple is several sources, and so is a list that holds anything but numbers.

    Parameters
    ----------
    pilot : object
        As the caller gave it.

    Examples
    --------
    >>> sources_of("a.csv"), sources_of([1, 0, 1]), sources_of([[1, 0], [1, 1]])
    (('a.csv',), ([1, 0, 1],), ([1, 0], [1, 1]))
    """
    if isinstance(pilot, tuple):
        return pilot
    if isinstance(pilot, list) and not all(isinstance(part, (int, float)) for part in pilot):
        return tuple(pilot)
    return (pilot,)


STRATA = Note(
    code="strata_not_used",
    message="The pilot has strata, and the plan draws items freely. Drawn within strata an "
    "interval is no wider, so the numbers of items are on the safe side.",
)


def _small(n: int) -> tuple[Note, ...]:
    if n >= SMALL:
        return ()
    return (
        Note(
            code="small_pilot",
            message=f"A pilot of {n} items says little of how much items vary: read the numbers "
            "of items as rough.",
        ),
    )


def _per_item(scores: Scores) -> Floats:
    """Return the scores of items, shape (item, system)."""
    if scores.per_item is None:
        raise MetricError(
            f"{scores.metrics[0].name} is a metric of the whole set, of which no formula says how "
            "many items it needs.",
            fix="Plan with a mean of item scores, such as accuracy or mean, or try sizes with "
            "deadheat simulate.",
        )
    return scores.per_item


def _differences(table: Floats) -> Floats:
    """Return what is averaged, shape (item,): differences, or the scores of a single system."""
    if table.shape[1] == 1:
        return table[:, 0]
    return without_rounding(table[:, 1] - table[:, 0], float(np.abs(table).max()))


def _of_answers(
    part: Measured, measure: Metric | None, missing: Missing, unparseable: Unparseable
) -> tuple[Variances | None, tuple[Note, ...]]:
    """Take the variance of a difference apart into items and repeated answers to one item."""
    systems = part.scores[0].systems
    read = [answers for answers in part.evaluation.answers if answers.system in systems]
    if len(systems) < 2 or not any(
        one.runs is not None and one.runs.n_unique() > 1 for one in read
    ):
        return None, ()
    if measure is not None and measure.takes == "runs":
        return None, ()
    try:
        crossed = align(
            part.evaluation, systems, missing=missing, unparseable=unparseable, runs="cross"
        )
        names = crossed.run_names or ()
        if min(map(len, names)) < 2:
            return None, (_no_answers("a system has one answer to each item"),)
        table = _per_item(score_items(each_run(crossed), measure))
    except AlignmentError:
        return None, (_no_answers("systems did not answer every item equally often"),)
    sides = np.split(table, [len(names[0])], axis=1)
    means = np.stack([side.mean(axis=1) for side in sides], axis=1)
    total = float(_differences(means).var(ddof=1))
    first, second = (float(side.var(axis=1, ddof=1).mean()) for side in sides)
    noise = first / len(names[0]) + second / len(names[1])
    notes = () if total >= noise else (NO_BETWEEN,)
    return (
        Variances(
            between=max(total - noise, 0.0),
            within=(first, second),
            answers=(len(names[0]), len(names[1])),
        ),
        notes,
    )


NO_BETWEEN = Note(
    code="no_variance_between_items",
    message="In the pilot, answers to one item vary more than the items do, which leaves nothing "
    "for the variance between items: it is taken as 0, and more answers look better than they are.",
)


def _no_answers(why: str) -> Note:
    return Note(
        code="answers_not_apart",
        message=f"The variance of repeated answers cannot be told from that of items: {why}. The "
        "plan is for items that are answered as often as in the pilot.",
    )


def _of_clusters(
    part: Measured, differences: Floats
) -> tuple[Clustering | None, int | None, tuple[Note, ...]]:
    """Return what clusters cost, how many there are, and what is to be said of them."""
    units = units_of(part.alignments[0])
    if units is None or units.kind != "cluster":
        return None, None, ()
    icc = intra_class_correlation(differences, units.of_item)
    if np.isnan(icc):
        return None, units.n, ()
    effect = float(kish_design_effect(icc, units.of_item))
    sizes = units.sizes.astype(float)
    size = float((sizes**2).sum() / sizes.sum())
    found = Clustering(design_effect=max(effect, 1.0), size=size, icc=float(icc))
    notes = () if effect >= 1.0 else (BELOW_ONE,)
    return found, units.n, notes


BELOW_ONE = Note(
    code="design_effect_below_one",
    message="In the pilot, items of one cluster differ more than items of different clusters do. "
    "The design effect is taken as 1.",
)
