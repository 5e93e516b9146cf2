"""How alike the items of one cluster are, and what that costs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NOTHING = 1e-26
"""Share of the sum of squares that is rounding (1e-13 of a value) and no variation."""


def intra_class_correlation(values: Floats, clusters: Ints) -> Floats:
    """Return the intra-class correlation of items within clusters, shape (...).

    It is the estimator of one-way analysis of variance for clusters of any sizes,
    ``(MSB - MSW) / (MSB + (m0 - 1) MSW)`` with ``m0 = (N - sum(m**2) / N) / (G - 1)``. It may be
    negative, down to ``-1 / (m0 - 1)``, where items of a cluster differ more than others do.

    Parameters
    ----------
    values : ndarray, shape (item, ...)
    clusters : ndarray of int, shape (item,)
        Cluster of each item, 0 to G - 1, each with an item at least.

    Returns
    -------
    ndarray, shape (...)
        NaN where nothing varies, where there is one cluster, or where no cluster has two items.

    References
    ----------
    Donner, A. (1986). A review of inference procedures for the intraclass correlation coefficient
    in the one-way random effects model. International Statistical Review 54, 67-82.

    Examples
    --------
    >>> clusters = np.array([0, 0, 1, 1, 2, 2])
    >>> float(intra_class_correlation(np.array([1.0, 1.0, 2.0, 2.0, 4.0, 4.0]), clusters))
    1.0
    """
    given = np.asarray(values, dtype=np.float64)
    flat = given.reshape(len(given), -1)
    sizes = np.bincount(clusters).astype(np.float64)
    n, n_clusters = float(len(given)), sizes.size
    if n_clusters < 2 or n_clusters == len(given):
        return np.full(given.shape[1:], np.nan)
    # Deviations first: squares of values far from 0 would cancel.
    deviations = flat - flat.mean(axis=0)
    sums = np.stack([np.bincount(clusters, weights=column) for column in deviations.T], axis=-1)
    between = (sums**2 / sizes[:, None]).sum(axis=0)
    total = (deviations**2).sum(axis=0)
    ms_between = between / (n_clusters - 1)
    ms_within = np.maximum(total - between, 0.0) / (n - n_clusters)
    usual = (n - (sizes**2).sum() / n) / (n_clusters - 1)
    scale = (flat**2).sum(axis=0)
    varies = total > NOTHING * scale
    found = np.full(flat.shape[1], np.nan)
    np.divide(
        ms_between - ms_within, ms_between + (usual - 1.0) * ms_within, out=found, where=varies
    )
    return found.reshape(given.shape[1:])


def kish_design_effect(correlation: Floats, clusters: Ints) -> Floats:
    """Return by what factor the variance of a mean grows, ``1 + (m - 1) icc``, shape (...).

    The size ``m`` is that of the cluster of an average item, ``sum(m**2) / N``: with clusters of
    unequal sizes the large ones count by their items.

    Parameters
    ----------
    correlation : ndarray, shape (...)
        Intra-class correlation.
    clusters : ndarray of int, shape (item,)

    References
    ----------
    Kish, L. (1965). Survey Sampling. Wiley.

    Examples
    --------
    >>> float(kish_design_effect(np.array(0.1), np.repeat(np.arange(50), 4)))
    1.3
    """
    sizes = np.bincount(clusters).astype(np.float64)
    return np.asarray(1.0 + ((sizes**2).sum() / sizes.sum() - 1.0) * np.asarray(correlation))
