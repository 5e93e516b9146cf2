"""The bootstrap: metrics of all systems on the same resamples of units."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deadheat.engine import Engine
from deadheat.errors import InferenceError
from deadheat.resampling import blocks
from deadheat.resampling.counts import Multinomial
from deadheat.resampling.functionals import Floats, Functional, Ints, Sums, Value
from deadheat.resampling.integer_sums import SINGLE
from deadheat.resampling.scratch import Scratch
from deadheat.resampling.stratified import Stratified
from deadheat.rng import Purpose, Stream


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
    return bootstrap_together(
        [Sums.of(statistics, value)],
        multiplicities,
        n_resamples=n_resamples,
        seed=seed,
        threads=threads,
        purpose=purpose,
    )


def bootstrap_together(
    functionals: Sequence[Functional],
    multiplicities: Ints,
    *,
    n_resamples: int = 9_999,
    seed: int,
    threads: int | None = 1,
    purpose: Purpose = Purpose.BOOTSTRAP,
    strata: Ints | None = None,
    engine: Engine | None = None,
    progress: blocks.Progress | None = None,
) -> Floats:
    """Draw resamples of the units and compute several functionals of each.

    Parameters
    ----------
    functionals : sequence of Functional
        Of the same types.
    multiplicities : ndarray of int, shape (type,)
        How many units are of each type.
    n_resamples, seed, threads, purpose, engine, progress
        See `deadheat.resampling.blocks.drawn`.
    strata : ndarray of int, shape (type,), optional
        Stratum of each type; units are drawn within strata.

    Returns
    -------
    ndarray, shape (n_resamples, column)
        The columns of all functionals, in order.
    """
    types = Multinomial(multiplicities) if strata is None else Stratified(multiplicities, strata)
    prepared = [functional.prepared(types.order, types.n) for functional in functionals]
    single = types.n <= SINGLE / 2
    dtype = np.result_type(*(one.dtype for one in prepared)) if single else np.dtype(np.float64)

    def block(stream: Stream, rows: int, scratch: Scratch) -> Floats:
        parts: list[list[Floats]] = [[] for _ in prepared]
        for counts in types.chunks(stream, rows, dtype, scratch):
            for one, found in zip(prepared, parts, strict=True):
                found.append(one.part(counts))
        columns = [
            one.whole(np.concatenate(found)) for one, found in zip(prepared, parts, strict=True)
        ]
        return np.concatenate(columns, axis=1)

    return blocks.drawn(
        block,
        width=sum(functional.shape[1] for functional in functionals),
        cells=types.order.size,
        n_resamples=n_resamples,
        seed=seed,
        purpose=purpose,
        threads=1 if any(functional.serial for functional in functionals) else threads,
        engine=None if any(functional.serial for functional in functionals) else engine,
        progress=progress,
    )
