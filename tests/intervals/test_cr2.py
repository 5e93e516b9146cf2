"""Cluster-robust errors against statsmodels, R and their definition with full matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from numpy.typing import NDArray
from scipy import linalg, stats

from deadheat.intervals import cr2
from deadheat.intervals.acceleration import acceleration
from deadheat.intervals.cr2 import ClusteredMean, moments_of_clusters
from deadheat.significance.cluster_t import cluster_t
from vectors import close, vectors

Floats = NDArray[np.float64]
BY_NAME = {v["name"]: v for v in vectors("dependence.cluster")}
CR0 = BY_NAME["cluster.CR0"]
VALUES, CLUSTERS = (np.array(CR0["input"][name]) for name in ("values", "clusters"))


def moments(values: Any, clusters: Any) -> ClusteredMean:
    values, codes = np.asarray(values, float), np.unique(clusters, return_inverse=True)[1]
    squares = float(((values - values.mean()) ** 2).sum())
    return moments_of_clusters(np.bincount(codes, values), np.bincount(codes), squares=squares)


def judged(values: Floats, clusters: Any, *, correct: bool) -> float:
    """CR0, or CR1, of a mean by statsmodels."""
    fit = sm.OLS(values, np.ones(len(values))).fit(
        cov_type="cluster", cov_kwds={"groups": np.asarray(clusters), "use_correction": correct}
    )
    return float(fit.bse[0])


def by_matrices(values: Floats, clusters: Any) -> tuple[float, float]:
    """CR2 and its degrees of freedom as Bell & McCaffrey (2002) define them for a regression."""
    n = len(values)
    x = np.ones((n, 1))
    residual = np.eye(n) - x @ x.T / n
    errors = residual @ values
    variance, columns = 0.0, []
    for c in np.unique(clusters):
        own = np.flatnonzero(np.asarray(clusters) == c)
        adjusted = linalg.inv(linalg.sqrtm(residual[np.ix_(own, own)]).real)
        variance += float(x[own, 0] @ adjusted @ errors[own]) ** 2 / n**2
        columns.append(residual[:, own] @ adjusted @ x[own, 0] / n)
    g = np.column_stack(columns)
    values_of = np.linalg.eigvalsh(g.T @ g)
    return math.sqrt(variance), float(values_of.sum() ** 2 / (values_of**2).sum())


SETS = [
    (VALUES, CLUSTERS),
    (np.random.default_rng(5).normal(size=14), np.repeat([0, 1, 2, 3], [1, 2, 4, 7])),
    (np.random.default_rng(6).normal(size=12), np.repeat(np.arange(6), 2)),
    (np.random.default_rng(7).random(9), np.repeat([0, 1], [4, 5])),
]


@pytest.mark.parametrize(("values", "clusters"), SETS)
def test_definition(values: Floats, clusters: Any) -> None:
    found = moments(values, clusters)
    error, df = by_matrices(values, clusters)
    assert found.standard_error == pytest.approx(error, rel=1e-9)
    assert found.df == pytest.approx(df, rel=1e-9)


def test_between_the_errors_that_are_too_small_and_too_large() -> None:
    """CR0 below, the jackknife over clusters above; the middle one is the unbiased one."""
    found, jackknife = moments(VALUES, CLUSTERS), BY_NAME["bca.accel.cluster"]
    assert close(CR0, "mean", found.mean)
    assert CR0["expected"]["se"] < found.standard_error < jackknife["expected"]["jack_se"]
    assert close(CR0, "se", judged(VALUES, CLUSTERS, correct=False))


def test_clusters_of_one_size_have_cr1_and_one_degree_less_than_clusters() -> None:
    values, clusters = SETS[2]
    found = moments(values, clusters)
    assert found.standard_error == pytest.approx(judged(values, clusters, correct=True), rel=1e-12)
    assert found.df == pytest.approx(5.0, rel=1e-12)


def test_cr1_of_statsmodels_is_that_of_the_vector() -> None:
    vector = BY_NAME["cluster.CR1"]
    assert close(vector, "se", judged(VALUES, CLUSTERS, correct=True))


def test_differences_are_a_mean_of_their_own() -> None:
    vector = BY_NAME["cluster.paired"]
    given = vector["input"]
    found = moments(np.array(given["b"]) - np.array(given["a"]), given["clusters"])
    assert close(vector, "mean", found.mean)
    assert found.standard_error == moments(VALUES, CLUSTERS).standard_error


def test_jackknife_over_clusters() -> None:
    vector = BY_NAME["bca.accel.cluster"]
    codes = np.unique(CLUSTERS, return_inverse=True)[1]
    totals, sizes = np.bincount(codes, VALUES), np.bincount(codes)
    left_out = (totals.sum() - totals) / (sizes.sum() - sizes)
    assert close(vector, "a", acceleration(left_out, np.ones(len(sizes), dtype=np.int64)))


def test_clusters_of_one_item_have_the_interval_and_the_test_of_student() -> None:
    values = np.random.default_rng(8).normal(0.4, 1.0, 11)
    found = moments(values, np.arange(11))
    interval = cr2.clustered_mean(found, confidence_level=0.9)
    right = stats.ttest_1samp(values, 0.0)
    ends = right.confidence_interval(0.9)
    assert (interval.low, interval.high) == pytest.approx((ends.low, ends.high), rel=1e-12)
    test = cluster_t(found.mean, found.standard_error, found.df, n_clusters=11)
    assert (test.statistic, test.p_value) == pytest.approx((right.statistic, right.pvalue))
    assert found.design_effect == pytest.approx(1.0, rel=1e-12)
    assert found.effective == pytest.approx(11.0, rel=1e-12)


@pytest.mark.parametrize("copies", [2, 5])
def test_copies_declared_as_clusters_are_worth_nothing(copies: int) -> None:
    """Exactly: with clusters of one size CR2 is the plain error of the means of the clusters."""
    values = np.random.default_rng(9).normal(size=25)
    once = moments(values, np.arange(25))
    found = moments(np.repeat(values, copies), np.repeat(np.arange(25), copies))
    assert found.standard_error == pytest.approx(once.standard_error, rel=1e-12)
    assert found.df == pytest.approx(once.df, rel=1e-12)
    assert found.effective == pytest.approx(25.0, rel=0.05)


def test_what_cannot_be_known_says_why() -> None:
    one = moments([0.0, 1.0, 1.0], [1, 1, 1])
    assert math.isnan(one.standard_error)
    assert "one cluster" in cr2.clustered_mean(one, confidence_level=0.95).note
    alike = moments([0.0, 1.0, 0.0, 1.0], [1, 1, 2, 2])
    interval = cr2.clustered_mean(alike, confidence_level=0.95)
    assert (alike.standard_error, interval.defined, interval.note) == (
        *(0.0, False),
        "the clusters do not vary",
    )
    assert alike.effective == 2.0
    assert math.isnan(cluster_t(0.5, 0.0, 1.0, n_clusters=2).p_value)
    assert cluster_t(0.0, 0.0, 1.0, n_clusters=2).p_value == 1.0


@pytest.mark.parametrize("side", ["less", "greater"])
def test_one_side(side: Any) -> None:
    found = moments(*SETS[1])
    interval = cr2.clustered_mean(found, confidence_level=0.95, alternative=side)
    two = cr2.clustered_mean(found, confidence_level=0.9)
    ends = (-math.inf, two.high) if side == "less" else (two.low, math.inf)
    assert (interval.low, interval.high) == pytest.approx(ends)
