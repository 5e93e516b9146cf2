"""Power of McNemar's test and the items that it takes: loops over all outcomes, scipy, tables."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from deadheat.errors import InferenceError, UsageError
from deadheat.power import Cells, cells, connor, items_to_resolve, mcnemar_items, mcnemar_power
from deadheat.power.mcnemar import TESTS, least_wins_of_test
from power.trinomial import outcomes

LEVELS = st.sampled_from([0.001, 0.01, 0.05, 0.1, 0.3, 0.5])
SHARES = st.floats(0, 1).flatmap(
    lambda total: st.floats(0, 1).map(lambda part: (total * part, total * (1.0 - part)))
)

few = settings(max_examples=30)


@cache
def exact(losses: int, wins: int) -> float:
    return float(stats.binomtest(wins, losses + wins).pvalue) if losses + wins else 1.0


@cache
def midp(losses: int, wins: int) -> float:
    judge, fewer = stats.binom(losses + wins, 0.5), min(losses, wins)
    return min(1.0, 2.0 * judge.cdf(fewer) - judge.pmf(fewer))


@cache
def chi2(losses: int, wins: int, step: int = 0) -> float:
    if not losses + wins:
        return 1.0
    return float(stats.chi2.sf(max(abs(wins - losses) - step, 0) ** 2 / (losses + wins), 1))


P_VALUES: dict[str, Callable[[int, int], float]] = {
    "exact": exact,
    "midp": midp,
    "chi2": chi2,
    "chi2_cc": lambda losses, wins: chi2(losses, wins, 1),
}


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize(
    ("n", "found"),
    [
        (1, cells(0.2, 0.9, 0.0)),
        (12, cells(0.5, 0.8, 0.3)),
        (30, cells(0.7, 0.6, -0.5)),
        (30, Cells(both=0.0, only_baseline=0.2, only_candidate=0.8, neither=0.0)),
        (25, Cells(both=0.6, only_baseline=0.4, only_candidate=0.0, neither=0.0)),
    ],
)
def test_power_by_a_loop_over_all_outcomes(n: int, found: Cells, test: str) -> None:
    for alpha in (0.05, 0.2):
        expected = math.fsum(
            mass
            for losses, wins, mass in outcomes(n, found)
            if P_VALUES[test](losses, wins) <= alpha
        )
        power = mcnemar_power(n, found.only_baseline, found.only_candidate, test=test, alpha=alpha)
        assert power == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("alpha", [1e-6, 0.01, 0.05, 0.25, 0.5, 0.9])
def test_least_wins_by_trying_all(test: str, alpha: float) -> None:
    sizes = np.arange(41)
    for size, found in zip(sizes, least_wins_of_test(sizes, test, alpha), strict=True):
        rejecting = [
            wins
            for wins in range(size // 2 + 1, size + 1)
            if P_VALUES[test](int(size) - wins, wins) <= alpha * (1.0 + 1e-9)
        ]
        assert found == min(rejecting, default=size + 1)


def test_a_p_value_equal_to_the_level_rejects() -> None:
    """Two wins of two have an exact p of 1/2, three of three 1/4: whole powers of 2."""
    assert least_wins_of_test(np.array([2, 3]), "exact", 0.5).tolist() == [2, 3]
    assert least_wins_of_test(np.array([3]), "exact", 0.25).tolist() == [3]


@pytest.mark.parametrize(
    ("correlation", "at_500", "needed", "at_2000"),
    [
        (0.36, (0.339, 0.367, 0.367), (1_533, 1_485, 1_484), 0.902),
        (0.60, (0.415, 0.448, 0.449), (1_209, 1_162, 1_159), 0.957),
        (0.00, (0.278, 0.301, 0.302), (1_936, 1_889, 1_887), 0.822),
    ],
)
def test_the_design_of_seed_2(
    correlation: float,
    at_500: tuple[float, ...],
    needed: tuple[int, ...],
    at_2000: float,
) -> None:
    """STATISTICS 7.3."""
    found = cells(0.72, 0.76, correlation)
    shares = found.only_baseline, found.only_candidate
    tests = ("exact", "midp", "chi2")
    powers = [mcnemar_power(500, *shares, test=test) for test in tests]
    assert powers == pytest.approx(at_500, abs=5e-4)
    assert [mcnemar_items(*shares, test=test) for test in tests] == list(needed)
    assert mcnemar_power(2_000, *shares, test="midp") == pytest.approx(at_2000, abs=5e-4)


@few
@given(n=st.integers(1, 400), shares=SHARES, alpha=LEVELS)
def test_swapping_the_systems_changes_nothing(
    n: int, shares: tuple[float, float], alpha: float
) -> None:
    for test in TESTS:
        power = mcnemar_power(n, *shares, test=test, alpha=alpha)
        assert mcnemar_power(n, *shares[::-1], test=test, alpha=alpha) == pytest.approx(
            power, abs=1e-13
        )


@few
@given(n=st.integers(1, 1_000), shares=SHARES, alpha=LEVELS)
def test_smaller_rejection_regions_have_less_power(
    n: int, shares: tuple[float, float], alpha: float
) -> None:
    power = {test: mcnemar_power(n, *shares, test=test, alpha=alpha) for test in TESTS}
    assert power["exact"] <= power["midp"] + 1e-14
    assert power["chi2_cc"] <= power["chi2"] + 1e-14
    lower = mcnemar_power(n, *shares, alpha=alpha / 2.0)
    assert lower <= power["exact"] + 1e-14


@given(n=st.integers(1, 5_000), share=st.floats(0, 0.5), alpha=LEVELS)
def test_the_exact_test_holds_its_level(n: int, share: float, alpha: float) -> None:
    assert mcnemar_power(n, share, share, alpha=alpha) <= alpha * (1.0 + 1e-9)


@given(n=st.integers(6, 3_000), share=st.floats(0.001, 1))
def test_one_sided_disagreement_is_a_count_of_six(n: int, share: float) -> None:
    """Without losses the exact p is 2^(1 - D): at most 0.05 from six discordant items on."""
    expected = stats.binom.sf(5, n, share)
    assert mcnemar_power(n, 0.0, share) == pytest.approx(expected, abs=1e-13)


@given(
    n=st.integers(2, 2_000),
    discordance=st.floats(0.01, 1),
    gaps=st.tuples(st.floats(0, 1), st.floats(0, 1)),
)
def test_power_rises_with_the_gap(n: int, discordance: float, gaps: tuple[float, float]) -> None:
    small, large = sorted(gaps)
    low, high = (
        mcnemar_power(n, discordance * (1.0 - gap) / 2.0, discordance * (1.0 + gap) / 2.0)
        for gap in (small, large)
    )
    assert low <= high + 1e-13


def test_systems_that_never_differ_have_no_power() -> None:
    assert mcnemar_power(1_000, 0.0, 0.0) == 0.0


def test_systems_that_always_differ_have_all_of_it() -> None:
    assert mcnemar_power(6, 0.0, 1.0) == 1.0
    assert mcnemar_power(5, 0.0, 1.0) == 0.0
    assert mcnemar_items(0.0, 1.0) == 6


def test_many_items_by_scipy() -> None:
    n, lost, won = 100_000, 0.15, 0.155
    judge = stats.binom(n, lost + won)
    sizes = np.arange(judge.ppf(1e-15), judge.isf(1e-15) + 1)
    most = np.floor((sizes - stats.norm.isf(0.025) * np.sqrt(sizes)) / 2.0)
    wins = stats.binom(sizes, won / (lost + won))
    rejected = wins.cdf(most) + wins.sf(sizes - most - 1)
    expected = float((judge.pmf(sizes) * rejected).sum())
    assert mcnemar_power(n, lost, won, test="chi2") == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize(
    ("lost", "won", "power", "alpha"),
    [
        (0.0, 1.0, 0.8, 0.001),
        (0.01, 0.06, 0.9, 0.05),
        (0.2, 0.35, 0.8, 0.05),
        (0.35, 0.65, 0.95, 0.01),
        (0.4, 0.6, 0.5, 0.1),
        (0.05, 0.15, 0.03, 0.05),
    ],
)
def test_items_by_trying_all(
    lost: float, won: float, power: float, alpha: float, test: str
) -> None:
    found = mcnemar_items(lost, won, test=test, power=power, alpha=alpha)
    assert found is not None
    powers = [
        mcnemar_power(n, lost, won, test=test, alpha=alpha) >= power for n in range(1, found + 21)
    ]
    assert all(powers[found - 1 :])
    assert not any(all(powers[n : n + 21]) for n in range(found - 1))


@pytest.mark.parametrize(
    ("gap", "row"),
    [
        (0.005, (15_696, 31_394, 62_789, 94_185)),
        (0.01, (3_923, 7_847, 15_696, 23_545)),
        (0.02, (979, 1_960, 3_923, 5_885)),
        (0.03, (434, 870, 1_742, 2_614)),
    ],
)
def test_table_of_items(gap: float, row: tuple[int, ...]) -> None:
    """STATISTICS 7.4."""
    found = [items_to_resolve(gap, discordance) for discordance in (0.05, 0.10, 0.20, 0.30)]
    assert found == pytest.approx(row, abs=1)


@pytest.mark.parametrize(("gap", "discordance"), [(0.001, 0.05), (0.001, 0.3), (0.0005, 0.2)])
def test_the_formula_is_right_to_a_part_in_a_thousand_for_many_items(
    gap: float, discordance: float
) -> None:
    searched = mcnemar_items((discordance - gap) / 2, (discordance + gap) / 2, test="chi2")
    assert searched == pytest.approx(connor(gap, discordance), rel=1e-3)


def test_no_gap_has_no_number() -> None:
    assert items_to_resolve(0.0, 0.1) is None
    assert mcnemar_items(0.1, 0.1) is None


def test_sign_of_the_gap_does_not_matter() -> None:
    assert items_to_resolve(-0.02, 0.1) == items_to_resolve(0.02, 0.1)
    assert mcnemar_items(0.1, 0.2) == mcnemar_items(0.2, 0.1)


def test_a_power_below_the_level_is_had_for_nothing() -> None:
    assert connor(0.1, 0.3, power=0.001, alpha=0.05) == 0.0
    assert items_to_resolve(0.1, 0.3, power=0.001, alpha=0.05) == 1


@pytest.mark.parametrize("bad", [(0.2, 0.1), (0.1, 1.2), (0.1, 0.0), (0.1, math.nan), (True, 1.0)])
def test_impossible_discordance_is_refused(bad: tuple[float, float]) -> None:
    with pytest.raises(InferenceError, match="does not go with"):
        items_to_resolve(*bad)


@pytest.mark.parametrize("share", [0.0, 1.0, -1.0, 1.1, math.nan, math.inf, True, "0.8", 5e-324])
def test_levels_are_checked(share: float) -> None:
    with pytest.raises(InferenceError, match="power is"):
        items_to_resolve(0.1, 0.2, power=share)
    with pytest.raises(InferenceError, match="power is"):
        mcnemar_items(0.1, 0.2, power=share)
    with pytest.raises(InferenceError, match="alpha is"):
        mcnemar_power(100, 0.1, 0.2, alpha=share)


@pytest.mark.parametrize("n", [0, -3, 2.5, math.nan, True, "10", 10**8])
def test_numbers_of_items_are_checked(n: int) -> None:
    with pytest.raises(InferenceError, match=r"there are .* items"):
        mcnemar_power(n, 0.1, 0.2)


@pytest.mark.parametrize("bad", [-0.1, 1.1, math.nan, math.inf, False, "0.1", None])
def test_shares_are_checked(bad: float) -> None:
    with pytest.raises(InferenceError, match="only the baseline gets right is"):
        mcnemar_power(10, bad, 0.1)
    with pytest.raises(InferenceError, match="only the candidate gets right is"):
        mcnemar_items(0.1, bad)
    with pytest.raises(InferenceError, match="add up to more than 1"):
        mcnemar_power(10, 0.6, 0.5)


def test_unknown_tests_are_refused() -> None:
    for asked in (
        lambda: mcnemar_power(9, 0.1, 0.2, test="mid-p"),
        lambda: mcnemar_items(0, 1, test=""),
    ):
        with pytest.raises(UsageError, match=r"the test is .* Known: chi2, chi2_cc, exact, midp"):
            asked()


def test_gaps_that_no_search_resolves_are_refused() -> None:
    with pytest.raises(InferenceError, match="takes more than 10,000,000 items"):
        mcnemar_items(0.1, 0.1000001)
    with pytest.raises(InferenceError, match="beyond all bounds"):
        items_to_resolve(1e-300, 0.1)
