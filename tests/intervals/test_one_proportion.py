"""Intervals of one proportion against R, statsmodels and scipy."""

from __future__ import annotations

import math
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from deadheat.errors import InferenceError
from deadheat.intervals import (
    agresti_coull,
    clopper_pearson,
    jeffreys,
    jeffreys_mod,
    uniform,
    wald,
    wilson,
    wilson_cc,
)
from vectors import close, vectors

METHODS: dict[str, ModuleType] = {
    "wald": wald,
    "wilson": wilson,
    "wilson_cc": wilson_cc,
    "agresti_coull": agresti_coull,
    "clopper_pearson": clopper_pearson,
    "jeffreys": jeffreys,
    "jeffreys_mod": jeffreys_mod,
    "bayes_uniform": uniform,
}
ALL = pytest.mark.parametrize("method", METHODS.values(), ids=METHODS.keys())


@pytest.mark.parametrize("vector", vectors("intervals.single", "prop_ci"), ids=lambda v: v["name"])
def test_vector(vector: dict[str, Any]) -> None:
    given_ = vector["input"]
    interval = METHODS[given_["method"]].one_proportion(
        given_["k"], given_["n"], confidence_level=given_["conf"]
    )
    assert close(vector, "lower", interval.low)
    assert close(vector, "upper", interval.high)


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [
        (10, 10, 0.722467, 1.0),
        (0, 10, 0.0, 0.277533),
        (0, 50, 0.0, 0.071348),
        (150, 300, 0.4437, 0.5563),
        (15, 30, 0.3315, 0.6685),
    ],
)
def test_wilson_at_the_edges(k: int, n: int, low: float, high: float) -> None:
    """CASES 3 and 42: never of zero width."""
    interval = wilson.one_proportion(k, n)
    assert interval.low == pytest.approx(low, abs=1e-4)
    assert interval.high == pytest.approx(high, abs=1e-4)
    if k == 0:
        assert interval.low == 0.0
    if k == n:
        assert interval.high == 1.0


def test_clopper_pearson_all_right() -> None:
    """The lower end at k = n is (alpha / 2)^(1 / n); CASES 3."""
    interval = clopper_pearson.one_proportion(10, 10)
    assert interval.low == pytest.approx(0.025 ** (1 / 10), rel=1e-12)
    assert interval.high == 1.0


def test_clopper_pearson_inverts_the_binomial() -> None:
    interval = clopper_pearson.one_proportion(7, 40, confidence_level=0.9)
    assert stats.binom.sf(6, 40, interval.low) == pytest.approx(0.05)
    assert stats.binom.cdf(7, 40, interval.high) == pytest.approx(0.05)


def test_jeffreys_mod_touches_the_edges_only_there() -> None:
    assert jeffreys_mod.one_proportion(0, 20).low == 0.0
    assert jeffreys_mod.one_proportion(20, 20).high == 1.0
    plain, modified = jeffreys.one_proportion(3, 20), jeffreys_mod.one_proportion(3, 20)
    assert (modified.low, modified.high) == (plain.low, plain.high)
    assert jeffreys.one_proportion(0, 20).low > 0.0
    assert jeffreys_mod.one_proportion(0, 20).high == jeffreys.one_proportion(0, 20).high
    assert jeffreys_mod.one_proportion(0, 20, alternative="less").low == -math.inf


@ALL
def test_no_items_is_undefined(method: ModuleType) -> None:
    """CASES 3: 0 of 0 is not (0, 0)."""
    interval = method.one_proportion(0, 0)
    assert math.isnan(interval.low)
    assert math.isnan(interval.high)
    assert interval.note


@ALL
@pytest.mark.parametrize(("k", "n"), [(3, 2), (-1, 4), (1, math.inf), (math.nan, 3)])
def test_impossible_counts_are_refused(method: ModuleType, k: float, n: float) -> None:
    with pytest.raises(InferenceError, match="not a proportion"):
        method.one_proportion(k, n)


@ALL
def test_one_sided_end_is_that_of_twice_alpha(method: ModuleType) -> None:
    two = method.one_proportion(33, 50, confidence_level=0.9)
    greater = method.one_proportion(33, 50, alternative="greater")
    less = method.one_proportion(33, 50, alternative="less")
    assert greater.low == pytest.approx(two.low, abs=1e-12)
    assert greater.high == math.inf
    assert less.high == pytest.approx(two.high, abs=1e-12)
    assert less.low == -math.inf


@ALL
@given(data=st.data())
def test_wrong_answers_mirror_right_ones(method: ModuleType, data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 300))
    k = data.draw(st.integers(0, n))
    right, wrong = method.one_proportion(k, n), method.one_proportion(n - k, n)
    assert right.low == pytest.approx(1.0 - wrong.high, abs=1e-12)
    assert 0.0 <= right.low <= right.high <= 1.0


@ALL
@given(data=st.data())
def test_levels_nest(method: ModuleType, data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 300))
    k = data.draw(st.integers(0, n))
    narrow, middle, wide = (
        method.one_proportion(k, n, confidence_level=level) for level in (0.9, 0.95, 0.99)
    )
    assert wide.low <= middle.low <= narrow.low <= narrow.high <= middle.high <= wide.high


@pytest.mark.parametrize(
    ("method", "theirs"),
    [(wilson, "wilson"), (clopper_pearson, "beta"), (jeffreys, "jeffreys"), (wald, "normal")],
)
@given(data=st.data())
def test_statsmodels_agrees(method: ModuleType, theirs: str, data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 2_000))
    k = data.draw(st.integers(1, n - 1))
    low, high = proportion_confint(k, n, alpha=0.1, method=theirs)
    interval = method.one_proportion(k, n, confidence_level=0.9)
    assert interval.low == pytest.approx(low, abs=1e-9)
    assert interval.high == pytest.approx(high, abs=1e-9)


@given(k=st.integers(0, 60))
def test_wilson_is_the_score_test_inverted(k: int) -> None:
    interval = wilson.one_proportion(k, 60)
    for end in {interval.low, interval.high} - {0.0, 1.0}:
        z = (k / 60 - end) / math.sqrt(end * (1 - end) / 60)
        assert abs(z) == pytest.approx(1.959963984540054)


def test_wald_without_spread_says_so() -> None:
    assert "says nothing" in wald.one_proportion(10, 10).note
    assert wald.one_proportion(9, 10).note == ""


def test_wilson_accepts_effective_numbers() -> None:
    assert wilson.one_proportion(7.5, 12.25).defined
