"""Score items by metrics of values and of weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from deadheat.alignment import Alignment
from deadheat.errors import MetricError
from deadheat.metrics.metric import OfSums, OfValues, OfWeights
from deadheat.notes import Note
from deadheat.scores import remarks
from deadheat.scores.given import present_scores
from deadheat.scores.inputs import Inputs, inputs_for, located
from deadheat.scores.means import means_of
from deadheat.scores.scores import Scores
from deadheat.scores.weighing import OfTotals, OfWeightings

Floats = NDArray[np.float64]


def score_values(alignment: Alignment, metric: OfValues | OfWeights) -> Scores:
    """Score the items of every system by a metric of values or of weights.

    A metric may say by hooks what it has to know before it is given the items of a system:
    ``bind_values(references, outputs)`` is told the outputs of all systems, then
    ``with_references(references)`` the references, then ``for_system(outputs)`` those of one
    system. Each returns the metric to go on with.

    Raises
    ------
    MetricError
        If the metric cannot score what is there, with the file and the line of the item.
    """
    if metric.takes == "scores":
        if any(column is None for column in alignment.scores):
            raise remarks.nothing_to_score(alignment, metric)
        # What stands for an absent score may depend on the scores that are there.
        metric = _hook(metric, "bind_values", None, present_scores(alignment))
    inputs = inputs_for(alignment, metric)
    with located(alignment):
        bound = metric
        if metric.takes != "scores":
            bound = _hook(metric, "bind_values", inputs.references[0], inputs.outputs)
        bound = _hook(bound, "with_references", inputs.references[0])
    if isinstance(bound, OfWeights):
        return _of_weights(alignment, bound, inputs)
    return _of_sums(alignment, bound, inputs)


def _hook(metric: Any, name: str, *given: Any) -> Any:
    hook = getattr(metric, name, None)
    return metric if hook is None else hook(*given)


def _of_sums(alignment: Alignment, common: Any, inputs: Inputs) -> Scores:
    metrics: list[OfSums] = []
    found: list[Floats] = []
    notes: list[Note] = []
    for position, (system, references, outputs) in enumerate(_each_system(alignment, inputs)):
        with located(alignment, system):
            metric = _hook(common, "for_system", outputs)
            statistics = np.asarray(metric.statistics(references, outputs), dtype=np.float64)
            _check(statistics, metric.name, system, alignment.n)
            if metric.takes == "texts" and metric.is_mean:
                statistics = _unusable_wrong(statistics, metric, alignment.outputs[position])
            notes.extend(metric.remarks(system, references, outputs))
        metrics.append(metric)
        found.append(statistics)
    if metrics[0].is_mean:
        per_item = np.empty((len(metrics), alignment.n)).T
        for scores, statistics in zip(per_item.T, found, strict=True):
            scores[:] = statistics[:, 0]
        return means_of(alignment.systems, metrics, per_item, tuple(notes))
    totals = [statistics.sum(axis=0) for statistics in found]
    values = np.array([m.value(t) for m, t in zip(metrics, totals, strict=True)], float)
    undefined = tuple(bool(m.undefined(t)) for m, t in zip(metrics, totals, strict=True))
    n_systems = len(metrics)
    return Scores(
        systems=alignment.systems,
        metrics=tuple(metrics),
        weighing=OfTotals(
            metrics=tuple(metrics),
            common=common,
            expand=lambda rows: np.asarray(rows, dtype=float).reshape(len(rows), n_systems, -1),
        ),
        rows=np.concatenate(found, axis=1),
        values=values,
        per_item=None,
        kind="corpus",
        undefined=undefined,
        notes=(*notes, *remarks.undefined(alignment.systems, metrics, values, undefined)),
    )


def _of_weights(alignment: Alignment, common: OfWeights, inputs: Inputs) -> Scores:
    notes: list[Note] = []
    rows = []
    if hasattr(common, "holding"):
        # Nothing is known of what the metric depends on: its rows are positions in all the data.
        common = common.holding(
            _one_after_another(inputs.references), _one_after_another(inputs.outputs)
        )
        starts = [position * alignment.n for position in range(len(alignment.systems))]
        rows = [np.arange(start, start + alignment.n, dtype=float)[:, None] for start in starts]
    for system, references, outputs in _each_system(alignment, inputs):
        with located(alignment, system):
            if len(rows) < len(alignment.systems):
                found = np.asarray(common.rows(references, outputs), dtype=np.float64)
                _check(found, common.name, system, alignment.n)
                rows.append(found)
            notes.extend(common.remarks(system, references, outputs))
    values = np.array([float(common.value_of(part)(np.ones(alignment.n))) for part in rows])
    undefined = tuple(np.isnan(values).tolist())
    metrics = (common,) * len(rows)
    return Scores(
        systems=alignment.systems,
        metrics=metrics,
        weighing=OfWeightings(metrics=metrics, common=common),
        rows=np.concatenate(rows, axis=1),
        values=values,
        per_item=None,
        kind="corpus",
        undefined=undefined,
        notes=(*notes, *remarks.undefined(alignment.systems, metrics, values, undefined)),
    )


def _unusable_wrong(statistics: Floats, metric: OfSums, outputs: pl.Series | None) -> Floats:
    """Score an output that is not usable wrong, even where the empty text would be right."""
    if outputs is None or not outputs.null_count() or metric.bounds is None:
        return statistics
    worst = metric.bounds[0 if metric.greater_is_better else 1]
    corrected = statistics.copy()
    corrected[outputs.is_null().to_numpy(), 0] = worst
    return corrected


def _each_system(alignment: Alignment, inputs: Inputs) -> Iterator[tuple[str, Any, Any]]:
    return zip(alignment.systems, inputs.references, inputs.outputs, strict=True)


def _one_after_another(parts: Sequence[Any]) -> list[Any] | None:
    if any(part is None for part in parts):
        return None
    return [value for part in parts for value in part]


def _check(statistics: Floats, name: str, system: str, n: int) -> None:
    if statistics.ndim != 2 or len(statistics) != n:
        raise MetricError(
            f"{name} made statistics of shape {statistics.shape} of the {n:,} items of {system}.",
            fix="One row of numbers for each item is needed.",
        )
    if not np.isfinite(statistics).all():
        row = int(np.argwhere(~np.isfinite(statistics))[0, 0])
        raise MetricError(
            f"{name} made statistics that are not finite of {system}, first of item {row + 1}.",
            fix="Leave such items out, or let the metric refuse them.",
        )
