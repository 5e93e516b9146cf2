"""Model confidence sets against arch and a loop over the definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deadheat.ranking.confidence_set import confidence_set
from deadheat.ranking.draws import Draws
from ranking.boards import board, counted, independent, scattered

SEEDS = st.integers(0, 10_000)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(4))
def test_arch_agrees(seed):
    """On its own resamples. Its p-values count without the added one and its standard
    deviations are about the estimate."""
    arch = pytest.importorskip("arch.bootstrap")
    rng = np.random.default_rng(seed)
    losses = rng.normal(size=(150, 1)) + rng.normal(size=(150, 6)) + np.linspace(0, 0.5, 6)
    judge = arch.MCS(
        losses, 0.05, reps=1999, block_size=1, bootstrap="moving block", method="max", seed=seed
    )
    judge.compute()
    draws = np.array([losses[index].mean(axis=0) for index in judge._bootstrap_indices])
    found = confidence_set(Draws.of(losses.mean(axis=0), draws), greater_is_better=False)
    theirs = judge.pvalues["Pvalue"].sort_index().to_numpy()
    assert found.p_values == pytest.approx(theirs, abs=0.004)
    assert np.flatnonzero(found.members).tolist() == judge.included


def by_definition(estimates, draws, k):
    """STATISTICS B.10 for losses, without ties."""
    left, p_values, largest = list(range(len(estimates))), np.ones(len(estimates)), 0.0
    while len(left) > 1:
        behind = estimates[left] - estimates[left].mean()
        drawn = draws[:, left] - draws[:, left].mean(axis=1, keepdims=True)
        se = drawn.std(axis=0, ddof=1)
        t, null = behind / se, ((drawn - behind) / se).max(axis=1)
        largest = max(largest, (1 + (null >= t.max() - 1e-9).sum()) / (len(draws) + 1))
        p_values[left.pop(int(np.argmax(t)))] = largest
    return p_values


@given(seed=SEEDS, m=st.integers(2, 6), greater=st.booleans())
@settings(max_examples=40)
def test_definition(seed, m, greater):
    estimates, draws = scattered(seed, m)
    sign = -1 if greater else 1
    found = confidence_set(Draws.of(sign * estimates, sign * draws), greater_is_better=greater)
    p_values = by_definition(estimates, draws, m)
    assert found.p_values == pytest.approx(p_values)
    assert np.array_equal(found.members, p_values > 0.05 + 1e-9)
    assert sorted(found.dropped.tolist()) == list(range(1, m + 1))


@given(seed=SEEDS, shuffle=st.integers(0, 99))
@settings(max_examples=40)
def test_order_of_systems_does_not_matter(seed, shuffle):
    estimates, draws = counted(seed)
    order = np.random.default_rng(shuffle).permutation(estimates.size)
    found = confidence_set(Draws.of(estimates, draws))
    turned = confidence_set(Draws.of(estimates[order], draws[:, order]))
    assert turned.p_values.tolist() == found.p_values[order].tolist()
    assert turned.members[np.argmax(estimates[order])]


def test_equal_systems_go_together():
    estimates, values = scattered(5, 3, spread=4.0)
    twins = Draws.of(np.repeat(estimates, 2), np.repeat(values, 2, axis=1))
    found = confidence_set(twins)
    assert found.p_values[::2].tolist() == found.p_values[1::2].tolist()
    assert found.dropped[::2].tolist() == found.dropped[1::2].tolist()


def test_equal_but_for_rounding_goes_together():
    estimates, values = scattered(5, 3, spread=4.0)
    again = values * 3.0 / 3.0
    assert not np.array_equal(again, values)
    found = confidence_set(
        Draws.of(np.repeat(estimates, 2), np.stack([values, again], axis=2).reshape(-1, 6))
    )
    assert found.dropped[::2].tolist() == found.dropped[1::2].tolist()


def test_all_equal_all_stay():
    estimates, values = scattered(5, 1)
    found = confidence_set(Draws.of(np.repeat(estimates, 4), np.repeat(values, 4, axis=1)))
    assert found.p_values.tolist() == [1.0] * 4
    assert found.members.all()


def test_one_behind_by_the_same_amount_everywhere():
    estimates, values = scattered(5, 1)
    found = confidence_set(Draws.of([*estimates, *(estimates - 1)], values + np.array([0, -1])))
    assert found.members.tolist() == [True, False]
    assert found.p_values.tolist() == [1.0, 1 / 200]


def test_far_apart():
    found = confidence_set(independent([0.0, 5.0, 9.0], 0.1, 999))
    assert found.dropped.tolist() == [1, 2, 3]
    assert found.members.tolist() == [False, False, True]


def test_one_system():
    assert confidence_set(board(1, m=1)).p_values.tolist() == [1.0]
