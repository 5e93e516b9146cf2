"""The jackknife in closed form: a metric with one unit of each type left out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deadheat.resampling.bootstrap import Floats, Ints, Value, metrics_for
from deadheat.resampling.counts import checked_multiplicities


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
