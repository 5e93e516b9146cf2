"""Plans for 0/1 scores against brute force, algebra and other libraries."""

from __future__ import annotations

import math
import time
from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

import deadheat
from deadheat import Comparison, Plan


@cache
def comparison(only_baseline: int, only_candidate: int, neither: int) -> Comparison:
    baseline = [1] * only_baseline + [0] * (only_candidate + neither)
    candidate = [0] * only_baseline + [1] * only_candidate + [0] * neither
    return deadheat.compare(baseline, candidate)


@pytest.mark.parametrize(
    ("n", "lost", "won", "least"),
    [(14, 0.15, 0.4, 0.0), (50, 0.03, 0.21, 1e-6)],
    ids=["tango", "percentile and tango"],
)
def test_everything_that_compare_would_have_said(
    n: int, lost: float, won: float, least: float
) -> None:
    """Sum over all tables, each compared: power of the reading, coverage, type S and type M."""
    gap = won - lost
    total = resolved = covered = wrong = size = width = 0.0
    for a in range(n + 1):
        for b in range(n + 1 - a):
            chance = stats.multinomial.pmf([a, b, n - a - b], n, [lost, won, 1.0 - lost - won])
            if chance <= least:
                continue
            found = comparison(a, b, n - a - b)
            interval = found.difference.interval
            total += chance
            covered += chance * (interval.low - 1e-12 <= gap <= interval.high + 1e-12)
            width += chance * (interval.high - interval.low)
            if found.reading.code == "resolved":
                resolved += chance
                wrong += chance * (b < a)
                size += chance * abs(b - a) / n
    plan = deadheat.plan(gap=gap, discordance=lost + won, items=n)
    assert plan.at is not None
    slack = 1.0 - total + 1e-9
    assert slack < 2e-3
    assert plan.at.power[0].by == "reading"
    assert plan.at.power[0].power == pytest.approx(resolved, abs=slack)
    assert plan.at.coverage == pytest.approx(covered, abs=slack)
    assert plan.at.wrong_sign == pytest.approx(wrong / resolved, abs=slack)
    assert plan.at.exaggeration == pytest.approx(size / resolved / gap, rel=2 * slack / resolved)


@cache
def rejects(wins: int, discordant: int, test: str) -> bool:
    losses = discordant - wins
    if discordant == 0:
        return False
    if test == "exact":
        return bool(stats.binomtest(wins, discordant).pvalue <= 0.05)
    if test == "midp":
        least = min(wins, losses)
        tail = 2 * stats.binom.cdf(least, discordant, 0.5) - stats.binom.pmf(least, discordant, 0.5)
        return bool(tail <= 0.05)
    away = max(abs(wins - losses) - (test == "chi2_cc"), 0)
    return bool(stats.chi2.sf(away**2 / discordant, 1) <= 0.05)


def by_scipy(n: int, lost: float, won: float, test: str) -> float:
    """P(reject), over all numbers of discordant items and of wins among them."""
    power = 0.0
    for d in range(n + 1):
        wins = [b for b in range(d + 1) if rejects(b, d, test)]
        given_d = stats.binom.pmf(wins, d, won / (won + lost)).sum()
        power += stats.binom.pmf(d, n, lost + won) * given_d
    return float(power)


@pytest.mark.parametrize("test", ["exact", "midp", "chi2", "chi2_cc"])
def test_needed_items_have_the_power_and_so_do_the_next(test: str) -> None:
    """The power is a saw-tooth: 21 in a row have it, and the number before has not."""
    lost, won = 0.05, 0.4
    plan = deadheat.plan(gap=won - lost, discordance=won + lost, test=test)
    found = {need.by: need for need in plan.needed}[test]
    assert found.items is not None
    at = [by_scipy(n, lost, won, test) for n in range(found.items - 1, found.items + 21)]
    assert at[0] < 0.8 <= min(at[1:])
    assert found.power == pytest.approx(at[1], abs=1e-12)


def test_reading_is_no_likelier_than_interval_or_test() -> None:
    for test in ("exact", "midp", "chi2"):
        plan = deadheat.plan(gap=0.1, discordance=0.3, items=200, test=test)
        assert plan.at is not None
        at = {one.by: one.power for one in plan.at.power}
        assert at["reading"] <= min(at["percentile"], at[test]) + 1e-12
        need = {need.by: need.items for need in plan.needed}
        assert (need["reading"] or 0) >= max(need["percentile"] or 0, need[test] or 0)


def test_smallest_gap_is_found_with_the_power_wanted() -> None:
    """The gap that 2,000 items resolve, planned for, takes 2,000 items."""
    plan = deadheat.plan(discordance=0.2, items=2_000)
    assert plan.at is not None
    again = deadheat.plan(gap=plan.at.smallest_gap, discordance=0.2)
    assert {need.by: need.items for need in again.needed}["connor"] == pytest.approx(2_000, abs=1)
    midp = {need.by: need.items for need in again.needed}["midp"]
    assert midp == pytest.approx(2_000, rel=0.01)


def test_half_width_is_that_of_a_mean_of_differences() -> None:
    """A difference is 1, 0 or -1: its variance is D - gap^2."""
    plan = deadheat.plan(baseline=0.7, candidate=0.75, discordance=0.19, items=800)
    values, chances = np.array([1.0, 0.0, -1.0]), np.array([0.12, 0.81, 0.07])
    variance = chances @ values**2 - (chances @ values) ** 2
    assert plan.at is not None
    assert plan.design.sd == pytest.approx(math.sqrt(variance))
    assert plan.at.half_width == pytest.approx(stats.norm.ppf(0.975) * math.sqrt(variance / 800))


def test_errors_of_any_gap_that_has_the_power() -> None:
    """Type S and M of a normal estimate 2.8 errors from 0, by numerical integration."""
    plan = deadheat.plan(gap=0.02, power=0.8)
    effect = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    z = stats.norm.ppf(0.975)
    resolved = stats.norm.sf(z - effect) + stats.norm.cdf(-z - effect)
    size = sum(
        integrate.quad(lambda x: abs(x) * stats.norm.pdf(x - effect), *ends)[0]
        for ends in ((-20.0, -z), (z, 25.0))
    )
    assert plan.errors.items is None
    assert plan.errors.wrong_sign == pytest.approx(stats.norm.cdf(-z - effect) / resolved, rel=1e-9)
    assert plan.errors.exaggeration == pytest.approx(size / resolved / effect, rel=1e-9)


def test_design_effect_scales_items() -> None:
    """Kish: 1 + (5 - 1) .1 = 1.4 items are worth one."""
    alone = deadheat.plan(gap=0.04, discordance=0.2, items=500)
    clustered = deadheat.plan(gap=0.04, discordance=0.2, items=700, cluster_size=5, icc=0.1)
    assert clustered.design.clustering.design_effect == pytest.approx(1.4)
    for one, more in zip(alone.needed, clustered.needed, strict=True):
        assert one.items is not None
        assert more.items == math.ceil(1.4 * one.items - 1e-6)
    assert alone.at is not None
    assert clustered.at is not None
    assert clustered.at.effective_items == pytest.approx(500)
    assert clustered.at.power == alone.at.power
    assert clustered.at.half_width == alone.at.half_width
    given_ = deadheat.plan(gap=0.04, discordance=0.2, items=700, design_effect=1.4)
    assert given_.needed == clustered.needed


def test_family_of_all_pairs() -> None:
    """Five systems are ten pairs, each at a tenth of the level."""
    family = deadheat.plan(gap=0.04, discordance=0.2, n_systems=5, items=500)
    single = deadheat.plan(gap=0.04, discordance=0.2, confidence_level=0.995, items=500)
    assert family.design.comparisons == 10
    assert family.wanted.alpha == pytest.approx(0.005)
    assert [need.items for need in family.needed] == [need.items for need in single.needed]
    assert family.at == single.at


def test_formula_takes_over_where_exact_powers_are_out_of_reach() -> None:
    plan = deadheat.plan(gap=0.002, discordance=0.2, items=2_000_000)
    assert [need.by for need in plan.needed] == ["connor"]
    assert plan.at is not None
    (by_formula,) = plan.at.power
    # A normal estimate of a gap of .002 with error sqrt(.2 / 2e6), resolved from 1.96 errors on.
    effect = 0.002 / math.sqrt(0.2 / 2e6)
    assert by_formula.power == pytest.approx(
        stats.norm.sf(stats.norm.ppf(0.975) - effect), abs=1e-4
    )
    assert {"by_formula", "power_by_formula"} <= {note.code for note in plan.notes}


def test_accuracies_bound_the_discordance() -> None:
    """At 95% and 97% at most 8% of the items separate the systems, and 2% at least."""
    plan = deadheat.plan(baseline=0.95, candidate=0.97)
    assert plan.design.discordance_range == (0.02, 0.08)
    assert all(0.02 <= row.discordance <= 0.08 for row in plan.table)
    independent = [row for row in plan.table if row.what == "independent"]
    assert [row.discordance for row in independent] == pytest.approx([0.95 * 0.03 + 0.05 * 0.97])


def test_items_alone_say_what_they_can_do_at_usual_discordances() -> None:
    plan = deadheat.plan(items=500)
    assert plan.at is None
    for row in plan.table:
        half = stats.norm.ppf(0.975) * math.sqrt(row.discordance / 500)
        assert row.half_width == pytest.approx(half)
        assert half < row.smallest_gap < 2 * half


def test_equal_accuracies_have_no_gap_to_resolve() -> None:
    plan = deadheat.plan(baseline=0.7, candidate=0.7, correlation=0.5, items=400)
    assert plan.needed == ()
    assert plan.at is not None
    assert plan.at.power == ()
    assert [note.code for note in plan.notes] == ["latent_correlation", "no_gap", "connor"]
    assert plan.table[0].items is not None


few = settings(max_examples=8)
shares = st.floats(0.05, 0.95)


@few
@given(shares, shares, st.floats(-0.9, 0.95))
def test_sides_may_be_swapped(first: float, second: float, correlation: float) -> None:
    assume(abs(first - second) > 0.3)
    one, other = (
        deadheat.plan(baseline=a, candidate=b, correlation=correlation, items=40)
        for a, b in ((first, second), (second, first))
    )
    assert [need.items for need in one.needed] == [need.items for need in other.needed]
    assert one.at is not None
    assert other.at is not None
    assert one.at.wrong_sign == pytest.approx(other.at.wrong_sign, abs=1e-9)
    assert [p.power for p in one.at.power] == pytest.approx([p.power for p in other.at.power])


@few
@given(st.floats(0.2, 0.28), st.floats(1.02, 1.5), st.floats(0.4, 0.6), st.sampled_from([0.5, 0.8]))
def test_larger_gaps_are_resolved_more_often_and_by_fewer_items(
    gap: float, factor: float, discordance: float, power: float
) -> None:
    def plan(size: float) -> Plan:
        return deadheat.plan(gap=size, discordance=discordance, items=40, power=power)

    small, large = plan(gap), plan(min(gap * factor, 0.39))
    assert small.at is not None
    assert large.at is not None
    for less, more in zip(small.at.power, large.at.power, strict=True):
        assert less.power <= more.power + 1e-12
    for many, few in zip(small.needed, large.needed, strict=True):
        assert (many.items or 0) >= (few.items or 0)
    assert small.at.exaggeration >= large.at.exaggeration - 1e-9 >= 1.0 - 1e-6


@settings(max_examples=40)
@given(st.integers(30, 5_000), st.integers(1, 5_000), st.floats(0.05, 0.9))
def test_more_items_are_narrower(n: int, more: int, discordance: float) -> None:
    few = deadheat.plan(discordance=discordance, items=n)
    many = deadheat.plan(discordance=discordance, items=n + more)
    assert few.at is not None
    assert many.at is not None
    assert many.at.half_width < few.at.half_width
    assert not many.at.smallest_gap > few.at.smallest_gap


@few
@given(st.floats(0.0, 1.0))
def test_correlation_is_the_square_of_the_loading(loading: float) -> None:
    by_loading = deadheat.plan(baseline=0.3, candidate=0.8, loading=loading)
    by_square = deadheat.plan(baseline=0.3, candidate=0.8, correlation=loading**2)
    assert by_loading == by_square


def resolved_by_hand(n: int, lost: float, won: float) -> float:
    """The power of a reading by percentile interval and exact test, from every table.

    A quantile of the total of n draws from the table, and SciPy's binomial test beside it.
    """
    found = 0.0
    for b in range(n + 1):
        for c in range(n + 1 - b):
            if n in (b, c) or stats.binomtest(c, b + c, 0.5).pvalue > 0.05 if b + c else True:
                continue
            law = np.array([1.0])
            for _ in range(n):
                law = np.convolve(law, np.array([b, n - b - c, c]) / n)
            beyond = law[: n + 1].sum() if c > b else law[n:].sum()
            if beyond < 0.025:
                found += stats.multinomial.pmf([b, c, n - b - c], n, [lost, won, 1 - lost - won])
    return found


def test_points_of_the_percentile_interval_are_not_resolved() -> None:
    """A gap of .9: of 7 items .9^7 = 48% are a point each, of 16 items 18%."""
    found = deadheat.plan(gap=0.9, discordance=0.9, method="percentile")
    need = {one.by: one for one in found.needed}["reading"]
    assert need.items is not None
    powers = [resolved_by_hand(n, 0.0, 0.9) for n in (need.items - 1, need.items)]
    assert powers[0] < 0.8 <= powers[1]
    assert need.power == pytest.approx(powers[1], abs=1e-9)
    said = {note.code: note.message for note in found.notes}["point_interval"]
    assert "On 7 items" in said
    assert f"{0.9**7:.2%}" in said
    # In clusters 14 items are worth 7.
    clustered = deadheat.plan(gap=0.9, discordance=0.9, method="percentile", design_effect=2.0)
    said = {note.code: note.message for note in clustered.notes}["point_interval"]
    assert "On 14 items" in said
    assert f"{0.9**7:.2%}" in said
    other = deadheat.plan(gap=0.9, discordance=0.9)
    assert "point_interval" not in {note.code for note in other.notes}


@pytest.mark.parametrize("gap", [0.9999, 1.0 - 1e-9])
def test_a_gap_of_all_but_one_is_answered_at_once(gap: float) -> None:
    """1 - gap^n is 80% from log .2 / log gap items on: 16,094 of .9999, and 1.6e9 of the other."""
    began = time.perf_counter()
    found = deadheat.plan(gap=gap, discordance=gap, method="percentile")
    assert time.perf_counter() - began < 20.0
    need = {one.by: one.items for one in found.needed}["reading"]
    assert need == (16_094 if gap == 0.9999 else None)
    assert found.items == need
    assert ("No number of items" in found.to_text()) == (need is None)
    assert "point_interval" in {note.code for note in found.notes}
