"""The permutation twin of max-t on few items: every pattern of signs, none drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deadheat.errors import InferenceError

Floats = NDArray[np.float64]

MAX_ITEMS = 20
"""Items with any difference whose patterns of signs are gone through, 2^20 at most."""

LOW_ITEMS = 10
"""Items whose patterns are kept as one table; those of the others are added to it in turn."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SignFlipMaxT:
    """Exact p-values of many mean differences under common random signs.

    Attributes
    ----------
    statistics : ndarray, shape (pair,)
        Sizes of the paired t statistics: infinite where all differences are equal, NaN where all
        are 0. Those are no part of the family and have p = 1.
    p_values, single_step, step_down : ndarray, shape (pair,)
        Of each pair alone, and adjusted by the largest statistic of all pairs or of those left.
    n_patterns : int
        Patterns of signs behind them.
    """

    statistics: Floats
    p_values: Floats
    single_step: Floats
    step_down: Floats
    n_patterns: int


def sign_flip_max_t(differences: ArrayLike) -> SignFlipMaxT:
    """Turn the signs of whole items, the same for all pairs, in every way there is.

    The null is that an item's vector of differences is symmetric about 0 (Westfall & Young
    1993): right for several systems against one baseline; a family of all pairs would exchange
    the systems within items instead.

    Parameters
    ----------
    differences : array_like, shape (item, pair)

    Raises
    ------
    InferenceError
        If more than `MAX_ITEMS` items differ at all, or a difference is undefined.

    Examples
    --------
    >>> found = sign_flip_max_t([[3, 1], [2, 1], [4, -1], [1, 1], [2, 1]])
    >>> found.p_values.tolist(), found.step_down.tolist()
    ([0.0625, 0.375], [0.125, 0.375])
    """
    values = np.asarray(differences, dtype=np.float64)
    if values.ndim != 2 or not np.isfinite(values).all():
        raise InferenceError(
            "the differences are no full table.",
            fix="Give one finite number for each item (row) and pair (column).",
        )
    n, n_pairs = values.shape
    differing = values[(values != 0.0).any(axis=1)]
    if len(differing) > MAX_ITEMS:
        raise InferenceError(
            f"{len(differing)} items differ, which is 2^{len(differing)} patterns of signs.",
            fix=f"Up to {MAX_ITEMS} items are enumerated; beyond, compare by resampling.",
        )
    sizes = np.sqrt(n * np.square(values).sum(axis=0))
    family = np.flatnonzero(sizes > 0.0)
    shares = np.abs(values.sum(axis=0))[family] / sizes[family]
    p_values, single, down = (np.ones(n_pairs) for _ in range(3))
    counts = _counts(differing[:, family] / sizes[family], shares)
    n_patterns = 1 << len(differing)
    for filled, count in zip((p_values, single, down), counts, strict=True):
        # A pattern and its mirror image give the same statistics: half of them were counted.
        filled[family] = count * 2.0 / n_patterns if family.size else 1.0
    statistics = np.full(n_pairs, np.nan)
    with np.errstate(divide="ignore"):
        inside = np.maximum(1.0 - shares * shares, 0.0)
        inside[inside < 1e-12] = 0.0
        statistics[family] = shares * np.sqrt((n - 1) / inside)
    return SignFlipMaxT(
        statistics=statistics,
        p_values=p_values,
        single_step=single,
        step_down=down,
        n_patterns=n_patterns,
    )


def _counts(scaled: Floats, shares: Floats) -> tuple[NDArray[np.int64], ...]:
    """Count patterns that reach each share: alone, by the largest of all, by that of those left.

    The share |sum| / sqrt(n sum of squares) rises with the t statistic, for which it stands: the
    sum of squares does not change with the signs.
    """
    order = np.argsort(shares, kind="stable")
    reached = shares[order] * (1.0 - 1e-12)
    alone, single, down = (np.zeros(shares.size, dtype=np.int64) for _ in range(3))
    for totals in _totals(scaled[:, order]):
        np.abs(totals, out=totals)
        alone += (totals >= reached).sum(axis=0)
        np.maximum.accumulate(totals, axis=1, out=totals)
        down += (totals >= reached).sum(axis=0)
        single += (totals[:, -1:] >= reached).sum(axis=0)
    down = np.maximum.accumulate(down[::-1])[::-1]
    back = np.argsort(order, kind="stable")
    return alone[back], single[back], down[back]


def _totals(scaled: Floats) -> Iterator[Floats]:
    """Yield totals, shape (pattern, pair), of all patterns in which the last sign is +."""
    if not scaled.size:
        return
    fixed, free = scaled[-1], scaled[:-1]
    low, high = _signed(free[:LOW_ITEMS]), _signed(free[LOW_ITEMS:])
    for shift in high:
        yield low + (shift + fixed)


def _signed(rows: Floats) -> Floats:
    """Sum rows under every pattern of signs, shape (2^rows, pair)."""
    totals = np.zeros((1, rows.shape[1]))
    for row in rows:
        totals = np.concatenate([totals + row, totals - row])
    return totals
