"""Pearson's correlation of outputs with references (Pearson 1896)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from deadheat.metrics.metric import VERSION, Floats, OfValues, Settings, Takes, ratio
from deadheat.metrics.numbers.checks import numeric
from deadheat.metrics.numbers.variation import without_variation
from deadheat.notes import Note

CAP = 1e-3
"""With more than this share of the variance of the data a resample is never held constant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standard:
    """Numbers in standard deviations from their mean.

    Attributes
    ----------
    unit : float
        A power of two near the largest number: dividing by it is exact and nothing overflows.
    centre, spread : float
        Mean and standard deviation, in that unit.
    """

    unit: float
    centre: float
    spread: float

    @classmethod
    def of(cls, numbers: Floats) -> Standard:
        """Measure numbers; those that do not vary at all become exact zeros."""
        if numbers.size == 0 or numbers.min() == numbers.max():
            return cls(unit=1.0, centre=float(numbers[0]) if numbers.size else 0.0, spread=1.0)
        unit = math.ldexp(1.0, math.frexp(float(np.abs(numbers).max()))[1] - 1)
        scaled = numbers / unit
        centre = float(scaled.mean())
        return cls(unit=unit, centre=centre, spread=float(np.sqrt(((scaled - centre) ** 2).mean())))

    def __call__(self, numbers: Floats) -> Floats:
        """Standardise."""
        return (numbers / self.unit - self.centre) / self.spread


@dataclass(frozen=True, slots=True, kw_only=True)
class Pearson(OfValues):
    """Covariance over the product of the standard deviations; undefined where either is 0.

    References and outputs are standardised by constants of the whole data before they are summed.
    The value does not depend on the constants, its digits do. Each system has its own, so that
    two systems that exchange outputs exchange standardised ones, whatever their scales.

    Attributes
    ----------
    references, outputs : Standard or None
        Bound; None to take them from the items at hand, which then have to be all.

    Examples
    --------
    >>> import numpy as np
    >>> pearson = Pearson()
    >>> sums = pearson.statistics(np.array([1, 2, 3]), 1e9 + np.array([0.0, 2.0, 1.0])).sum(axis=0)
    >>> round(float(pearson.value(sums)), 12)
    0.5
    """

    references: Standard | None = None
    outputs: Standard | None = None
    name: ClassVar[str] = "pearson"
    signature: ClassVar[str] = f"pearson|v:{VERSION}"
    takes: ClassVar[Takes] = "numbers"
    bounds: ClassVar[tuple[float, float] | None] = (-1.0, 1.0)

    def with_references(self, references: NDArray[Any]) -> Self:
        """Freeze how references are standardised, from those of all items."""
        return replace(self, references=Standard.of(numeric(references)))

    def for_system(self, outputs: Floats) -> Self:
        """Freeze how outputs are standardised, from all outputs of one system."""
        return replace(self, outputs=Standard.of(outputs))

    def statistics(self, references: NDArray[Any], outputs: Floats) -> Floats:
        """Return y, x, y^2, x^2, x y of the standardised numbers, and 1, shape (item, 6).

        Raises
        ------
        ItemError
            If a reference is not a number.
        """
        wanted = numeric(references)
        y = (self.references or Standard.of(wanted))(wanted)
        x = (self.outputs or Standard.of(outputs))(outputs)
        return np.stack([y, x, y * y, x * x, x * y, np.ones(len(x))], axis=1)

    def value(self, totals: Floats) -> Floats:
        y, x, yy, xx, xy, n = np.moveaxis(totals, -1, 0)
        covariance = n * xy - x * y
        variances = [n * yy - y * y, n * xx - x * x]
        # A square may be as large as the number of items, and sums of n squares are good to
        # n max 2^-53 each: what is less cannot be told from no variation at all.
        least = n * n * np.minimum(n * n * 2.0**-52, CAP)
        constant = (variances[0] <= least) | (variances[1] <= least)
        roots = [np.sqrt(np.where(constant, 0.0, variance)) for variance in variances]
        return np.clip(ratio(covariance, roots[0] * roots[1]), -1.0, 1.0)

    def remarks(self, system: str, references: NDArray[Any], outputs: Floats) -> Sequence[Note]:
        """Say when nothing varies."""
        return without_variation(self.name, system, numeric(references), outputs)


OPTIONS = ()
"""Settings that the metric has."""


def metric(settings: Settings) -> Pearson:
    """Make the metric."""
    return Pearson()
