"""Replicates of the studentized mean (Efron 1982; STATISTICS.md 1.6)."""

from __future__ import annotations

import math

import numpy as np

from deadheat.errors import InferenceError
from deadheat.resampling.bootstrap import bootstrap
from deadheat.resampling.counts import checked_multiplicities
from deadheat.resampling.functionals import Floats, Ints
from deadheat.rng import Purpose


def studentized_mean(
    values: Floats,
    multiplicities: Ints,
    *,
    n_resamples: int = 9_999,
    seed: int,
    threads: int | None = 1,
    purpose: Purpose = Purpose.BOOTSTRAP,
) -> Floats:
    """Draw t* = (mean* - mean) / se*, both standard errors with one degree of freedom off.

    The resamples are those that `bootstrap` draws from the same multiplicities and seed.

    Parameters
    ----------
    values : ndarray, shape (type,)
        Distinct values of the units.
    multiplicities : ndarray of int, shape (type,)
        How many units have each.
    n_resamples, seed, threads, purpose
        See `deadheat.resampling.blocks.drawn`.

    Returns
    -------
    ndarray, shape (n_resamples,)
        NaN where se* is zero within the rounding of the sums.

    Raises
    ------
    InferenceError
        If there are fewer than two units.
    """
    units = checked_multiplicities(multiplicities)
    n = int(units.sum())
    if n < 2:
        raise InferenceError(
            "one unit has no standard error.", fix="A studentized mean needs two units or more."
        )
    given = np.asarray(values, dtype=np.float64)
    if given.shape != units.shape:
        raise InferenceError(
            f"values of shape {given.shape} do not fit {units.size} multiplicities.",
            fix="Give one value and one multiplicity for each type.",
        )
    mean = float((given * units).sum()) / n
    # Squares of centred values do not cancel when the mean is far from zero.
    centred = given - mean
    rounding = n * 2.0**-48 * float(np.max(centred**2))

    def studentized(totals: Floats) -> Floats:
        total, squares = totals[..., 0], totals[..., 1]
        deviation = squares / n - (total / n) ** 2
        deviation[deviation <= rounding] = np.nan
        replicates: Floats = (total / n) / np.sqrt(deviation) * math.sqrt(n - 1)
        return replicates

    return bootstrap(
        np.stack([centred, centred**2], axis=-1)[:, None],
        units,
        studentized,
        n_resamples=n_resamples,
        seed=seed,
        threads=threads,
        purpose=purpose,
    )[:, 0]
