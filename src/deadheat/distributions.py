"""What a statistic would have been on other samples: distributions with one set of questions.

Interval methods and tests ask a distribution the same few questions whether it was drawn
(`Replicates`), computed on a lattice (`Lattice`), enumerated (`Weighted` and `Halves` of
`deadheat.resampling`) or inverted from a characteristic function
(`deadheat.resampling.series.Inverted`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import special

Rule = Literal["order", "linear", "norm_inter"]

LEVEL_SLACK = 1e-12
"""Relative slack when a cumulated probability is held against a level (STATISTICS.md B.2)."""

EXACT_FLOOR = 1e-12
"""A tail of an exact distribution below this is rounding noise (STATISTICS.md 3.5)."""


class Distribution(Protocol):
    """The questions that interval methods and tests ask.

    Attributes
    ----------
    n_resamples : int or None
        Number of draws, or None when the distribution is exact.
    mean, sd : float
        Of the distribution itself (sd with one degree of freedom off where it was drawn).
    """

    @property
    def n_resamples(self) -> int | None: ...
    @property
    def mean(self) -> float: ...
    @property
    def sd(self) -> float: ...

    def at_most(self, x: float) -> float:
        """P(T <= x)."""
        ...

    def at_least(self, x: float) -> float:
        """P(T >= x)."""
        ...

    def lower(self, tail: float) -> float:
        """Lower end of an interval that leaves `tail` below it."""
        ...

    def upper(self, tail: float) -> float:
        """Upper end of an interval that leaves `tail` above it."""
        ...

    def resolves(self, tail: float) -> bool:
        """Whether there are draws enough to place an end that leaves `tail` outside."""
        ...

    def lower_error(self, tail: float) -> float:
        """Monte Carlo half-width of `lower(tail)`; 0 when exact."""
        ...

    def upper_error(self, tail: float) -> float:
        """Monte Carlo half-width of `upper(tail)`; 0 when exact."""
        ...


def midrank(distribution: Distribution, x: float) -> float:
    """P(T < x) + P(T = x) / 2."""
    return 0.5 * (distribution.at_most(x) + 1.0 - distribution.at_least(x))


def floor(distribution: Distribution) -> float:
    """Smallest tail that a distribution can tell from none.

    One draw in R + 1 where it was drawn; an exact distribution may state its own `floor`.
    """
    if distribution.n_resamples is not None:
        return 1.0 / (distribution.n_resamples + 1)
    return float(getattr(distribution, "floor", EXACT_FLOOR))


def tails(distribution: Distribution, x: float) -> tuple[float, float]:
    """P(T <= x) and P(T >= x), never below `floor`; (count + 1) / (R + 1) where drawn.

    The added one makes the doubled share hold its level and agree exactly with the
    order-statistic interval (Davison & Hinkley 1997, eq. 4.11; STATISTICS.md 0.4).
    """
    below, above = distribution.at_most(x), distribution.at_least(x)
    size = distribution.n_resamples
    if size is not None:
        return (round(below * size) + 1) / (size + 1), (round(above * size) + 1) / (size + 1)
    least = floor(distribution)
    return max(below, least), max(above, least)


def negligible(spread: float, centre: float) -> bool:
    """Whether a spread is none but for rounding: at most 1e-13 |centre|."""
    return spread <= 1e-13 * abs(centre)


def _largest(values: NDArray[np.float64], estimate: float) -> float:
    """Return the largest size of a value or the estimate; 0 where there is none."""
    size = float(np.abs(values).max(initial=0.0))
    return size if math.isnan(estimate) else max(size, abs(estimate))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Replicates:
    """Drawn values of a statistic, sorted; undefined draws are left out and counted.

    Ends follow the order-statistic rule by default: k = floor((R + 1) tail + 1e-9), the lower
    end the k-th smallest, the upper end the k-th largest, so that swapping the two systems
    negates the interval exactly. `linear` is NumPy's rule, `norm_inter` that of R's boot.
    """

    values: NDArray[np.float64]
    rule: Rule = "order"
    n_undefined: int = 0
    tolerance: float = 0.0

    @classmethod
    def of(
        cls, draws: NDArray[np.float64], *, estimate: float = 0.0, rule: Rule = "order"
    ) -> Replicates:
        """Sort draws, leave NaN out and count it; ties are judged to 1e-12 of the largest."""
        values = np.asarray(draws, dtype=np.float64)
        defined = values[~np.isnan(values)]
        return cls(
            values=np.sort(defined),
            rule=rule,
            n_undefined=int(values.size - defined.size),
            tolerance=1e-12 * _largest(defined, estimate),
        )

    @property
    def n_resamples(self) -> int:
        return int(self.values.size)

    @property
    def mean(self) -> float:
        return float(self.values.mean()) if self.values.size else math.nan

    @property
    def sd(self) -> float:
        return float(self.values.std(ddof=1)) if self.values.size > 1 else math.nan

    def at_most(self, x: float) -> float:
        count = np.searchsorted(self.values, x + self.tolerance, side="right")
        return float(count) / self.values.size

    def at_least(self, x: float) -> float:
        count = self.values.size - np.searchsorted(self.values, x - self.tolerance, side="left")
        return float(count) / self.values.size

    def _rank(self, tail: float) -> int:
        return math.floor((self.values.size + 1) * tail + 1e-9)

    def resolves(self, tail: float) -> bool:
        return 1 <= self._rank(tail) <= self.values.size

    def lower(self, tail: float) -> float:
        return self._end(self.values, tail)

    def upper(self, tail: float) -> float:
        return -self._end(-self.values[::-1], tail)

    def _end(self, ascending: NDArray[np.float64], tail: float) -> float:
        size = ascending.size
        if self.rule == "linear":
            return float(np.quantile(ascending, min(max(tail, 0.0), 1.0)))
        if self.rule == "norm_inter":
            return _norm_inter(ascending, tail)
        return float(ascending[min(max(self._rank(tail), 1), size) - 1])

    def lower_error(self, tail: float) -> float:
        return self._end_error(self.values, tail)

    def upper_error(self, tail: float) -> float:
        return self._end_error(-self.values[::-1], tail)

    def _end_error(self, ascending: NDArray[np.float64], tail: float) -> float:
        # The true end lies between the order statistics k -+ 1.96 sqrt(R tail (1 - tail)).
        size = ascending.size
        spread = 1.959963984540054 * math.sqrt(size * tail * (1.0 - tail))
        at = (size + 1) * tail
        low, high = (
            ascending[min(max(round(at + side * spread), 1), size) - 1] for side in (-1, 1)
        )
        return float(high - low) / 2.0


def _norm_inter(ascending: NDArray[np.float64], tail: float) -> float:
    """Interpolate on the normal scale (Davison & Hinkley 1997, eq. 5.8; R's boot)."""
    size = ascending.size
    at = (size + 1) * tail
    k = min(max(math.floor(at), 1), size)
    if k == at or k in (size,) or at < 1:
        return float(ascending[k - 1])
    z, z_low, z_high = (
        float(special.ndtri(q)) for q in (tail, k / (size + 1), (k + 1) / (size + 1))
    )
    share = (z - z_low) / (z_high - z_low)
    return float(ascending[k - 1] + share * (ascending[k] - ascending[k - 1]))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lattice:
    """An exact distribution on the points (start + i) / denominator, i = 0 .. pmf.size - 1.

    Ends follow the outer rule: the lower end is the least t with P(T <= t) >= tail, the upper
    end the greatest t with P(T >= t) >= tail, so that the interval excludes a value exactly when
    the doubled tail at that value is below alpha (STATISTICS.md 0.4).
    """

    pmf: NDArray[np.float64]
    start: int
    denominator: float
    _below: NDArray[np.float64] = field(init=False, repr=False)
    _above: NDArray[np.float64] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        clean = np.clip(self.pmf, 0.0, None)
        clean = clean / clean.sum()
        object.__setattr__(self, "pmf", clean)
        object.__setattr__(self, "_below", np.minimum(np.cumsum(clean), 1.0))
        object.__setattr__(self, "_above", np.minimum(np.cumsum(clean[::-1])[::-1], 1.0))

    @property
    def n_resamples(self) -> None:
        return None

    @property
    def points(self) -> NDArray[np.float64]:
        """Shape (pmf.size,), on the scale of the statistic."""
        return (self.start + np.arange(self.pmf.size)) / self.denominator

    @property
    def mean(self) -> float:
        return (self.start + self._centre) / self.denominator

    @property
    def sd(self) -> float:
        index = np.arange(self.pmf.size) - self._centre
        return math.sqrt(float((self.pmf * index * index).sum())) / abs(self.denominator)

    @property
    def _centre(self) -> float:
        # Not a product of BLAS: its threads would decide the order of the sum.
        return float((self.pmf * np.arange(self.pmf.size)).sum())

    def at_most(self, x: float) -> float:
        index = math.floor(x * self.denominator - self.start + 1e-6)
        return 0.0 if index < 0 else float(self._below[min(index, self.pmf.size - 1)])

    def at_least(self, x: float) -> float:
        index = math.ceil(x * self.denominator - self.start - 1e-6)
        return 0.0 if index >= self.pmf.size else float(self._above[max(index, 0)])

    def resolves(self, tail: float) -> bool:
        return tail >= EXACT_FLOOR

    def lower(self, tail: float) -> float:
        # Below the floor the cumulated probabilities are rounding noise, and so would the end be.
        level = max(tail, EXACT_FLOOR) * (1.0 - LEVEL_SLACK)
        index = int(np.searchsorted(self._below, level, side="left"))
        return (self.start + min(index, self.pmf.size - 1)) / self.denominator

    def upper(self, tail: float) -> float:
        rising = self._above[::-1]
        level = max(tail, EXACT_FLOOR) * (1.0 - LEVEL_SLACK)
        index = int(np.searchsorted(rising, level, side="left"))
        return (self.start + self.pmf.size - 1 - min(index, self.pmf.size - 1)) / self.denominator

    def lower_error(self, tail: float) -> float:
        return 0.0

    def upper_error(self, tail: float) -> float:
        return 0.0
