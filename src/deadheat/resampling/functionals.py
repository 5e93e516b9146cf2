"""What is computed of every resample: functions of how often each type occurs in it.

A functional is made for types in some order. The engine puts them in its own order, draws counts
in that order and hands them over in pieces: `part` takes a piece, `whole` what a block of
resamples came to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import InferenceError
from deadheat.resampling.integer_sums import IntegerSums

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Value = Callable[[Floats], Floats]
"""A metric: totals of shape (..., k) to values of shape (...), NaN where undefined."""

ValueOf = Callable[[Floats], Value]
"""A metric of weights: rows of shape (type, c) to a function of weights of shape (..., type)."""


class Prepared(Protocol):
    """A functional of types in one order."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """Narrowest type of counts that it takes."""
        ...

    def part(self, counts: NDArray[Any]) -> Floats:
        """Take counts of shape (resample, type); return (resample, whatever `whole` needs)."""
        ...

    def whole(self, parts: Floats) -> Floats:
        """Return the values, shape (resample, column)."""
        ...


class Functional(Protocol):
    """Something to compute of every resample."""

    @property
    def shape(self) -> tuple[int, int]:
        """Types and values of one resample."""
        ...

    @property
    def serial(self) -> bool:
        """Whether it must not run on several threads at once."""
        ...

    def prepared(self, order: NDArray[np.intp], n: int) -> Prepared:
        """Put the types in an order, for resamples of at most `n` units."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sums:
    """Metrics of summed statistics.

    Attributes
    ----------
    statistics : ndarray, shape (type, system, k)
        What one unit of each type contributes.
    values : tuple of callables
        One or more for each system, by the position of the system: any functions of totals.
    """

    statistics: Floats
    values: tuple[tuple[int, Value], ...]

    @classmethod
    def of(cls, statistics: Floats, value: Value | Sequence[Value]) -> Sums:
        """Take one metric for all systems or one for each.

        Raises
        ------
        InferenceError
            If there are several, and not one for each.
        """
        metrics = metrics_for(value, np.shape(statistics)[1])
        return cls(statistics=np.asarray(statistics), values=tuple(enumerate(metrics)))

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.statistics), len(self.values)

    @property
    def serial(self) -> bool:
        return False

    def prepared(self, order: NDArray[np.intp], n: int) -> Prepared:
        flat = np.reshape(self.statistics, (len(self.statistics), -1))[order]
        return _PreparedSums(
            sums=IntegerSums.of(flat, n), shape=self.statistics.shape[1:], values=self.values
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _PreparedSums:
    sums: IntegerSums
    shape: tuple[int, ...]
    values: tuple[tuple[int, Value], ...]

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.sums.factor.dtype

    def part(self, counts: NDArray[Any]) -> Floats:
        return self.sums.totals(counts.astype(self.dtype, copy=False))

    def whole(self, parts: Floats) -> Floats:
        totals = parts.reshape(len(parts), *self.shape)
        # One contiguous array for a system: a metric must not see how the others are laid out.
        return np.stack(
            [value(np.ascontiguousarray(totals[:, system])) for system, value in self.values],
            axis=-1,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Weighted:
    """Metrics that are functions of the weights themselves.

    Attributes
    ----------
    rows : ndarray, shape (type, system, c)
        All that the metrics depend on.
    values_of : tuple of callables, one for each system
        Rows of shape (type, c) to a function of weights.
    serial : bool
        Whether they must not run on several threads at once.
    """

    rows: Floats
    values_of: tuple[ValueOf, ...]
    serial: bool = False

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.values_of)

    def prepared(self, order: NDArray[np.intp], n: int) -> Prepared:
        return _PreparedWeighted(
            values=tuple(
                value_of(np.ascontiguousarray(self.rows[order, system]))
                for system, value_of in enumerate(self.values_of)
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _PreparedWeighted:
    values: tuple[Value, ...]

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype(np.float32)

    def part(self, counts: NDArray[Any]) -> Floats:
        return np.stack([value(counts) for value in self.values], axis=-1)

    def whole(self, parts: Floats) -> Floats:
        return parts


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
