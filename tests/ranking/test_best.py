"""The top band against Dunnett's constants, Hsu's closed form and its own tests."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deadheat.ranking.best import against_best
from deadheat.ranking.draws import Draws
from deadheat.ranking.ranks import rank_sets
from ranking.boards import board, counted, independent, scattered

SEEDS = st.integers(0, 10_000)
BOARDS = st.builds(board, SEEDS, kind=st.sampled_from([scattered, counted]), m=st.integers(2, 6))
FEW = settings(max_examples=40)


@pytest.mark.parametrize(("m", "constant"), [(2, 1.645), (3, 1.92), (4, 2.06), (5, 2.16)])
def test_critical_values_are_dunnetts(m, constant):
    """One-sided, infinite degrees of freedom (Dunnett 1955, table 1a)."""
    found = against_best(independent(np.zeros(m), 0.3))
    assert found.critical_values == pytest.approx([constant] * m, abs=0.03)


def test_closed_form_for_equal_spread():
    """Hsu (1981): the lead over the best other -+ d s sqrt(2), held to include 0."""
    centre, spread = np.array([5.0, 4.6, 3.0, 1.0]), 0.4
    found = against_best(independent(centre, spread))
    lead = np.array([0.4, -0.4, -2.0, -4.0])
    reach = 2.062 * spread * math.sqrt(2)
    assert found.differences == pytest.approx(lead)
    assert found.high == pytest.approx(np.maximum(lead + reach, 0), abs=0.02)
    assert found.low == pytest.approx(np.minimum(lead - reach, 0), abs=0.02)
    assert found.top.tolist() == [True, True, False, False]


def test_alone_at_the_top():
    found = against_best(independent([9.0, 1.0, 0.0], 0.3, 9_999))
    assert found.top.tolist() == [True, False, False]
    assert found.low[0] == 0.0
    assert found.high[1:].tolist() == [0.0, 0.0]
    assert found.p_values.tolist() == [1.0, 1e-4, 1e-4]


def by_definition(estimates, draws, k):
    """Hsu (1996) for unequal variances, one many-to-one family after another."""
    m = len(estimates)
    p_values, reach = np.ones(m), np.zeros((m, m))
    lead = np.subtract.outer(estimates, estimates)
    for i in range(m):
        others = [j for j in range(m) if j != i]
        drawn = draws[:, others] - draws[:, [i]]
        se = drawn.std(axis=0, ddof=1)
        null = ((drawn + lead[i, others]) / se).max(axis=1)
        reach[i, others] = np.sort(null)[-k] * se
        most = (-lead[i, others] / se).max()
        if most > 0:
            p_values[i] = (1 + (null >= most - 1e-9).sum()) / (len(draws) + 1)
    top = p_values * (len(draws) + 1) > k + 0.5
    low, high = np.zeros(m), np.zeros(m)
    for i in range(m):
        others = [j for j in range(m) if j != i]
        if top[i]:
            high[i] = max(0.0, min(lead[i, j] + reach[i, j] for j in others))
        rivals = [j for j in others if top[j]]
        if rivals:
            low[i] = min(0.0, min(lead[i, j] - reach[j, i] for j in rivals))
    return p_values, top, low, high


@given(seed=SEEDS, m=st.integers(2, 6), greater=st.booleans())
@FEW
def test_definition(seed, m, greater):
    estimates, draws = scattered(seed, m)
    sign = 1 if greater else -1
    p_values, top, low, high = by_definition(sign * estimates, sign * draws, 20)
    found = against_best(
        Draws.of(estimates, draws), confidence_level=0.9, greater_is_better=greater
    )
    assert found.p_values == pytest.approx(p_values)
    assert np.array_equal(found.top, top)
    assert (found.low if greater else -found.high) == pytest.approx(low, abs=1e-9)
    assert (found.high if greater else -found.low) == pytest.approx(high, abs=1e-9)


@pytest.mark.parametrize(("reaching", "p", "top"), [(1, 0.10, False), (2, 0.15, True)])
def test_band_and_p_value_agree_to_the_last_draw(reaching, p, top):
    """Of 19 draws at 90% two have to reach the lead."""
    deviations = np.concatenate([np.full(reaching, 3.0), np.linspace(-2, 1, 19 - reaching)])
    values = np.stack([0 * deviations, 2.0 + deviations], axis=1)
    found = against_best(Draws.of([0.0, 2.0], values), confidence_level=0.9)
    assert found.p_values[0] == p
    assert found.top.tolist() == [top, True]


@given(draws=BOARDS, greater=st.booleans())
@FEW
def test_rules(draws, greater):
    found = against_best(draws, greater_is_better=greater)
    oriented = draws.estimates if greater else -draws.estimates
    assert found.top[np.argmax(oriented)]
    assert np.all(found.low <= 0)
    assert np.all(found.high >= 0)
    favourable = found.high if greater else found.low
    assert np.all(favourable[~found.top] == 0)
    best = oriented.max()
    lead = np.array([value - np.delete(oriented, i).max() for i, value in enumerate(oriented)])
    assert np.all((lead < 0) | (oriented == best))
    assert found.differences == pytest.approx(lead if greater else -lead)


@given(seed=SEEDS)
@FEW
def test_turning_the_scale_turns_the_answer(seed):
    estimates, draws = counted(seed)
    up = against_best(Draws.of(estimates, draws))
    down = against_best(Draws.of(-estimates, -draws), greater_is_better=False)
    assert np.array_equal(up.top, down.top)
    assert np.array_equal(up.low, -down.high)
    assert not np.signbit(down.high).any(), "no -0"


def test_a_draw_that_equals_the_lead_but_for_rounding_reaches_it():
    """One of 19 draws is twice the lead of 0.3: 2 / 20 and not 1 / 20."""
    drawn = np.array([0.6, *np.linspace(0.0, 0.5, 18)])
    draws = Draws.of([0.1, 0.1 + 0.3], np.stack([0 * drawn, drawn], axis=1))
    found = against_best(draws)
    assert found.p_values[0] == 2 / 20
    assert found.top[0]


def test_sharper_than_the_ranks():
    """Over 40 boards the band leaves out more systems than the ranks do."""
    narrower = 0
    for seed in range(40):
        draws = board(seed, m=8, n_resamples=999, spread=1.0)
        band, ranked = against_best(draws).top, rank_sets(draws).may_be_among(1)
        narrower += int(ranked.sum()) - int(band.sum())
    assert narrower > 0


def test_pairs_decided_by_other_means():
    draws = independent([5.0, 5.0, 1.0], 0.4, 999)
    apart, ahead = (np.zeros((3, 3), dtype=bool) for _ in range(2))
    apart[0, 1] = ahead[1, 0] = True
    open_ = against_best(draws, apart=apart)
    assert open_.top.tolist() == [True, True, False]
    assert np.isnan(open_.low[:2]).all()
    decided = against_best(draws, apart=apart, apart_ahead=ahead)
    assert decided.top.tolist() == [False, True, False]
    assert math.isnan(decided.p_values[0])
    assert decided.high[0] == 0.0


def test_equal_systems_are_best_together():
    estimates, values = scattered(2, 1)
    draws = Draws.of([*estimates, *estimates, *(estimates - 1)], values + np.array([0, 0, -1]))
    found = against_best(draws)
    assert found.top.tolist() == [True, True, False]
    assert found.high[:2].tolist() == found.low[:2].tolist() == [0.0, 0.0]
    assert np.isnan(found.p_values[2])


def test_one_system_is_the_best():
    found = against_best(board(1, m=1))
    assert found.top.tolist() == [True]
    assert np.isnan(found.high[0])


def test_band_holds_the_best_at_its_level():
    """Three tied for the best of five: each of them is in the band (at 300 data sets)."""
    rng, held = np.random.default_rng(12), 0
    for _ in range(300):
        scores = rng.normal(size=(60, 1)) + rng.normal(size=(60, 5)) + [1, 1, 1, 0.6, 0]
        weights = rng.multinomial(60, np.full(60, 1 / 60), size=199)
        held += against_best(Draws.of(scores.mean(axis=0), weights @ scores / 60)).top[0]
    assert held / 300 >= 0.95 - 3 * math.sqrt(0.05 * 0.95 / 300)
