from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from deadheat.distributions import Lattice, Replicates
from deadheat.errors import UsageError
from deadheat.resampling import signflip as module
from deadheat.resampling.exchange import flipped_totals
from deadheat.resampling.halves import Halves
from deadheat.resampling.inversion import Inverted
from deadheat.resampling.signflip import signflip
from vectors import close, vectors


def drawn_signs(x, seed, n_resamples):
    ones = np.ones(x.size, dtype=np.int64)
    return Replicates.of(flipped_totals(x, ones, seed=seed, n_resamples=n_resamples))


def p_value(differences) -> float:
    null = signflip(differences)
    return min(1.0, 2 * null.at_least(abs(sum(differences))))


@pytest.mark.parametrize(
    "v", vectors("pvalues.randomization", "sign_flip_exact"), ids=lambda v: v["name"]
)
def test_vectors(v):
    assert close(v, "p_value", p_value(v["input"]["diffs"]))


def test_ties_in_the_last_bit_count():
    assert p_value([0.1, 0.2, -0.3, 0.4, 0.3]) == pytest.approx(0.375, abs=1e-12)
    assert p_value([0.1 * np.pi, 0.2 * np.pi, -0.3 * np.pi, 0.4 * np.pi, 0.3 * np.pi]) == 0.375


@pytest.mark.parametrize("differences", [[0.0] * 60, [0.0], []])
def test_identical_systems_have_p_one(differences):
    null = signflip(differences)
    assert (null.at_least(0.0), null.at_most(0.0), null.sd) == (1.0, 1.0, 0.0)


@given(
    st.lists(st.integers(-6, 6), min_size=1, max_size=9),
    st.sampled_from([1.0, 0.1, 1 / 3, np.pi]),
)
def test_agrees_with_all_sign_patterns(steps, unit):
    null = signflip(unit * np.array(steps))
    totals = np.array(list(product([-1, 1], repeat=len(steps)))) @ np.array(steps)
    for total in {int(totals[0]), sum(steps), 1, 0}:
        assert null.at_least(unit * total) == pytest.approx((totals >= total).mean(), abs=1e-12)
        assert null.at_most(unit * total) == pytest.approx((totals <= total).mean(), abs=1e-12)
    assert null.sd == pytest.approx(unit * totals.std(), abs=1e-12)


@pytest.mark.parametrize("n", [11, 19, 40])
def test_real_differences_against_scipy(n):
    x = np.random.default_rng(n).normal(0.3, 1, n)
    null = signflip(x)
    assert isinstance(null, Halves)
    if n < 15:
        expected = stats.permutation_test(
            (x,), np.sum, permutation_type="samples", n_resamples=np.inf, vectorized=False
        ).pvalue
        assert 2 * null.at_least(abs(x.sum())) == pytest.approx(expected, abs=1e-12)
    drawn = drawn_signs(np.sort(np.abs(x)), 3, 40_000)
    for z in (-2.0, 0.0, 1.0):
        at = z * null.sd
        assert null.at_most(at) == pytest.approx(drawn.at_most(at), abs=0.012)


def test_quantiles_of_all_patterns():
    x = np.array([0.123, 1.7, np.sqrt(2), 0.77, np.e, 0.31, 1.01])
    totals = np.sort(np.array(list(product([-1, 1], repeat=7))) @ x)
    null = Halves.of(x)
    for tail in (0.01, 0.025, 0.1, 0.5):
        k = int(np.ceil(tail * totals.size * (1 - 1e-12)))
        assert null.lower(tail) == pytest.approx(totals[k - 1], abs=1e-12)
        assert null.upper(tail) == pytest.approx(totals[-k], abs=1e-12)


def test_zero_one_differences_are_binomial_with_relative_accuracy():
    null = signflip([-1.0, 0.0, 1.0], [3, 10**6, 900])
    assert null.at_least(897.0) == pytest.approx(stats.binom.sf(899, 903, 0.5), rel=1e-9)
    assert null.at_most(-897.0) == pytest.approx(stats.binom.cdf(3, 903, 0.5), rel=1e-9)


def test_graded_differences_keep_relative_accuracy():
    null = signflip(np.array([0.25, 0.5, 0.75]), [40, 30, 20])
    everything_agrees = 0.25 * 40 + 0.5 * 30 + 0.75 * 20
    assert null.at_least(everything_agrees) == pytest.approx(2.0**-90, rel=1e-9)
    assert null.at_least(everything_agrees - 0.5) == pytest.approx(41 * 2.0**-90, rel=1e-9)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_both_ways_on_a_lattice_agree(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    values, counts = np.arange(1, 80) / 100, rng.integers(1, 30, 79)
    direct = signflip(values, counts)
    monkeypatch.setattr(module, "MAX_PRODUCTS", 0)
    transformed = signflip(values, counts)
    assert isinstance(direct, Lattice)
    assert isinstance(transformed, Lattice)
    assert transformed.pmf.size <= direct.pmf.size
    assert isinstance(transformed.start, int)
    for z in (-4.0, -1.0, 0.0, 2.0):
        x = round(z * direct.sd, 2)
        assert transformed.at_most(x) == pytest.approx(direct.at_most(x), abs=1e-13)


def test_screening_leaves_the_transform_unchanged(monkeypatch):
    values, counts = np.arange(1, 60) / 100, np.full(59, 7)
    monkeypatch.setattr(module, "MAX_PRODUCTS", 0)
    screened = signflip(values, counts)
    monkeypatch.setattr("deadheat.resampling.convolution.BLOCK_TERMS", 1 << 40)
    whole = signflip(values, counts)
    np.testing.assert_allclose(screened.pmf, whole.pmf, atol=1e-15)


def test_many_real_differences_are_inverted():
    x = np.random.default_rng(8).normal(0.02, 1, 500)
    null = signflip(x)
    assert isinstance(null, Inverted)
    drawn = drawn_signs(np.abs(x), 0, 40_000)
    for z in (-2.0, 0.0, 0.7):
        assert null.at_most(z * null.sd) == pytest.approx(drawn.at_most(z * null.sd), abs=0.012)


def test_what_cannot_be_bounded_is_drawn():
    x = np.random.default_rng(8).normal(1, 1, 45)
    null = signflip(x, n_resamples=700, seed=5)
    assert isinstance(null, Replicates)
    assert null.n_resamples == 700
    assert null.values.tobytes() == signflip(x[::-1], n_resamples=700, seed=5).values.tobytes()
    assert null.values.tobytes() != signflip(x, n_resamples=700, seed=6).values.tobytes()
    with pytest.raises(UsageError, match="the seed"):
        signflip(x, seed=-1)


def test_draws_do_not_depend_on_how_many_are_wanted():
    x = np.abs(np.random.default_rng(8).normal(0, 1, 130))
    few = drawn_signs(x, 1, 256)
    assert np.isin(few.values, drawn_signs(x, 1, 300).values).all()


def test_drawn_totals_have_the_variance_of_the_null():
    x = np.abs(np.random.default_rng(8).normal(0, 1, 70))
    drawn = drawn_signs(x, 2, 20_000)
    assert drawn.sd == pytest.approx(np.sqrt((x * x).sum()), rel=0.03)
    assert drawn.mean == pytest.approx(0.0, abs=4 * drawn.sd / np.sqrt(20_000))


def test_multiplicities_are_repetitions_and_signs_do_not_matter():
    rng = np.random.default_rng(6)
    values, counts = rng.normal(0, 1, 12), rng.integers(0, 4, 12)
    one, other = signflip(values, counts), signflip(-np.repeat(values, counts))
    for x in (-3.0, 0.5, 2.0):
        assert one.at_most(x) == other.at_most(x)
