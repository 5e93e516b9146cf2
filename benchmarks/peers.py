"""The same comparison by scipy and by arch, each written as its careful user would.

Every function returns the two ends of a 95% interval for candidate - baseline.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from arch.bootstrap import IIDBootstrap
from numpy.typing import NDArray
from scipy import stats

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
Ends = tuple[float, float]

BLOCK_BYTES = 16_000_000
"""Of one batch of resamples: the batch at which scipy is at its fastest here."""


def _gap(baseline: Floats, candidate: Floats, axis: int = -1) -> Floats:
    return candidate.mean(axis=axis) - baseline.mean(axis=axis)


def _scipy(
    data: tuple[Floats, ...], statistic: object, n_resamples: int, **options: object
) -> Ends:
    found = stats.bootstrap(
        data,
        statistic,
        vectorized=True,
        n_resamples=n_resamples,
        batch=max(1, BLOCK_BYTES // data[0].nbytes),
        rng=0,
        **options,
    ).confidence_interval
    return float(found.low), float(found.high)


def scipy_paired(baseline: Floats, candidate: Floats, n_resamples: int, *, method: str) -> Ends:
    """Resample both sides by one set of indices, as scipy documents it."""
    return _scipy((baseline, candidate), _gap, n_resamples, paired=True, method=method)


def scipy_differences(
    baseline: Floats, candidate: Floats, n_resamples: int, *, method: str
) -> Ends:
    """Resample the differences: cheaper, and the same for means."""
    return _scipy((candidate - baseline,), np.mean, n_resamples, method=method)


def arch_differences(baseline: Floats, candidate: Floats, n_resamples: int, *, method: str) -> Ends:
    """Resample the differences, which is cheaper than both sides."""
    bootstrap = IIDBootstrap(candidate - baseline, seed=0)
    low, high = bootstrap.conf_int(np.mean, reps=n_resamples, method=method).ravel()
    return float(low), float(high)


def _f1_of(confusion: NDArray[np.int64]) -> float:
    """Macro-F1 of a (reference, output) table in which every label occurs."""
    hits = np.diagonal(confusion)
    return float(np.mean(2.0 * hits / (confusion.sum(axis=0) + confusion.sum(axis=1))))


def _f1_gap(codes: Codes, n_labels: int) -> float:
    cells = np.bincount(codes, minlength=n_labels**3).reshape(n_labels, n_labels, n_labels)
    return _f1_of(cells.sum(axis=1)) - _f1_of(cells.sum(axis=2))


def arch_macro_f1(
    references: Codes, baseline: Codes, candidate: Codes, n_resamples: int, *, method: str
) -> Ends:
    """Code (reference, baseline, candidate) as one number, so that a resample costs one gather."""
    n_labels = int(references.max()) + 1
    codes = (references * n_labels + baseline) * n_labels + candidate
    bootstrap = IIDBootstrap(codes, seed=0)
    statistic = partial(_f1_gap, n_labels=n_labels)
    low, high = bootstrap.conf_int(statistic, reps=n_resamples, method=method).ravel()
    return float(low), float(high)
