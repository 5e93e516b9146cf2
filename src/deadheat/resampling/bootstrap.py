"""The bootstrap: metrics of all systems on the same resamples of units."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import InferenceError
from deadheat.resampling import blocks
from deadheat.resampling.counts import Multinomial
from deadheat.resampling.integer_sums import IntegerSums
from deadheat.rng import Purpose, Stream

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Value = Callable[[Floats], Floats]
"""A metric: totals of shape (..., k) to values of shape (...), NaN where undefined."""


def bootstrap(
    statistics: Floats,
    multiplicities: Ints,
    value: Value | Sequence[Value],
    *,
    n_resamples: int = 9_999,
    seed: int,
    threads: int | None = 1,
    purpose: Purpose = Purpose.BOOTSTRAP,
) -> Floats:
    """Draw resamples of the units and score every system on each.

    Parameters
    ----------
    statistics : ndarray, shape (type, system, k)
        What one unit of each type contributes.
    multiplicities : ndarray of int, shape (type,)
        How many units are of each type.
    value : callable, or one for each system
        Maps totals of shape (..., k) to values of shape (...).
    n_resamples, seed, threads, purpose
        See `deadheat.resampling.blocks.drawn`.

    Returns
    -------
    ndarray, shape (n_resamples, system)
        NaN where a metric is undefined on a resample.

    Raises
    ------
    InferenceError
        If the shapes do not agree, or the numbers cannot be resampled.

    Examples
    --------
    >>> import numpy as np
    >>> statistics = np.array([[[0.0, 1.0]], [[1.0, 1.0]]])
    >>> share = bootstrap(
    ...     statistics, np.array([30, 70]), lambda t: t[..., 0] / t[..., 1], seed=0
    ... )
    >>> share.shape, round(float(share.mean()), 2)
    ((9999, 1), 0.7)
    """
    shape = np.shape(statistics)
    if len(shape) != 3 or shape[0] != len(multiplicities):
        raise InferenceError(
            f"statistics of shape {shape} do not fit {len(multiplicities)} multiplicities.",
            fix="Give statistics of shape (type, system, k) and one multiplicity for each type.",
        )
    metrics = metrics_for(value, shape[1])
    engine = Multinomial(multiplicities)
    sums = IntegerSums.of(np.reshape(statistics, (shape[0], -1))[engine.order], engine.n)

    def block(stream: Stream, rows: int) -> Floats:
        totals = summed(engine, sums, stream, rows).reshape(rows, *shape[1:])
        # One contiguous array for a system: a metric must not see how the others are laid out.
        return np.stack(
            [metric(np.ascontiguousarray(totals[:, s])) for s, metric in enumerate(metrics)],
            axis=-1,
        )

    return blocks.drawn(
        block,
        width=shape[1],
        cells=shape[0],
        n_resamples=n_resamples,
        seed=seed,
        purpose=purpose,
        threads=threads,
    )


def summed(engine: Multinomial, sums: IntegerSums, stream: Stream, rows: int) -> Floats:
    """Return the totals of the resamples of one block, shape (rows, column)."""
    totals = np.empty((rows, sums.unit.size))
    done = 0
    for chunk in engine.chunks(stream, rows, sums.matrix.dtype):
        totals[done : done + len(chunk)] = sums.totals(chunk)
        done += len(chunk)
    return totals


def metrics_for(value: Value | Sequence[Value], n_systems: int) -> tuple[Value, ...]:
    """Return one metric for each system.

    Raises
    ------
    InferenceError
        If there are several, and not one for each.
    """
    if callable(value):
        return (value,) * n_systems
    if len(value) != n_systems:
        raise InferenceError(
            f"{len(value)} metrics were given for {n_systems} systems.",
            fix="Give one for all systems or one for each.",
        )
    return tuple(value)
