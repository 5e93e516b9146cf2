"""Alpha, split halves and rankings of halves, judged by R's psych, scipy and enumeration."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from deadheat.health import (
    cronbach_alpha,
    halves_compared,
    kendall_tau,
    random_halves,
    spearman_brown,
)
from deadheat.health.halves import n_splits
from vectors import close, vectors


def by_definition(scores: np.ndarray, ddof: int) -> float:
    """Alpha from variances of rows and of totals, with any one divisor throughout."""
    k = len(scores)
    items = scores.var(axis=1, ddof=ddof).sum()
    return float(k / (k - 1) * (1 - items / scores.sum(axis=0).var(ddof=ddof)))


@pytest.mark.parametrize("vector", vectors("items", "cronbach"), ids=lambda v: v["name"])
def test_alpha_of_psych(vector: dict) -> None:
    assert close(vector, "alpha", cronbach_alpha(np.array(vector["input"]["matrix"], float).T))


@pytest.mark.parametrize("vector", vectors("items", "split_half"), ids=lambda v: v["name"])
def test_correlation_of_odd_and_even_items(vector: dict) -> None:
    scores = np.array(vector["input"]["matrix"], float).T
    odd = np.arange(len(scores)) % 2 == 0
    (r,) = halves_compared(scores, [odd]).correlations
    assert close(vector, "r", r)


@pytest.mark.parametrize("ddof", [0, 1])
@pytest.mark.parametrize("shift", [0.0, 1e5])
def test_alpha_is_the_same_by_any_divisor(ddof: int, shift: float) -> None:
    rng = np.random.default_rng(3)
    scores = shift + rng.normal(size=(20, 9)) + rng.normal(size=9)
    assert cronbach_alpha(scores) == pytest.approx(by_definition(scores, ddof), abs=1e-7)


def test_kuder_richardson_by_its_own_formula() -> None:
    """KR-20 is written with p(1 - p) and the variance of totals with divisor m."""
    rng = np.random.default_rng(4)
    scores = (rng.random((30, 12)) < rng.random(12)).astype(float)
    p, k = scores.mean(axis=1), len(scores)
    wanted = k / (k - 1) * (1 - (p * (1 - p)).sum() / scores.sum(axis=0).var())
    assert cronbach_alpha(scores) == pytest.approx(wanted, abs=1e-12)


def test_items_that_are_all_the_same_have_alpha_one() -> None:
    assert cronbach_alpha(np.tile([1.0, 0, 1, 0], (5, 1))) == pytest.approx(1.0)


@pytest.mark.parametrize(
    "scores",
    [np.ones((4, 5)), np.full((9, 6), 0.1), np.ones((1, 5)), np.ones((4, 1)), np.eye(3)],
    ids=["all right", "equal and not exact", "one item", "one system", "equal totals"],
)
def test_alpha_is_undefined_where_totals_do_not_vary(scores: np.ndarray) -> None:
    assert math.isnan(cronbach_alpha(scores))


def test_parts_of_several_lengths() -> None:
    """Parts that agree wholly, as their lengths say, are perfectly reliable however long each is;
    alpha itself says so of equal lengths alone."""
    ability = np.array([0.2, 0.5, 0.6, 0.9])
    sizes = np.array([231, 75, 40, 12])
    parts = sizes[:, None] * ability
    assert cronbach_alpha(parts, sizes) == pytest.approx(1.0)
    assert cronbach_alpha(parts) < 0.75
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(6, 9))
    assert cronbach_alpha(scores, np.full(6, 7)) == pytest.approx(cronbach_alpha(scores))


def test_mean_of_all_rulon_halves_is_alpha() -> None:
    """Flanagan's and Rulon's coefficient averaged over every split into halves is alpha exactly
    (Cronbach 1951); it is 4 cov(A, B) / var(A + B)."""
    rng = np.random.default_rng(6)
    scores = rng.normal(size=(6, 10)) + rng.normal(size=10)
    splits = [np.isin(np.arange(6), half) for half in combinations(range(6), 3)]
    found = halves_compared(scores, splits)
    whole = scores.sum(axis=0).var()
    rulon = [
        4 * np.cov(3 * a, 3 * b, ddof=0)[0, 1] / whole
        for a, b in zip(found.first, found.second, strict=True)
    ]
    assert np.mean(rulon) == pytest.approx(cronbach_alpha(scores), abs=1e-12)


def test_halves_are_means_and_correlations_those_of_scipy() -> None:
    rng = np.random.default_rng(7)
    scores = rng.random((70, 8))
    splits = list(random_halves(70, 40, seed=1))
    found = halves_compared(scores, splits)
    for half, a, b, r, tau in zip(
        splits, found.first, found.second, found.correlations, found.taus, strict=True
    ):
        assert a == pytest.approx(scores[half].mean(axis=0))
        assert b == pytest.approx(scores[~half].mean(axis=0))
        assert r == pytest.approx(stats.pearsonr(a, b).statistic)
        assert tau == pytest.approx(stats.kendalltau(a, b).statistic)


@given(
    arrays(np.int64, st.integers(2, 12), elements=st.integers(-3, 3)),
    st.randoms(use_true_random=False),
)
def test_kendall_with_ties_is_scipys(first: np.ndarray, random: object) -> None:
    second = np.array([random.randint(0, 3) for _ in first])  # type: ignore[attr-defined]
    found = kendall_tau(first.astype(float), second.astype(float))
    if np.ptp(first) == 0 or np.ptp(second) == 0:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(stats.kendalltau(first, second).statistic, abs=1e-12)


def test_rounding_makes_no_order() -> None:
    """0.1 + 0.2 and 0.3 are the same score."""
    assert math.isnan(kendall_tau(np.array([0.1 + 0.2, 0.3]), np.array([1.0, 2.0])))


def test_concordance_counts_pairs_over_the_splits() -> None:
    scores = np.array([[1, 1, 0], [1, 0, 0], [0, 1, 0], [1, 1, 1.0]])
    splits = [np.isin(np.arange(4), half) for half in combinations(range(4), 2)]
    found = halves_compared(scores, splits)
    for i, j in combinations(range(3), 2):
        signs = [
            np.sign([a[i] - a[j], b[i] - b[j]])
            for a, b in zip(found.first, found.second, strict=True)
        ]
        assert found.concordance[i, j] == sum(a * b for a, b in signs)
        assert found.untied[i, j] == sum(abs(a) + abs(b) for a, b in signs) / 2


def test_spearman_brown() -> None:
    # A correlation of a half of 1/3 makes a reliability of one half.
    assert spearman_brown(1 / 3) == pytest.approx(0.5)
    assert spearman_brown(1.0) == 1.0
    assert math.isnan(spearman_brown(-1.0))
    assert math.isnan(spearman_brown(math.nan))


def test_halves_of_equal_systems_have_neither() -> None:
    found = halves_compared(np.full((10, 4), 0.7), random_halves(10, 5, seed=0))
    assert np.isnan(found.correlations).all()
    assert np.isnan(found.taus).all()


@pytest.mark.parametrize("n", [2, 3, 10, 501])
def test_random_halves_are_half(n: int) -> None:
    halves = list(random_halves(n, 30, seed=4))
    assert {int(half.sum()) for half in halves} == {n // 2}
    assert all(half.shape == (n,) for half in halves)


def test_every_unit_is_taken_equally_often() -> None:
    """Each of 6 units is in half of the halves, and each of the 20 halves equally often."""
    halves = list(random_halves(6, 4_000, seed=9))
    taken = np.sum(halves, axis=0)
    assert stats.chisquare([*taken, *(4_000 - taken)]).pvalue > 1e-4
    counts = np.unique([int("".join("1" if t else "0" for t in h), 2) for h in halves],
                       return_counts=True)[1]  # fmt: skip
    assert len(counts) == math.comb(6, 3)
    assert stats.chisquare(counts).pvalue > 1e-4


def test_seeds_and_sizes() -> None:
    one, again, other = (np.stack(list(random_halves(50, 3, seed=s))) for s in (1, 1, 2))
    assert (one == again).all()
    assert (one != other).any()
    assert [n_splits(n) for n in (0, 2, 200_000, 1_000_000, 10**8)] == [500, 500, 500, 100, 20]
