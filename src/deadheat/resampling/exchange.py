"""Exchange of two systems within items: the null distribution of any metric of sums.

Under the sharp null that swapping the two outputs of an item changes nothing, the number of
swapped items of a type with m items is Binomial(m, 1/2), independently of the other types
(STATISTICS.md 3.3). This is approximate randomization (Noreen 1989; Yeh 2000), sign flipping
when the metric is a mean.

Word order of block j of `Purpose.EXCHANGE`, types with unequal statistics only, in ascending
multiplicity (ties in the order given): main stream and branch 0 as
`deadheat.resampling.tables.IndependentCounts` describes, with tables of fair coins.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from deadheat.distributions import Distribution, Replicates
from deadheat.errors import InferenceError
from deadheat.resampling import blocks, kernel
from deadheat.resampling.counts import CHUNK_CELLS, checked_multiplicities
from deadheat.resampling.functionals import Floats, Ints, Value, ValueOf, metrics_for
from deadheat.resampling.integer_sums import SINGLE, Factor, IntegerSums, product
from deadheat.resampling.scratch import Scratch
from deadheat.resampling.tables import IndependentCounts, fair_binomial
from deadheat.resampling.weighted import Weighted
from deadheat.rng import Purpose, Stream

MOST_OUTCOMES = 1_000_000
"""Up to so many outcomes are enumerated rather than drawn."""

EXACT_WAYS = 53
"""Exchanges of so many items can be counted: there are 2^53, and sums of such counts are exact."""


def exchange(
    statistics_baseline: Floats,
    statistics_candidate: Floats,
    multiplicities: Ints,
    value: Value | Sequence[Value],
    *,
    seed: int,
    n_resamples: int = 9_999,
    threads: int | None = 1,
) -> Distribution:
    """Return the distribution of value(candidate) - value(baseline) under exchange.

    Parameters
    ----------
    statistics_baseline, statistics_candidate : ndarray, shape (type, k)
        What one item of each type contributes to either system.
    multiplicities : ndarray of int, shape (type,)
        How many items are of each type.
    value : callable, or one for the baseline and one for the candidate
        Maps totals of shape (..., k) to values of shape (...).
    seed, n_resamples, threads
        See `deadheat.resampling.blocks.drawn`; not used when all outcomes are enumerated.

    Returns
    -------
    Weighted or Replicates
        Exact when the types with unequal statistics have at most `MOST_OUTCOMES` outcomes, the
        observed one among them; otherwise drawn, the observed outcome not counted.

    Raises
    ------
    InferenceError
        If the shapes do not agree, or the numbers cannot be summed.
    """
    baseline, candidate = (
        np.asarray(side, dtype=np.float64) for side in (statistics_baseline, statistics_candidate)
    )
    units = checked_multiplicities(multiplicities)
    if baseline.ndim != 2 or baseline.shape != candidate.shape or len(baseline) != len(units):
        raise InferenceError(
            f"statistics of shapes {baseline.shape} and {candidate.shape} do not fit "
            f"{len(units)} multiplicities.",
            fix="Give both systems statistics of shape (type, k), one row for each multiplicity.",
        )
    metrics = metrics_for(value, 2)
    n, k = int(units.sum()), baseline.shape[1]
    # One unit for both systems, so that swapping twice is no change at all.
    # A sum of changes may reach twice the largest total.
    sums = IntegerSums.of(np.concatenate([baseline, candidate]), 2 * n)
    first, second = sums.matrix[: len(units)], sums.matrix[len(units) :]
    total_first, total_second = (units @ side.astype(np.float64) for side in (first, second))
    moved = np.flatnonzero((first != second).any(axis=1) & (units > 0))
    moved = moved[np.argsort(units[moved], kind="stable")]
    change, movable = Factor.of((second - first)[moved], n), units[moved]

    def shift(swapped: Floats) -> Floats:
        return change.product(swapped.astype(change.dtype, copy=False)).astype(np.float64)

    def difference(shifts: Floats) -> Floats:
        return np.asarray(
            metrics[1]((total_second - shifts) * sums.unit)
            - metrics[0]((total_first + shifts) * sums.unit)
        )

    return _null(
        shift,
        difference,
        movable,
        dtype=change.dtype,
        width=k,
        cells=units.size,
        most_outcomes=MOST_OUTCOMES,
        seed=seed,
        n_resamples=n_resamples,
        threads=threads,
    )


def exchange_of_weights(
    rows_baseline: Floats,
    rows_candidate: Floats,
    multiplicities: Ints,
    value_of: ValueOf,
    *,
    seed: int,
    n_resamples: int = 9_999,
    threads: int | None = 1,
    progress: blocks.Progress | None = None,
) -> Distribution:
    """Return the null distribution for a metric of weights; see `exchange`.

    Parameters
    ----------
    rows_baseline, rows_candidate : ndarray, shape (type, c)
        What the metric depends on of one item of each type, for either system.
    multiplicities : ndarray of int, shape (type,)
        How many items are of each type.
    value_of : callable
        Rows of shape (row, c) to a function of weights of shape (..., row).
    seed, n_resamples, threads, progress
        See `deadheat.resampling.blocks.drawn`. No more outcomes than resamples are enumerated.
    """
    units = checked_multiplicities(multiplicities)
    moved = np.flatnonzero((rows_baseline != rows_candidate).any(axis=1) & (units > 0))
    moved = moved[np.argsort(units[moved], kind="stable")]
    dtype = np.dtype(np.float32 if units.sum() <= SINGLE else np.float64)
    # The rows of both systems stand one after the other: exchanging moves weight between them.
    value = value_of(np.concatenate([rows_baseline, rows_candidate]))

    def difference(swapped: Floats) -> Floats:
        # What goes, stays and goes: two of the three parts for one system, two for the other.
        weights = np.zeros((len(swapped), 3, units.size), dtype)
        weights[:, 0, moved] = weights[:, 2, moved] = swapped
        np.subtract(units.astype(dtype), weights[:, 0], out=weights[:, 1])
        flat, n_rows = weights.reshape(len(swapped), -1), 2 * units.size
        return np.asarray(value(flat[:, :n_rows]) - value(flat[:, -n_rows:]))

    return _null(
        difference,
        lambda differences: differences,
        units[moved],
        dtype=dtype,
        width=2 * units.size,
        cells=units.size,
        most_outcomes=n_resamples,
        seed=seed,
        n_resamples=n_resamples,
        threads=threads,
        progress=progress,
    )


def _null(
    part: Value,
    whole: Value,
    movable: Ints,
    *,
    dtype: np.dtype[Any],
    width: int,
    cells: int,
    most_outcomes: int,
    seed: int,
    n_resamples: int,
    threads: int | None,
    progress: blocks.Progress | None = None,
) -> Distribution:
    """Return the distribution of a difference as a function of how many items are swapped.

    Parameters
    ----------
    part : callable
        Takes numbers of swapped items, shape (outcome, type); returns (outcome, ...): whatever
        `whole` needs.
    whole : callable
        Returns the differences, shape (outcome,).
    movable : ndarray of int, shape (type,)
        Items of each type that can be swapped, ascending.
    dtype : dtype
        Of the numbers that are drawn: float32 or float64.
    width : int
        Numbers that are needed for one outcome, beside those of the types.
    cells : int
        Counts that are drawn for one resample.
    most_outcomes : int
        Up to so many outcomes are enumerated.
    """
    observed = float(whole(part(np.zeros((1, movable.size))))[0])
    scale = 0.0 if math.isnan(observed) else observed
    # Every type at least doubles the outcomes, and 2^20 are too many.
    if movable.size < 20 and math.prod((movable + 1).tolist()) <= most_outcomes:
        outcomes = [
            (whole(part(swapped)), weights) for swapped, weights in _outcomes(movable, width)
        ]
        differences, weights = (np.concatenate(column) for column in zip(*outcomes, strict=True))
        return Weighted.of(differences, weights, estimate=scale)
    engine = IndependentCounts(movable, fair_binomial)

    def block(stream: Stream, rows: int, scratch: Scratch) -> Floats:
        swapped = _swapped(engine, (rows, movable.size), dtype, stream, scratch)
        return whole(np.concatenate([part(counts) for counts in swapped]))[:, None]

    draws = blocks.drawn(
        block,
        width=1,
        cells=cells,
        n_resamples=n_resamples,
        seed=seed,
        purpose=Purpose.EXCHANGE,
        threads=threads,
        progress=progress,
    )
    return Replicates.of(draws[:, 0], estimate=scale)


def flipped_totals(
    differences: Floats,
    multiplicities: Ints,
    *,
    seed: int,
    n_resamples: int,
    threads: int | None = 1,
) -> Floats:
    """Draw totals of differences whose signs are flipped by fair coins.

    Parameters
    ----------
    differences : ndarray, shape (type,)
        Distinct per-item differences.
    multiplicities : ndarray of int, shape (type,)
        How many items have each.
    seed, n_resamples, threads
        See `deadheat.resampling.blocks.drawn`.

    Returns
    -------
    ndarray, shape (n_resamples,)
        Sum over items of sign x difference; the unflipped total is not among them.

    Raises
    ------
    InferenceError
        If the shapes do not agree, or the numbers cannot be summed.
    """
    given = np.asarray(differences, dtype=np.float64)
    units = checked_multiplicities(multiplicities)
    if given.shape != units.shape:
        raise InferenceError(
            f"differences of shape {given.shape} do not fit {units.size} multiplicities.",
            fix="Give one difference and one multiplicity for each type.",
        )
    sums = IntegerSums.of(given[:, None], int(units.sum()))
    whole = sums.matrix[:, 0]
    moved = np.flatnonzero((whole != 0.0) & (units > 0))
    moved = moved[np.argsort(units[moved], kind="stable")]
    engine, change = IndependentCounts(units[moved], fair_binomial), whole[moved, None]
    total = float(whole.astype(np.float64) @ units)

    def block(stream: Stream, rows: int, scratch: Scratch) -> Floats:
        swapped = _swapped(engine, (rows, moved.size), change.dtype, stream, scratch)
        flipped = np.concatenate([product(counts, change) for counts in swapped])
        return (total - 2.0 * flipped.astype(np.float64)) * sums.unit

    return blocks.drawn(
        block,
        width=1,
        cells=units.size,
        n_resamples=n_resamples,
        seed=seed,
        purpose=Purpose.EXCHANGE,
        threads=threads,
    )[:, 0]


def _swapped(
    engine: IndependentCounts,
    shape: tuple[int, int],
    dtype: np.dtype[Any],
    stream: Stream,
    scratch: Scratch,
) -> Iterator[NDArray[Any]]:
    """Yield how many items of each type are swapped, (resample, type), in memory used again."""
    rows, n_types = shape
    more = stream.branch(0)
    most = max(1, CHUNK_CELLS // max(1, n_types))
    if kernel.name() == "c":
        plan, words = engine.plan(), kernel.words_of(stream, more)
        for start in range(0, rows, most):
            swapped = scratch.array("swapped", (min(most, rows - start), n_types), dtype)
            plan.fill(swapped, words)
            yield swapped
        return
    for start in range(0, rows, most):
        size = min(most, rows - start)
        swapped = scratch.array("swapped", (size, n_types), dtype)
        engine.fill(swapped, scratch.words(stream, size, engine.n_words), more, scratch)
        yield swapped


def _outcomes(movable: Ints, k: int) -> Iterator[tuple[Floats, Floats]]:
    """Yield every way to swap and in how many of all exchanges it is met, in parts."""
    radix = movable + 1
    n_outcomes = math.prod(radix.tolist())
    exact = int(movable.sum()) <= EXACT_WAYS
    weights = [_ways(m) if exact else _shares(m) for m in movable.tolist()]
    most = max(1, CHUNK_CELLS // max(1, k, movable.size))
    for start in range(0, n_outcomes, most):
        code = np.arange(start, min(start + most, n_outcomes))
        swapped = np.empty((code.size, movable.size))
        weight = np.ones(code.size)
        for column, base in enumerate(radix.tolist()):
            code, digit = np.divmod(code, base)
            swapped[:, column] = digit
            weight *= weights[column][digit]
        yield swapped, weight


def _ways(m: int) -> Floats:
    """Return in how many ways 0, 1, ..., m of m items are swapped, shape (m + 1,)."""
    return np.array([math.comb(m, swapped) for swapped in range(m + 1)], dtype=np.float64)


def _shares(m: int) -> Floats:
    """Return `_ways` over 2^m, good to rounding; the two halves are the same bits."""
    factorials = special.gammaln(np.arange(m + 1) + 1.0)
    orders = factorials + factorials[::-1]
    return np.asarray(np.exp(factorials[-1] - orders - m * math.log(2.0)))
