"""The crossed bootstrap: items and runs drawn at once, each with replacement.

A resample weighs the runs of a system by how often each was drawn, whatever items it drew (Owen
2007 calls it the pigeonhole bootstrap). The variance over resamples holds that of items and that of
runs about once, but that of residuals three times: intervals from it are conservative, and longer
by up to a factor of sqrt(3) where nothing but residuals varies.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import InferenceError
from deadheat.resampling import blocks
from deadheat.resampling.counts import Multinomial
from deadheat.resampling.scratch import Scratch
from deadheat.rng import Purpose, Stream

Floats = NDArray[np.float64]


def run_weights(
    n_runs: int, *, n_resamples: int = 9_999, seed: int, purpose: Purpose, threads: int | None = 1
) -> Floats:
    """Draw how much each run of a system counts in each resample.

    Parameters
    ----------
    n_runs : int
        Runs of the system.
    n_resamples, seed, purpose, threads
        See `deadheat.resampling.blocks.drawn`; every system has a purpose of its own.

    Returns
    -------
    ndarray, shape (n_resamples, n_runs)
        Counts of draws over the number of runs; each row adds up to 1.

    Examples
    --------
    >>> weights = run_weights(5, seed=0, purpose=Purpose.FIRST_RUNS)
    >>> weights.shape, bool((abs(weights.sum(axis=1) - 1.0) < 1e-12).all())
    ((9999, 5), True)
    """
    engine = Multinomial(np.ones(n_runs, dtype=np.int64))

    def block(stream: Stream, rows: int, scratch: Scratch) -> Floats:
        weights = np.empty((rows, n_runs))
        done = 0
        for chunk in engine.chunks(stream, rows, np.float64, scratch):
            weights[done : done + len(chunk), engine.order] = chunk / n_runs
            done += len(chunk)
        return weights

    return blocks.drawn(
        block,
        width=n_runs,
        cells=n_runs,
        n_resamples=n_resamples,
        seed=seed,
        purpose=purpose,
        threads=threads,
    )


def crossed(values: Floats, weights: Floats) -> Floats:
    """Return the value of a system on resamples of items and runs.

    Parameters
    ----------
    values : ndarray, shape (resample, run)
        The metric of each run on each resample of items, all runs on the same items.
    weights : ndarray, shape (resample, run)
        See `run_weights`.

    Returns
    -------
    ndarray, shape (resample,)
        NaN where the metric of a run that was drawn is undefined.

    Raises
    ------
    InferenceError
        If the shapes differ.

    Examples
    --------
    >>> crossed(np.array([[0.5, 1.0], [0.0, np.nan]]), np.array([[0.5, 0.5], [1.0, 0.0]]))
    array([0.75, 0.  ])
    """
    if values.shape != weights.shape:
        raise InferenceError(
            f"values of shape {values.shape} have weights of shape {weights.shape}.",
            fix="Give a weight for every run in every resample.",
        )
    products: Floats = np.where(weights > 0.0, values, 0.0) * weights
    total: Floats = products.sum(axis=1)
    return total
