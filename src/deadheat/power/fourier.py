"""Bootstrap distributions of many paired tables at once, from few Fourier coefficients each.

The bootstrap total T of a table with `losses` and `wins` among n items is the sum of n
independent steps -1, 0, +1 of probabilities losses/n, 1 - D/n, wins/n. Its mean is the whole
number wins - losses, and around it the characteristic function falls so fast that a few dozen
frequencies hold all that double precision can show.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from deadheat.power.binomial import Floats, Ints, reach

LOG_NEGLIGIBLE = -39.0
"""Coefficients below exp(-39), 1e-17, are left out."""

ONE_THREAD = 1 << 18
"""Multiplications in one piece of a product."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Totals:
    """Distributions of T - (wins - losses) for a block of tables over the same n items.

    Attributes
    ----------
    real, imaginary : ndarray, shape (table, frequency)
        The characteristic function at `angles`.
    angles : ndarray, shape (frequency,)
        Multiples of 2 pi / (2 far + 1) above 0.
    far : int
        Distance from the mean beyond which T has a probability below 1e-15.
    """

    real: Floats
    imaginary: Floats
    angles: Floats
    far: int

    @classmethod
    def of(cls, losses: Ints, wins: Ints, n: int) -> Totals:
        """Compute the coefficients of tables; tables of like sizes make the smallest blocks.

        Parameters
        ----------
        losses : ndarray of int, shape (table,)
            Items that only the baseline gets right.
        wins : ndarray of int, shape (table,)
            Items that only the candidate gets right.
        n : int
            Items.
        """
        discordant, gain = losses + wins, wins - losses
        most = float(np.abs(gain).max())
        far = min(math.ceil(reach(float(discordant.max()), 2.0)), n + int(most))
        angles = 2.0 * np.pi / (2 * far + 1) * np.arange(1, far + 1)
        # |phi|^2 = (1 - p fall)^2 + (gain/n)^2 sin^2, convex in p = D/n and rising in |gain|.
        fall, sine = 2.0 * np.sin(angles / 2.0) ** 2, np.sin(angles)
        ends = np.array([[discordant.min()], [discordant.max()]]) / n
        largest = ((1.0 - ends * fall) ** 2).max(axis=0) + (most / n * sine) ** 2
        with np.errstate(divide="ignore"):
            kept = 0.5 * n * np.log(largest) > LOG_NEGLIGIBLE
        angles, fall, sine = angles[kept], fall[kept], sine[kept]
        drop = (discordant / n)[:, None] * fall
        turn = (gain / n)[:, None] * sine
        with np.errstate(divide="ignore"):
            size = np.exp(0.5 * n * np.log1p(np.maximum(drop * (drop - 2.0) + turn * turn, -1.0)))
        angle = n * np.arctan2(turn, 1.0 - drop) - gain[:, None] * angles
        return cls(
            real=size * np.cos(angle), imaginary=size * np.sin(angle), angles=angles, far=far
        )

    def mirrored(self) -> Totals:
        """Return the distributions with the systems swapped."""
        return Totals(real=self.real, imaginary=-self.imaginary, angles=self.angles, far=self.far)

    def at_most(self, points: Ints) -> Floats:
        """P(T - mean <= point), shape (table, point), at the same distances for all tables.

        Parameters
        ----------
        points : ndarray of int
            Distances from the mean, in items.
        """
        # One piece of a product must not be so large that the linear algebra library starts
        # threads for it: they wait for each other longer than it takes.
        width = max(1, ONE_THREAD // max(self.real.size, 1))
        pieces = [points[start : start + width] for start in range(0, points.size, width)]
        return np.concatenate([self._product(piece) for piece in pieces], axis=1)

    def _product(self, points: Ints) -> Floats:
        real, imaginary = self._kernel(points)
        waves: Floats = self.real @ real.T - self.imaginary @ imaginary.T
        return self._base(points) + waves

    def at_most_own(self, points: Ints) -> Floats:
        """P(T - mean <= point), shape (table,), at a distance of its own for each table.

        Parameters
        ----------
        points : ndarray of int
            Distances from the mean, in items.
        """
        real, imaginary = self._kernel(points)
        waves: Floats = (self.real * real - self.imaginary * imaginary).sum(axis=1)
        return self._base(points) + waves

    def _base(self, points: Ints) -> Floats:
        return (self._inside(points) + self.far + 1) / (2 * self.far + 1)

    def _inside(self, points: Ints) -> Ints:
        return np.clip(points, -self.far - 1, self.far)

    def _kernel(self, points: Ints) -> tuple[Floats, Floats]:
        """Sum exp(-i angle s) over s = -far .. point, doubled and scaled: (point, frequency)."""
        half = self.angles / 2.0
        # sum = exp(i angle (far - point)/2) sin(angle (far + point + 1)/2) / sin(angle / 2)
        count = self._inside(points)[:, None] + self.far + 1
        phase = half * (2 * self.far + 1 - count)
        weight = 2.0 / (2 * self.far + 1) * np.sin(half * count) / np.sin(half)
        return weight * np.cos(phase), weight * np.sin(phase)
