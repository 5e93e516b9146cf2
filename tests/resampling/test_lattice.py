from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.resampling.lattice import lattice_of


@given(
    st.integers(1, 400),
    st.lists(st.integers(-400, 400), min_size=1, max_size=60),
    st.sampled_from([1.0, -1.0]),
)
def test_differences_of_k_of_k_points(k, steps, sign):
    # Scores are rounded before they are subtracted, as they are in a file.
    values = sign * (np.array(steps) / k - 1 / k) + 0.0
    found, denominator = lattice_of(values)
    np.testing.assert_allclose(found / denominator, values, atol=1e-12)
    assert k % denominator == 0


@pytest.mark.parametrize(
    ("values", "denominator"),
    [
        ([0, 1, 1, -1], 1),
        ([0.5, -1.0], 2),
        ([1 / 3, 2 / 3, 1.0], 3),
        ([0.1 + 0.2, 0.3, 0.7 - 0.1], 10),
        ([71.25, 70.5], 4),
        ([99.9 - 99.8, 0.1, 12.3 - 45.6], 10),
        ([0.123, 0.5], 1000),
        ([0.0001, 0.5], 10_000),
    ],
)
def test_scores_that_people_give(values, denominator):
    steps, found = lattice_of(values)
    assert found == denominator
    np.testing.assert_allclose(steps / found, values, atol=1e-12)


def test_rounding_joins_what_is_equal():
    steps, _ = lattice_of([0.1 + 0.2, 0.3, 0.6 - 0.3])
    assert np.unique(steps).size == 1


@pytest.mark.parametrize("scale", [1e-15, 1e-6, 1.0, 1e9])
def test_real_values_are_no_lattice(scale):
    assert lattice_of(scale * np.random.default_rng(3).random(500)) is None


def test_one_real_value_among_many_is_seen():
    values = np.repeat([0.0, 1.0], 5000)
    values[4321] = 0.123456789012
    assert lattice_of(values) is None


def test_rounding_is_all_that_is_allowed_for():
    assert lattice_of([0.1 + 1e-11, 0.3]) is None
    assert lattice_of([1e-7, 3e-7 + 1e-15]) is None
    assert lattice_of([0.1 + 1e-14, 0.3]) is not None


def test_too_fine_a_lattice_is_none():
    values = np.array([0.0, 123456.789])
    assert lattice_of(values, [10, 10]) is None
    assert lattice_of([0.0, 456.789], [2, 2]) is not None


@pytest.mark.parametrize("values", [[], [np.nan, 1.0], [np.inf]])
def test_no_values_or_not_finite(values):
    assert lattice_of(values) is None
