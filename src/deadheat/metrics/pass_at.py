"""pass@k: how likely at least one of k runs passes."""

from __future__ import annotations

from math import comb

from deadheat.metrics.metric import Settings
from deadheat.metrics.passes import Passes, k_of


def at_least_one(n: int, c: int, k: int) -> float:
    """Return the share of the sets of `k` of `n` runs with at least one of the `c` that passed.

    It is 1 - C(n - c, k) / C(n, k), the unbiased estimate of the chance that at least one of `k`
    new runs passes (Chen et al. 2021), rounded once.

    Examples
    --------
    >>> at_least_one(10, 3, 5)
    0.9166666666666666
    """
    return (comb(n, k) - comb(n - c, k)) / comb(n, k)


OPTIONS = ("k",)
"""Settings that the metric has."""


def metric(settings: Settings) -> Passes:
    """Make the metric.

    Examples
    --------
    Of four runs two passed, so that of 6 pairs of runs one has no pass:

    >>> metric(Settings(name="pass@2", k=2)).statistics(None, [[1.0, 0.0, 0.0, 1.0]])
    array([[0.83333333, 1.        ]])
    """
    return Passes(k=k_of(settings, "pass@"), written="pass@", of_counts=at_least_one)
