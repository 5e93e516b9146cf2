"""Estimates of many systems beside what they would have been on the same resamples."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from deadheat.distributions import Replicates
from deadheat.errors import InferenceError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

NO_SPREAD = 1e-12
"""A standard error below this share of the values is none (STATISTICS.md 0.5)."""

TIE = 1e-9
"""Replicates this near to a statistic are as extreme as it is (STATISTICS.md B.5)."""

ROWS = 8
"""Rows that are subtracted at once: they stay in the cache."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Draws:
    """Systems scored on the same resamples, so that their differences are paired.

    Attributes
    ----------
    estimates : ndarray, shape (system,)
    deviations : ndarray, shape (system, resample)
        Drawn value less estimate.
    standard_errors : ndarray, shape (system, system)
        Standard deviation over the resamples (one degree of freedom off) of the difference of
        two systems; exactly 0 where it does not vary.
    sizes : ndarray, shape (system,)
        Largest absolute value of each system: the scale of its rounding.
    n_units : float
        Independent units behind the draws. A standard error of few is too short and uncertain;
        statistics are held against the draws as t statistics would be (`expanded`). Infinite
        where that is no concern.
    """

    estimates: Floats
    deviations: Floats
    standard_errors: Floats
    sizes: Floats
    n_units: float = math.inf

    @classmethod
    def of(cls, estimates: ArrayLike, draws: ArrayLike, *, n_units: float = math.inf) -> Draws:
        """Take estimates, shape (m,), draws, shape (R, m), and how many units were drawn from.

        Raises
        ------
        InferenceError
            If the shapes do not go together, there are fewer than two draws, or one is undefined.

        Examples
        --------
        >>> draws = Draws.of([1.0, 2.0], [[0.0, 2.0], [2.0, 2.0], [1.0, 3.0]])
        >>> draws.standard_errors.round(3).tolist()
        [[0.0, 1.155], [1.155, 0.0]]
        """
        centre, values = checked(estimates, draws)
        deviations = np.ascontiguousarray((values - centre).T)
        sizes = np.maximum(np.abs(centre), np.abs(values).max(axis=0))
        return cls(
            estimates=centre,
            deviations=deviations,
            standard_errors=_standard_errors(deviations, sizes),
            sizes=sizes,
            n_units=n_units,
        )

    @property
    def n_systems(self) -> int:
        return int(self.deviations.shape[0])

    @property
    def n_resamples(self) -> int:
        return int(self.deviations.shape[1])

    def expanded(self, statistics: Floats) -> Floats:
        """Return what differences over their standard errors are worth on the scale of the draws.

        Draws are spread as a normal variable is, statistics of n units as Student's t, with a
        standard error that is sqrt((n - 1) / n) of the usual one. Each becomes the normal value
        with the same tail: the expansion of percentiles (Hesterberg 2015) read backwards.

        Examples
        --------
        >>> draws = Draws.of([0.0, 1.0], [[0.0, 0.0], [0.0, 1.0], [0.0, 2.0]], n_units=12)
        >>> draws.expanded(np.array([2.0, 3.0])).round(2).tolist()
        [1.74, 2.43]
        """
        if math.isinf(self.n_units):
            return statistics
        n = max(self.n_units, 2.0)
        sizes = np.abs(statistics) * math.sqrt((n - 1.0) / n)
        normal = -special.ndtri(special.stdtr(n - 1.0, -sizes))
        # Beyond what doubles hold of the tail nothing is drawn that far out either.
        return np.copysign(np.where(np.isinf(normal), sizes, normal), statistics)

    def widened(self, quantile: float) -> float:
        """Return how many standard errors a quantile of the draws reaches: `expanded` undone."""
        n = max(self.n_units, 2.0)
        tail = float(special.ndtr(-abs(quantile)))
        if math.isinf(n) or tail == 0.0:
            return quantile
        reach = -float(special.stdtrit(n - 1.0, tail)) * math.sqrt(n / (n - 1.0))
        return math.copysign(reach, quantile)

    def slack(self, first: Integers, second: Integers, statistics: Floats) -> Floats:
        """How far below its statistic a replicate of a pair still counts as equal to it."""
        rounding = 1e-15 * np.maximum(self.sizes[first], self.sizes[second])
        spread = self.standard_errors[first, second]
        return TIE * np.maximum(1.0, np.abs(statistics)) + rounding / spread


def checked(estimates: ArrayLike, draws: ArrayLike) -> tuple[Floats, Floats]:
    """Return estimates and draws as arrays.

    Raises
    ------
    InferenceError
        If the shapes do not go together, there are fewer than two draws, or one is undefined.
    """
    centre = np.asarray(estimates, dtype=np.float64)
    values = np.asarray(draws, dtype=np.float64)
    if centre.ndim != 1 or values.ndim != 2 or values.shape[1] != centre.size:
        raise InferenceError(
            f"estimates have shape {centre.shape} and draws {values.shape}.",
            fix="Give one estimate for each system and one column of draws for each estimate.",
        )
    if values.shape[0] < 2:
        raise InferenceError(
            f"there are {values.shape[0]} resamples.", fix="Draw at least 2; 9,999 are usual."
        )
    undefined = ~(np.isfinite(centre) & np.isfinite(values).all(axis=0))
    if undefined.any():
        raise InferenceError(
            f"system {int(np.flatnonzero(undefined)[0]) + 1} is undefined in the data or in a "
            "resample.",
            fix="Leave undefined systems and undefined resamples out before they are compared.",
        )
    return centre, values


def running_maxima(
    draws: Draws, first: Integers, second: Integers, *, two_sided: bool
) -> Iterator[tuple[Floats, Floats]]:
    """Go through pairs and yield the null replicates of each and the maxima up to it.

    Parameters
    ----------
    draws : Draws
    first, second : ndarray of int, shape (pair,)
        The pairs in order; their standard errors are above 0.
    two_sided : bool
        Whether a replicate is the size of (second - first) or its value.

    Yields
    ------
    replicates, maxima : ndarray, shape (resample,)
        Buffers that the next step writes over.
    """
    rows = draws.deviations
    value = np.empty(draws.n_resamples)
    maxima = np.full(draws.n_resamples, -np.inf)
    scales = (1.0 / draws.standard_errors[first, second]).tolist()
    for a, b, scale in zip(first.tolist(), second.tolist(), scales, strict=True):
        np.subtract(rows[b], rows[a], out=value)
        value *= scale
        if two_sided:
            np.abs(value, out=value)
        np.maximum(maxima, value, out=maxima)
        yield value, maxima


def allowed(confidence_level: float, n_resamples: int) -> int:
    """Return k, the number of maxima from the critical value on: floor((R + 1) alpha).

    A statistic is rejected when fewer than k maxima reach it, which is the order-statistic
    rule: the same as (count + 1) / (R + 1) <= alpha.

    Raises
    ------
    InferenceError
        If the level is no share, or there are too few resamples for it.
    """
    if not 0.0 < confidence_level < 1.0:
        raise InferenceError(
            f"the confidence level is {confidence_level:g}.", fix="Give a number between 0 and 1."
        )
    alpha = 1.0 - confidence_level
    k = math.floor((n_resamples + 1) * alpha + 1e-9)
    if k < 1:
        raise InferenceError(
            f"{n_resamples} resamples cannot place a critical value that leaves {alpha:.3g} above.",
            fix=f"Draw at least {math.ceil(1.0 / alpha - 1e-6) - 1:,} resamples.",
        )
    return k


def critical(maxima: Floats, confidence_level: float) -> tuple[float, float]:
    """Return the critical value of maxima and its Monte Carlo error (half-width, 95%)."""
    allowed(confidence_level, maxima.size)
    drawn, alpha = Replicates(values=np.sort(maxima)), 1.0 - confidence_level
    return drawn.upper(alpha), drawn.upper_error(alpha)


def _standard_errors(deviations: Floats, sizes: Floats) -> Floats:
    n_systems, n_resamples = deviations.shape
    centred = deviations - deviations.mean(axis=1, keepdims=True)
    squares = np.zeros((n_systems, n_systems))
    for i in range(n_systems - 1):
        for start in range(i + 1, n_systems, ROWS):
            part = centred[start : start + ROWS] - centred[i]
            np.square(part, out=part)
            # Not a product of BLAS: its threads would decide the order of the sum.
            squares[i, start : start + ROWS] = part.sum(axis=1)
    spread: Floats = np.sqrt((squares + squares.T) / (n_resamples - 1))
    spread[spread <= NO_SPREAD * np.maximum(sizes[:, None], sizes)] = 0.0
    return spread
