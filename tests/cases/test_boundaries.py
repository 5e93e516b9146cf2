"""Class A of the faults of other tools, rows 3 and 6 to 9: intervals at the edge of the range."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

import deadheat
from cases.data import Write, cells, discordant, said
from cases.sides import compared

CLOSED = ["tango", "newcombe", "bonett_price", "agresti_min"]


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [
        (10, 10, 0.722467, 1.0),
        (0, 10, 0.0, 0.277533),
        (0, 50, 0.0, 0.071348),
    ],
)
def test_nought_or_all_right_keeps_a_width(k: int, n: int, low: float, high: float) -> None:
    """Row 3: Wilson at the boundary, on its own and as a side of a comparison."""
    scores = [1] * k + [0] * (n - k)
    interval = deadheat.score(scores).systems[0].interval
    assert interval.method == "wilson"
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=5e-7)
    side = deadheat.compare(scores, scores).candidate.interval
    assert (side.low, side.high) == (interval.low, interval.high)


@pytest.mark.parametrize("method", ["wilson", "clopper_pearson", "jeffreys", "agresti_coull"])
@pytest.mark.parametrize("n", [1, 2, 10, 50, 5_000])
def test_every_interval_of_a_proportion_keeps_a_width_at_both_ends(method: str, n: int) -> None:
    """Row 3: no method that is meant for proportions collapses at 0 of n or n of n."""
    judge = {"clopper_pearson": "beta"}.get(method, method)
    for k in (0, n):
        scores = [1] * k + [0] * (n - k)
        interval = deadheat.score(scores, method=method).systems[0].interval
        low, high = proportion_confint(k, n, method=judge)
        assert interval.low < interval.high
        assert (interval.low, interval.high) == pytest.approx(
            (max(low, 0.0), min(high, 1.0)), abs=1e-7
        )


def test_no_items_are_undefined_and_not_a_rate_of_zero(run: Any, write: Write) -> None:
    """Row 3: 0 of 0 is refused."""
    table = write("t.csv", "item,score\n")
    done = run("score", table)
    assert done.returncode == 2
    assert done.stdout == ""


@pytest.mark.parametrize("n", [2, 3, 40])
def test_the_standard_error_divides_by_n_less_one(n: int) -> None:
    """Row 6: SE of a mean difference is sd (ddof 1) / sqrt(n), from n = 2 on; n = 1 has none."""
    baseline = np.zeros(n)
    candidate = np.arange(n) / 7.0
    got = deadheat.compare(baseline, candidate).difference.standard_error
    assert got == pytest.approx(stats.sem(candidate), rel=1e-12)


def test_resamples_have_the_spread_that_theory_gives_them() -> None:
    """Row 6: drawing n of n with replacement neither widens nor narrows: 60 of 100 right."""
    scores = [1] * 60 + [0] * 40
    interval = deadheat.score(scores, method="normal").systems[0].interval
    width = (interval.high - interval.low) / (2 * stats.norm.ppf(0.975))
    assert width == pytest.approx(math.sqrt(0.6 * 0.4 / 100), rel=0.01)


@pytest.mark.parametrize("pattern", [(-1, 1), (-0.5, 0.5), (-2, 0, 2)])
@pytest.mark.parametrize("method", ["bca", "bca_t"])
def test_bca_without_acceleration_is_still_an_interval(
    pattern: tuple[float, ...], method: str
) -> None:
    """Row 7: where leave-one-out values give no skewness, a = 0 and ends are finite."""
    difference = np.array(pattern * 12, dtype=float)
    interval = deadheat.compare(
        np.zeros(len(difference)), difference, method=method
    ).difference.interval
    assert interval.method == method
    assert -interval.low == pytest.approx(interval.high, rel=1e-9)
    assert interval.high > 0.0


@dataclass(frozen=True)
class OfShare:
    """A function of the share of right outputs, as a third party might add one."""

    function: Callable[[Any], Any]
    name: str = "of_share"
    greater_is_better: bool = True
    takes: str = "labels"
    is_mean: bool = False
    bounds: tuple[float, float] = (0.0, 1.0)
    signature: str = "of_share|v:1"

    def bind(self, labels: Any, present: Any) -> OfShare:
        return self

    def statistics(self, references: Any, outputs: Any) -> Any:
        right = (np.asarray(references) == np.asarray(outputs)).astype(float)
        return np.stack([right, np.ones_like(right)], axis=-1)

    def value(self, totals: Any) -> Any:
        return self.function(totals[..., 0] / totals[..., 1])

    def undefined(self, totals: Any) -> Any:
        return np.zeros(totals.shape[:-1], dtype=bool)


def share_right(share: float, n: int) -> dict[str, Any]:
    """A baseline that is always wrong and a candidate with a share of n right."""
    right = round(share * n)
    return {
        "sources": (["x"] * n, ["y"] * right + ["x"] * (n - right)),
        "references": ["y"] * n,
        "n_resamples": 999,
    }


@pytest.mark.parametrize("method", ["bca", "bca_t"])
@pytest.mark.parametrize("steps", [2, 5])
def test_bca_where_every_leave_one_out_value_is_equal(method: str, steps: int) -> None:
    """Row 7: acceleration 0/0 while resamples vary, as with a median: a = 0, or percentile said."""
    metric = OfShare(lambda share: np.round(share * steps) / steps)
    interval = compared(share_right(0.6, 40), metric=metric, method=method)["difference"][
        "interval"
    ]
    assert interval["low"] is not None
    assert interval["low"] < interval["high"]
    assert interval["method"] == method or interval["note"]


@pytest.mark.parametrize("method", ["auto", "bca", "bca_t", "percentile"])
@pytest.mark.parametrize("share", [0.5, 0.45, 0.55])
def test_an_estimator_that_piles_up_on_its_bound_has_ends(method: str, share: float) -> None:
    """Row 8: half of the resamples or more are at the bound: finite ends and the method in them."""
    metric = OfShare(lambda value: np.maximum(value - 0.5, 0.0))
    found = compared(share_right(share, 40), metric=metric, method=method)["difference"]
    interval = found["interval"]
    assert interval["low"] is not None
    assert 0.0 <= interval["low"] <= found["estimate"] <= interval["high"] <= 0.5
    assert method in ("auto", interval["method"]) or interval["note"]


NEAR_THE_BOUND = [1] * 9 + [0]


def test_percentile_of_nine_of_ten() -> None:
    """Row 9: the exact percentile interval of 9 of 10 is [0.7, 1.0]."""
    interval = deadheat.score(NEAR_THE_BOUND, method="percentile").systems[0].interval
    assert (interval.low, interval.high) == pytest.approx((0.7, 1.0), abs=1e-12)


@pytest.mark.parametrize("method", ["basic", "normal", "student_t"])
@pytest.mark.parametrize(
    "scores", [NEAR_THE_BOUND, [0] * 9 + [1], [1] * 58 + [0] * 2], ids=["high", "low", "58 of 60"]
)
def test_an_interval_of_one_system_does_not_leave_the_range_unsaid(
    method: str, scores: list[int]
) -> None:
    """Row 9: beyond the range of accuracy: clipped, or left there with a note, or refused."""
    try:
        card = deadheat.score(scores, method=method).to_dict()
    except deadheat.DeadheatError:
        return
    interval = card["systems"][0]["interval"]
    inside = 0.0 <= interval["low"] <= interval["high"] <= 1.0
    assert inside or "range" in interval.get("note", "") + said(card)


@pytest.mark.parametrize("method", ["basic", "normal", "student_t", "wald"])
def test_an_interval_of_a_difference_does_not_leave_the_range_unsaid(method: str) -> None:
    """Row 9: a difference of two accuracies lies between -1 and 1."""
    baseline, candidate = cells(1, 0, 11, 0)
    try:
        found = deadheat.compare(baseline, candidate, method=method).to_dict()
    except deadheat.DeadheatError:
        return
    interval = found["difference"]["interval"]
    inside = -1.0 <= interval["low"] <= interval["high"] <= 1.0
    assert inside or "range" in interval.get("note", "") + said(found)


@pytest.mark.parametrize("method", ["percentile", "expanded", "bca", "bca_t", *CLOSED])
def test_default_methods_stay_in_the_range(method: str) -> None:
    """Row 9: no method that is chosen without being asked for leaves [-1, 1]."""
    for only_a, only_b, n in ((0, 11, 12), (1, 59, 60), (0, 59, 60), (12, 0, 12)):
        interval = deadheat.compare(
            *discordant(only_a, only_b, n), method=method
        ).difference.interval
        assert -1.0 <= interval.low <= interval.high <= 1.0
