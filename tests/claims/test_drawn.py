"""How likely draws are to print a number, held against counting all draws."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from scipy import stats

from claims.exactly import rounds_to, ways
from deadheat.claims.drawn import INTERPOLATED, Likely, interval_drawn, p_drawn, share_drawn
from deadheat.claims.printed import Printed, p_value, points, share
from deadheat.resampling import exact

ANYTHING = Printed(text="", value=Fraction(0), low=Fraction(-100), high=Fraction(100))


@cache
def ranked(counts: tuple[int, int, int], n_resamples: int, rank: int) -> dict[Fraction, Fraction]:
    """Law of the rank-th smallest of all draws, in points."""
    n, only_baseline, only_candidate = counts
    row = ways(n, only_baseline, only_candidate)
    steps = [(at - n, Fraction(count, n**n)) for at, count in enumerate(row) if count]
    law: dict[Fraction, Fraction] = {}
    for draws in itertools.product(steps, repeat=n_resamples):
        end = Fraction(100 * sorted(step for step, _ in draws)[rank - 1], n)
        law[end] = law.get(end, Fraction(0)) + math.prod(part for _, part in draws)
    return law


def by_counting(
    counts: tuple[int, int, int], text: str, n_resamples: int, rank: int
) -> tuple[Fraction, Fraction]:
    """Chance that the rank-th smallest of all draws is printed so, and its smaller tail.

    An end may have been moved by 0.03 steps of 100 / n by interpolation.
    """
    n = counts[0]
    printed, half = Fraction(text), Fraction(1, 2 * 10 ** len(text.partition(".")[2]))
    half += Fraction(3, n)
    if not any(abs(Fraction(100 * step, n) - printed) <= half for step in range(-n, n + 1)):
        return Fraction(0), Fraction(0)
    chance = below = above = Fraction(0)
    for end, weight in ranked(counts, n_resamples, rank).items():
        chance += weight * (abs(end - printed) <= half)
        below += weight * (end <= printed + half)
        above += weight * (end >= printed - half)
    return chance, min(below, above)


@pytest.mark.parametrize("text", ["0", "33", "33.3", "-33.3", "50", "66.7", "99"])
@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize(
    ("counts", "n_resamples"), [((2, 0, 1), 6), ((3, 1, 1), 4), ((3, 0, 2), 5)]
)
def test_ends_of_drawn_intervals(
    counts: tuple[int, int, int], n_resamples: int, upper: bool, text: str
) -> None:
    n, only_baseline, only_candidate = counts
    distribution = exact.paired_counts(only_baseline, only_candidate, n)
    end = points(text, "end", n)
    for tail in (0.2, 0.4):
        rank = math.floor((n_resamples + 1) * tail)
        found = interval_drawn(
            distribution,
            (ANYTHING, end) if upper else (end, ANYTHING),
            n,
            n_resamples=n_resamples,
            tail=tail,
        )
        at = n_resamples + 1 - rank if upper else rank
        chance, least = by_counting(counts, text, n_resamples, at)
        assert found == pytest.approx((float(chance), float(least)), abs=1e-12)


def test_too_few_draws_have_no_ends() -> None:
    distribution = exact.paired_counts(1, 3, 10)
    both = (ANYTHING, ANYTHING)
    assert interval_drawn(distribution, both, 10, n_resamples=30, tail=0.025) == (0.0, 0.0)
    assert interval_drawn(distribution, both, 10, n_resamples=39, tail=0.025) == (1.0, 1.0)


@pytest.mark.parametrize("text", [".004", "0.00", ".0036", "0.05", "0.5"])
@pytest.mark.parametrize("tail", [0.002, 0.02, 0.25])
def test_drawn_p_values(text: str, tail: float) -> None:
    draws = 5_000
    law = stats.binom(draws, tail)
    fitting = [k for k in range(draws // 2 + 1) if rounds_to(Fraction(2 * k, draws), text)]
    assert fitting
    found = p_drawn(p_value(text), tail, draws, assumed=False)
    assert found.chance == pytest.approx(sum(law.pmf(k) for k in fitting), rel=1e-9, abs=1e-15)
    least = min(law.cdf(fitting[-1]), law.sf(fitting[0] - 1))
    assert found.tail == pytest.approx(least, rel=1e-9, abs=1e-15)


def test_a_p_value_off_the_steps_may_have_one_added() -> None:
    # (9 + 1) 2 / 10,000 of 9,999 draws; no share 2k / 9,999 is printed like this.
    found = p_drawn(p_value("0.00200"), 0.001, 9_999, assumed=False)
    assert found.chance == pytest.approx(stats.binom(9_999, 0.001).pmf(9), rel=1e-9)


def test_a_p_value_off_all_steps_was_not_drawn_so_often() -> None:
    assert p_drawn(p_value("0.8447"), 0.42, 1_000, assumed=False) == (0.0, 0.0)
    # Nobody said 1,000: the digits then tell of more draws and nothing else.
    assert p_drawn(p_value("0.8447"), 0.42, 1_000, assumed=True).plausible
    assert not p_drawn(p_value("0.8447"), 0.30, 1_000, assumed=True).plausible


def test_a_p_value_of_one_is_any_half() -> None:
    assert p_drawn(p_value("1.000"), 0.6, 1_000, assumed=False) == pytest.approx((1.0, 1.0))


@pytest.mark.parametrize("text", ["97", "96.9", "100", "50.0"])
@pytest.mark.parametrize("ahead", [0.5, 0.97, 0.999])
def test_drawn_shares(text: str, ahead: float) -> None:
    draws = 2_000
    fitting = [k for k in range(draws + 1) if rounds_to(Fraction(100 * k, draws), text)]
    found = share_drawn(share(text), ahead, draws, assumed=False)
    wanted = sum(stats.binom(draws, ahead).pmf(k) for k in fitting)
    assert found.chance == pytest.approx(wanted, rel=1e-9, abs=1e-15)


def test_likely_together() -> None:
    found = Likely(0.5, 0.4).beside(Likely(0.1, 0.6))
    assert found == pytest.approx((0.05, 0.4))


@pytest.mark.parametrize("n_resamples", [1_000, 2_000, 5_000, 10_000])
def test_interpolated_ends_are_near_those_of_the_draws(n_resamples: int) -> None:
    """NumPy's rule on whole steps: never further from a whole step than is allowed for."""
    steps = np.arange(n_resamples) * 1.0  # every two neighbours a step apart
    for tail in (0.025, 0.975):
        end = np.quantile(steps, tail)
        assert abs(end - round(end)) <= float(INTERPOLATED)
