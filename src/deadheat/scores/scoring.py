"""Score the items of every system by one metric."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from deadheat.alignment import Alignment
from deadheat.errors import MetricError
from deadheat.metrics import Metric
from deadheat.metrics import metric as metric_named
from deadheat.metrics.labels.encoding import Codes, encoded
from deadheat.metrics.metric import OfLabels, OfSums, OfValues, OfWeights
from deadheat.notes import Note
from deadheat.scores import remarks
from deadheat.scores.given import given_scores, not_zero_one, with_worst
from deadheat.scores.inputs import no_labels
from deadheat.scores.means import means_of
from deadheat.scores.scores import Scores
from deadheat.scores.valued import score_values
from deadheat.scores.weighing import OfTotals

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

BLOCK_VALUES = 1 << 14
"""Statistics made at once: they stay in the cache."""

MAX_STATISTICS = 6_000
"""Sums that a metric may need: 2,000 labels with three each."""

MAX_VALUES = 1 << 28
"""Statistics that are held at once: 2 GB."""


def score_items(alignment: Alignment, metric: Metric | None = None) -> Scores:
    """Score the items of every system by one metric.

    Accuracy is the mean of the scores where all of them are 0 or 1, else the share of outputs
    that equal their reference.

    Parameters
    ----------
    alignment : Alignment
    metric : Metric, optional
        By default accuracy where all scores are 0 or 1 or there are outputs with references, else
        the mean of the scores.

    Returns
    -------
    Scores

    Raises
    ------
    MetricError
        If the metric cannot score what is there.
    """
    if isinstance(metric, (OfValues, OfWeights)):
        if alignment.multiplicities is not None:
            raise MetricError(
                f"{metric.name} looks at every item, and what was read in passing are kinds of "
                "items.",
                fix="Let the file be held with a greater --memory, without --engine, or score its "
                "items first and compare the scores.",
            )
        return score_values(alignment, metric)
    if alignment.read.averaged:
        _check_averaged(alignment, metric)
    given = None if metric is not None and metric.takes == "labels" else given_scores(alignment)
    labels = None if metric is not None and metric.takes == "scores" else _label_columns(alignment)
    if metric is None and given is not None and labels is not None and _are_lists(labels):
        # Lists and objects are no labels; the scores beside them say what they are worth.
        labels = None
    binary = given is not None and given.binary
    if metric is None:
        graded = given is not None and not binary and labels is None
        metric = metric_named("mean" if graded else "accuracy")
    if labels is not None and not binary:
        notes = () if given is None else remarks.scores_not_used()
        return _scored_labels(alignment, metric, labels, notes)
    if given is None:
        raise remarks.nothing_to_score(alignment, metric)
    if metric.takes == "scores_or_labels" and not binary:
        raise not_zero_one(alignment, given.table)
    metrics = (_of_labels(metric).bind((), np.zeros(0, dtype=bool)),) * len(alignment.systems)
    notes = () if labels is None else remarks.outputs_not_used()
    return _means(alignment, metrics, None, list(with_worst(given, metric).T), notes)


def _check_averaged(alignment: Alignment, metric: Metric | None) -> None:
    """Refuse what is no function of the means of clusters."""
    fix = "Let the file be held with a greater --memory."
    if metric is not None and metric.name != "mean":
        raise MetricError(
            f"{metric.name} looks at every item, and only means of clusters were kept in passing.",
            fix=f"{fix} The metric mean can be had without.",
        )
    if any(alignment.absent):
        raise MetricError(
            "missing scores cannot be given the worst score: the range of scores is not known, as "
            "only means of clusters were kept in passing.",
            fix=f"Choose --missing drop. {fix}",
        )


def kinds_of(alignment: Alignment) -> Ints | None:
    """Return how many items each row stands for, shape (row,); None where it is one."""
    kinds = alignment.multiplicities
    return None if kinds is None else kinds.cast(pl.Int64).to_numpy()


def _of_labels(metric: Metric) -> OfLabels:
    if not hasattr(metric, "bind"):
        raise MetricError(
            f"{metric.name} has no bind, which metrics of scores and labels need.",
            fix="Let it take values, or give it one.",
        )
    return cast(OfLabels, metric)


def _label_columns(alignment: Alignment) -> list[pl.Series] | None:
    columns = [alignment.references, *alignment.outputs]
    found = [column for column in columns if column is not None]
    return found if len(found) == len(columns) else None


def _are_lists(columns: Sequence[pl.Series]) -> bool:
    return any(column.dtype == pl.Binary for column in columns)


def _scored_labels(
    alignment: Alignment, metric: Metric, columns: Sequence[pl.Series], notes: tuple[Note, ...]
) -> Scores:
    if _are_lists(columns):
        raise no_labels(alignment, metric)
    if columns[0].null_count():
        raise MetricError(
            f"{columns[0].null_count():,} items have no reference.",
            fix="Give their references, or leave these items out with --missing drop.",
        )
    labels, (references, *outputs) = encoded(columns)
    occurring = [np.bincount(codes + 1, minlength=len(labels) + 1)[1:] > 0 for codes in outputs]
    wanted = np.bincount(references, minlength=len(labels)) > 0
    of_labels = _of_labels(metric)
    metrics = tuple(of_labels.bind(labels, wanted | found) for found in occurring)
    if metrics[0].is_mean:
        more = (
            *remarks.written_differently(alignment.systems, labels, references, outputs),
            *remarks.never_right(alignment.systems, labels, wanted, outputs),
        )
        return _means(alignment, metrics, references, outputs, (*notes, *more))
    width = metrics[0].statistics(references[:1], outputs[0][:1]).shape[1]
    if width > MAX_STATISTICS:
        raise remarks.too_many_labels(metric, labels)
    kinds = kinds_of(alignment)
    totals = [
        _totals(bound, references, codes, len(labels), kinds)
        for bound, codes in zip(metrics, outputs, strict=True)
    ]
    values = np.array([m.value(t) for m, t in zip(metrics, totals, strict=True)], float)
    undefined = tuple(bool(m.undefined(t)) for m, t in zip(metrics, totals, strict=True))
    foreign = [found & ~wanted for found in occurring]
    right = [float(np.average(codes == references, weights=kinds)) for codes in outputs]
    return Scores(
        systems=alignment.systems,
        metrics=metrics,
        weighing=OfTotals(
            metrics=metrics,
            common=of_labels.bind(labels, None),
            expand=lambda rows: _statistics(metrics, rows),
        ),
        rows=np.stack([references, *outputs]).T,
        values=values,
        per_item=None,
        kind="corpus",
        undefined=undefined,
        notes=(
            *notes,
            *remarks.written_differently(alignment.systems, labels, references, outputs),
            *remarks.only_in_outputs(alignment.systems, labels, foreign),
            *remarks.undefined(alignment.systems, metrics, values, undefined, right),
        ),
        multiplicities=kinds,
    )


def _statistics(metrics: Sequence[OfSums], rows: NDArray[Any]) -> Floats:
    """Return the statistics of codes of (reference, output of each system), in columns.

    Raises
    ------
    MetricError
        If they do not fit in 2 GB.
    """
    references, *outputs = np.asarray(rows, dtype=np.intp).T
    width = metrics[0].statistics(references[:1], outputs[0][:1]).shape[1]
    if len(rows) * len(metrics) * width > MAX_VALUES:
        raise MetricError(
            f"{metrics[0].name} needs {width:,} sums over {len(rows):,} kinds of items, "
            "which do not fit in 2 GB.",
            fix="Take the average over fewer labels (--labels), or use accuracy.",
        )
    made = np.empty((len(rows), len(metrics), width))
    for position, (metric, codes) in enumerate(zip(metrics, outputs, strict=True)):
        made[:, position] = metric.statistics(references, codes)
    return made


def _means(
    alignment: Alignment,
    metrics: tuple[OfSums, ...],
    references: NDArray[Any] | None,
    columns: Sequence[NDArray[Any]],
    notes: tuple[Note, ...],
) -> Scores:
    per_item = np.empty((len(metrics), alignment.height)).T
    step = BLOCK_VALUES // 2
    for metric, column, scores in zip(metrics, columns, per_item.T, strict=True):
        for start in range(0, alignment.height, step):
            block = slice(start, start + step)
            wanted = None if references is None else references[block]
            scores[block] = metric.statistics(wanted, column[block])[:, 0]
    return means_of(alignment.systems, metrics, per_item, notes, kinds_of(alignment))


def _totals(
    metric: OfSums, references: Codes, outputs: Codes, n_labels: int, kinds: Ints | None
) -> Floats:
    """Sum the statistics over the items, by the cells of the confusion table that occur."""
    side = n_labels + 1
    cells = references.astype(np.int64) * side + (outputs + 1)
    if kinds is not None:
        occurring, at = np.unique(cells, return_inverse=True)
        counts = np.zeros(occurring.size, dtype=np.int64)
        np.add.at(counts, at, kinds)
    elif side * side <= 4 * cells.size + 65_536:
        counts = np.bincount(cells, minlength=side * side)
        occurring = np.flatnonzero(counts)
        counts = counts[occurring]
    else:
        occurring, counts = np.unique(cells, return_counts=True)
    wanted, given = np.divmod(occurring, side)
    given -= 1
    width = metric.statistics(wanted[:1], given[:1]).shape[1]
    totals = np.zeros(width)
    step = max(1, BLOCK_VALUES // width)
    for start in range(0, occurring.size, step):
        block = slice(start, start + step)
        totals += counts[block] @ metric.statistics(wanted[block], given[block])
    return totals
