"""pass^k: how likely all of k runs pass."""

from __future__ import annotations

from math import comb

from deadheat.metrics.metric import Settings
from deadheat.metrics.passes import Passes, k_of


def all_of_them(n: int, c: int, k: int) -> float:
    """Return the share of the sets of `k` of `n` runs that lie within the `c` that passed.

    It is C(c, k) / C(n, k), the unbiased estimate of the chance that `k` new runs all pass (Yao
    et al. 2024, tau-bench), rounded once.

    Examples
    --------
    >>> all_of_them(10, 3, 2)
    0.06666666666666667
    """
    return comb(c, k) / comb(n, k)


OPTIONS = ("k",)
"""Settings that the metric has."""


def metric(settings: Settings) -> Passes:
    """Make the metric.

    Examples
    --------
    Of four runs two passed, so that of 6 pairs of runs one has passes only:

    >>> metric(Settings(name="pass^2", k=2)).statistics(None, [[1.0, 0.0, 0.0, 1.0]])
    array([[0.16666667, 1.        ]])
    """
    return Passes(k=k_of(settings, "pass^"), written="pass^", of_counts=all_of_them)
