"""Types: items with identical statistics are interchangeable, so they are kept once and counted."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import InferenceError

BIN_LIMIT = 1 << 16
"""Codes below this are counted by bins, above it they are sorted."""

CODE_LIMIT = 2.0**53
"""Mixed-radix codes are computed in float64, where whole numbers below this are exact."""

CHUNK_VALUES = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Types:
    """Distinct rows in lexicographic order, how often each occurs, and which row is which.

    Attributes
    ----------
    rows : ndarray, shape (G, k), float64
        Distinct rows; the first column varies slowest.
    multiplicities : ndarray, shape (G,), int64
        Rows of each type; they add up to N.
    inverse : ndarray, shape (N,), intp, or None where it was not asked for
        Type of each row.
    """

    rows: NDArray[np.float64]
    multiplicities: NDArray[np.int64]
    inverse: NDArray[np.intp] | None = None


def collapse(
    rows: NDArray[np.float64],
    *,
    inverse: bool = False,
    multiplicities: NDArray[np.int64] | None = None,
) -> Types:
    """Collapse rows to their types.

    Equality is exact (-0.0 equals 0.0), never within rounding. The result does not depend on the
    order of the rows.

    Parameters
    ----------
    rows : array_like, shape (N, k), or (N,) for one column
        Statistics of the units, all systems stacked.
    inverse : bool
        Whether the type of each row is wanted.
    multiplicities : ndarray of int, shape (N,), optional
        Units that each row stands for; one by default.

    Raises
    ------
    InferenceError
        If there are no rows or a value is not finite.

    Examples
    --------
    >>> import numpy as np
    >>> types = collapse(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]))
    >>> types.rows.tolist(), types.multiplicities.tolist()
    ([[0.0, 1.0], [1.0, 0.0]], [1, 2])
    """
    if multiplicities is not None:
        found = collapse(rows, inverse=True)
        units = np.zeros(len(found.rows), dtype=np.int64)
        np.add.at(units, found.inverse, multiplicities)  # type: ignore[arg-type]
        return replace(found, multiplicities=units)
    table = np.asarray(rows, dtype=np.float64)
    if table.ndim == 1:
        table = table[:, None]
    if table.ndim != 2 or table.shape[0] == 0 or table.shape[1] == 0:
        raise InferenceError(
            f"statistics of shape {table.shape} hold no rows to resample.",
            fix="Give one row of numbers for each unit.",
        )
    low, high = float(table.min()), float(table.max())
    if not (np.isfinite(low) and np.isfinite(high)):
        raise InferenceError(
            f"{int((~np.isfinite(table)).sum())} statistics are not finite.",
            fix="Decide what a missing or infinite score counts before resampling.",
        )
    width = table.shape[1]
    radix = high - low + 1.0
    fits = _columns_per_code(radix)
    if width <= fits:
        codes = _whole_codes(table, low, radix)
        if codes is not None:
            return _from_codes(codes, low, radix, width, inverse)
    return _from_ranking(table, low, radix, inverse)


def _columns_per_code(radix: float) -> int:
    return int(np.log2(CODE_LIMIT) / np.log2(radix)) if radix > 1.0 else np.iinfo(np.int64).max


def _whole_codes(
    table: NDArray[np.float64], low: float, radix: float
) -> NDArray[np.int32] | NDArray[np.int64] | None:
    """Mixed-radix code of each row, or None when some value is no whole step above `low`."""
    size, width = table.shape
    place = radix ** np.arange(width - 1, -1, -1, dtype=np.float64)
    small = radix**width <= 2.0**31
    codes: NDArray[np.int32] | NDArray[np.int64]
    codes = np.empty(size, np.int32) if small else np.empty(size, np.int64)
    step = max(1, CHUNK_VALUES // width)
    for start in range(0, size, step):
        chunk = table[start : start + step]
        if not np.array_equal(np.rint(chunk), chunk):
            return None
        codes[start : start + step] = (chunk - low if low else chunk) @ place
    return codes


def _from_codes(
    codes: NDArray[np.int32] | NDArray[np.int64],
    low: float,
    radix: float,
    width: int,
    inverse: bool,
) -> Types:
    found: NDArray[np.intp] | None = None
    if radix**width <= BIN_LIMIT:
        counts = np.bincount(codes, minlength=int(radix**width))
        distinct = np.flatnonzero(counts)
        multiplicities = counts[distinct]
        if inverse:
            rank = np.zeros(counts.size, dtype=np.intp)
            rank[distinct] = np.arange(distinct.size)
            found = rank[codes]
    elif inverse:
        distinct, found, multiplicities = np.unique(codes, return_inverse=True, return_counts=True)
    else:
        distinct, multiplicities = np.unique(codes, return_counts=True)
    rows = np.empty((distinct.size, width))
    rest = distinct.astype(np.int64)
    for column in range(width - 1, -1, -1):
        rest, digit = np.divmod(rest, int(radix))
        rows[:, column] = digit + low
    return Types(rows=rows, multiplicities=multiplicities.astype(np.int64), inverse=found)


def _from_ranking(table: NDArray[np.float64], low: float, radix: float, inverse: bool) -> Types:
    """Rank the rows by batches of columns; stop as soon as all rows differ."""
    size, width = table.shape
    ranks = np.zeros(size, dtype=np.int64)
    n_ranks = 1
    fits = _columns_per_code(radix)
    start = 0
    while start < width and n_ranks < size:
        batch = table[:, start : start + max(fits, 1)]
        codes = _whole_codes(batch, low, radix) if fits else None
        if codes is None:
            batch = table[:, start : start + 1]
        start += batch.shape[1]
        values, digit = np.unique(batch[:, 0] if codes is None else codes, return_inverse=True)
        if n_ranks == 1:
            ranks, n_ranks = digit.astype(np.int64), values.size
        elif values.size > 1:
            distinct, ranks = np.unique(ranks * values.size + digit, return_inverse=True)
            n_ranks = distinct.size
    first = np.empty(n_ranks, dtype=np.intp)
    first[ranks] = np.arange(size)
    return Types(
        # Adding zero turns -0.0 into 0.0, so that the row kept does not depend on the order.
        rows=table[first] + 0.0,
        multiplicities=np.bincount(ranks, minlength=n_ranks).astype(np.int64),
        inverse=ranks.astype(np.intp) if inverse else None,
    )
