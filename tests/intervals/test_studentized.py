"""Studentized bootstrap intervals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.errors import InferenceError
from deadheat.intervals import studentized
from vectors import close, vectors


def test_vector_of_r() -> None:
    (vector,) = [v for v in vectors("intervals.bootstrap") if v["name"] == "bootci.studentized"]
    given_ = vector["input"]
    t = (np.array(given_["reps"]) - given_["estimate"]) / np.array(given_["reps_se"])
    interval = studentized.from_studentized(
        t,
        estimate=given_["estimate"],
        standard_error=given_["est_se"],
        confidence_level=given_["conf"],
    )
    assert close(vector, "lower", interval.low)
    assert close(vector, "upper", interval.high)
    assert interval.monte_carlo_error is not None


def test_zero_errors_are_counted_and_then_refused() -> None:
    t = np.random.default_rng(0).standard_normal(1_000)
    t[:10] = np.nan
    interval = studentized.from_studentized(t, estimate=0.0, standard_error=1.0)
    assert interval.note.startswith("10 resamples")
    t[10] = np.nan
    with pytest.raises(InferenceError, match="11 of 1,000"):
        studentized.from_studentized(t, estimate=0.0, standard_error=1.0)


@pytest.mark.parametrize("error", [0.0, math.nan, math.inf, -1.0])
def test_without_a_standard_error_nothing_is_defined(error: float) -> None:
    """CASES 35."""
    t = np.random.default_rng(0).standard_normal(999)
    assert not studentized.from_studentized(t, estimate=1.0, standard_error=error).defined
    assert math.isnan(studentized.p_value(t, estimate=1.0, standard_error=error).p_value)


def test_too_few_draws_are_refused() -> None:
    with pytest.raises(InferenceError, match="at least 39"):
        studentized.from_studentized(np.linspace(-2, 2, 20), estimate=0.0, standard_error=1.0)


@given(
    seed=st.integers(0, 1_000),
    estimate=st.floats(-3.0, 3.0),
    side=st.sampled_from(["two-sided", "greater", "less"]),
    alpha=st.floats(0.02, 0.4),
)
def test_p_is_dual(seed: int, estimate: float, side: str, alpha: float) -> None:
    t = np.random.default_rng(seed).standard_t(5, 199) + 0.3
    common = {"estimate": estimate, "standard_error": 0.8, "alternative": side}
    interval = studentized.from_studentized(t, **common, confidence_level=1 - alpha)  # type: ignore[arg-type]
    dual = studentized.p_value(t, **common)  # type: ignore[arg-type]
    if abs(dual.p_value - alpha) > 1e-9:
        assert interval.excludes(0.0) == (dual.p_value <= alpha)
