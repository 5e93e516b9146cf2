"""What is taken as draws, and the standard errors that come of them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from deadheat.errors import InferenceError
from deadheat.ranking.draws import Draws, allowed
from deadheat.ranking.family import Family
from ranking.boards import board, scattered


def test_standard_errors_are_those_of_the_differences():
    estimates, values = scattered(5, m=20)
    found = Draws.of(estimates, values).standard_errors
    for i, j in [(0, 1), (3, 17), (19, 2)]:
        assert found[i, j] == pytest.approx((values[:, j] - values[:, i]).std(ddof=1), rel=1e-12)
    assert np.array_equal(found, found.T)


def test_nearly_equal_systems_keep_their_digits():
    """Two systems that differ in one item of ten million."""
    rng = np.random.default_rng(1)
    shared, one = rng.binomial(10**7, 0.7, 999), rng.poisson(1.0, 999)
    found = Draws.of([0.7, 0.7 + 1e-7], np.stack([shared, shared + one], axis=1) / 1e7)
    assert found.standard_errors[0, 1] == pytest.approx(one.std(ddof=1) * 1e-7, rel=1e-6)


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_equal_systems_have_none(scale):
    estimates, values = scattered(6, m=2)
    twice = np.column_stack([values, values[:, 0] + 0.1 + 0.2]) * scale
    found = Draws.of([*estimates * scale, (estimates[0] + 0.3) * scale], twice)
    assert found.standard_errors[0, 2] == 0.0
    assert found.standard_errors[0, 1] > 0.0


@pytest.mark.parametrize(
    ("estimates", "draws", "message"),
    [
        ([1.0, 2.0], [[1.0], [2.0]], r"shape \(2,\) and draws \(2, 1\)"),
        ([1.0], [[1.0]], "1 resamples"),
        ([1.0, math.nan], [[1.0, 2.0]] * 2, "system 2 is undefined"),
        ([1.0, 2.0], [[1.0, 2.0], [math.nan, 2.0]], "system 1 is undefined"),
    ],
)
def test_refused(estimates, draws, message):
    with pytest.raises(InferenceError, match=message):
        Draws.of(estimates, draws)


def test_number_of_maxima_that_may_reach_a_statistic():
    assert allowed(0.95, 9_999) == 500
    assert allowed(0.95, 19) == 1
    with pytest.raises(InferenceError, match="at least 19 resamples"):
        allowed(0.95, 18)


def test_tables_of_another_shape_are_refused():
    with pytest.raises(InferenceError, match=r"apart has shape \(2, 2\) for 5 systems"):
        Family.of(board(1), greater_is_better=True, apart=np.zeros((2, 2), bool), apart_ahead=None)
