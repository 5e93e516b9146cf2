from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from deadheat.errors import InferenceError
from deadheat.resampling.exact import (
    lattice_mean,
    one_count,
    paired_counts,
    paired_tails,
    strata,
    two_counts,
)
from vectors import close, vectors


@pytest.mark.parametrize(
    "v", vectors("intervals.exact", "exact_boot_paired"), ids=lambda v: v["name"]
)
def test_paired_vectors(v):
    counts = v["input"]["a_only"], v["input"]["b_only"], v["input"]["n"]
    d = paired_counts(*counts)
    below, above = paired_tails(*counts)
    tail = (1 - v["input"]["conf"]) / 2
    for field, got in {
        "estimate": d.mean,
        "lower": d.lower(tail),
        "upper": d.upper(tail),
        "share_le0": d.at_most(0.0),
        "share_ge0": d.at_least(0.0),
    }.items():
        assert close(v, field, got), field
    assert close(v, "share_le0", below)
    assert close(v, "share_ge0", above)
    assert close(v, "p_value", min(1.0, 2 * min(below, above)))


@pytest.mark.parametrize(
    "v", vectors("intervals.exact", "exact_boot_single"), ids=lambda v: v["name"]
)
def test_single_vectors(v):
    d = one_count(v["input"]["k"], v["input"]["n"])
    assert close(v, "lower", d.lower(0.025))
    assert close(v, "upper", d.upper(0.025))


@pytest.mark.parametrize(
    "v", vectors("intervals.exact", "exact_boot_unpaired"), ids=lambda v: v["name"]
)
def test_unpaired_vectors(v):
    i = v["input"]
    d = two_counts(i["k_a"], i["n_a"], i["k_b"], i["n_b"])
    assert close(v, "lower", d.lower(0.025))
    assert close(v, "upper", d.upper(0.025))


@pytest.mark.parametrize("v", vectors("collapse.stratified"), ids=lambda v: v["name"])
def test_stratified_vectors(v):
    parts = [([-1, 0, 1], [a, n - a - b, b]) for a, b, n in v["input"]["strata_counts"]]
    d = strata(parts, weights=v["input"]["weights"])
    for field, got in {
        "lower": d.lower(0.025),
        "upper": d.upper(0.025),
        "share_le0": d.at_most(0.0),
    }.items():
        assert close(v, field, got), field


def rational_tails(c: int, b: int, n: int) -> tuple[Fraction, Fraction]:
    """P(T <= 0) and P(T >= 0) over the trinomial in exact rationals."""
    p, q, r = Fraction(b, n), Fraction(c, n), Fraction(n - b - c, n)
    below = above = Fraction(0)
    for plus in range(n + 1):
        for minus in range(n - plus + 1):
            weight = (
                comb(n, plus) * comb(n - plus, minus) * p**plus * q**minus * r ** (n - plus - minus)
            )
            below += weight if plus <= minus else 0
            above += weight if plus >= minus else 0
    return below, above


@pytest.mark.parametrize(
    ("c", "b", "n"), [(1, 30, 40), (2, 38, 40), (0, 33, 40), (5, 5, 40), (31, 1, 40), (1, 39, 40)]
)
def test_far_tails_against_rationals(c, b, n):
    expected = rational_tails(c, b, n)
    for got, exact in zip(paired_tails(c, b, n), expected, strict=True):
        assert got == pytest.approx(float(exact), rel=1e-12)


def test_far_tail_against_the_binomial_mixture():
    c, b, n = 40, 260, 2000
    discordant = np.arange(n + 1)
    mixture = stats.binom.pmf(discordant, n, (b + c) / n) * stats.binom.cdf(
        discordant // 2, discordant, b / (b + c)
    )
    expected = mixture.sum()
    assert 0 < expected < 1e-30
    assert paired_tails(c, b, n)[0] == pytest.approx(expected, rel=1e-9)


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 60))
def test_swap_mirrors(c, b, concordant):
    n = c + b + concordant
    if n == 0:
        return
    d, swapped = paired_counts(c, b, n), paired_counts(b, c, n)
    assert d.lower(0.025) == -swapped.upper(0.025)
    assert paired_tails(c, b, n) == paired_tails(b, c, n)[::-1]
    assert paired_tails(c, b, n) == pytest.approx((d.at_most(0.0), d.at_least(0.0)), abs=1e-13)
    assert d.mean == pytest.approx((b - c) / n, abs=1e-13)
    assert d.sd == pytest.approx(np.sqrt((b + c) / n - ((b - c) / n) ** 2) / np.sqrt(n), abs=1e-12)


@pytest.mark.parametrize(("k", "n"), [(3, 17), (0, 5), (5, 5), (999, 1000), (400_000, 1_000_000)])
def test_one_count_is_binomial(k, n):
    d = one_count(k, n)
    binomial = stats.binom(n, k / n)
    for count in sorted({max(k - n // 1000, 0), k, min(k + 2, n)}):
        assert d.at_most(count / n) == pytest.approx(binomial.cdf(count), rel=1e-9)
        assert d.at_least(count / n) == pytest.approx(binomial.sf(count - 1), rel=1e-9, abs=1e-290)


@pytest.mark.parametrize(
    "cells", [(3, 7, 5, 9), (10, 10, 4, 9), (0, 6, 6, 6), (300, 499, 320, 500)]
)
def test_two_counts_against_a_double_loop(cells):
    k_b, n_b, k_c, n_c = cells
    d = two_counts(*cells)
    joint = np.outer(
        stats.binom.pmf(np.arange(n_b + 1), n_b, k_b / n_b),
        stats.binom.pmf(np.arange(n_c + 1), n_c, k_c / n_c),
    )
    difference = np.arange(n_c + 1)[None, :] / n_c - np.arange(n_b + 1)[:, None] / n_b
    for x in (-0.2, 0.0, k_c / n_c - k_b / n_b, 0.31):
        assert d.at_most(x) == pytest.approx(joint[difference <= x + 1e-12].sum(), abs=1e-12)
        assert d.at_least(x) == pytest.approx(joint[difference >= x - 1e-12].sum(), abs=1e-12)


def test_two_large_counts_without_a_common_lattice():
    assert two_counts(500_000, 1_000_000, 500_000, 999_999) is None


def test_strata_weighted_by_size_are_pooled():
    parts = [([-1, 0, 1], [1, 2, 3]), ([-1, 0, 1], [2, 5, 2])]
    pooled, weighted = strata(parts), strata(parts, weights=[6 / 15, 9 / 15])
    for x in (-0.2, 0.0, 2 / 15, 0.4):
        assert weighted.at_most(x) == pytest.approx(pooled.at_most(x), abs=1e-14)


def test_one_stratum_is_no_stratum():
    alone, one = lattice_mean([0, 1, 3], [2, 3, 4]), strata([([0, 1, 3], [2, 3, 4])])
    np.testing.assert_array_equal(alone.pmf, one.pmf)


def test_irrational_weights_have_no_lattice():
    parts = [([0, 1], [1, 2]), ([0, 1], [2, 5])]
    assert strata(parts, weights=[0.5**0.5, 1 - 0.5**0.5]) is None


def test_macro_average_of_three_equals_its_weights():
    parts = [([0, 1], [4, 6]), ([0, 1], [3, 7]), ([0, 1], [8, 2])]
    d = strata(parts, weights=[1 / 3] * 3)
    assert d.mean == pytest.approx((0.6 + 0.7 + 0.2) / 3)


def test_strata_of_graded_scores():
    parts = [([0, 1, 2], [1, 2, 1]), ([0, 2], [1, 2])]
    d = strata(parts, weights=[0.25, 0.75], denominator=2)
    assert d.mean == pytest.approx(0.25 * 0.5 + 0.75 * 2 / 3)
    assert d.at_least(1.0) == pytest.approx((1 / 4) ** 4 * (2 / 3) ** 3, rel=1e-9)


def test_graded_mean_against_draws_of_all_resamples():
    d = lattice_mean([0, 2, 3], [1, 2, 1], denominator=4)
    values = np.array([0.0, 0.5, 0.5, 0.75])
    means = values[np.array(np.meshgrid(*[range(4)] * 4)).reshape(4, -1)].mean(axis=0)
    for x in (0.25, 0.5, 0.5625):
        assert d.at_most(x) == pytest.approx((means <= x + 1e-12).mean(), abs=1e-14)


@pytest.mark.parametrize("counts", [(-1, 0, 5), (3, 3, 5), (0, 0, 0)])
def test_impossible_counts_are_refused(counts):
    with pytest.raises(InferenceError, match="is no count of items"):
        paired_counts(*counts)


@pytest.mark.parametrize(("k", "n"), [(6, 5), (-1, 5), (0, 0)])
def test_impossible_count_is_refused(k, n):
    with pytest.raises(InferenceError, match="is no count of items"):
        one_count(k, n)
