"""Means over clusters: the cluster-robust standard error CR2 and Satterthwaite's t.

Bell and McCaffrey (2002); the closed form for a mean is that of STATISTICS.md 5.1. With m_c items
in cluster c of N, residual total u_c = sum over its items of (x - mean) and w_c^2 = 1 / (1 -
m_c / N), SE^2 = sum w_c^2 u_c^2 / N^2 and df = (tr P)^2 / sum P_cd^2 for P_cd = w_c w_d (m_c [c =
d] - m_c m_d / N).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from deadheat.intervals.interval import Alternative, Interval, between, tail_of, undefined

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

METHOD = "cr2"

FEWEST = 2
"""Clusters below which nothing is known of how clusters vary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusteredMean:
    """A mean with its standard errors.

    Attributes
    ----------
    mean : float
    standard_error : float
        CR2; NaN for one cluster.
    df : float
        Satterthwaite's degrees of freedom.
    simple_error : float
        As if items were independent, with N - 1.
    n, n_clusters : int
    """

    mean: float
    standard_error: float
    df: float
    simple_error: float
    n: int
    n_clusters: int

    @property
    def design_effect(self) -> float:
        """Variance with clusters over that without; NaN where items do not vary."""
        return _ratio(self.standard_error**2, self.simple_error**2)

    @property
    def note(self) -> str:
        """Why there is no standard error above 0; empty where there is one."""
        if self.n_clusters < FEWEST:
            return "one cluster cannot show how much clusters vary"
        return "" if self.standard_error > 0.0 else "the clusters do not vary"

    @property
    def effective(self) -> float:
        """Independent items that would be worth as much, at most n (STATISTICS.md 5.1)."""
        if self.standard_error == 0.0 or math.isnan(self.design_effect):
            return float(self.n_clusters)
        return min(float(self.n), self.n / self.design_effect)


def moments_of_clusters(totals: Floats, sizes: Ints, *, squares: float) -> ClusteredMean:
    """Return the mean of items in clusters.

    Parameters
    ----------
    totals : ndarray, shape (cluster,)
        Sum of the values of each cluster.
    sizes : ndarray of int, shape (cluster,)
        Items of each cluster.
    squares : float
        Sum over all items of (value - mean)^2.
    """
    n, n_clusters = int(sizes.sum()), len(sizes)
    mean = float(totals.sum()) / n
    simple = math.sqrt(squares / (n - 1) / n) if n > 1 else math.nan
    if n_clusters < FEWEST:
        return ClusteredMean(
            mean=mean,
            standard_error=math.nan,
            df=math.nan,
            simple_error=simple,
            n=n,
            n_clusters=n_clusters,
        )
    share = sizes / n
    weights = 1.0 / (1.0 - share)
    residuals = totals - mean * sizes
    size = max(float(np.abs(totals).max()), abs(mean) * float(sizes.max()))
    residuals[np.abs(residuals) <= 1e-13 * size] = 0.0
    error = math.sqrt(float((weights * residuals**2).sum())) / n
    # The trace of P is n; its entries off the diagonal are those of a product.
    spread = weights * share * sizes
    squared = float((sizes.astype(float) ** 2).sum() + spread.sum() ** 2 - (spread**2).sum())
    return ClusteredMean(
        mean=mean,
        standard_error=error,
        df=n * n / squared,
        simple_error=simple,
        n=n,
        n_clusters=n_clusters,
    )


def gap_between(baseline: ClusteredMean, candidate: ClusteredMean) -> ClusteredMean:
    """Return the difference of two means over clusters of their own, candidate - baseline.

    Variances add up, and degrees of freedom combine as Welch's do (Satterthwaite 1946).
    """
    squares = [side.standard_error**2 for side in (baseline, candidate)]
    freedom = sum(
        square**2 / side.df
        for square, side in zip(squares, (baseline, candidate), strict=True)
        if square != 0.0
    )
    return ClusteredMean(
        mean=candidate.mean - baseline.mean,
        standard_error=math.sqrt(sum(squares)),
        df=sum(squares) ** 2 / freedom if freedom else math.nan,
        simple_error=math.hypot(baseline.simple_error, candidate.simple_error),
        n=baseline.n + candidate.n,
        n_clusters=min(baseline.n_clusters, candidate.n_clusters),
    )


def clustered_mean(
    found: ClusteredMean, *, confidence_level: float, alternative: Alternative = "two-sided"
) -> Interval:
    """Interval of a mean over clusters, mean +- t_df SE."""
    tail = tail_of(confidence_level, alternative)
    if not found.standard_error > 0.0:
        return undefined(METHOD, confidence_level, found.note, alternative)
    half = -float(special.stdtrit(found.df, tail)) * found.standard_error
    return between(
        found.mean - half,
        found.mean + half,
        method=METHOD,
        confidence_level=confidence_level,
        alternative=alternative,
    )


def _ratio(above: float, below: float) -> float:
    return above / below if below > 0.0 else math.nan
