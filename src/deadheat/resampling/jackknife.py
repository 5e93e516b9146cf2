"""The jackknife in closed form: a metric with one unit of each type left out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deadheat.resampling.counts import checked_multiplicities
from deadheat.resampling.functionals import Floats, Ints, Value, ValueOf, metrics_for

CHUNK_CELLS = 1 << 17
"""Weights in memory at a time. Changes no bit."""


def jackknife(statistics: Floats, multiplicities: Ints, value: Value | Sequence[Value]) -> Floats:
    """Score every system with one unit of each type left out.

    Parameters
    ----------
    statistics : ndarray, shape (type, system, k)
        What one unit of each type contributes.
    multiplicities : ndarray of int, shape (type,)
        How many units are of each type; each stands for so many equal jackknife values.
    value : callable, or one for each system
        Maps totals of shape (..., k) to values of shape (...).

    Returns
    -------
    ndarray, shape (type, system)
        NaN when there is a single unit, or where the metric is undefined.

    Examples
    --------
    >>> import numpy as np
    >>> statistics = np.array([[[0.0, 1.0]], [[1.0, 1.0]]])
    >>> jackknife(statistics, np.array([1, 4]), lambda t: t[..., 0] / t[..., 1]).tolist()
    [[1.0], [0.75]]
    """
    given = np.asarray(statistics, dtype=np.float64)
    units = checked_multiplicities(multiplicities)
    metrics = metrics_for(value, given.shape[1])
    if int(units.sum()) == 1:
        return np.full(given.shape[:2], np.nan)
    totals = np.einsum("gsk,g->sk", given, units)
    return np.stack([metric(totals[s] - given[:, s]) for s, metric in enumerate(metrics)], axis=-1)


def jackknife_of_weights(
    rows: Floats, multiplicities: Ints, values_of: Sequence[ValueOf]
) -> Floats:
    """Score every system by a metric of weights with one unit of each type left out.

    Parameters
    ----------
    rows : ndarray, shape (type, system, c)
        All that the metrics depend on.
    multiplicities : ndarray of int, shape (type,)
        How many units are of each type.
    values_of : sequence of callables, one for each system
        Rows of shape (type, c) to a function of weights.

    Returns
    -------
    ndarray, shape (type, system)
        NaN when there is a single unit, or where the metric is undefined.
    """
    units = checked_multiplicities(multiplicities).astype(np.float64)
    left_out = np.full((units.size, len(values_of)), np.nan)
    if units.sum() == 1.0:
        return left_out
    most = max(1, CHUNK_CELLS // units.size)
    for system, value_of in enumerate(values_of):
        value = value_of(np.ascontiguousarray(rows[:, system]))
        for start in range(0, units.size, most):
            types = np.arange(start, min(start + most, units.size))
            weights = np.tile(units, (types.size, 1))
            weights[np.arange(types.size), types] -= 1.0
            left_out[types, system] = value(weights)
    return left_out
