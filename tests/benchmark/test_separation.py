"""Spread, resolution and clusters against plain formulas and `rank`."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

import deadheat
from benchmark.boards import CLUSTERS, GRADED, NAMES, RIGHT, checked, found, frame, messages
from deadheat import power


def paired_errors(table: np.ndarray) -> np.ndarray:
    pairs = combinations(range(table.shape[1]), 2)
    return np.array([stats.sem(table[:, j] - table[:, i]) for i, j in pairs])


@pytest.mark.parametrize("table", [RIGHT, GRADED], ids=["0/1", "graded"])
def test_spread_by_plain_formulas(table: np.ndarray) -> None:
    result = deadheat.check(frame(table))
    spread = result.spread
    assert spread is not None
    values = np.sort(table.mean(axis=0))
    errors = paired_errors(table)
    assert spread.sd == pytest.approx(values.std(ddof=1))
    assert spread.standard_error == pytest.approx(np.median(errors[errors > 0]))
    assert spread.ratio == pytest.approx(values.std(ddof=1) / np.median(errors[errors > 0]))
    assert spread.range == pytest.approx(values[-1] - values[0])
    assert spread.first_gap == pytest.approx(values[-1] - values[-2])
    assert spread.n_identical == 0


def test_pairs_are_those_that_rank_puts_in_order() -> None:
    result, board = checked(), deadheat.rank(frame())
    assert result.spread is not None
    assert result.spread.n_pairs == len(board.pairs.members) == math.comb(len(NAMES), 2)
    assert result.spread.n_resolved == int(board.pairs.separated.sum())
    by_system = {row.system: (row.value, row.interval) for row in board.systems}
    assert {row.system: (row.value, row.interval) for row in result.systems} == by_system
    assert [row.system for row in result.systems] == [row.system for row in board.systems]


def test_resolution_is_connors_for_each_pair() -> None:
    result = checked()
    resolution = result.resolution
    assert resolution is not None
    gaps, shares = [], []
    for i, j in combinations(range(RIGHT.shape[1]), 2):
        share = float(np.mean(RIGHT[:, i] != RIGHT[:, j]))
        gap = power.minimum_detectable(len(RIGHT), discordance=share)
        # The formula itself, at the gap that solves it.
        assert power.connor(gap, share) == pytest.approx(len(RIGHT))
        gaps.append(gap)
        shares.append(share)
    assert resolution.minimum_detectable == pytest.approx(np.median(gaps))
    assert (resolution.low, resolution.high) == pytest.approx((min(gaps), max(gaps)))
    assert resolution.items == pytest.approx(np.median(gaps) * len(RIGHT))
    assert resolution.discordance == pytest.approx(np.median(shares))
    assert resolution.n_pairs == len(gaps)


def test_resolution_of_means_is_a_multiple_of_the_standard_error() -> None:
    resolution = deadheat.check(frame(GRADED)).resolution
    assert resolution is not None
    gaps = (stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) * paired_errors(GRADED)
    assert resolution.minimum_detectable == pytest.approx(np.median(gaps))
    assert (resolution.low, resolution.high) == pytest.approx((gaps.min(), gaps.max()))
    assert math.isnan(resolution.items)
    assert math.isnan(resolution.discordance)


def test_equally_good_systems_are_spread_by_seven_tenths_of_an_error() -> None:
    """The standard deviation of independent systems is that of their values, 1/sqrt(2) of the
    standard error of a difference."""
    rng = np.random.default_rng(1)
    ratios = []
    for _ in range(12):
        systems = {f"s{k}": rng.integers(0, 2, 120) for k in range(12)}
        spread = deadheat.check(systems, n_resamples=99, confidence_level=0.9).spread
        assert spread is not None
        ratios.append(spread.ratio)
    assert np.mean(ratios) == pytest.approx(math.sqrt(0.5), abs=0.12)


@pytest.mark.parametrize(
    ("right", "severity"),
    [((150, 150, 150), "warning"), ((150, 165, 180), "notice"), ((60, 150, 240), "ok")],
)
def test_levels_of_the_spread(right: tuple[int, ...], severity: str) -> None:
    """Independent systems on 300 items: a difference has an error of some 4 points, and the
    standard deviations are 0, 5 and 30 points."""
    rng = np.random.default_rng(3)
    systems = {str(n) + "abc"[k]: rng.permutation(300) < n for k, n in enumerate(right)}
    result = deadheat.check(systems)
    assert result.spread is not None
    assert result.spread.sd == pytest.approx(np.std(right, ddof=1) / 300)
    assert result.spread.standard_error == pytest.approx(0.04, abs=0.005)
    assert found("spread", result).severity == severity


def test_identical_systems_cannot_be_told_apart() -> None:
    same = [1, 0, 1, 1] * 20
    result = deadheat.check({"a": same, "b": same, "c": same})
    assert result.spread is not None
    assert math.isnan(result.spread.ratio)
    assert result.spread.n_identical == 3
    assert result.resolution is None
    assert found("spread", result).severity == "problem"
    assert found("order", result).severity == "warning"
    assert result.to_dict()["spread"]["ratio"] is None


def test_two_identical_ones_among_others_are_counted() -> None:
    table = RIGHT.copy()
    table[:, 1] = table[:, 0]
    result = deadheat.check(frame(table))
    assert result.spread is not None
    assert result.spread.n_identical == 1
    assert result.resolution is not None
    assert result.resolution.n_pairs == result.spread.n_pairs - 1
    assert "1 has the same score on every item" in found("order", result).found


def test_equal_values_are_not_equal_systems() -> None:
    result = deadheat.check({"a": [1, 0] * 40, "b": [0, 1] * 40})
    assert result.spread is not None
    assert result.spread.n_identical == 0
    assert result.spread.sd == 0.0


def test_too_few_differences_for_any_gap() -> None:
    a = [1] * 90 + [0] * 10
    result = deadheat.check({"a": a, "b": [*a[:89], 0, *a[90:]]})
    assert result.resolution is None
    assert found("resolution", result).severity == "problem"
    assert any("resolution" in message for message in messages(result)["not_computed"])


def test_a_lead_that_the_items_resolve() -> None:
    result = deadheat.check({"a": [1] * 90 + [0] * 10, "b": [1] * 40 + [0] * 60})
    assert found("resolution", result).severity == "ok"
    assert found("order", result).severity == "ok"


# -- clusters --------------------------------------------------------------------------------------


def test_clusters_of_one_item_change_nothing() -> None:
    alone = deadheat.check(frame(cluster=[f"c{k}" for k in range(len(RIGHT))]))
    assert alone.unit.kind == "item"
    assert alone.design_effect is None
    assert alone.spread == checked().spread


def test_items_that_come_four_times_are_worth_a_quarter() -> None:
    """Every item four times in a cluster: the variance is four times that of free items."""
    table = np.repeat(RIGHT[:40], 4, axis=0)
    result = deadheat.check(frame(table, cluster=CLUSTERS))
    single = deadheat.check(frame(RIGHT[:40]))
    assert result.design_effect is not None
    assert (result.unit.kind, result.unit.n) == ("cluster", 40)
    # Resamples of 40 clusters, and n - 1 against n in the variances of 160 and 40.
    for effect in (result.design_effect.median, result.design_effect.low):
        assert effect == pytest.approx(4 * 159 / 160, rel=0.06)
    assert found("clusters", result).severity == "notice"
    told = result.to_dict()["unit"]
    assert told["effective_items"] == pytest.approx(160 / result.design_effect.median)
    assert result.reliability is not None
    assert single.reliability is not None
    assert result.reliability.alpha.value == pytest.approx(single.reliability.alpha.value)
    assert math.isnan(result.resolution.items)  # type: ignore[union-attr]


def test_few_clusters_are_judged_by_their_robust_errors() -> None:
    groups = [k // 16 for k in range(160)]
    result = deadheat.check(frame(cluster=groups))
    assert result.unit.n == 10
    assert result.exact
    errors, free = [], []
    for i, j in combinations(range(RIGHT.shape[1]), 2):
        gaps = RIGHT[:, j] - RIGHT[:, i]
        totals = np.bincount(groups, gaps)
        # All clusters have 16 items: the error is that of ten means.
        errors.append(stats.sem(totals / 16))
        free.append(stats.sem(gaps))
    assert result.spread is not None
    assert result.spread.standard_error == pytest.approx(np.median(errors))
    assert result.design_effect is not None
    assert result.design_effect.median == pytest.approx(np.median((np.array(errors) / free) ** 2))
    z = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    assert result.resolution is not None
    assert result.resolution.minimum_detectable == pytest.approx(z * np.median(errors))


def test_strata_are_no_clusters() -> None:
    strata = ["x"] * 80 + ["y"] * 80
    result = deadheat.check(frame(stratum=strata), n_resamples=499)
    assert result.design_effect is None
    assert result.unit.n_strata == 2
    assert result.discrimination == deadheat.check(frame(), n_resamples=499).discrimination


@pytest.mark.parametrize("weighting", ["pooled", "macro"])
def test_random_strata_keep_the_items(weighting: str) -> None:
    strata = [k // 20 for k in range(160)]
    result = deadheat.check(
        frame(stratum=strata),
        strata="random",
        weighting=weighting,
        n_resamples=499,  # type: ignore[arg-type]
    )
    assert result.unit.kind == "stratum"
    assert result.items.informative == checked().items.informative
    assert result.reliability is not None
    assert result.items_frame().height == 160
