"""Mean and variance of scores, where they vary at all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from deadheat.distributions import negligible
from deadheat.intervals.proportions import NO_ITEMS, ONE_ITEM


@dataclass(frozen=True, slots=True, kw_only=True)
class Moments:
    """Size, mean and variance (one degree of freedom off) of scores.

    Attributes
    ----------
    n : int
    mean, variance : float
    note : str
        Why there is no interval of the mean; empty where there is one.
    """

    n: int
    mean: float
    variance: float
    note: str


def moments(values: ArrayLike, multiplicities: ArrayLike | None = None) -> Moments:
    """Mean and variance of scores, shape (item,), or of distinct scores with multiplicities."""
    scores = np.asarray(values, dtype=np.float64)
    counts = np.ones(scores.size) if multiplicities is None else np.asarray(multiplicities)
    n = int(counts.sum())
    if n == 0:
        return Moments(n=0, mean=float("nan"), variance=float("nan"), note=NO_ITEMS)
    mean = float((scores * counts).sum()) / n
    if n == 1:
        return Moments(n=1, mean=mean, variance=float("nan"), note=ONE_ITEM)
    deviations = scores - mean
    variance = float((deviations * deviations * counts).sum()) / (n - 1)
    alike = negligible(variance**0.5, mean)
    return Moments(
        n=n,
        mean=mean,
        variance=0.0 if alike else variance,
        note="there is no variation in the data: every score is the same" if alike else "",
    )
