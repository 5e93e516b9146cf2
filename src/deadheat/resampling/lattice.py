"""Scores on a lattice: 0/1, halves, k of K points, scores with few decimals."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deadheat.resampling.convolution import MAX_POINTS, WINDOW_LOG, reach

DENOMINATORS = np.concatenate(
    [np.arange(1, 1001), [1250, 2000, 2500, 5000, 10_000, 100_000, 1_000_000]]
).astype(np.float64)

PROBES = 48


def lattice_of(
    values: ArrayLike, multiplicities: ArrayLike | None = None
) -> tuple[NDArray[np.int64], int] | None:
    """Whole steps and the least denominator such that values = steps / denominator.

    Rounding is allowed for: within 1e-12 max(1, largest), and 1e-10 of the largest value where
    all are small, so that 0.1 + 0.2 and 0.3 are the same step.

    Parameters
    ----------
    values : array_like, shape (N,)
    multiplicities : array_like of int, shape (N,), optional

    Returns
    -------
    (ndarray of int64, shape (N,), int) or None
        None for real values, and where the distribution of their mean would hold more than
        `MAX_POINTS` points.

    Examples
    --------
    >>> lattice_of([0.1 + 0.2, 0.3, -0.5])
    (array([ 3,  3, -5]), 10)
    >>> lattice_of([0.1234567891, 3.14159265358]) is None
    True
    """
    x = np.asarray(values, dtype=np.float64)
    if x.size == 0 or not np.isfinite(x).all():
        return None
    largest = float(np.abs(x).max())
    tolerance = min(1e-12 * max(1.0, largest), 1e-10 * largest)
    probes = x[:: max(1, x.size // PROBES)]
    scaled = np.multiply.outer(DENOMINATORS, probes)
    off = np.abs(scaled - np.rint(scaled)).max(axis=1)
    for denominator in DENOMINATORS[off <= tolerance * DENOMINATORS]:
        steps = np.rint(x * denominator)
        if np.abs(steps - x * denominator).max() <= tolerance * denominator:
            return _within_size(steps, multiplicities, int(denominator))
    return None


def _within_size(
    steps: NDArray[np.float64], multiplicities: ArrayLike | None, denominator: int
) -> tuple[NDArray[np.int64], int] | None:
    weights = np.ones(steps.size) if multiplicities is None else np.asarray(multiplicities, float)
    n = float(weights.sum())
    mean = float((weights * steps).sum()) / n
    deviation = steps - mean
    spread = float(deviation.max() - deviation.min())
    variance = float((weights * deviation * deviation).sum())
    largest = float(np.abs(deviation).max())
    points = min(n * spread, 2.0 * reach(variance, largest, WINDOW_LOG))
    if points > MAX_POINTS or n * float(np.abs(steps).max()) > 2.0**53:
        return None
    return steps.astype(np.int64), denominator
