"""Scores of items as scores of the units that are resampled."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from deadheat.metrics.metric import Floats, OfWeights, ValueOf
from deadheat.scores.scores import Scores
from deadheat.scores.units import Units
from deadheat.scores.weighing import OfTotals, OfWeightings

Ints = NDArray[np.int64]


def by_units(scores: Scores, units: Units | None) -> Scores:
    """Return scores whose rows are units; `per_item` is kept.

    Parameters
    ----------
    scores : Scores
        Of items.
    units : Units or None
        None leaves the items as they are.
    """
    if units is None:
        return scores
    if isinstance(scores.weighing, OfWeightings):
        return _of_weights(scores, scores.weighing, units)
    statistics = scores.statistics
    flat = statistics.reshape(len(statistics), -1)
    if units.kind != "item":
        if units.multiplicities is not None:
            flat = flat * units.multiplicities[:, None]
        flat = summed(flat, units)
    shape = statistics.shape[1:]
    old = scores.weighing
    assert isinstance(old, OfTotals)
    return replace(
        scores,
        weighing=replace(old, expand=lambda rows: np.asarray(rows, float).reshape(-1, *shape)),
        rows=flat,
        units=units,
        items=scores if units.kind != "item" else None,
        multiplicities=scores.multiplicities if units.kind == "item" else None,
    )


def summed(rows: Floats, units: Units) -> Floats:
    """Return the sums of rows over each unit, shape (unit, column)."""
    order = np.argsort(units.of_item, kind="stable")
    n_rows = np.bincount(units.of_item, minlength=units.n)
    starts = np.concatenate(([0], np.cumsum(n_rows)[:-1]))
    return np.add.reduceat(rows[order], starts, axis=0)


def _of_weights(scores: Scores, old: OfWeightings, units: Units) -> Scores:
    if units.kind == "item":
        return replace(scores, units=units)
    n_systems = len(scores.systems)
    items = old.expanded(scores.rows)
    order = np.argsort(units.of_item, kind="stable")
    held = _Clustered(
        metric=old.common,
        items=np.concatenate([items[order, system] for system in range(n_systems)]),
        sizes=np.tile(units.sizes, n_systems),
    )
    rows = np.arange(n_systems * units.n, dtype=float).reshape(n_systems, units.n).T
    return replace(
        scores,
        weighing=OfWeightings(metrics=(held,) * n_systems, common=held),
        rows=rows,
        units=units,
        items=scores,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Clustered(OfWeights):
    """A metric of weights whose rows are clusters: all items of a cluster have its weight.

    Attributes
    ----------
    metric : OfWeights
    items : ndarray, shape (item, c)
        Rows of the items of all clusters, one after the other.
    sizes : ndarray of int, shape (cluster,)
    """

    metric: OfWeights
    items: Floats
    sizes: Ints

    @property
    def name(self) -> str:
        return self.metric.name

    def value_of(self, rows: Floats) -> ValueOf:
        clusters = rows[:, 0].astype(np.int64)
        starts = np.cumsum(self.sizes) - self.sizes
        sizes = self.sizes[clusters]
        owners = np.repeat(np.arange(clusters.size), sizes)
        within = np.arange(owners.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        value = self.metric.value_of(self.items[starts[clusters][owners] + within])
        return lambda weights: value(np.ascontiguousarray(weights[..., owners]))
