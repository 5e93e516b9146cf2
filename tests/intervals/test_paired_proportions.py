"""Intervals of a paired difference of proportions against R and exact enumeration."""

from __future__ import annotations

import math
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import integrate, stats

from deadheat.errors import InferenceError
from deadheat.intervals import agresti_min, bonett_price, dirichlet, newcombe, tango, wald
from vectors import close, vectors

METHODS: dict[str, ModuleType] = {
    "wald": wald,
    "tango": tango,
    "newcombe10": newcombe,
    "bonett_price": bonett_price,
    "agresti_min": agresti_min,
    "dirichlet": dirichlet,
}
ALL = pytest.mark.parametrize("method", METHODS.values(), ids=METHODS.keys())
TABLES = st.tuples(*[st.integers(0, 60)] * 4).filter(lambda cells: sum(cells) > 1)


@pytest.mark.parametrize(
    "vector", vectors("intervals.paired", "paired_prop_ci"), ids=lambda v: v["name"]
)
def test_vector(vector: dict[str, Any]) -> None:
    table = vector["input"]
    interval = METHODS[table["method"]].paired_proportions(
        table["both"],
        table["a_only"],
        table["b_only"],
        table["neither"],
        confidence_level=table["conf"],
    )
    assert close(vector, "lower", interval.low)
    assert close(vector, "upper", interval.high)


@pytest.mark.parametrize("vector", vectors("intervals.bayes"), ids=lambda v: v["name"])
def test_bayes_vector(vector: dict[str, Any]) -> None:
    table, expected = vector["input"], vector["expected"]
    if "lower" in expected:
        interval = dirichlet.paired_proportions(
            table["both"],
            table["a_only"],
            table["b_only"],
            table["neither"],
            confidence_level=table["conf"],
            prior=table["prior"],
        )
        assert close(vector, "lower", interval.low)
        assert close(vector, "upper", interval.high)
    else:
        better = dirichlet.probability_better(
            table["a_only"], table["b_only"], prior=table["prior"]
        )
        assert close(vector, "prob_b_better", better)


@pytest.mark.parametrize(("n", "expected"), [(50, 0.0713476), (100, 0.0369935)])
def test_tango_without_discordant_items(n: int, expected: float) -> None:
    """The ends are -+ z^2 / (N + z^2): no item separates the systems (STATISTICS 1.2)."""
    z2 = stats.norm.isf(0.025) ** 2
    interval = tango.paired_proportions(n // 2, 0, 0, n // 2)
    assert interval.high == pytest.approx(z2 / (n + z2), abs=1e-10)
    assert interval.high == pytest.approx(expected, abs=1e-6)
    assert interval.low == -interval.high


def test_tango_at_a_full_difference_ends_there() -> None:
    assert tango.paired_proportions(0, 0, 10, 0).high == 1.0
    assert tango.paired_proportions(0, 10, 0, 0).low == -1.0


@given(wins=st.integers(0, 8), losses=st.integers(0, 8), rest=st.integers(1, 12))
def test_tango_solves_the_score_with_its_nuisance_at_the_maximum(
    wins: int, losses: int, rest: int
) -> None:
    """At the lower end the score, its nuisance found by a grid search, equals z."""
    assume(wins + losses > 0)
    n = wins + losses + rest
    low = tango.paired_proportions(rest, losses, wins, 0).low
    # Probabilities: p_loss = q, p_win = q + low; the rest is concordant.
    q = np.linspace(max(0.0, -low) + 1e-12, (1.0 - low) / 2.0 - 1e-12, 200_001)
    with np.errstate(divide="ignore", invalid="ignore"):
        likelihood = wins * np.log(q + low) + losses * np.log(q)
        likelihood += rest * np.log(1.0 - 2.0 * q - low)
    best = q[np.nanargmax(likelihood)]
    score = (wins - losses - n * low) / math.sqrt(n * (2.0 * best + low - low * low))
    assert score == pytest.approx(1.959964, rel=2e-3)


@given(losses=st.integers(0, 40), wins=st.integers(0, 40))
def test_tango_excludes_zero_when_mcnemar_rejects(losses: int, wins: int) -> None:
    interval = tango.paired_proportions(20, losses, wins, 20)
    statistic = (wins - losses) ** 2 / max(wins + losses, 1)
    assert interval.excludes(0.0) == (stats.chi2.sf(statistic, 1) < 0.05)


@ALL
@given(table=TABLES)
def test_swapping_the_systems_negates_the_interval(
    method: ModuleType, table: tuple[int, int, int, int]
) -> None:
    both, losses, wins, neither = table
    forth = method.paired_proportions(both, losses, wins, neither)
    back = method.paired_proportions(both, wins, losses, neither)
    assert forth.low == pytest.approx(-back.high, abs=1e-12)
    assert forth.high == pytest.approx(-back.low, abs=1e-12)
    assert -1.0 <= forth.low <= forth.high <= 1.0


@ALL
@given(table=TABLES)
def test_levels_nest(method: ModuleType, table: tuple[int, int, int, int]) -> None:
    narrow, middle, wide = (
        method.paired_proportions(*table, confidence_level=level) for level in (0.9, 0.95, 0.99)
    )
    slack = 1e-12
    assert wide.low <= middle.low + slack <= narrow.low + 2 * slack
    assert narrow.high <= middle.high + slack <= wide.high + 2 * slack


@ALL
def test_one_sided_end_is_that_of_twice_alpha(method: ModuleType) -> None:
    table = (20, 7, 15, 30)
    two = method.paired_proportions(*table, confidence_level=0.9)
    greater = method.paired_proportions(*table, alternative="greater")
    less = method.paired_proportions(*table, alternative="less")
    assert (greater.low, greater.high) == (pytest.approx(two.low, abs=1e-12), math.inf)
    assert (less.low, less.high) == (-math.inf, pytest.approx(two.high, abs=1e-12))


@ALL
@pytest.mark.parametrize("table", [(0, 0, 0, 0), (1, 0, 0, 0), (0, 0, 1, 0)])
def test_too_few_items_are_undefined(method: ModuleType, table: tuple[int, int, int, int]) -> None:
    """CASES 5 and 6: one item is not an interval of width zero."""
    interval = method.paired_proportions(*table)
    assert not interval.defined
    assert interval.note


@ALL
def test_negative_cells_are_refused(method: ModuleType) -> None:
    with pytest.raises(InferenceError, match="four cells"):
        method.paired_proportions(5, -1, 2, 3)


def test_dirichlet_against_adaptive_quadrature() -> None:
    both, losses, wins, neither = 30, 0, 3, 17
    interval = dirichlet.paired_proportions(both, losses, wins, neither, confidence_level=0.9)
    share = stats.beta(losses + wins + 2, both + neither + 2)
    candidate = stats.beta(wins + 1, losses + 1)

    def beyond(x: float) -> float:
        return float(
            integrate.quad(
                lambda s: share.pdf(s) * candidate.sf((1.0 + x / s) / 2.0),
                abs(x),
                1.0,
                points=[2 * abs(x), 0.1, 0.2, 0.4],
                epsabs=1e-13,
            )[0]
            + (share.cdf(abs(x)) if x < 0 else 0.0)
        )

    assert beyond(interval.high) == pytest.approx(0.05, abs=1e-9)
    assert beyond(interval.low) == pytest.approx(0.95, abs=1e-9)


def test_dirichlet_is_finite_at_a_million_items() -> None:
    interval = dirichlet.paired_proportions(500_000, 2_000, 2_300, 497_700)
    normal = wald.paired_proportions(500_000, 2_000, 2_300, 497_700)
    assert interval.low == pytest.approx(normal.low, abs=2e-6)
    assert interval.high == pytest.approx(normal.high, abs=2e-6)


def test_dirichlet_states_and_checks_its_prior() -> None:
    assert "0.5 in each" in dirichlet.paired_proportions(5, 1, 2, 3, prior=0.5).note
    with pytest.raises(InferenceError, match="prior is 0"):
        dirichlet.paired_proportions(5, 1, 2, 3, prior=0.0)
    with pytest.raises(InferenceError, match="prior is -1"):
        dirichlet.probability_better(1, 2, prior=-1.0)


def test_wald_without_discordant_items_says_so() -> None:
    interval = wald.paired_proportions(30, 0, 0, 20)
    assert (interval.low, interval.high) == (0.0, 0.0)
    assert "says nothing" in interval.note


@pytest.mark.parametrize(("n", "p_win", "p_loss"), [(20, 0.10, 0.05), (50, 0.10, 0.05)])
def test_tango_coverage_by_complete_enumeration(n: int, p_win: float, p_loss: float) -> None:
    """Table 0.3 of STATISTICS.md: Tango .982 and .955, Wald .858 and .942."""
    expected = {20: (0.982, 0.858), 50: (0.955, 0.942)}[n]
    covered = np.zeros(2)
    for wins in range(n + 1):
        for losses in range(n + 1 - wins):
            weight = stats.multinomial.pmf(
                [wins, losses, n - wins - losses], n, [p_win, p_loss, 1 - p_win - p_loss]
            )
            if weight < 1e-9:
                continue
            for index, method in enumerate((tango, wald)):
                interval = method.paired_proportions(n - wins - losses, losses, wins, 0)
                covered[index] += weight * (not interval.excludes(p_win - p_loss))
    assert covered == pytest.approx(expected, abs=6e-4)
