"""Max-t under random signs against R's multtest and every pattern one by one."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from deadheat.errors import InferenceError
from deadheat.ranking.sign_flips import MAX_ITEMS, sign_flip_max_t
from deadheat.resampling.signflip import signflip
from vectors import vectors


@pytest.mark.parametrize("vector", vectors("many.maxt"), ids=lambda v: v["name"])
def test_vector(vector):
    found = sign_flip_max_t(vector["input"]["diff_matrix"])
    expected = vector["expected"]
    tolerance = vector["tolerance"]["abs"]
    assert found.statistics == pytest.approx(expected["statistic"], abs=tolerance)
    assert found.p_values == pytest.approx(expected["raw"], abs=tolerance)
    assert found.step_down == pytest.approx(expected["adjusted"], abs=tolerance)


def one_by_one(differences):
    """T statistics of every pattern; adjusted by the set of pairs that each has to beat."""
    rows = [
        np.abs(stats.ttest_1samp(differences * np.array(signs)[:, None], 0.0).statistic)
        for signs in itertools.product([1, -1], repeat=len(differences))
    ]
    t, observed = np.array(rows), rows[0]

    def p(j, columns):
        return (t[:, columns].max(axis=1) >= observed[j] - 1e-9).mean()

    m = len(observed)
    step_down = [
        max(p(k, observed <= observed[k]) for k in range(m) if observed[k] >= observed[j])
        for j in range(m)
    ]
    return observed, [p(j, [j]) for j in range(m)], [p(j, slice(None)) for j in range(m)], step_down


@given(seed=st.integers(0, 10_000), n=st.integers(3, 8), m=st.integers(1, 4))
@settings(max_examples=25)
def test_every_pattern(seed, n, m):
    differences = np.random.default_rng(seed).normal(size=(n, m)) + 0.5
    found = sign_flip_max_t(differences)
    expected = one_by_one(differences)
    for name, right in zip(
        ("statistics", "p_values", "single_step", "step_down"), expected, strict=True
    ):
        assert getattr(found, name) == pytest.approx(right, rel=1e-9), name


def test_one_pair_is_the_sign_flip_test_of_its_mean():
    differences = np.random.default_rng(4).integers(-2, 4, 18)
    found = sign_flip_max_t(differences[:, None])
    total = abs(int(differences.sum()))
    null = signflip(differences)
    assert found.p_values[0] == pytest.approx(null.at_least(total) + null.at_most(-total))
    assert found.step_down[0] == found.single_step[0] == found.p_values[0]


def test_more_items_than_one_table_holds():
    """Twelve 0/1 differences, all one way but one: the binomial gives the p-value."""
    differences = np.ones((12, 1))
    differences[3] = -1
    assert sign_flip_max_t(differences).p_values[0] == 2 * (1 + 12) / 2**12


def test_items_without_any_difference_cost_nothing():
    differences = np.zeros((500, 2))
    differences[:6] = [[1, 1]] * 5 + [[1, -1]]
    found = sign_flip_max_t(differences)
    assert found.n_patterns == 2**6
    assert found.p_values.tolist() == [2 / 64, 2 * 7 / 64]


def test_pairs_that_never_differ_or_always_alike():
    found = sign_flip_max_t([[0, 1], [0, 1], [0, 1]])
    assert np.isnan(found.statistics[0])
    assert np.isinf(found.statistics[1])
    assert found.step_down.tolist() == [1.0, 0.25]
    assert sign_flip_max_t(np.zeros((4, 2))).p_values.tolist() == [1.0, 1.0]


def test_refused():
    with pytest.raises(InferenceError, match=r"21 items differ, which is 2\^21"):
        sign_flip_max_t(np.ones((MAX_ITEMS + 1, 1)))
    with pytest.raises(InferenceError, match="no full table"):
        sign_flip_max_t([[1.0, np.nan]])
