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

import numpy as np
from scipy import special

from deadheat.distributions import Distribution, Replicates
from deadheat.errors import InferenceError
from deadheat.resampling import blocks
from deadheat.resampling.counts import CHUNK_CELLS, checked_multiplicities
from deadheat.resampling.functionals import Floats, Ints, Value, ValueOf, metrics_for
from deadheat.resampling.integer_sums import IntegerSums, product
from deadheat.resampling.tables import IndependentCounts, fair_binomial
from deadheat.resampling.weighted import Weighted
from deadheat.rng import Purpose, Stream

MOST_OUTCOMES = 1_000_000
"""Up to so many outcomes are enumerated rather than drawn."""


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
    whole = sums.matrix.astype(np.float64)
    first, second = whole[: len(units)], whole[len(units) :]
    total_first, total_second = units @ first, units @ second
    moved = np.flatnonzero((first != second).any(axis=1) & (units > 0))
    moved = moved[np.argsort(units[moved], kind="stable")]
    change, movable = (second - first)[moved], units[moved]

    def difference(swapped: Floats) -> Floats:
        shift = product(swapped, change)
        return np.asarray(
            metrics[1]((total_second - shift) * sums.unit)
            - metrics[0]((total_first + shift) * sums.unit)
        )

    return _null(
        difference,
        movable,
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
    units = checked_multiplicities(multiplicities).astype(np.float64)
    moved = np.flatnonzero((rows_baseline != rows_candidate).any(axis=1) & (units > 0))
    moved = moved[np.argsort(units[moved], kind="stable")]
    # The rows of both systems stand one after the other: exchanging moves weight between them.
    value = value_of(np.concatenate([rows_baseline, rows_candidate]))

    def difference(swapped: Floats) -> Floats:
        gone = np.zeros((len(swapped), units.size))
        gone[:, moved] = swapped
        stayed = units - gone
        candidate = value(np.concatenate([gone, stayed], axis=1))
        return np.asarray(candidate - value(np.concatenate([stayed, gone], axis=1)))

    return _null(
        difference,
        units[moved].astype(np.int64),
        width=2 * units.size,
        cells=units.size,
        most_outcomes=n_resamples,
        seed=seed,
        n_resamples=n_resamples,
        threads=threads,
        progress=progress,
    )


def _null(
    difference: Value,
    movable: Ints,
    *,
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
    difference : callable
        Maps numbers of swapped items, shape (outcome, type), to differences, shape (outcome,).
    movable : ndarray of int, shape (type,)
        Items of each type that can be swapped, ascending.
    width : int
        Numbers that `difference` needs for one outcome, beside those of the types.
    cells : int
        Counts that are drawn for one resample.
    most_outcomes : int
        Up to so many outcomes are enumerated.
    """
    observed = float(difference(np.zeros((1, movable.size)))[0])
    scale = 0.0 if math.isnan(observed) else observed
    # Every type at least doubles the outcomes, and 2^20 are too many.
    if movable.size < 20 and math.prod((movable + 1).tolist()) <= most_outcomes:
        outcomes = [
            (difference(swapped), weights) for swapped, weights in _outcomes(movable, width)
        ]
        differences, weights = (np.concatenate(column) for column in zip(*outcomes, strict=True))
        return Weighted.of(differences, weights, estimate=scale)
    engine = IndependentCounts(movable, fair_binomial)

    def block(stream: Stream, rows: int) -> Floats:
        return np.concatenate(
            [difference(swapped) for swapped in _swapped(engine, movable.size, stream, rows)]
        )[:, None]

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
    whole = sums.matrix[:, 0].astype(np.float64)
    moved = np.flatnonzero((whole != 0.0) & (units > 0))
    moved = moved[np.argsort(units[moved], kind="stable")]
    engine, change = IndependentCounts(units[moved], fair_binomial), whole[moved, None]
    total = float(whole @ units)

    def block(stream: Stream, rows: int) -> Floats:
        flipped = [
            product(swapped, change) for swapped in _swapped(engine, moved.size, stream, rows)
        ]
        return (total - 2.0 * np.concatenate(flipped)) * sums.unit

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
    engine: IndependentCounts, n_types: int, stream: Stream, rows: int
) -> Iterator[Floats]:
    """Yield how many items of each type are swapped, shape (up to rows, type)."""
    more = stream.branch(0)
    most = max(1, CHUNK_CELLS // max(1, n_types))
    for start in range(0, rows, most):
        size = min(most, rows - start)
        swapped = np.empty((size, n_types))
        words = stream.words(size * engine.n_words).reshape(size, engine.n_words)
        engine.fill(swapped, words, more)
        yield swapped


def _outcomes(movable: Ints, k: int) -> Iterator[tuple[Floats, Floats]]:
    """Yield every way to swap and its probability, in parts."""
    radix = movable + 1
    n_outcomes = math.prod(radix.tolist())
    weights = [
        np.exp(
            special.gammaln(m + 1.0)
            - special.gammaln(np.arange(m + 1) + 1.0)
            - special.gammaln(m - np.arange(m + 1) + 1.0)
            - m * math.log(2.0)
        )
        for m in movable.tolist()
    ]
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
