"""How far from 1 the characteristic function of some values stays, over all frequencies.

A transform of the binned values gives |phi| on a grid of frequencies up to millions; second-order
bounds of what binning and what lies between two grid points can add make it a bound everywhere.
Values outside the bulk, and all but some thousands in it, are not looked at: they can add no more
than their share.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

TRIMMED = 0.01
"""Share of the values that is left out of the bulk on either side."""

ENOUGH = 1 << 14
"""Values that are looked at, evenly spread over their order where there are more."""

NEAR_CELLS = 384
"""Cells between frequency zero and the first point of the grid."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Decay:
    """Bound of |E exp(i t X)|, X a value at random of those of the bulk that are looked at.

    Attributes
    ----------
    edges : ndarray, shape (C + 1,)
        Frequencies in ascending order, from 0.
    bounds : ndarray, shape (C,)
        |phi(t)| <= bounds[c] for edges[c] <= t <= edges[c + 1].
    share : float
        Share of all values that are looked at.
    """

    edges: NDArray[np.float64]
    bounds: NDArray[np.float64]
    share: float


def decay_of(
    values: NDArray[np.float64], weights: NDArray[np.float64], *, size: int
) -> Decay | None:
    """Bound the characteristic function of sorted values.

    Parameters
    ----------
    values : ndarray, shape (N,), ascending
    weights : ndarray, shape (N,)
        Multiplicities.
    size : int
        Length of the transform; the bound reaches to frequency pi size / (4 range of the bulk).

    Returns
    -------
    Decay or None
        None when all values are equal.
    """
    if not (values.size and values[-1] > values[0]):
        return None
    everything = float(weights.sum())
    some = slice(None, None, -(-values.size // ENOUGH))
    if values[some][-1] > values[0]:
        values, weights = values[some], weights[some]
    bulk = _bulk(values, weights)
    x, w = values[bulk], weights[bulk]
    if not x[-1] > x[0]:
        x, w = values, weights
    width = float(x[-1] - x[0])
    total = float(w.sum())
    w = w / total
    x = x - float((w * x).sum())
    square = x * x
    variance, fourth = float((w * square).sum()), float((w * square * square).sum())
    spacing = 4.0 * width / size
    place = (x - x[0]) / spacing
    index = place.astype(np.intp)
    right = place - index
    heavier = w * right
    binned = np.bincount(index, w - heavier, minlength=size)
    occupied = int(index[-1]) + 1
    binned[1 : occupied + 1] += np.bincount(index, heavier)
    step = np.pi / (2.0 * width)
    # |exp(itx) - its linear interpolation| <= t^2 right (1 - right) spacing^2 / 2.
    binning = 0.5 * spacing * spacing * float((heavier * (1.0 - right)).sum())
    modulus = np.abs(np.fft.rfft(binned))
    grid = step * np.arange(modulus.size)
    modulus += binning * grid * grid + 1e-14
    far = np.maximum(modulus[:-1], modulus[1:]) + step * step * variance / 8.0
    near_end, near_edges, near = _near_zero(variance, fourth)
    first = int(near_end / step)
    return Decay(
        edges=np.concatenate([near_edges, grid[first + 1 :]]),
        bounds=np.minimum(np.concatenate([near, far[first:]]), 1.0),
        share=min(1.0, total / everything),
    )


def _bulk(values: NDArray[np.float64], weights: NDArray[np.float64]) -> slice:
    """Central values, quantiles taken without the heaviest value (often an atom at zero)."""
    rest = np.array(weights)
    starts = np.flatnonzero(np.diff(values, prepend=-np.inf) > 0.0)
    ties = np.add.reduceat(weights, starts)
    heaviest = int(np.argmax(ties))
    if ties[heaviest] > 0.02 * weights.sum():
        stop = starts[heaviest + 1] if heaviest + 1 < starts.size else values.size
        rest[starts[heaviest] : stop] = 0.0
    below = np.cumsum(rest)
    low = int(np.searchsorted(below, TRIMMED * below[-1], side="right"))
    high = int(np.searchsorted(below, (1.0 - TRIMMED) * below[-1], side="left"))
    # Ties stay together, so that a weight is the same as repetitions.
    first = int(np.searchsorted(values, values[low], side="left"))
    return slice(first, int(np.searchsorted(values, values[high], side="right")))


def _near_zero(
    variance: float, fourth: float
) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
    """Bound from |phi|^2 <= 1 - t^2 E(X-X')^2 / 2 + t^4 E(X-X')^4 / 24, decreasing up to `end`."""
    quartic = (2.0 * fourth + 6.0 * variance * variance) / 24.0
    end = math.sqrt(variance / (2.0 * quartic))
    edges = np.concatenate([[0.0], end * np.geomspace(1e-5, 1.0, NEAR_CELLS)])
    square = edges[:-1] ** 2
    return end, edges, np.sqrt(np.maximum(1.0 - square * variance + square * square * quartic, 0.0))
