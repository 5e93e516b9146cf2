"""All sign patterns of up to forty differences, by meeting in the middle.

The idea is that of Horowitz and Sahni (1974, J. ACM 21) for the knapsack problem.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deadheat.distributions import LEVEL_SLACK

MAX_DIFFERENCES = 40
"""Two halves of 2^20 sums each; all 2^40 totals are pairs of them."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Halves:
    """Exact distribution of X + Y, X and Y each uniform on sorted sums of half the differences.

    Attributes
    ----------
    left, right : ndarray, shapes (2^a,) and (2^b,), ascending
    mean, sd : float
    tolerance : float
        Totals nearer to each other than this are equal.
    """

    left: NDArray[np.float64]
    right: NDArray[np.float64]
    mean: float
    sd: float
    tolerance: float

    @classmethod
    def of(cls, differences: NDArray[np.float64]) -> Halves:
        """Distribution of sum(s_i differences_i) over all signs, the identity among them.

        Examples
        --------
        >>> null = Halves.of(np.array([0.1, 0.2, -0.3, 0.4, 0.3]))
        >>> 2 * null.at_least(0.7)
        0.375
        """
        sizes = np.sort(np.abs(differences))
        return cls(
            left=_signed_sums(sizes[0::2]),
            right=_signed_sums(sizes[1::2]),
            mean=0.0,
            sd=math.sqrt(float((sizes * sizes).sum())),
            tolerance=1e-12 * float(sizes.sum()),
        )

    @property
    def n_resamples(self) -> None:
        return None

    def at_most(self, x: float) -> float:
        counts = np.searchsorted(self.right, x + self.tolerance - self.left, side="right")
        return float(counts.sum()) / self.left.size / self.right.size

    def at_least(self, x: float) -> float:
        # Signs are fair: the distribution is its own mirror image.
        return self.at_most(-x)

    def resolves(self, tail: float) -> bool:
        return True

    def lower(self, tail: float) -> float:
        level = tail * (1.0 - LEVEL_SLACK)
        low, high = float(self.left[0] + self.right[0]), float(self.left[-1] + self.right[-1])
        if self.at_most(low) >= level:
            return low
        while high - low > self.tolerance:
            middle = 0.5 * (low + high)
            low, high = (low, middle) if self.at_most(middle) >= level else (middle, high)
        at = np.searchsorted(self.right, low - self.left, side="right")
        reachable = at < self.right.size
        return float((self.left[reachable] + self.right[at[reachable]]).min())

    def upper(self, tail: float) -> float:
        return -self.lower(tail)

    def lower_error(self, tail: float) -> float:
        return 0.0

    def upper_error(self, tail: float) -> float:
        return 0.0


def _signed_sums(sizes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sorted sums over all signs; mirrored exactly, so that both tails count alike."""
    sums = np.zeros(1)
    for size in sizes:
        sums = np.concatenate([sums - size, sums + size])
    return np.sort(sums)
