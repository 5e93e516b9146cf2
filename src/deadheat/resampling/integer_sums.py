"""Sums that no order of summation can change: statistics as whole numbers of a power of two."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import InferenceError

Floats = NDArray[np.float64]

SINGLE = 2.0**24
DOUBLE = 2.0**53
"""Whole numbers up to here are exact in float32 and float64."""

ONE_THREAD = 1 << 18
"""Multiplications in one piece of a product: OpenBLAS starts threads above."""


WIDE = 32
"""Columns from which on a matrix may be sparse, or is packed."""

DOUBLE_BITS = 53
"""Of the whole numbers that are exact in float64."""

FEWEST_DIGITS = 3
"""Columns in one from which on packing pays."""

SPARSE = 1.0 / 16.0
"""Share of entries that are not 0 below which a matrix is sparse."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IntegerSums:
    """Statistics by type as whole numbers, so that every sum of at most `n` of them is exact.

    A column of whole numbers is kept as it is. Another one is counted in units of 2^-e, e the
    greatest for which n max|s| 2^e <= 2^53 holds; each statistic is rounded by at most 2^-e / 2,
    a total of n of them by at most n^2 max|s| 2^-53, and a mean by n max|s| 2^-53 (10^-12 of the
    largest score at n = 10,000, and some sqrt(n) times less in practice, as roundings cancel).

    Attributes
    ----------
    matrix : ndarray, shape (G, column)
        Whole numbers: float32 where all totals stay within 2^24, float64 otherwise.
    unit : ndarray of float64, shape (column,)
        What 1 stands for; powers of two.
    factor : Factor
        The matrix, ready for products.
    """

    matrix: NDArray[Any]
    unit: Floats
    factor: Factor

    @classmethod
    def of(cls, statistics: Floats, n: int) -> IntegerSums:
        """Count statistics, shape (G, column), for sums of at most `n` rows.

        Raises
        ------
        InferenceError
            If a statistic is not finite, or so large that sums of `n` are not.
        """
        given = np.asarray(statistics, dtype=np.float64)
        if not np.isfinite(given).all():
            raise InferenceError(
                f"{int(np.count_nonzero(~np.isfinite(given)))} statistics are not finite.",
                fix="Decide what a missing or infinite score counts before resampling.",
            )
        with np.errstate(over="ignore"):
            largest = np.abs(given).max(axis=0, initial=0.0) * n
        if not np.isfinite(largest).all():
            raise InferenceError(
                f"statistics up to {np.abs(given).max():.3g} overflow in sums of {n:,}.",
                fix="Give the scores in a smaller unit.",
            )
        whole = (given == np.rint(given)).all(axis=0) & (largest <= DOUBLE)
        unit = np.array(
            [1.0 if kept else _unit(most) for kept, most in zip(whole, largest, strict=True)]
        )
        matrix = np.rint(given / unit)
        single = bool(whole.all()) and float(largest.max(initial=0.0)) <= SINGLE
        matrix = matrix.astype(np.float32) if single and n <= SINGLE / 2 else matrix
        return cls(matrix=matrix, unit=unit, factor=Factor.of(matrix, n))

    def totals(self, weights: NDArray[Any]) -> Floats:
        """Return weights @ statistics, shape (row, column); weights of the type of `factor`."""
        return self.factor.product(weights).astype(np.float64) * self.unit


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Factor:
    """A matrix of whole numbers that counts are multiplied by, many times.

    Attributes
    ----------
    matrix : ndarray, shape (G, column)
    sparse : scipy.sparse.csr_array, shape (column, G), or None
        Its transpose, where so few entries are not 0 that to look at these alone is faster: as
        with metrics of many labels, of which an item concerns two or three.
    packed : Packed or None
        The matrix in fewer columns, where totals are so small that several fit into a number: as
        with boards of 0/1 scores.
    """

    matrix: NDArray[Any]
    sparse: Any = None
    packed: Packed | None = None

    @classmethod
    def of(cls, matrix: NDArray[Any], n: int) -> Factor:
        """Look at a matrix whose sums are of at most `n` rows; changes no bit of a product."""
        if matrix.shape[1] < WIDE or not matrix.size:
            return cls(matrix=matrix)
        if np.count_nonzero(matrix) <= SPARSE * matrix.size:
            from scipy.sparse import csr_array

            return cls(matrix=matrix, sparse=csr_array(np.ascontiguousarray(matrix.T)))
        return cls(matrix=matrix, packed=Packed.of(matrix, n))

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the weights that it takes."""
        return self.matrix.dtype if self.packed is None else self.packed.matrix.dtype

    def product(self, weights: NDArray[Any]) -> NDArray[Any]:
        """Return weights @ matrix, shape (row, column); weights of type `dtype`."""
        if self.packed is not None:
            return self.packed.product(weights)
        if self.sparse is None:
            return product(weights, self.matrix)
        found: NDArray[Any] = self.sparse @ np.ascontiguousarray(weights.T)
        return found.T


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Packed:
    """Several columns of small whole numbers in one: digits in a base that no total reaches.

    Attributes
    ----------
    matrix : ndarray of float64, shape (G, packed column)
    bits : int
        Of a digit.
    n_columns : int
        Columns that were packed.
    """

    matrix: Floats
    bits: int
    n_columns: int

    @classmethod
    def of(cls, matrix: NDArray[Any], n: int) -> Packed | None:
        """Pack whole numbers for sums of at most `n`; None where that does not pay."""
        if not n or matrix.min() < 0.0:
            return None
        bits = max(1, math.ceil(math.log2(float(matrix.max()) * n + 1.0)))
        digits = DOUBLE_BITS // bits
        # Numbers of double the length take twice the time.
        if digits < FEWEST_DIGITS:
            return None
        packed = np.zeros((len(matrix), -(-matrix.shape[1] // digits)))
        for digit in range(digits):
            columns = matrix[:, digit::digits]
            packed[:, : columns.shape[1]] += columns * 2.0 ** (bits * digit)
        return cls(matrix=packed, bits=bits, n_columns=matrix.shape[1])

    def product(self, weights: NDArray[Any]) -> NDArray[Any]:
        """Return the products with the columns that were packed."""
        totals = product(weights, self.matrix).astype(np.int64)
        digits = DOUBLE_BITS // self.bits
        found = np.empty((len(totals), totals.shape[1] * digits))
        for digit in range(digits):
            found[:, digit::digits] = (totals >> (self.bits * digit)) & ((1 << self.bits) - 1)
        return found[:, : self.n_columns]


def product(weights: NDArray[Any], matrix: NDArray[Any]) -> NDArray[Any]:
    """Return weights @ matrix, both of whole numbers and one type, in small pieces.

    Sums of whole numbers are exact, so that pieces change nothing, and each is small enough for
    the linear algebra library to keep to the calling thread: its own threads wait for each other
    longer than such products take, all the more beside the threads of `blocks.drawn`.
    """
    if matrix.shape[1] == 1:
        return product(weights, np.repeat(matrix, 2, axis=1))[:, :1]
    rows, columns = len(weights), matrix.shape[1]
    tall = 32 if columns <= 128 else 8
    deep = max(16, ONE_THREAD // (tall * columns))
    stacked = rows - rows % tall
    total = np.zeros((rows, columns), dtype=weights.dtype)
    for start in range(0, len(matrix), deep):
        left, right = weights[:, start : start + deep], matrix[start : start + deep]
        if stacked:
            shape = (-1, tall, left.shape[1])
            total[:stacked] += (left[:stacked].reshape(shape) @ right).reshape(stacked, columns)
        if stacked < rows:
            total[stacked:] += left[stacked:] @ right
    return total


def _unit(most: float) -> float:
    """Return the least power of two u for which most / u <= 2^53."""
    fraction, exponent = math.frexp(most)
    # Units below 2^-1022 would lose digits of their own; such scores round to zero.
    return math.ldexp(1.0, max(exponent - 53 - (fraction == 0.5), -1022))
