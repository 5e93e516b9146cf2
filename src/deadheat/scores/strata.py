"""Averages over strata, and what each stratum says on its own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import MetricError
from deadheat.metrics.metric import Floats, Metric, OfSums, OfValues, OfWeights, ValueOf
from deadheat.scores.means import means_of
from deadheat.scores.scores import Scores
from deadheat.scores.units import Units
from deadheat.scores.weighing import OfTotals, OfWeightings

Ints = NDArray[np.int64]

MAX_VALUES = 1 << 28
"""Statistics that are held at once: 2 GB."""


def macro(scores: Scores, of_row: Ints) -> Scores:
    """Return scores whose metric is the plain mean over strata of the metric in each.

    Parameters
    ----------
    scores : Scores
    of_row : ndarray of int, shape (row,)
        Stratum of each row of `scores`, 0 to H - 1.
    """
    n_strata = int(of_row.max()) + 1
    old = scores.weighing
    weighing: OfTotals | OfWeightings
    if isinstance(old, OfWeightings):
        averaged = _MacroOfWeights(metric=old.common, n_strata=n_strata)
        items = old.expanded(scores.rows)
        stratum = np.broadcast_to(of_row[:, None, None].astype(float), (*items.shape[:2], 1))
        rows = np.concatenate([stratum, items], axis=2).reshape(len(items), -1)
        weighing = OfWeightings(metrics=(averaged,) * len(scores.systems), common=averaged)
        ones = np.ones(len(items))
        values = [
            float(averaged.value_of(part)(ones))
            for part in rows.reshape(*items.shape[:2], -1).transpose(1, 0, 2)
        ]
    else:
        assert isinstance(old, OfTotals)
        metrics = tuple(_MacroOfSums(metric=metric, n_strata=n_strata) for metric in old.metrics)
        statistics = scores.statistics
        rows = _spread(statistics, of_row, n_strata)
        shape = (len(scores.systems), n_strata * statistics.shape[2])
        weighing = OfTotals(
            metrics=metrics,
            common=_MacroOfSums(metric=old.common, n_strata=n_strata),
            expand=lambda given: np.asarray(given, dtype=float).reshape(-1, *shape),
        )
        totals = weighted_sum(rows, scores.multiplicities).reshape(shape)
        values = [float(metric.value(t)) for metric, t in zip(metrics, totals, strict=True)]
    return replace(
        scores,
        metrics=weighing.metrics,
        weighing=weighing,
        rows=rows,
        values=np.array(values),
        per_item=None,
        kind="corpus",
        undefined=tuple(np.isnan(values).tolist()),
    )


def strata_as_items(scores: Scores, of_row: Ints) -> Scores:
    """Return scores in which each stratum is an item and its value the score.

    The metric is the plain mean over strata, and strata vary: for claims about new ones.
    """
    values = values_by_stratum(scores, of_row)
    if np.isnan(values).any():
        n = int(np.isnan(values).any(axis=1).sum())
        raise MetricError(
            f"{scores.metrics[0].name} is undefined in {n} {'stratum' if n == 1 else 'strata'}.",
            fix="Merge strata, or leave out the items of those without a value.",
        )
    metrics = tuple(_MeanOfStrata(metric=metric, n_strata=len(values)) for metric in scores.metrics)
    found = means_of(scores.systems, metrics, np.asfortranarray(values), scores.notes)
    n = len(values)
    return replace(found, units=Units(kind="stratum", of_item=np.arange(n), n=n))


def values_by_stratum(scores: Scores, of_row: Ints) -> Floats:
    """Return the metric of every system in each stratum, shape (stratum, system)."""
    n_strata = int(of_row.max()) + 1
    old = scores.weighing
    found = np.empty((n_strata, len(scores.systems)))
    for stratum in range(n_strata):
        part = old.expanded(scores.rows[of_row == stratum])
        if isinstance(old, OfWeightings):
            ones = np.ones(len(part))
            found[stratum] = [
                float(metric.value_of(part[:, system])(ones))
                for system, metric in enumerate(old.metrics)
            ]
        else:
            assert isinstance(old, OfTotals)
            counts = scores.multiplicities
            totals = weighted_sum(part, None if counts is None else counts[of_row == stratum])
            found[stratum] = [
                float(metric.value(totals[system])) for system, metric in enumerate(old.metrics)
            ]
    return found


def weighted_sum(rows: Floats, multiplicities: Ints | None) -> Floats:
    """Return the sum of rows, each as often as it counts, over the first axis."""
    if multiplicities is None:
        return np.asarray(rows.sum(axis=0))
    return np.asarray(np.tensordot(multiplicities, rows, axes=1))


def _spread(statistics: Floats, of_row: Ints, n_strata: int) -> Floats:
    """Give each stratum columns of its own, shape (row, system x stratum x k)."""
    n, n_systems, k = statistics.shape
    if n * n_systems * n_strata * k > MAX_VALUES:
        raise MetricError(
            f"a macro average over {n_strata:,} strata needs {n_strata * k:,} sums, which do not "
            "fit in 2 GB.",
            fix="Take the pooled average, or fewer strata.",
        )
    rows = np.zeros((n, n_systems, n_strata, k))
    rows[np.arange(n), :, of_row] = statistics
    return rows.reshape(n, -1)


class _OverStrata:
    """What an average over strata has of the metric that is averaged."""

    __slots__ = ()
    metric: Metric
    n_strata: int

    @property
    def name(self) -> str:
        return self.metric.name

    @property
    def signature(self) -> str:
        return f"{self.metric.signature}|strata:macro-{self.n_strata}"

    @property
    def greater_is_better(self) -> bool:
        return self.metric.greater_is_better

    @property
    def bounds(self) -> tuple[float, float] | None:
        return self.metric.bounds


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _MacroOfSums(_OverStrata, OfValues):  # type: ignore[override]
    metric: OfSums
    n_strata: int

    def value(self, totals: Floats) -> Floats:
        parts = totals.reshape(*totals.shape[:-1], self.n_strata, -1)
        return np.asarray(self.metric.value(parts).mean(axis=-1))

    def undefined(self, totals: Floats) -> NDArray[np.bool_]:
        parts = totals.reshape(*totals.shape[:-1], self.n_strata, -1)
        return np.asarray(self.metric.undefined(parts).any(axis=-1))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _MeanOfStrata(_OverStrata, OfValues):  # type: ignore[override]
    metric: Metric
    n_strata: int
    is_mean: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _MacroOfWeights(_OverStrata, OfWeights):  # type: ignore[override]
    metric: OfWeights
    n_strata: int

    def value_of(self, rows: Floats) -> ValueOf:
        within = [np.flatnonzero(rows[:, 0] == stratum) for stratum in range(self.n_strata)]
        values = [self.metric.value_of(np.ascontiguousarray(rows[at, 1:])) for at in within]

        def mean(weights: Floats) -> Any:
            parts = [
                value(np.ascontiguousarray(weights[..., at]))
                for value, at in zip(values, within, strict=True)
            ]
            return np.mean(parts, axis=0)

        return mean
