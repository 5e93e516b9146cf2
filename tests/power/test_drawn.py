"""Intervals of R draws, averaged over the draws: every draw enumerated, and seed 2's simulation."""

from __future__ import annotations

import itertools
import math
from functools import cache

import pytest

from deadheat.errors import InferenceError, UsageError
from deadheat.power import Cells, cells, drawn_percentile, enumerated
from deadheat.significance.mcnemar import mcnemar
from power.trinomial import outcomes

N, R = 3, 4


@cache
def sample(losses: int, wins: int) -> list[tuple[float, list[int]]]:
    """All R draws of bootstrap totals, sorted, with their probabilities."""
    steps = {-1: losses / N, 0: 1.0 - (losses + wins) / N, 1: wins / N}
    law: dict[int, float] = {}
    for items in itertools.product(steps, repeat=N):
        total = sum(items)
        law[total] = law.get(total, 0.0) + math.prod(steps[step] for step in items)
    return [
        (math.prod(law[total] for total in draws), sorted(draws))
        for draws in itertools.product(law, repeat=R)
    ]


@pytest.mark.parametrize(
    "found", [cells(0.5, 0.8, 0.3), cells(0.9, 0.4, -0.4), cells(0.6, 0.6, 0.0)]
)
@pytest.mark.parametrize(("level", "rank"), [(0.6, 1), (0.2, 2)])
def test_every_draw_of_every_outcome(found: Cells, level: float, rank: int) -> None:
    """Four draws: rank 1 is the least and the greatest, rank 2 the two in the middle."""
    coverage = below = above = width = positive = negative = rejected = 0.0
    for lost, won, mass in outcomes(N, found):
        for chance, draws in sample(lost, won):
            low, high = draws[rank - 1] / N, draws[R - rank] / N
            weight = mass * chance
            below += weight * (high < found.gap - 1e-9)
            above += weight * (low > found.gap + 1e-9)
            coverage += weight * (low - 1e-9 <= found.gap <= high + 1e-9)
            width += weight * (high - low)
            positive += weight * (low > 0)
            negative += weight * (high < 0)
        rejected += mass * (mcnemar(lost, won).p_value <= 1.0 - level)
    judge = drawn_percentile(N, found, n_resamples=R, confidence_level=level)
    assert judge.coverage == pytest.approx(coverage, abs=1e-12)
    assert judge.below == pytest.approx(below, abs=1e-12)
    assert judge.above == pytest.approx(above, abs=1e-12)
    assert judge.width == pytest.approx(width, abs=1e-7)
    assert judge.interval_power == pytest.approx(positive + negative, abs=1e-12)
    assert judge.test_power == pytest.approx(rejected, abs=1e-12)


def test_seed_2_within_its_own_noise() -> None:
    """944 of 1,000 simulated intervals covered, 349 excluded 0; 2,000 draws each."""
    found = drawn_percentile(500, cells(0.72, 0.76, 0.36), n_resamples=2_000)
    for share, expected in ((0.944, found.coverage), (0.349, found.interval_power)):
        assert abs(share - expected) < 1.96 * math.sqrt(expected * (1.0 - expected) / 1_000)


def test_many_draws_come_to_the_ideal_interval() -> None:
    """But for the outcomes of which a share of draws lies within its noise of the tail."""
    design = cells(0.72, 0.76, 0.36)
    ideal = enumerated(200, design, method="percentile")
    found = drawn_percentile(200, design, n_resamples=10_000_000)
    for field in ("coverage", "width", "interval_power", "power"):
        assert getattr(found, field) == pytest.approx(getattr(ideal, field), abs=1e-3)


def test_swapping_the_systems_mirrors_everything() -> None:
    one = drawn_percentile(80, cells(0.6, 0.7, 0.2), n_resamples=999)
    other = drawn_percentile(80, cells(0.7, 0.6, 0.2), n_resamples=999)
    assert (one.below, one.above) == pytest.approx((other.above, other.below), abs=1e-13)
    for field in ("coverage", "width", "power", "wrong_sign", "exaggeration"):
        assert getattr(one, field) == pytest.approx(getattr(other, field), rel=1e-9)


def test_systems_that_never_differ() -> None:
    found = drawn_percentile(60, cells(0.7, 0.7, 1.0), n_resamples=999)
    assert (found.coverage, found.power) == (1.0, 0.0)
    assert found.width == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("count", [0, 1, -5, 2.5, math.nan, True, "999", 10**9])
def test_draws_are_counted(count: int) -> None:
    with pytest.raises(InferenceError, match="the number of resamples is"):
        drawn_percentile(50, cells(0.7, 0.8, 0.1), n_resamples=count)


def test_bad_numbers_are_refused() -> None:
    found = cells(0.7, 0.8, 0.1)
    with pytest.raises(InferenceError, match="Draw at least 39 resamples"):
        drawn_percentile(50, found, n_resamples=38)
    with pytest.raises(InferenceError, match="more than 20,000"):
        drawn_percentile(20_001, found, n_resamples=999)
    with pytest.raises(InferenceError, match="the confidence level is 95"):
        drawn_percentile(50, found, n_resamples=999, confidence_level=95)
    with pytest.raises(UsageError, match="the test is 't'"):
        drawn_percentile(50, found, n_resamples=999, test="t")
