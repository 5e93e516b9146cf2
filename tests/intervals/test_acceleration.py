"""Acceleration from leave-one-out values and from influences."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from deadheat.intervals.acceleration import acceleration, pooled_acceleration
from vectors import close, vectors


def jackknife_of_mean(data: np.ndarray) -> np.ndarray:
    return (data.sum() - data) / (data.size - 1)


@pytest.mark.parametrize(
    "vector", vectors("intervals.bootstrap", "accel_popvar"), ids=lambda v: v["name"]
)
def test_spatial_data_of_efron_and_tibshirani(vector: dict) -> None:  # type: ignore[type-arg]
    data = np.array(vector["input"]["data"], dtype=float)
    left_out = np.array([np.var(np.delete(data, i)) for i in range(data.size)])
    a = acceleration(left_out)
    assert close(vector, "a", a)
    assert a == pytest.approx(0.061, abs=5e-4)
    if "estimate" in vector["expected"]:
        assert close(vector, "estimate", float(np.var(data)))


def test_mean_has_skewness_over_six_root_n() -> None:
    data = np.random.default_rng(0).gamma(2.0, size=40)
    expected = stats.skew(data) / (6.0 * math.sqrt(40))
    assert acceleration(jackknife_of_mean(data)) == pytest.approx(expected)


@given(
    values=st.lists(st.integers(-5, 5), min_size=2, max_size=8, unique=True),
    data=st.data(),
)
def test_multiplicities_equal_repetition(values: list[int], data: st.DataObject) -> None:
    m = data.draw(st.lists(st.integers(1, 5), min_size=len(values), max_size=len(values)))
    expanded = acceleration(np.repeat(values, m))
    assert acceleration(values, m) == pytest.approx(expanded, abs=1e-12)
    assert pooled_acceleration(values, multiplicities=[m]) == pytest.approx(-expanded, abs=1e-12)


@pytest.mark.parametrize("constant", [0.0, 3.0, 0.1, 1e9])
def test_equal_values_give_zero(constant: float) -> None:
    noise = constant * 1e-16 * np.random.default_rng(0).standard_normal(20)
    assert acceleration(constant + noise) == 0.0


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_scale_and_location_do_not_matter(scale: float) -> None:
    data = np.random.default_rng(0).gamma(2.0, size=40)
    assert acceleration(scale * data) == pytest.approx(acceleration(data), rel=1e-9)
    assert acceleration(-data) == pytest.approx(-acceleration(data))
    assert acceleration(data + 7.0) == pytest.approx(acceleration(data), rel=1e-9)


def test_a_million_items_with_one_discordant_are_not_taken_for_rounding() -> None:
    values = np.array([0.0, 1.0]) / (1e6 - 1)
    a = acceleration(0.7 - values, [999_999, 1])
    assert a == pytest.approx(1 / 6, rel=1e-3)


def test_undefined_value_is_undefined() -> None:
    assert math.isnan(acceleration([0.1, math.nan, 0.3]))


def test_pooled_is_the_skewness_of_the_difference_of_means() -> None:
    """For means, a = third cumulant / (6 variance^1.5) of the bootstrap difference."""
    rng = np.random.default_rng(1)
    x, y = rng.gamma(2.0, size=30), rng.gamma(1.0, size=50)
    third = stats.moment(y, 3) / 50**2 - stats.moment(x, 3) / 30**2
    variance = np.var(y) / 50 + np.var(x) / 30
    assert pooled_acceleration(-x, y) == pytest.approx(third / (6.0 * variance**1.5))
