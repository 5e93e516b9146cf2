"""Intervals of a difference of two independent proportions."""

from __future__ import annotations

import math
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import confint_proportions_2indep

from deadheat.errors import InferenceError
from deadheat.intervals import agresti_caffo, newcombe, wald
from vectors import close, vectors

METHODS: dict[str, ModuleType] = {
    "wald": wald,
    "agresti_caffo": agresti_caffo,
    "newcombe": newcombe,
}
THEIRS = {"wald": "wald", "agresti_caffo": "agresti-caffo", "newcombe": "newcomb"}
ALL = pytest.mark.parametrize("name", METHODS)


@pytest.mark.parametrize("vector", vectors("intervals.unpaired"), ids=lambda v: v["name"])
def test_vector(vector: dict[str, Any]) -> None:
    sides = vector["input"]
    interval = METHODS[sides["method"]].two_proportions(
        sides["k_a"], sides["n_a"], sides["k_b"], sides["n_b"], confidence_level=sides["conf"]
    )
    assert close(vector, "lower", interval.low)
    assert close(vector, "upper", interval.high)


@ALL
@given(data=st.data())
def test_statsmodels_agrees(name: str, data: st.DataObject) -> None:
    n, m = data.draw(st.integers(5, 400)), data.draw(st.integers(5, 400))
    k, j = data.draw(st.integers(1, n - 1)), data.draw(st.integers(1, m - 1))
    low, high = confint_proportions_2indep(j, m, k, n, alpha=0.1, method=THEIRS[name])
    interval = METHODS[name].two_proportions(k, n, j, m, confidence_level=0.9)
    assert interval.low == pytest.approx(max(low, -1.0), abs=1e-9)
    assert interval.high == pytest.approx(min(high, 1.0), abs=1e-9)


@ALL
def test_swapping_negates(name: str) -> None:
    forth = METHODS[name].two_proportions(11, 25, 18, 20)
    back = METHODS[name].two_proportions(18, 20, 11, 25)
    assert forth.low == pytest.approx(-back.high, abs=1e-15)


@ALL
def test_one_sided(name: str) -> None:
    two = METHODS[name].two_proportions(11, 25, 18, 20, confidence_level=0.9)
    greater = METHODS[name].two_proportions(11, 25, 18, 20, alternative="greater")
    assert (greater.low, greater.high) == (pytest.approx(two.low), math.inf)


@ALL
@pytest.mark.parametrize("sides", [(0, 0, 3, 5), (3, 5, 0, 0)])
def test_no_items_on_a_side_is_undefined(name: str, sides: tuple[int, int, int, int]) -> None:
    assert not METHODS[name].two_proportions(*sides).defined


@ALL
def test_impossible_counts_are_refused(name: str) -> None:
    with pytest.raises(InferenceError, match="7 of 5"):
        METHODS[name].two_proportions(7, 5, 1, 5)
