"""Ideal bootstrap of any metric over few types: every resample, with its probability."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from deadheat.resampling.weighted import Weighted

MAX_RESAMPLES = 1_000_000
"""Distinct resamples that are enumerated at most."""


def enumerate_bootstrap(
    statistics: ArrayLike,
    multiplicities: ArrayLike,
    value: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    *,
    estimate: float = 0.0,
) -> Weighted | None:
    """Distribution of a metric over all resamples of n units of G types.

    Parameters
    ----------
    statistics : array_like, shape (G, k)
    multiplicities : array_like of int, shape (G,)
    value : callable
        Maps totals (..., k) to values (...); NaN where it is undefined.
    estimate : float
        Scale of the tolerance for ties, see `Weighted.of`.

    Returns
    -------
    Weighted or None
        None when there are more than `MAX_RESAMPLES` distinct resamples, C(n + G - 1, G - 1).

    Examples
    --------
    >>> import numpy as np
    >>> d = enumerate_bootstrap([[0.0], [1.0], [2.0], [5.0]], [1, 1, 1, 1], lambda t: t[..., 0] / 4)
    >>> d.values.size, round(d.at_most(0.0), 12)
    (19, 0.00390625)
    """
    rows = np.asarray(statistics, dtype=np.float64)
    counts = np.asarray(multiplicities, dtype=np.int64)
    n, n_types = int(counts.sum()), counts.size
    if n < 1 or math.comb(n + n_types - 1, n_types - 1) > MAX_RESAMPLES:
        return None
    log_share = np.log(counts / n)
    log_factorial = special.gammaln(np.arange(n + 1) + 1.0)
    values, weights = [], []
    for drawn in _count_vectors(n, n_types):
        values.append(np.asarray(value(drawn @ rows), dtype=np.float64))
        weights.append(
            np.exp(log_factorial[n] - log_factorial[drawn].sum(axis=1) + drawn @ log_share)
        )
    return Weighted.of(np.concatenate(values), np.concatenate(weights), estimate=estimate)


def _count_vectors(n: int, n_types: int) -> Iterator[NDArray[np.int64]]:
    """Blocks, shape (rows, n_types), of all count vectors that add up to n."""
    if n_types == 1:
        yield np.array([[n]])
        return
    for first in range(n + 1):
        rest = _compositions(n - first, n_types - 1)
        block = np.empty((rest.shape[0], n_types), dtype=np.int64)
        block[:, 0] = first
        block[:, 1:] = rest
        yield block


def _compositions(n: int, n_types: int) -> NDArray[np.int32]:
    left = np.array([n], dtype=np.int32)
    columns: list[NDArray[np.int32]] = []
    for _ in range(n_types - 1):
        choices = left + 1
        index = np.repeat(np.arange(left.size), choices)
        starts = np.repeat(np.cumsum(choices) - choices, choices)
        taken = (np.arange(index.size) - starts).astype(np.int32)
        columns = [column[index] for column in columns]
        columns.append(taken)
        left = left[index] - taken
    return np.stack([*columns, left], axis=1)
