"""Numbers of items against R, statsmodels and the published table."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from statsmodels.stats.power import TTestPower

from deadheat.errors import InferenceError
from deadheat.power import connor, items_for_means, items_to_resolve, minimum_detectable
from vectors import close, vectors


@pytest.mark.parametrize("vector", vectors("planning.mcnemar", "connor_n"), ids=lambda v: v["name"])
def test_vector(vector: dict[str, Any]) -> None:
    given_ = vector["input"]
    gap = given_["p_b_only"] - given_["p_a_only"]
    discordance = given_["p_b_only"] + given_["p_a_only"]
    levels = {"power": given_["power"], "alpha": given_["alpha"]}
    assert close(vector, "n_raw", connor(gap, discordance, **levels))
    if "n" in vector["expected"]:
        found = items_to_resolve(gap, discordance, **levels)
        assert found == vector["expected"]["n"]


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


def test_no_gap_has_no_number() -> None:
    assert items_to_resolve(0.0, 0.1) is None
    assert items_for_means(0.0, 1.0) is None


def test_sign_of_the_gap_does_not_matter() -> None:
    assert items_to_resolve(-0.02, 0.1) == items_to_resolve(0.02, 0.1)
    assert items_for_means(-0.2, 1.0) == items_for_means(0.2, 1.0)


@pytest.mark.parametrize(("gap", "discordance"), [(0.2, 0.1), (0.1, 1.2), (0.1, 0.0)])
def test_impossible_discordance_is_refused(gap: float, discordance: float) -> None:
    with pytest.raises(InferenceError, match="does not go with"):
        items_to_resolve(gap, discordance)


@pytest.mark.parametrize("share", [0.0, 1.0, -1.0, math.nan])
def test_levels_are_checked(share: float) -> None:
    with pytest.raises(InferenceError, match="power is"):
        items_to_resolve(0.1, 0.2, power=share)
    with pytest.raises(InferenceError, match="alpha is"):
        items_for_means(0.1, 0.2, alpha=share)
    with pytest.raises(InferenceError, match="alpha is"):
        minimum_detectable(10, sd=1.0, alpha=share)


def test_means_at_half_a_standard_deviation() -> None:
    """CASES 81: 33.367, so 34."""
    assert items_for_means(0.5, 1.0) == 34


@pytest.mark.parametrize("effect", [0.05, 0.1, 0.3, 0.8, 2.0])
@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
def test_means_are_the_least_number_by_statsmodels(effect: float, power: float) -> None:
    n = items_for_means(effect * 3.0, 3.0, power=power)
    assert n is not None
    judge = TTestPower()
    slack = 1e-6 if n <= 2_000 else 1e-4
    assert judge.power(effect, n, 0.05) >= power - slack
    if n > 2:
        assert judge.power(effect, n - 1, 0.05) < power + slack


@given(
    n=st.integers(20, 100_000),
    discordance=st.floats(0.01, 1.0),
    power=st.sampled_from([0.3, 0.5, 0.8, 0.95]),
)
def test_detectable_gap_needs_that_many_items(n: int, discordance: float, power: float) -> None:
    gap = minimum_detectable(n, discordance=discordance, power=power)
    assume(not math.isnan(gap))
    assert connor(gap, discordance, power=power) == pytest.approx(n, rel=1e-6)


def test_no_detectable_gap_at_so_few_discordant_items() -> None:
    assert math.isnan(minimum_detectable(20, discordance=0.05))


def test_detectable_mean() -> None:
    gap = minimum_detectable(400, sd=0.5)
    assert gap == pytest.approx((1.959963984540054 + 0.8416212335729143) * 0.5 / 20)


def test_detectable_arguments() -> None:
    for spread in ({}, {"sd": 1.0, "discordance": 0.1}):
        with pytest.raises(InferenceError, match="either sd or discordance"):
            minimum_detectable(10, **spread)
    with pytest.raises(InferenceError, match="standard deviation"):
        minimum_detectable(10, sd=0.0)
    with pytest.raises(InferenceError, match=r"discordance is 1\.5"):
        minimum_detectable(10, discordance=1.5)
    with pytest.raises(InferenceError, match="0 items"):
        minimum_detectable(0, sd=1.0)
