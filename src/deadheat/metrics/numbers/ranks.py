"""Ranks of weighted samples: sorted once, then sums over many weightings at a time.

The kernels here see weights transposed, shape (row, resample), so that taking rows in another
order copies whole lines of memory. How many resamples are in a block must not change a bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.metrics.metric import Floats, ValueOf

Positions = NDArray[np.intp]
Kernel = Callable[[Floats], Floats]
"""Maps float64 weights of shape (row, resample) to values of shape (resample,)."""

CELLS = 1 << 17
"""Weights worked on at once: the arrays made of them stay in the cache."""

FEWEST, MOST = 8, 40
"""Resamples worked on at once. Sums run down columns, and steps of a high power of two, such as
64 numbers, would keep hitting the same few lines of the cache."""


def by_blocks(kernel: Kernel, n_rows: int) -> ValueOf:
    """Return a function of weights (..., row) of any float type that calls `kernel` in blocks."""

    def values(weights: NDArray[Any]) -> Floats:
        shape = weights.shape[:-1]
        flat = weights.reshape(math.prod(shape), n_rows)
        step = min(MOST, max(FEWEST, CELLS // max(1, n_rows)))
        found = np.empty(len(flat))
        for start in range(0, len(flat), step):
            block = flat[start : start + step]
            found[start : start + step] = kernel(block.T.astype(np.float64, order="C"))
        return found.reshape(shape)

    return values


def running(weights: Floats) -> Floats:
    """Return cumulated weights with a line of zeros before them, shape (row + 1, resample)."""
    sums = np.empty((len(weights) + 1, weights.shape[1]))
    sums[0] = 0.0
    np.cumsum(weights, axis=0, out=sums[1:])
    return sums


def summed(values: Floats) -> Floats:
    """Sum over rows, shape (row, resample), in an order that does not depend on the resamples.

    Whole numbers need no care; real ones have to give the same bits however many resamples
    stand side by side.
    """
    return np.asarray(values.T.copy(order="C").sum(axis=1))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Places:
    """Where values stand among sorted values.

    Attributes
    ----------
    below, upto : ndarray of int, shape (value,)
        How many of the sorted values are less, and how many are not greater.
    tied : bool
        Whether the two differ anywhere.
    """

    below: Positions
    upto: Positions
    tied: bool

    @classmethod
    def of(cls, values: NDArray[Any], among: NDArray[Any]) -> Places:
        """Look up values among sorted ones."""
        below = np.searchsorted(among, values, side="left")
        upto = np.searchsorted(among, values, side="right")
        tied = not np.array_equal(below, upto)
        return cls(below=below, upto=upto if tied else below, tied=tied)

    def weight_below(self, sums: Floats) -> Floats:
        """Return the weight of what is less and half that of what is equal.

        Parameters
        ----------
        sums : ndarray, shape (sorted value + 1, resample)
            From `running`.

        Returns
        -------
        ndarray, shape (value, resample)
            Exact while the total weight stays below 2^52.
        """
        if not self.tied:
            return sums[self.below]
        both = sums[self.below]
        both += sums[self.upto]
        both *= 0.5
        return both


def mid_ranks(values: Floats) -> Floats:
    """Return ranks from 1, the mean rank for ties, shape (item,).

    Examples
    --------
    >>> import numpy as np
    >>> mid_ranks(np.array([0.3, 0.1, 0.3, 0.9]))
    array([2.5, 1. , 2.5, 4. ])
    """
    places = Places.of(values, np.sort(values))
    return np.asarray(0.5 * (places.below + places.upto + 1), dtype=np.float64)
