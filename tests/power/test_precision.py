"""Widths of intervals: a published table, the normal law, and one the inverse of the other."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from deadheat.errors import InferenceError
from deadheat.power import half_width, items_for_half_width


@pytest.mark.parametrize(
    ("discordance", "n"), [(0.05, 1_917), (0.10, 3_838), (0.20, 7_680), (0.30, 11_521)]
)
def test_items_that_make_the_interval_as_wide_as_a_gap_of_one_point(
    discordance: float, n: int
) -> None:
    """STATISTICS 7.4."""
    sd = math.sqrt(discordance - 0.01**2)
    assert items_for_half_width(sd, 0.01) == pytest.approx(n, abs=1)


@given(sd=st.floats(1e-3, 1e3), n=st.integers(1, 10**7), level=st.floats(0.01, 0.999))
def test_one_is_the_inverse_of_the_other(sd: float, n: int, level: float) -> None:
    width = half_width(sd, n, confidence_level=level)
    assert stats.norm.cdf(width / (sd / math.sqrt(n))) == pytest.approx((1 + level) / 2)
    assert items_for_half_width(sd, width, confidence_level=level) in (n, n + 1)
    assert items_for_half_width(sd, width * 1.0001, confidence_level=level) <= n
    fewer = items_for_half_width(sd, width, confidence_level=level) - 1
    assert fewer == 0 or half_width(sd, fewer, confidence_level=level) > width * (1 - 1e-6)


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf, True, "1"])
def test_bad_numbers_are_refused(bad: float) -> None:
    with pytest.raises(InferenceError, match="standard deviation"):
        half_width(bad, 10)
    with pytest.raises(InferenceError, match="standard deviation"):
        items_for_half_width(bad, 0.1)
    with pytest.raises(InferenceError, match="the half-width is"):
        items_for_half_width(1.0, bad)
    with pytest.raises(InferenceError, match=r"there are .* items"):
        half_width(1.0, bad)


@pytest.mark.parametrize("level", [0.0, 1.0, 95, math.nan, True, "0.95"])
def test_levels_are_checked(level: float) -> None:
    with pytest.raises(InferenceError, match="the confidence level is"):
        half_width(1.0, 10, confidence_level=level)
    with pytest.raises(InferenceError, match="the confidence level is"):
        items_for_half_width(1.0, 0.1, confidence_level=level)


def test_a_width_of_next_to_nothing_is_refused() -> None:
    with pytest.raises(InferenceError, match="beyond all bounds"):
        items_for_half_width(1.0, 1e-200)
