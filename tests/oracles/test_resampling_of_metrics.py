"""Resampling of statistics against items drawn again and scored again by the judges' libraries."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from scipy import stats

import deadheat
from deadheat.intervals.acceleration import acceleration
from oracles.judges import JUDGES, quietly
from oracles.resamples import Judged, drawn, every_resample

Floats = NDArray[np.float64]

R = 9_999

MEANS = ("accuracy", "brier", "ndcg@2")
CORPUS = tuple(name for name in JUDGES if name not in MEANS)


def compared(case: Judged, **options: Any) -> deadheat.Comparison:
    usual = {"baseline": "a", "candidate": "b", "threads": 1, "method": "percentile"}
    return deadheat.compare(case.data, metric=case.name, **(usual | options))


def difference(values: Floats) -> Floats:
    return values[:, 1] - values[:, 0]


# -- the law of the resamples ---------------------------------------------------------------------


def farthest(draws: Floats, values: Floats, shares: Floats) -> float:
    """Return the greatest distance between two distribution functions, defined values only."""
    defined = ~np.isnan(values)
    values, shares = values[defined], shares[defined] / shares[defined].sum()
    draws = draws[~np.isnan(draws)]
    # Between two values that differ by more than rounding: ties there are not to be told apart.
    points = np.sort(values)
    points = points[np.diff(points, append=math.inf) > 1e-9] + 5e-10
    law = np.array([shares[values <= point].sum() for point in points])
    return float(np.abs(np.searchsorted(np.sort(draws), points) / draws.size - law).max())


def at_most(size: int, chance: float = 1e-6) -> float:
    """Return how far draws stray from their law but for a small chance (Massart 1990)."""
    return math.sqrt(math.log(2.0 / chance) / (2.0 * size))


@pytest.mark.parametrize("name", CORPUS)
def test_all_resamples_of_five_items(name: str) -> None:
    """All 5^5 of them: the two systems, their difference, what is undefined and how often."""
    case = Judged.of(name, 5, seed=23)
    picks, shares = every_resample(5)
    values = case.scored(picks)
    assert np.unique(np.round(difference(values), 9)).size >= 15
    (found,) = drawn(case.data, [name])
    assert found.values == pytest.approx(case.scored([range(5)])[0], abs=1e-11)
    for law, draws in [(values[:, s], found.draws[:, s]) for s in (0, 1)] + [
        (difference(values), difference(found.draws))
    ]:
        assert farthest(draws, law, shares) < at_most(R)
    undefined = shares[np.isnan(values).any(axis=1)].sum()
    missing = np.isnan(found.draws).any(axis=1).sum()
    assert stats.binomtest(int(missing), R, float(undefined)).pvalue > 1e-6
    # Every resample that was drawn is one of those that there are, in both systems at once.
    rows = np.unique(found.draws[~np.isnan(found.draws).any(axis=1)], axis=0)
    apart = np.abs(rows[:, None, :] - values).max(axis=-1)
    assert np.nanmin(apart, axis=1).max() < 1e-9


@pytest.mark.parametrize("name", ["wer", "auroc", "average_precision", "spearman", "kendall"])
def test_all_resamples_of_items_some_of_which_are_alike(name: str) -> None:
    """Three items of one type stand last in the engine's order, and first in the judge's."""
    made = Judged.of(name, 5, seed=23).data
    data = made.filter(pl.col("item") < "q003")
    for item in ("q003", "q004"):
        alike = data.filter(pl.col("item") == "q000").with_columns(item=pl.lit(item))
        data = pl.concat([data, alike])
    case = Judged.read(name, data)
    picks, shares = every_resample(5)
    values = case.scored(picks)
    (found,) = drawn(data, [name])
    assert sorted(found.multiplicities.tolist()) == [1, 1, 3]
    for law, draws in zip(values.T, found.draws.T, strict=True):
        assert farthest(draws, law, shares) < at_most(R)
    assert farthest(difference(found.draws), difference(values), shares) < at_most(R)


@pytest.mark.parametrize("name", CORPUS)
def test_intervals_are_read_off_these_draws(name: str) -> None:
    """STATISTICS.md 0.4: the k-th smallest and the k-th largest, k = floor((R + 1) alpha / 2)."""
    case = Judged.of(name, 12, seed=6)
    (found,) = drawn(case.data, [name], n_resamples=999)
    draws = np.sort(difference(found.draws))
    draws = draws[~np.isnan(draws)]
    for level in (0.6, 0.95):
        k = math.floor((draws.size + 1) * (1.0 - level) / 2.0 + 1e-9)
        told = compared(case, confidence_level=level, n_resamples=999).difference
        assert (told.interval.low, told.interval.high) == (draws[k - 1], draws[-k])
        assert told.standard_error == pytest.approx(draws.std(ddof=1), rel=1e-12)


@pytest.mark.parametrize("name", MEANS)
def test_means_of_five_items_are_exact(name: str) -> None:
    """The outer rule on the enumerated distribution, at every level; no draws."""
    case = Judged.of(name, 5, seed=23)
    picks, shares = every_resample(5)
    values = difference(case.scored(picks))
    for level in (0.6, 0.8, 0.95):
        tail = (1.0 - level) / 2.0
        low = min(v for v in values if shares[values <= v + 1e-9].sum() >= tail)
        high = max(v for v in values if shares[values >= v - 1e-9].sum() >= tail)
        told = compared(case, confidence_level=level).difference
        assert told.exact
        assert (told.interval.low, told.interval.high) == pytest.approx((low, high), abs=1e-9)


FAST = ("bleu", "wer", "span_f1", "macro_f1", "auroc", "ece", "pearson", "kendall")


@pytest.mark.parametrize("name", FAST)
def test_resamples_of_items_have_the_law_of_the_draws(name: str) -> None:
    """Forty items: too many to enumerate, so 300 resamples of items stand against the draws."""
    case = Judged.of(name, 40, seed=8)
    rng = np.random.default_rng(0)
    values = difference(case.scored(rng.integers(40, size=(300, 40)).tolist()))
    (found,) = drawn(case.data, [name])
    ours = difference(found.draws)
    assert not np.isnan(values).any()
    assert stats.ks_2samp(values, ours[~np.isnan(ours)]).pvalue > 1e-4
    # The standard error of a standard deviation from R draws of a normal is sd / sqrt(2 R).
    assert compared(case).difference.standard_error == pytest.approx(
        values.std(ddof=1), rel=4.0 / math.sqrt(2 * 300)
    )


# -- the swap test --------------------------------------------------------------------------------


def exchangeable(case: Judged) -> tuple[list[Any], list[Any]]:
    """Return what two systems exchange: outputs, or where scales differ their places in them."""
    if case.name in ("auroc", "average_precision", "spearman", "kendall"):
        first, second = (stats.rankdata(outputs).tolist() for outputs in case.outputs)
    elif case.name == "pearson":
        first, second = (stats.zscore(outputs).tolist() for outputs in case.outputs)
    else:
        first, second = case.outputs
    return first, second


def every_exchange(case: Judged) -> Floats:
    """Return the difference under each of the 2^n exchanges, the first of which is none."""
    sides = exchangeable(case)
    found = []
    for swapped in product((0, 1), repeat=case.n):
        first, second = (
            [sides[(s + side) % 2][i] for i, s in enumerate(swapped)] for side in (0, 1)
        )
        scores = [quietly(JUDGES[case.name], case.references, side) for side in (first, second)]
        found.append(scores[1] - scores[0])
    return np.array(found)


@pytest.mark.parametrize("name", JUDGES)
def test_every_exchange_of_seven_items(name: str) -> None:
    case = Judged.of(name, 7, seed=13)
    null = every_exchange(case)
    observed, null = null[0], null[~np.isnan(null)]
    assert observed != 0.0
    slack = 1e-9 * max(1.0, np.abs(null).max())
    expected = {
        "two-sided": np.mean(np.abs(null) >= abs(observed) - slack),
        "greater": np.mean(null >= observed - slack),
        "less": np.mean(null <= observed + slack),
    }
    for alternative, p_value in expected.items():
        told = compared(case, alternative=alternative, n_resamples=199).difference
        test = told.tests[0]
        assert test.name == {"accuracy": "mcnemar"}.get(
            name, "sign_flip" if name in MEANS else "swap"
        )
        assert test.exact
        assert told.estimate == pytest.approx(observed, abs=1e-11)
        assert test.p_value == pytest.approx(p_value, abs=1e-12), alternative


# -- BCa ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CORPUS)
@pytest.mark.parametrize("method", ["bca", "bca_t"])
def test_bca_from_items_left_out_one_by_one(name: str, method: str) -> None:
    """Efron (1987) and Hesterberg's (2015) expansion, with the judge's jackknife."""
    n, size = 14, 999
    case = Judged.of(name, n, seed=2)
    jackknife = case.scored([[i for i in range(n) if i != out] for out in range(n)])
    (found,) = drawn(case.data, [name], n_resamples=size)
    ours = np.repeat(found.left_out, found.multiplicities, axis=0)
    assert np.array(sorted(np.round(ours, 9).tolist())) == pytest.approx(
        np.array(sorted(np.round(jackknife, 9).tolist())), abs=2e-9
    )
    influence = difference(jackknife).mean() - difference(jackknife)
    a = (influence**3).sum() / (6.0 * (influence**2).sum() ** 1.5)
    assert acceleration(difference(found.left_out), found.multiplicities) == pytest.approx(a)

    draws, estimate = np.sort(difference(found.draws)), float(found.values[1] - found.values[0])
    assert not np.isnan(draws).any()
    share = ((draws < estimate - 1e-10).mean() + (draws <= estimate + 1e-10).mean()) / 2.0
    z0, tail = stats.norm.ppf(share), 0.025
    if method == "bca_t":
        tail = stats.norm.cdf(math.sqrt(n / (n - 1)) * stats.t.ppf(tail, n - 1))
    ends = []
    for level in (tail, 1.0 - tail):
        z = z0 + stats.norm.ppf(level)
        ends.append(float(stats.norm.cdf(z0 + z / (1.0 - a * z))))
    low = math.floor((size + 1) * ends[0] + 1e-9)
    high = math.floor((size + 1) * (1.0 - ends[1]) + 1e-9)
    told = compared(case, method=method, n_resamples=size).difference.interval
    assert told.method == method
    assert told.low == draws[max(low, 1) - 1]
    assert told.high == draws[-max(high, 1)]
