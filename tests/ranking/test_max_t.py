"""Max-t against the definition, published constants and the rules that bind its parts."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from deadheat.errors import InferenceError, UsageError
from deadheat.ranking.draws import Draws
from deadheat.ranking.max_t import max_t
from deadheat.ranking.pairs import against, all_pairs, symmetric
from ranking.boards import board, counted, independent, scattered

BOARDS = st.builds(
    board,
    st.integers(0, 10_000),
    kind=st.sampled_from([scattered, counted]),
    m=st.integers(2, 6),
)
SIDES = st.sampled_from(["two-sided", "less", "greater"])
FEW = settings(max_examples=40)


def by_definition(estimates, draws, pairs, k, alternative):
    """Every set of pairs looked at on its own, nothing shared between them (STATISTICS B.5)."""
    first, second = np.asarray(pairs).T
    delta = estimates[second] - estimates[first]
    drawn = draws[:, second] - draws[:, first]
    se = drawn.std(axis=0, ddof=1)
    turn = {"two-sided": np.abs, "greater": lambda x: x, "less": lambda x: -x}[alternative]
    t, null = turn(delta / se), turn((drawn - delta) / se)
    n_resamples = len(draws)

    def p(statistic, columns):
        return (1 + (null[:, columns].max(axis=1) >= statistic - 1e-9).sum()) / (n_resamples + 1)

    step_down = [max(p(one, t <= one) for one in t if one >= t[j]) for j in range(len(t))]
    return {
        "statistics": t,
        "p_values": [p(t[j], [j]) for j in range(len(t))],
        "single_step": [p(t[j], slice(None)) for j in range(len(t))],
        "step_down": step_down,
        "critical_value": np.sort(null.max(axis=1))[-k],
    }


@given(seed=st.integers(0, 10_000), m=st.integers(2, 6), alternative=SIDES)
@FEW
def test_definition(seed, m, alternative):
    estimates, draws = scattered(seed, m)
    found = max_t(
        Draws.of(estimates, draws), all_pairs(m), confidence_level=0.9, alternative=alternative
    )
    for name, expected in by_definition(estimates, draws, all_pairs(m), 20, alternative).items():
        assert getattr(found, name) == pytest.approx(expected, abs=1e-9), name


@pytest.mark.parametrize("m", [2, 3, 6, 10])
def test_critical_value_is_that_of_the_studentized_range(m):
    """Tukey's, over sqrt(2), for independent systems of equal and known spread."""
    found = max_t(independent(np.zeros(m), 0.7), all_pairs(m))
    expected = stats.studentized_range.ppf(0.95, m, math.inf) / math.sqrt(2)
    assert found.critical_value == pytest.approx(expected, abs=0.02)
    assert found.critical_value_error < 0.02


@pytest.mark.parametrize(("m", "one_sided", "two_sided"), [(3, 1.92, 2.21), (5, 2.16, 2.44)])
def test_critical_value_against_one_baseline_is_dunnetts(m, one_sided, two_sided):
    """Dunnett's (1955, 1964) tables, infinite degrees of freedom."""
    draws, pairs = independent(np.zeros(m), 2.0), against(0, m)
    assert max_t(draws, pairs, alternative="greater").critical_value == pytest.approx(
        one_sided, abs=0.025
    )
    assert max_t(draws, pairs).critical_value == pytest.approx(two_sided, abs=0.025)


@given(draws=BOARDS, alternative=SIDES, level=st.sampled_from([0.8, 0.9, 0.95]))
@FEW
def test_rules(draws, alternative, level):
    found = max_t(
        draws, all_pairs(draws.n_systems), confidence_level=level, alternative=alternative
    )
    tested = found.in_family
    alone, single, down = (
        getattr(found, name)[tested] for name in ("p_values", "single_step", "step_down")
    )
    assert np.all(alone <= down)
    assert np.all(down <= single)
    falling = np.argsort(-found.statistics[tested], kind="stable")
    assert np.all(np.diff(single[falling]) >= 0.0)
    assert np.all(np.diff(down[falling]) >= 0.0)
    alpha = 1.0 - level + 1e-9
    assert np.array_equal(found.separated[tested], single <= alpha)
    assert np.array_equal(found.rejected[tested], down <= alpha)


@given(draws=BOARDS, seed=st.integers(0, 99))
@FEW
def test_order_of_systems_and_of_pairs_does_not_matter(draws, seed):
    m = draws.n_systems
    order = np.random.default_rng(seed).permutation(m)
    found = max_t(draws, all_pairs(m))
    turned = max_t(
        Draws.of(draws.estimates[order], (draws.deviations + draws.estimates[:, None])[order].T),
        all_pairs(m)[::-1],
    )
    expected = np.zeros((m, m))
    expected[tuple(found.pairs.T)] = found.step_down
    expected += expected.T
    where = order[turned.pairs]
    assert turned.step_down == pytest.approx(expected[where[:, 0], where[:, 1]])
    assert turned.critical_value == pytest.approx(found.critical_value, nan_ok=True)


@given(draws=BOARDS)
@FEW
def test_swapping_the_pair_negates_it(draws):
    pairs = all_pairs(draws.n_systems)
    forth, back = max_t(draws, pairs), max_t(draws, pairs[:, ::-1])
    assert np.array_equal(forth.low, -back.high)
    assert np.array_equal(forth.step_down, back.step_down, equal_nan=True)
    less = max_t(draws, pairs, alternative="less")
    greater = max_t(draws, pairs[:, ::-1], alternative="greater")
    assert np.array_equal(less.high, -greater.low)
    assert np.array_equal(less.step_down, greater.step_down, equal_nan=True)


def test_what_does_not_vary_is_no_part_of_the_family():
    estimates, values = scattered(3, 3)
    twin = np.column_stack([values, values[:, 0], values[:, 0] + 2.0])
    draws = Draws.of([*estimates, estimates[0], estimates[0] + 2.0], twin)
    pairs = np.array([[0, 1], [0, 3], [0, 4], [1, 2]])
    found, without = max_t(draws, pairs), max_t(draws, pairs[[0, 3]])
    assert found.in_family.tolist() == [True, False, False, True]
    assert found.critical_value == without.critical_value
    assert found.step_down[[0, 3]].tolist() == without.step_down.tolist()
    assert found.step_down[1] == 1.0
    assert found.low[1] == found.high[1] == 0.0
    assert math.isnan(found.step_down[2])
    assert not found.rejected[[1, 2]].any()
    assert (found.low[2], found.high[2]) == pytest.approx((2.0, 2.0))


def test_an_end_that_is_zero_but_for_rounding_does_not_exclude_zero():
    """Draws that are 0 in exactly one resample of 19: the critical value is the statistic."""
    delta = 0.3
    drawn = np.array([0.0, *np.linspace(0.2, 0.4, 18)])
    found = max_t(Draws.of([0.1, 0.1 + delta], np.stack([drawn * 0, drawn], axis=1)), [[0, 1]])
    assert found.statistics[0] == pytest.approx(found.critical_value, rel=1e-12)
    assert found.single_step[0] == 2 / 20
    assert found.low[0] == 0.0
    assert not found.separated[0]


@pytest.mark.parametrize("nothing", [[], np.zeros((0, 2), dtype=int)])
def test_no_pairs(nothing):
    found = max_t(board(1), nothing)
    assert found.step_down.size == 0
    assert math.isnan(found.critical_value)


def test_floor_of_the_p_value():
    found = max_t(independent([0.0, 100.0], 1.0, 9_999), [[0, 1]])
    assert found.step_down[0] == found.p_values[0] == 1 / 10_000


def test_table():
    found = max_t(independent([0.0, 0.1, 9.0], 1.0, 999), all_pairs(3))
    assert found.table(found.separated).astype(int).tolist() == [[0, 0, 1], [0, 0, 1], [1, 1, 0]]
    assert symmetric([[2, 0]], [True], 3)[0, 2]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pairs": [[0, 0]]}, r"pair 1 is \(0, 0\)"),
        ({"pairs": [[0, 1], [0, 7]]}, r"pair 2 is \(0, 7\)"),
        ({"confidence_level": 1.0}, "confidence level is 1"),
        ({"confidence_level": 0.999}, "at least 999 resamples"),
    ],
)
def test_refused(change, message):
    with pytest.raises(InferenceError, match=message):
        max_t(board(1), **({"pairs": [[0, 1]]} | change))


def test_unknown_alternative_is_refused():
    with pytest.raises(UsageError, match="Did you mean greater"):
        max_t(board(1), [[0, 1]], alternative="greate")


def errors_in_a_family(seed, n_sets, test):
    """How often a true null among five systems, three of them tied, is rejected."""
    rng, wrong = np.random.default_rng(seed), 0
    for _ in range(n_sets):
        scores = rng.exponential(size=(80, 1)) + rng.normal(size=(80, 5)) + [0, 0, 0, 0.5, 2.0]
        weights = rng.multinomial(80, np.full(80, 1 / 80), size=199)
        wrong += test(Draws.of(scores.mean(axis=0), weights @ scores / 80))
    return wrong / n_sets


def test_level_of_the_family():
    """No more than 5% of families with any false claim; single tests of each pair have more."""
    nulls = [0, 1, 4]  # of all_pairs(5): (0, 1), (0, 2), (1, 2)

    def family(draws):
        return max_t(draws, all_pairs(5)).rejected[nulls].any()

    def singly(draws):
        return (max_t(draws, all_pairs(5)).p_values[nulls] <= 0.05).any()

    noise = 3 * math.sqrt(0.05 * 0.95 / 400)
    assert errors_in_a_family(1, 400, family) <= 0.05 + noise
    assert errors_in_a_family(1, 400, singly) > 0.05 + noise
