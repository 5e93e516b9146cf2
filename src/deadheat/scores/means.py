"""Scores whose mean is the metric."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.metrics.metric import OfSums
from deadheat.notes import Note
from deadheat.scores.given import is_binary
from deadheat.scores.scores import Scores
from deadheat.scores.weighing import OfTotals

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def means_of(
    systems: tuple[str, ...],
    metrics: Sequence[OfSums],
    per_item: Floats,
    notes: tuple[Note, ...],
    multiplicities: Ints | None = None,
) -> Scores:
    """Return scores whose mean is the metric.

    Parameters
    ----------
    systems : tuple of str
    metrics : sequence of OfSums
        Means, one for each system.
    per_item : ndarray, shape (item, system)
        A contiguous column for each system.
    notes : tuple of Note
    multiplicities : ndarray of int, shape (row,), optional
        Items that each row stands for; one by default.
    """
    totals = [_totals(scores, multiplicities) for scores in per_item.T]
    return Scores(
        systems=systems,
        metrics=tuple(metrics),
        weighing=OfTotals(metrics=tuple(metrics), common=metrics[0], expand=_with_ones),
        rows=per_item,
        values=np.array([m.value(t) for m, t in zip(metrics, totals, strict=True)], float),
        per_item=per_item,
        kind="binary" if all(is_binary(scores) for scores in per_item.T) else "mean",
        undefined=tuple(bool(m.undefined(t)) for m, t in zip(metrics, totals, strict=True)),
        notes=notes,
        multiplicities=multiplicities,
    )


def _totals(scores: Floats, multiplicities: Ints | None) -> Floats:
    if multiplicities is None:
        return np.array([scores.sum(), scores.size])
    return np.array([(scores * multiplicities).sum(), multiplicities.sum()])


def _with_ones(rows: NDArray[Any]) -> Floats:
    return np.stack([rows, np.ones(rows.shape)], axis=-1)
