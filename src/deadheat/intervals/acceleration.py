"""Acceleration of BCa: how fast the spread of a statistic changes with its value."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def acceleration(jackknife_values: ArrayLike, multiplicities: ArrayLike | None = None) -> float:
    """Acceleration from leave-one-out values (Efron 1987, eq. 6.6).

    Parameters
    ----------
    jackknife_values : array_like, shape (unit,) or (type,)
        The statistic without one unit (of each type).
    multiplicities : array_like, shape (type,), optional
        How many units are of each type.

    Returns
    -------
    float
        0 where the values are all equal but for rounding; NaN where one is undefined.
    """
    values = np.asarray(jackknife_values, dtype=np.float64)
    counts = _counts(values, multiplicities)
    deviations = -_centred(values, counts)
    # Of unit size, so that no cube leaves the range of floats.
    deviations = deviations / (float(np.abs(deviations).max(initial=0.0)) or 1.0)
    squares = deviations * deviations
    return _skew(_sum(counts, squares * deviations), _sum(counts, squares))


def pooled_acceleration(
    *influences: ArrayLike, multiplicities: Sequence[ArrayLike | None] | None = None
) -> float:
    """Acceleration of a statistic of several independent samples (Davison & Hinkley 1997, 5.3).

    With U the influence of a unit and n_s the units of sample s, it is
    (1/6) sum_s sum U^3 / n_s^3 / (sum_s sum U^2 / n_s^2)^1.5.

    Parameters
    ----------
    *influences : array_like, shape (unit_s,) or (type_s,)
        Influence of each unit on the statistic, for each sample: (n_s - 1) (mean of the
        leave-one-out values - leave-one-out value). A constant may be added: for a difference of
        means pass `-baseline, candidate`.
    multiplicities : sequence of array_like, optional
        How many units are of each type, for each sample.
    """
    cubes = squares = 0.0
    for position, influence in enumerate(influences):
        values = np.asarray(influence, dtype=np.float64)
        counts = _counts(values, multiplicities[position] if multiplicities else None)
        scaled = _centred(values, counts) / counts.sum()
        squared = scaled * scaled
        cubes += _sum(counts, squared * scaled)
        squares += _sum(counts, squared)
    return _skew(cubes, squares)


def _counts(values: Floats, multiplicities: ArrayLike | None) -> Floats:
    if multiplicities is None:
        return np.ones_like(values)
    return np.asarray(multiplicities, dtype=np.float64)


def _sum(counts: Floats, values: Floats) -> float:
    # Not a product of BLAS: its threads would decide the order of the sum, and so its last bits.
    return float((counts * values).sum())


def _centred(values: Floats, counts: Floats) -> Floats:
    """Subtract the mean; all zero where the values differ by no more than rounding."""
    shifted = values - values[0]
    centred: Floats = shifted - _sum(counts, shifted) / float(counts.sum())
    if np.abs(shifted).max() <= 1e-14 * np.abs(values).max():
        return np.zeros_like(values)
    return centred


def _skew(cubes: float, squares: float) -> float:
    return 0.0 if squares == 0.0 else cubes / (6.0 * math.pow(squares, 1.5))
