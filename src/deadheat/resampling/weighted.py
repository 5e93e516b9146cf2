"""Exact distributions on finitely many points that need not lie on a lattice."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from deadheat.distributions import LEVEL_SLACK


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Weighted:
    """An exact distribution on sorted points; answers what every distribution answers.

    Ends follow the outer rule, as those of `deadheat.distributions.Lattice` do.

    Attributes
    ----------
    values : ndarray, shape (P,)
        Distinct points in ascending order.
    weights : ndarray, shape (P,)
        Their probabilities, which add up to 1.
    undefined : float
        Probability of the resamples in which the statistic is undefined; they are left out.
    tolerance : float
        Points nearer to each other than this are the same point.
    """

    values: NDArray[np.float64]
    weights: NDArray[np.float64]
    undefined: float = 0.0
    tolerance: float = 0.0
    _below: NDArray[np.float64] = field(init=False, repr=False)
    _above: NDArray[np.float64] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_below", np.minimum(np.cumsum(self.weights), 1.0))
        object.__setattr__(self, "_above", np.minimum(np.cumsum(self.weights[::-1])[::-1], 1.0))

    @classmethod
    def of(
        cls, values: NDArray[np.float64], weights: NDArray[np.float64], *, estimate: float = 0.0
    ) -> Weighted:
        """Sort points, merge ties and leave undefined points out.

        Parameters
        ----------
        values : array_like, shape (M,)
            Points in any order; NaN where the statistic is undefined.
        weights : array_like, shape (M,)
            What each counts; they are divided by their sum.
        estimate : float
            Points within 1e-12 max(1, abs(estimate)) of each other are one point: the one nearest
            to zero, so that a value which is zero up to rounding does not exclude zero.

        Examples
        --------
        >>> import numpy as np
        >>> d = Weighted.of(np.array([0.3, 0.1 + 0.2, 0.0]), np.array([1.0, 1.0, 2.0]))
        >>> d.values.tolist(), d.weights.tolist()
        ([0.0, 0.3], [0.5, 0.5])
        """
        points = np.asarray(values, dtype=np.float64)
        mass = np.asarray(weights, dtype=np.float64)
        defined = ~np.isnan(points)
        total = float(mass.sum())
        undefined = float(mass[~defined].sum()) / total
        points, mass = points[defined], mass[defined]
        order = np.argsort(points, kind="stable")
        points, mass = points[order], mass[order]
        tolerance = 1e-12 * max(abs(estimate), float(np.abs(points).max(initial=0.0)))
        starts = np.flatnonzero(np.diff(points, prepend=-np.inf) > tolerance)
        if starts.size < points.size:
            mass = np.add.reduceat(mass, starts)
            last = np.append(starts[1:], points.size) - 1
            first, final = points[starts], points[last]
            points = np.where(np.abs(first) <= np.abs(final), first, final)
        return cls(
            values=points,
            weights=mass / mass.sum() if mass.size else mass,
            undefined=undefined,
            tolerance=tolerance,
        )

    @property
    def n_resamples(self) -> None:
        return None

    @property
    def mean(self) -> float:
        return float(np.dot(self.weights, self.values)) if self.values.size else math.nan

    @property
    def sd(self) -> float:
        if not self.values.size:
            return math.nan
        deviation = self.values - self.mean
        return math.sqrt(float(np.dot(self.weights, deviation * deviation)))

    def at_most(self, x: float) -> float:
        count = int(np.searchsorted(self.values, x + self.tolerance, side="right"))
        return float(self._below[count - 1]) if count else 0.0

    def at_least(self, x: float) -> float:
        count = int(np.searchsorted(self.values, x - self.tolerance, side="left"))
        return float(self._above[count]) if count < self.values.size else 0.0

    def resolves(self, tail: float) -> bool:
        return bool(self.values.size)

    def lower(self, tail: float) -> float:
        index = int(np.searchsorted(self._below, tail * (1.0 - LEVEL_SLACK), side="left"))
        return float(self.values[min(index, self.values.size - 1)])

    def upper(self, tail: float) -> float:
        rising = self._above[::-1]
        index = int(np.searchsorted(rising, tail * (1.0 - LEVEL_SLACK), side="left"))
        return float(self.values[max(self.values.size - 1 - index, 0)])

    def lower_error(self, tail: float) -> float:
        return 0.0

    def upper_error(self, tail: float) -> float:
        return 0.0
