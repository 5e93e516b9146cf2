"""Replicates of the studentized mean (Efron 1982; STATISTICS.md 1.6)."""

from __future__ import annotations

import math

import numpy as np

from deadheat.errors import InferenceError
from deadheat.resampling import blocks
from deadheat.resampling.bootstrap import Floats, Ints, summed
from deadheat.resampling.counts import Multinomial
from deadheat.resampling.integer_sums import IntegerSums
from deadheat.rng import Purpose, Stream


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
    engine = Multinomial(multiplicities)
    n = engine.n
    if n < 2:
        raise InferenceError(
            "one unit has no standard error.", fix="A studentized mean needs two units or more."
        )
    given = np.asarray(values, dtype=np.float64)
    if given.shape != (engine.order.size,):
        raise InferenceError(
            f"values of shape {given.shape} do not fit {engine.order.size} multiplicities.",
            fix="Give one value and one multiplicity for each type.",
        )
    mean = float((given * multiplicities).sum()) / n
    # Squares of centred values do not cancel when the mean is far from zero.
    centred = (given - mean)[engine.order]
    sums = IntegerSums.of(np.stack([centred, centred**2], axis=-1), n)
    rounding = n * 2.0**-48 * float(np.max(centred**2))

    def block(stream: Stream, rows: int) -> Floats:
        total, squares = summed(engine, sums, stream, rows).T
        deviation = squares / n - (total / n) ** 2
        deviation[deviation <= rounding] = np.nan
        replicates: Floats = (total / n) / np.sqrt(deviation) * math.sqrt(n - 1)
        return replicates[:, None]

    return blocks.drawn(
        block,
        width=1,
        cells=given.size,
        n_resamples=n_resamples,
        seed=seed,
        purpose=purpose,
        threads=threads,
    )[:, 0]
