"""The two paired tests of sacreBLEU 2.6, count for count, to check numbers printed elsewhere.

Not for new comparisons: `bs` centres absolute differences and so is one-sided in effect, and
both count with a strict ">" that calls two identical systems different (Post 2018;
STATISTICS.md 2.4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import InferenceError
from deadheat.significance.significance import Significance, one_of

Floats = NDArray[np.float64]

CELLS = 1_000_000
"""Cells of the resampling matrix held at once."""


def sacrebleu(
    statistics_baseline: Floats,
    statistics_candidate: Floats,
    value: Callable[[Floats], Floats],
    *,
    variant: str = "bs",
    n_resamples: int | None = None,
    seed: int = 12345,
) -> Significance:
    """Reproduce `paired-bs` or `paired-ar`.

    Parameters
    ----------
    statistics_baseline, statistics_candidate : ndarray, shape (item, k)
        Sufficient statistics of each item.
    value : callable
        Maps totals (..., k) to the metric (...).
    variant : {"bs", "ar"}
        Bootstrap or approximate randomization.
    n_resamples : int, optional
        1,000 for "bs" and 10,000 for "ar" by default, as in sacreBLEU.
    seed : int
        Of `numpy.random.default_rng`, whose stream these tests are defined by.

    Raises
    ------
    InferenceError
        If the two systems do not have statistics of the same shape.
    """
    one_of("sacreBLEU test", variant, ("bs", "ar"))
    baseline = np.asarray(statistics_baseline, dtype=np.float64)
    candidate = np.asarray(statistics_candidate, dtype=np.float64)
    if baseline.shape != candidate.shape or baseline.ndim != 2 or len(baseline) == 0:
        raise InferenceError(
            f"the statistics have shapes {baseline.shape} and {candidate.shape}.",
            fix="Give both systems one row for each item, in the same order.",
        )
    draws = n_resamples or {"bs": 1_000, "ar": 10_000}[variant]
    observed = float(value(candidate.sum(axis=0)) - value(baseline.sum(axis=0)))
    masks = (_resampled if variant == "bs" else _exchanged)(len(baseline), draws, seed)
    differences = np.concatenate(
        [
            value(first @ candidate + second @ baseline)
            - value(first @ baseline + second @ candidate)
            for first, second in masks
        ]
    )
    p_value = p_of(differences, observed) if variant == "bs" else _p(np.abs(differences), observed)
    return Significance(
        name="sacrebleu",
        variant=variant,
        statistic=observed,
        p_value=p_value,
        n_resamples=draws,
        p_value_bound=p_value if p_value * (draws + 1) < 1.5 else None,
        monte_carlo_error=float(np.sqrt(p_value * (1.0 - p_value) / draws)),
        note="for comparison with sacreBLEU only: "
        + (
            "it is one-sided in effect"
            if variant == "bs"
            else "ties with the observed difference are not counted"
        ),
    )


def p_of(replicates: Floats, observed: float) -> float:
    """P-value of `paired-bs` from bootstrap differences and the observed one."""
    sizes = np.abs(replicates)
    return _p(sizes - sizes.mean(), observed)


def _p(statistics: Floats, observed: float) -> float:
    return float(np.count_nonzero(statistics > abs(observed)) + 1) / (statistics.size + 1)


def _resampled(n: int, draws: int, seed: int) -> Iterator[tuple[Floats, Floats]]:
    """Yield counts of drawn items, shape (resample, n), and zeros."""
    rng = np.random.default_rng(seed)
    for rows in _blocks(n, draws):
        index = rng.choice(n, size=(rows, n), replace=True)
        shifted = index + n * np.arange(rows)[:, None]
        counts = np.bincount(shifted.ravel(), minlength=rows * n).reshape(rows, n)
        yield counts.astype(np.float64), np.zeros((rows, n))


def _exchanged(n: int, draws: int, seed: int) -> Iterator[tuple[Floats, Floats]]:
    """Yield masks of the items that keep their side and of those that are exchanged."""
    rng = np.random.default_rng(seed)
    for rows in _blocks(n, draws):
        kept = rng.integers(2, size=(rows, n), dtype=bool)
        yield (~kept).astype(np.float64), kept.astype(np.float64)


def _blocks(n: int, draws: int) -> Iterator[int]:
    # Whole multiples of 32 rows: NumPy draws bits 32 at a time and starts afresh at every call.
    rows = 32 * max(1, CELLS // (32 * n))
    for start in range(0, draws, rows):
        yield min(rows, draws - start)
