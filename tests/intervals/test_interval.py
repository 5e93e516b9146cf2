"""The result type, and what is refused at its door."""

from __future__ import annotations

import math

import pytest

from deadheat.errors import InferenceError
from deadheat.intervals import Interval, tail_of, undefined
from deadheat.intervals.interval import between
from deadheat.intervals.quantiles import normal_quantile


def test_tail_is_halved_only_when_two_sided() -> None:
    assert tail_of(0.95, "two-sided") == pytest.approx(0.025)
    assert tail_of(0.95, "greater") == pytest.approx(0.05)
    assert normal_quantile(0.95, "two-sided") == pytest.approx(1.959963984540054)
    assert normal_quantile(0.95, "less") == pytest.approx(1.6448536269514722)


@pytest.mark.parametrize("level", [0.0, 1.0, -0.5, 95.0, math.nan])
def test_level_outside_the_unit_interval_is_refused(level: float) -> None:
    with pytest.raises(InferenceError, match="confidence level"):
        tail_of(level, "two-sided")


def test_unknown_alternative_is_refused() -> None:
    with pytest.raises(InferenceError, match="two-sided, less, greater"):
        tail_of(0.95, "larger")  # type: ignore[arg-type]


def test_open_side_is_infinite() -> None:
    ends = {"method": "m", "confidence_level": 0.95}
    greater = between(0.1, 0.2, alternative="greater", **ends)  # type: ignore[arg-type]
    less = between(0.1, 0.2, alternative="less", **ends)  # type: ignore[arg-type]
    assert (greater.low, greater.high) == (0.1, math.inf)
    assert (less.low, less.high) == (-math.inf, 0.2)


def test_excludes_only_beyond_rounding() -> None:
    interval = Interval(low=1e-16, high=0.2, confidence_level=0.95, method="m")
    assert not interval.excludes(0.0)
    assert not interval.excludes(0.2 + 1e-16)
    assert interval.excludes(-0.001)
    assert interval.excludes(0.201)


def test_undefined_excludes_nothing_and_says_why() -> None:
    interval = undefined("wilson", 0.95, "there are no items")
    assert not interval.defined
    assert not interval.excludes(0.0)
    assert interval.note == "there are no items"
