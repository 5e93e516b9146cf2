from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.resampling.weighted import Weighted

POINTS = st.lists(st.tuples(st.integers(-5, 5), st.integers(1, 9)), min_size=1, max_size=12)


@given(POINTS, st.integers(-6, 6))
def test_tails_are_sums_of_weights(points, x):
    values, weights = (np.array(column, dtype=float) for column in zip(*points, strict=True))
    d = Weighted.of(values, weights)
    total = sum(w for _, w in points)
    assert d.at_most(x) == pytest.approx(sum(w for v, w in points if v <= x) / total, abs=1e-12)
    assert d.at_least(x) == pytest.approx(sum(w for v, w in points if v >= x) / total, abs=1e-12)
    mean = Fraction(sum(v * w for v, w in points), total)
    variance = sum(w * (v - mean) ** 2 for v, w in points) / total
    assert d.mean == pytest.approx(float(mean), abs=1e-12)
    assert d.sd == pytest.approx(math.sqrt(variance), abs=1e-12)


@given(POINTS, st.sampled_from([0.005, 0.025, 0.05, 0.25, 0.5]))
def test_ends_follow_the_outer_rule(points, tail):
    values, weights = (np.array(column, dtype=float) for column in zip(*points, strict=True))
    d = Weighted.of(values, weights)
    support = sorted({v for v, _ in points})
    level = tail * (1 - 1e-12)
    assert d.lower(tail) == min(v for v in support if d.at_most(v) >= level)
    assert d.upper(tail) == max(v for v in support if d.at_least(v) >= level)


@given(POINTS, st.sampled_from([0.01, 0.025, 0.2]))
def test_mirror(points, tail):
    values, weights = (np.array(column, dtype=float) for column in zip(*points, strict=True))
    d, mirrored = Weighted.of(values, weights), Weighted.of(-values, weights)
    assert d.lower(tail) == -mirrored.upper(tail)
    assert d.at_most(1.0) == pytest.approx(mirrored.at_least(-1.0), abs=1e-15)


def test_ties_up_to_rounding_are_one_point():
    d = Weighted.of(np.array([0.1 + 0.2 - 0.3, 0.0, 1.0]), np.ones(3))
    assert d.values.tolist() == [0.0, 1.0]
    assert d.at_most(0.0) == pytest.approx(2 / 3)


def test_undefined_points_are_left_out_and_counted():
    d = Weighted.of(np.array([np.nan, 0.0, 1.0]), np.array([1.0, 1.0, 2.0]))
    assert d.undefined == 0.25
    assert d.weights.tolist() == pytest.approx([1 / 3, 2 / 3])


def test_nothing_defined():
    d = Weighted.of(np.array([np.nan]), np.array([1.0]))
    assert math.isnan(d.mean)
    assert math.isnan(d.sd)
    assert d.undefined == 1.0
    assert not d.resolves(0.025)


def test_exact_distributions_have_no_monte_carlo_error():
    d = Weighted.of(np.array([a + b for a, b in product(range(6), repeat=2)]), np.ones(36))
    assert d.n_resamples is None
    assert (d.lower_error(0.025), d.upper_error(0.025)) == (0.0, 0.0)
    assert d.at_most(1) == pytest.approx(3 / 36)
