"""Null distribution of a total under fair random signs: exact where it can be, else drawn."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deadheat.distributions import Distribution, Lattice, Replicates
from deadheat.resampling.convolution import MAX_POINTS, binomial, convolved, part
from deadheat.resampling.exchange import flipped_totals
from deadheat.resampling.halves import MAX_DIFFERENCES, Halves
from deadheat.resampling.inversion import inverted_signflip
from deadheat.resampling.lattice import lattice_of

Floats = NDArray[np.float64]

MAX_PRODUCTS = 1 << 24
"""Products in a direct convolution, which keeps relative accuracy in the tails."""


def signflip(
    differences: ArrayLike,
    multiplicities: ArrayLike | None = None,
    *,
    seed: int = 0,
    n_resamples: int = 9999,
    threads: int | None = 1,
) -> Distribution:
    """Distribution of sum(s_i differences_i) over fair random signs s_i.

    Parameters
    ----------
    differences : array_like, shape (N,)
        Candidate minus baseline of each item; zeros do not matter.
    multiplicities : array_like of int, shape (N,), optional
        How many items have each difference.
    seed, n_resamples, threads
        Used only where the distribution has to be drawn, see `deadheat.resampling.blocks.drawn`.

    Returns
    -------
    Distribution
        Of the total, not of the mean. In order of preference: binomial or convolved on a lattice;
        all 2^n sign patterns (n <= 40 differences that are not zero); inverted from
        prod cos(t d_i) where the error is bounded; drawn (`n_resamples` is not None).

    Examples
    --------
    >>> null = signflip([1, 1, 1, 1, 1, -1, 0])
    >>> round(2 * null.at_least(4), 12)
    0.21875
    """
    values = np.asarray(differences, dtype=np.float64)
    given = np.ones(values.size) if multiplicities is None else np.asarray(multiplicities, float)
    differs = (values != 0.0) & (given > 0.0)
    if not differs.any():
        return Lattice(pmf=np.ones(1), start=0, denominator=1)
    sizes, counts = _distinct(np.abs(values[differs]), given[differs])
    lattice = lattice_of(np.concatenate([-sizes, sizes]), np.concatenate([counts, counts]) / 2.0)
    if lattice is not None:
        steps, denominator = lattice
        found = _on_lattice(steps[sizes.size :], counts, denominator)
        if found is not None:
            return found
    if counts.sum() <= MAX_DIFFERENCES:
        return Halves.of(np.repeat(sizes, counts))
    inverted = inverted_signflip(sizes, counts)
    if inverted is not None:
        return inverted
    totals = flipped_totals(sizes, counts, seed=seed, n_resamples=n_resamples, threads=threads)
    tolerance = 1e-12 * float((sizes * counts).sum())
    return Replicates(values=np.sort(totals), tolerance=tolerance)


def _distinct(sizes: Floats, weights: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """Return the distinct sizes, ascending, and the sum of the weights of each.

    Sizes of ascending differences fall, then rise: a sort that merges runs has next to nothing to
    do, unlike that of `numpy.unique`.
    """
    order = np.argsort(sizes, kind="stable")
    ascending = sizes[order]
    first = np.flatnonzero(np.append(True, ascending[1:] != ascending[:-1]))
    return ascending[first], np.add.reduceat(weights[order], first).astype(np.int64)


def _on_lattice(
    steps: NDArray[np.int64], counts: NDArray[np.int64], denominator: int
) -> Lattice | None:
    occurs = steps > 0
    steps, inverse = np.unique(steps[occurs], return_inverse=True)
    counts = np.bincount(inverse, counts[occurs], minlength=steps.size).astype(np.int64)
    unit = int(np.gcd.reduce(steps))
    steps = steps // unit
    spacing = denominator / unit
    if steps.size == 1:
        n = int(counts[0])
        first, pmf = binomial(n, 0.5)
        return _spread(pmf, 2 * first - n, spacing)
    total = int(np.dot(steps, counts))
    # Fewest products first: small steps before large ones.
    products = int(np.dot(counts + 1, 1 + np.cumsum(steps * counts)))
    if products <= MAX_PRODUCTS and 2 * total < MAX_POINTS:
        pmf = np.ones(1)
        for step, count in zip(steps.tolist(), counts.tolist(), strict=True):
            pmf = _with_binomial(pmf, step, count)
        return _spread(pmf, -total, spacing)
    return convolved(
        [
            part([-step, step], [1, 1], count)
            for step, count in zip(steps.tolist(), counts.tolist(), strict=True)
        ],
        spacing,
        log_bound=lambda size: _log_bound(steps, counts, size),
    )


def _with_binomial(pmf: NDArray[np.float64], step: int, count: int) -> NDArray[np.float64]:
    """Add step * Binomial(count, 1/2) to what `pmf` describes."""
    first, weights = binomial(count, 0.5)
    result = np.zeros(pmf.size + step * count)
    for k, weight in enumerate(weights.tolist(), start=first):
        result[k * step : k * step + pmf.size] += weight * pmf
    return result


def _spread(pmf: NDArray[np.float64], start: int, spacing: float) -> Lattice:
    """Put the points of `pmf` on every other point: flipping one sign moves the total by two."""
    spread = np.zeros(2 * pmf.size - 1)
    spread[::2] = pmf
    return Lattice(pmf=spread, start=start, denominator=spacing)


def _log_bound(
    steps: NDArray[np.int64], counts: NDArray[np.int64], size: int
) -> NDArray[np.float64]:
    """Bound sum of counts log|cos(t step / 2)| by n/2 log((1 + mean cos(t step)) / 2) (Jensen)."""
    n = float(counts.sum())
    wrapped = np.bincount(steps % size, weights=counts / n, minlength=size)
    cosine = np.fft.rfft(wrapped).real
    return np.asarray(0.5 * n * np.log(np.maximum(0.5 * (1.0 + cosine) + 1e-14, 1e-300)))
