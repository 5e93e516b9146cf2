"""The ideal percentile interval: whole numbers, whole distributions, loops over all outcomes."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deadheat.errors import InferenceError
from deadheat.power import Cells, cells, mcnemar_power, percentile_items, percentile_power
from deadheat.power.bootstrap import least_wins_of_percentile, percentile_ends
from deadheat.resampling import exact
from power.trinomial import ideal_ends, outcomes

TAILS = [Fraction(1, 40), Fraction(1, 200), Fraction(9, 20), Fraction(1, 4), Fraction(1, 27)]
"""Some tables put exactly 1/4 or 1/27 below a point."""

few = settings(max_examples=30)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 9])
@pytest.mark.parametrize("tail", TAILS)
def test_ends_of_all_tables_in_whole_numbers(n: int, tail: Fraction) -> None:
    tables = [(lost, won) for won in range(n + 1) for lost in range(n + 1 - won)]
    low, high = percentile_ends(*np.array(tables).T, n, float(tail))
    expected = [ideal_ends(lost, won, n, tail) for lost, won in tables]
    assert list(zip(low.tolist(), high.tolist(), strict=True)) == expected


@few
@given(
    n=st.integers(50, 3_000),
    shares=st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=6),
    tail=st.sampled_from([0.001, 0.025, 0.05, 0.2]),
)
def test_ends_of_large_tables_by_the_whole_distribution(
    n: int, shares: list[tuple[float, float]], tail: float
) -> None:
    discordant = np.array([round(n * total) for total, _ in shares])
    wins = np.array(
        [round(count * won) for count, (_, won) in zip(discordant, shares, strict=True)]
    )
    low, high = percentile_ends(discordant - wins, wins, n, tail)
    for row, (count, won) in enumerate(zip(discordant.tolist(), wins.tolist(), strict=True)):
        judge = exact.paired_counts(count - won, won, n)
        assert low[row] == round(judge.lower(tail) * n)
        assert high[row] == round(judge.upper(tail) * n)


@given(n=st.integers(1, 3_000), discordance=st.floats(0, 1), tail=st.sampled_from([0.005, 0.025]))
def test_fewest_wins_that_exclude_zero(n: int, discordance: float, tail: float) -> None:
    discordant = round(n * discordance)
    fewest = int(least_wins_of_percentile(np.array([discordant]), n, tail)[0])
    assert discordant // 2 < fewest <= discordant + 1
    for wins in (fewest - 1, fewest):
        if 0 < wins <= discordant:
            below = exact.paired_counts(discordant - wins, wins, n).at_most(0.0)
            assert (below < tail) == (wins >= fewest)


@pytest.mark.parametrize(
    ("n", "found"),
    [
        (1, cells(0.3, 0.9, 0.0)),
        (7, cells(0.5, 0.8, 0.3)),
        (14, cells(0.7, 0.6, -0.5)),
        (12, Cells(both=0.0, only_baseline=0.2, only_candidate=0.8, neither=0.0)),
        (10, Cells(both=0.5, only_baseline=0.5, only_candidate=0.0, neither=0.0)),
    ],
)
def test_power_by_a_loop_over_all_outcomes(n: int, found: Cells) -> None:
    for tail in (Fraction(1, 40), Fraction(1, 10)):
        expected = 0.0
        for lost, won, mass in outcomes(n, found):
            low, high = ideal_ends(lost, won, n, tail)
            expected += mass * (low > 0 or high < 0)
        power = percentile_power(
            n, found.only_baseline, found.only_candidate, alpha=float(2 * tail)
        )
        assert power == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize(("correlation", "power"), [(0.36, 0.357), (0.60, 0.436), (0.00, 0.292)])
def test_the_design_of_seed_2(correlation: float, power: float) -> None:
    """STATISTICS 7.3."""
    found = cells(0.72, 0.76, correlation)
    assert percentile_power(500, found.only_baseline, found.only_candidate) == pytest.approx(
        power, abs=6e-4
    )


def test_items_of_seed_2() -> None:
    """STATISTICS 7.3: near 1,507."""
    found = cells(0.72, 0.76, 0.36)
    items = percentile_items(found.only_baseline, found.only_candidate)
    assert items == pytest.approx(1_507, abs=2)


@pytest.mark.parametrize(
    ("lost", "won", "power", "alpha"),
    [(0.0, 0.3, 0.9, 0.05), (0.1, 0.35, 0.8, 0.05), (0.25, 0.75, 0.9, 0.01)],
)
def test_items_by_trying_all(lost: float, won: float, power: float, alpha: float) -> None:
    found = percentile_items(lost, won, power=power, alpha=alpha)
    assert found is not None
    good = [percentile_power(n, lost, won, alpha=alpha) >= power for n in range(1, found + 21)]
    assert all(good[found - 1 :])
    assert not any(all(good[n : n + 21]) for n in range(found - 1))


@few
@given(
    n=st.integers(1, 600),
    discordance=st.floats(0, 1),
    part=st.floats(0, 1),
    alphas=st.tuples(st.floats(1e-6, 0.9), st.floats(1e-6, 0.9)),
)
def test_swapping_and_levels(
    n: int, discordance: float, part: float, alphas: tuple[float, float]
) -> None:
    lost, won = discordance * part, discordance * (1.0 - part)
    less, more = (percentile_power(n, lost, won, alpha=alpha) for alpha in sorted(alphas))
    assert less <= more + 1e-13
    assert percentile_power(n, won, lost, alpha=min(alphas)) == pytest.approx(less, abs=1e-13)


def test_many_items_are_like_the_normal_test() -> None:
    """Beyond what is computed, the chi2 test stands for the interval: it does so already here."""
    found = percentile_power(1_000_000, 0.15, 0.1516)
    assert found == pytest.approx(mcnemar_power(1_000_000, 0.15, 0.1516, test="chi2"), abs=5e-4)


def test_certain_designs() -> None:
    assert percentile_power(100, 0.0, 0.0) == 0.0
    assert percentile_power(100, 0.0, 1.0) == 1.0
    assert percentile_items(0.2, 0.2) is None


@pytest.mark.parametrize("alpha", [0.0, 1.0, -0.1, math.nan, True, "0.05", 1e-10])
def test_levels_are_checked(alpha: float) -> None:
    with pytest.raises(InferenceError, match=r"alpha is|too far out to be computed"):
        percentile_power(100, 0.1, 0.2, alpha=alpha)


def test_bad_numbers_are_refused() -> None:
    for n in (0, 1.5, True, math.nan):
        with pytest.raises(InferenceError, match=r"there are .* items"):
            percentile_power(n, 0.1, 0.2)
    with pytest.raises(InferenceError, match=r"more than 1,000,000\. The power of the chi2 test"):
        percentile_power(1_000_001, 0.1, 0.2)
    with pytest.raises(InferenceError, match="takes more than 1,000,000 items"):
        percentile_items(0.1, 0.1003)
    with pytest.raises(InferenceError, match="add up to more than 1"):
        percentile_power(10, 0.6, 0.5)
    with pytest.raises(InferenceError, match="power is 1"):
        percentile_items(0.1, 0.2, power=1)
