"""Root finding on functions with known roots."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.intervals.roots import root


@given(at=st.floats(-0.999, 0.999), power=st.sampled_from([1, 3, 9]))
def test_finds_the_root_of_odd_powers(at: float, power: int) -> None:
    assert root(lambda x: (x - at) ** power, -1.0, 1.0) == pytest.approx(at, abs=1e-12)


def test_infinite_ends_and_steps() -> None:
    assert root(lambda x: -math.tan(x) if abs(x) < 1.57 else -math.copysign(math.inf, x), -1.6, 1.5)
    assert root(lambda x: 1.0 if x < 0.3 else -1.0, -1.0, 1.0) == pytest.approx(0.3, abs=1e-12)


def test_takes_few_evaluations() -> None:
    calls = []
    root(lambda x: calls.append(x) or math.cos(x) - x, 0.0, 1.0)
    assert len(calls) < 15


def test_no_change_of_sign_returns_the_nearer_end() -> None:
    assert root(lambda x: x + 5.0, -1.0, 1.0) == -1.0
    assert root(lambda x: x, 0.0, 1.0) == 0.0
