"""Ranks and rank sets against csranks, loops over the definition and each other."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from deadheat.errors import InferenceError
from deadheat.ranking.draws import Draws
from deadheat.ranking.max_t import max_t
from deadheat.ranking.pairs import all_pairs
from deadheat.ranking.ranks import (
    arena_rank,
    best_first,
    point_ranks,
    rank_sets,
    rank_sets_of_intervals,
)
from ranking.boards import board, counted, independent, scattered
from vectors import vectors

SEEDS = st.integers(0, 10_000)
BOARDS = st.builds(board, SEEDS, kind=st.sampled_from([scattered, counted]), m=st.integers(2, 6))
FEW = settings(max_examples=40)


@pytest.mark.parametrize(
    "vector", vectors("many.ranks", "rank_set_from_intervals"), ids=lambda v: v["name"]
)
def test_vector_of_intervals(vector):
    lowest, highest = rank_sets_of_intervals(vector["input"]["lower"], vector["input"]["upper"])
    assert lowest.tolist() == vector["expected"]["lower"]
    assert highest.tolist() == vector["expected"]["upper"]


@pytest.mark.parametrize("vector", vectors("many.ranks", "arena_rank"), ids=lambda v: v["name"])
def test_vector_of_arena_ranks(vector):
    low, high = vector["input"]["lower"], vector["input"]["upper"]
    assert arena_rank(low, high).tolist() == vector["expected"]["rank"]
    down, up = [-x for x in high], [-x for x in low]
    assert arena_rank(down, up, greater_is_better=False).tolist() == vector["expected"]["rank"]


def test_arena_ranks_of_overlapping_intervals():
    """CASES 72: the rule by the upper end."""
    assert arena_rank([10, 8, 6, 4], [14, 12, 9, 7]).tolist() == [1, 1, 2, 3]


def test_example_of_csranks():
    """Printed in the reference of R's csranks: x = seq(1, 3, length = 10), sd = 0.2."""
    found = rank_sets(independent(np.linspace(1, 3, 10), 0.2))
    assert found.lowest.tolist() == [7, 6, 5, 4, 3, 2, 1, 1, 1, 1]
    assert found.highest.tolist() == [10, 10, 10, 10, 9, 8, 7, 6, 5, 4]
    assert found.may_be_among(1).tolist() == [False] * 6 + [True] * 4


def by_definition(estimates, draws, k, keep=lambda i, j: True):
    """STATISTICS B.6, as a loop over sets of ordered pairs; greater is better."""
    m = len(estimates)
    pairs = [(i, j) for i in range(m) for j in range(m) if i != j and keep(i, j)]
    ahead = np.zeros((m, m), dtype=bool)

    def against(i, j):
        drawn = draws[:, i] - draws[:, j]
        delta = estimates[i] - estimates[j]
        return delta, drawn.std(ddof=1), drawn

    while pairs:
        parts = {pair: against(*pair) for pair in pairs}
        maxima = np.max([(drawn - d) / se for d, se, drawn in parts.values()], axis=0)
        q = np.sort(maxima)[-k]
        settled = [pair for pair, (d, se, _) in parts.items() if d - q * se > 1e-9 * se]
        if not settled:
            break
        for i, j in settled:
            ahead[i, j] = True
        pairs = [pair for pair in pairs if pair not in settled]
    return ahead


@given(seed=SEEDS, m=st.integers(2, 6), greater=st.booleans())
@FEW
def test_definition(seed, m, greater):
    estimates, draws = scattered(seed, m)
    sign = 1 if greater else -1
    found = rank_sets(Draws.of(estimates, draws), confidence_level=0.9, greater_is_better=greater)
    ahead = by_definition(sign * estimates, sign * draws, 20)
    assert np.array_equal(found.ahead, ahead)
    assert found.lowest.tolist() == (1 + ahead.sum(axis=0)).tolist()
    assert found.highest.tolist() == (m - ahead.sum(axis=1)).tolist()


@given(seed=SEEDS, m=st.integers(2, 5))
@FEW
def test_marginal_sets_by_definition(seed, m):
    estimates, draws = scattered(seed, m)
    found = rank_sets(Draws.of(estimates, draws), confidence_level=0.9, simultaneous=False)
    for i in range(m):
        ahead = by_definition(estimates, draws, 20, lambda a, b, i=i: i in (a, b))
        assert found.lowest[i] == 1 + ahead[:, i].sum()
        assert found.highest[i] == m - ahead[i].sum()


@given(draws=BOARDS, greater=st.booleans())
@FEW
def test_sets_hold_the_point_rank_and_nest(draws, greater):
    ranks = point_ranks(draws.estimates, greater_is_better=greater)
    stepped = rank_sets(draws, greater_is_better=greater)
    single = rank_sets(draws, greater_is_better=greater, step_down=False)
    for found in (
        stepped,
        single,
        rank_sets(draws, greater_is_better=greater, simultaneous=False),
    ):
        assert np.all(found.lowest <= ranks)
        assert np.all(ranks <= found.highest)
        assert found.may_be_among(1).any()
    assert np.all(single.lowest <= stepped.lowest)
    assert np.all(stepped.highest <= single.highest)


@given(draws=BOARDS)
@FEW
def test_one_step_is_the_projection_of_the_simultaneous_intervals(draws):
    m = draws.n_systems
    found = max_t(draws, all_pairs(m))
    low, high = np.zeros((m, m)), np.zeros((m, m))
    first, second = found.pairs.T
    low[second, first], high[second, first] = found.low, found.high
    low[first, second], high[first, second] = -found.high, -found.low
    lowest, highest = rank_sets_of_intervals(low, high)
    single = rank_sets(draws, step_down=False)
    assert single.lowest.tolist() == lowest.tolist()
    assert single.highest.tolist() == highest.tolist()


@given(seed=SEEDS, shuffle=st.integers(0, 99))
@FEW
def test_order_of_systems_does_not_matter(seed, shuffle):
    estimates, draws = counted(seed)
    order = np.random.default_rng(shuffle).permutation(estimates.size)
    found = rank_sets(Draws.of(estimates, draws))
    turned = rank_sets(Draws.of(estimates[order], draws[:, order]))
    assert turned.lowest.tolist() == found.lowest[order].tolist()
    assert turned.highest.tolist() == found.highest[order].tolist()


def test_equal_systems_and_a_constant_lead():
    estimates, values = scattered(2, 1)
    draws = Draws.of([*estimates, *estimates, *(estimates + 1)], values + np.array([0, 0, 1]))
    found = rank_sets(draws)
    assert found.lowest.tolist() == [2, 2, 1]
    assert found.highest.tolist() == [3, 3, 1]


def test_pairs_decided_by_other_means():
    """The last two differ by little that varies much: they widen the others while they count."""
    rng = np.random.default_rng(8)
    centre = np.array([0.0, 2.9, 9.0, 9.0 + 1e-3])
    values = centre + rng.normal(size=(9_999, 4))
    values[:, 3] = values[:, 2] + 1e-3 * rng.poisson(0.02, 9_999)
    draws = Draws.of(centre, values)
    apart = np.zeros((4, 4), dtype=bool)
    apart[2, 3] = True
    ahead = np.zeros((4, 4), dtype=bool)
    whole, without = rank_sets(draws), rank_sets(draws, apart=apart)
    assert without.ahead.sum() >= whole.ahead.sum()
    assert not without.ahead[3, 2]
    ahead[3, 2] = True
    decided = rank_sets(draws, apart=apart, apart_ahead=ahead)
    assert decided.lowest.tolist()[2:] == [2, 1]
    assert np.array_equal(decided.ahead[:2], without.ahead[:2])
    assert not rank_sets(draws, apart_ahead=ahead).ahead[3, 2], "it is not among those apart"


def test_one_system():
    found = rank_sets(board(1, m=1))
    assert (found.lowest.tolist(), found.highest.tolist()) == ([1], [1])


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=8))
def test_point_ranks_are_scipys(values):
    assert point_ranks(values, greater_is_better=False).tolist() == list(
        stats.rankdata(values, method="min")
    )
    assert point_ranks(values).tolist() == list(stats.rankdata(np.negative(values), method="min"))


def test_equal_but_for_rounding_is_equal():
    """CASES 71: 396 of 500 twice, however it was added up, and 394."""
    values = [396 / 500, math.fsum([0.1] * 7 + [0.092]), 394 / 500, sum([0.099] * 8)]
    assert len(set(values)) > 2
    assert point_ranks(values).tolist() == [1, 1, 4, 1]
    assert best_first(values).tolist() == [0, 1, 3, 2]


def test_undefined_is_not_ranked():
    with pytest.raises(InferenceError, match="system 2 has no value"):
        point_ranks([1.0, math.nan])


def test_sets_cover_the_true_ranks():
    """Three tied for the best: any of the ranks 1 to 3 is true of each (at 300 data sets)."""
    rng, held = np.random.default_rng(11), 0
    for _ in range(300):
        scores = rng.normal(size=(60, 1)) + rng.normal(size=(60, 5)) + [1, 1, 1, 0.4, 0]
        weights = rng.multinomial(60, np.full(60, 1 / 60), size=199)
        found = rank_sets(Draws.of(scores.mean(axis=0), weights @ scores / 60))
        held += (
            np.all(found.lowest[:3] == 1)
            and np.all(found.highest[:3] >= 3)
            and found.lowest[3] <= 4 <= found.highest[3]
            and found.highest[4] == 5
        )
    assert held / 300 >= 0.95 - 3 * math.sqrt(0.05 * 0.95 / 300)
