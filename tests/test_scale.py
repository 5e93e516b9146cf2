"""How numbers are shown."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import deadheat
from deadheat.intervals.interval import Interval, undefined
from deadheat.scale import Scale, p_text, scale_for

POINTS = Scale(in_points=True, decimals=1)
PLAIN = Scale(in_points=False, decimals=3)
NUMBERS = st.floats(-1e6, 1e6)


@pytest.mark.parametrize(
    ("x", "value", "difference", "size"),
    [
        (0.712, "71.2%", "+71.2 points", "71.2 points"),
        (-0.036, "-3.6%", "-3.6 points", "3.6 points"),
        (0.0, "0.0%", "0.0 points", "0.0 points"),
        (-0.0, "0.0%", "0.0 points", "0.0 points"),
        (-0.0004, "0.0%", "0.0 points", "0.0 points"),
        (0.0004, "0.0%", "0.0 points", "0.0 points"),
        (1.0, "100.0%", "+100.0 points", "100.0 points"),
        (0.01, "1.0%", "+1.0 points", "1.0 points"),
    ],
)
def test_points(x: float, value: str, difference: str, size: str) -> None:
    assert (POINTS.value(x), POINTS.difference(x), POINTS.size(x)) == (value, difference, size)


@pytest.mark.parametrize(
    ("x", "value", "difference", "size"),
    [
        (2.5, "2.500", "+2.500", "2.500"),
        (-2.5, "-2.500", "-2.500", "2.500"),
        (-0.0001, "0.000", "0.000", "0.000"),
        (10.0, "10.000", "+10.000", "10.000"),
        (-10.0, "-10.000", "-10.000", "10.000"),
    ],
)
def test_plain(x: float, value: str, difference: str, size: str) -> None:
    assert (PLAIN.value(x), PLAIN.difference(x), PLAIN.size(x)) == (value, difference, size)


@pytest.mark.parametrize("scale", [POINTS, PLAIN])
def test_undefined_is_a_word_without_a_unit(scale: Scale) -> None:
    for show in (scale.value, scale.difference, scale.size, scale.signed):
        assert show(math.nan) == "undefined"


@given(x=NUMBERS)
def test_shown_number_is_the_number_rounded(x: float) -> None:
    for scale, unit in ((POINTS, 100.0), (PLAIN, 1.0)):
        shown = scale.signed(x)
        assert float(shown) == pytest.approx(unit * x, abs=0.5000001 * 10**-scale.decimals)
        assert shown.startswith("+") == (float(shown) > 0)
        assert shown.startswith("-") == (float(shown) < 0)
        assert float(scale.signed(-x)) == -float(shown)


def ends(low: float, high: float) -> Interval:
    return Interval(low=low, high=high, confidence_level=0.95, method="wald")


@pytest.mark.parametrize(
    ("low", "high", "signed", "bare"),
    [
        (-0.012, 0.084, "[-1.2, +8.4]", "[-1.2, 8.4]"),
        (0.671, 0.75, "[+67.1, +75.0]", "[67.1, 75.0]"),
        (0.0, 0.1, "[0.0, +10.0]", "[0.0, 10.0]"),
        (-math.inf, 0.084, "(-inf, +8.4]", "(-inf, 8.4]"),
        (-0.012, math.inf, "[-1.2, inf)", "[-1.2, inf)"),
        (0.2, 0.2, "[+20.0, +20.0]", "[20.0, 20.0]"),
    ],
)
def test_ends(low: float, high: float, signed: str, bare: str) -> None:
    assert POINTS.ends(ends(low, high), signed=True) == signed
    assert POINTS.ends(ends(low, high), signed=False) == bare


def test_ends_of_nothing() -> None:
    assert POINTS.ends(undefined("bca", 0.95, "one item"), signed=True) == "undefined"


# -- how many decimals ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "decimals"),
    [(1, 0), (3, 0), (80, 0), (100, 0), (101, 1), (500, 1), (1_000, 1), (1_001, 2), (10**7, 4)],
)
def test_shares_show_one_item_and_no_more(n: int, decimals: int) -> None:
    assert scale_for(n, (0.0, 1.0), 0.02) == Scale(in_points=True, decimals=decimals)


@given(n=st.integers(1, 10**6))
def test_one_item_can_be_seen_where_there_are_more_than_a_hundred(n: int) -> None:
    """One item of N is 100 / N points: not below half the last digit, not above ten of it."""
    assume(n > 100)
    scale = scale_for(n, (0.0, 1.0), 0.02)
    last = 10.0**-scale.decimals
    assert last / 2 <= 100 / n * 10
    assert 100 / n >= last * 0.99
    assert scale.signed(1 / n) != scale.signed(0.0)


@pytest.mark.parametrize("bounds", [(-1.0, 1.0), (0.0, 5.0)])
def test_other_bounded_metrics_are_not_in_points(bounds: tuple[float, float]) -> None:
    assert scale_for(500, bounds, 0.02) == Scale(in_points=False, decimals=3)


@pytest.mark.parametrize(
    ("standard_error", "decimals"),
    [(0.034, 3), (0.0034, 4), (0.9, 2), (3.4, 1), (34.0, 0), (3400.0, 0), (1e-9, 8)],
)
def test_unbounded_metrics_show_two_digits_of_the_error(
    standard_error: float, decimals: int
) -> None:
    assert scale_for(80, None, standard_error) == Scale(in_points=False, decimals=decimals)


@pytest.mark.parametrize("standard_error", [0.0, 1e-17, math.nan, math.inf])
def test_without_an_error_four_decimals(standard_error: float) -> None:
    assert scale_for(80, None, standard_error).decimals == 4


# -- p-values -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("p", "shown"),
    [
        (1.0, "p = 1.000"),
        (0.1677220, "p = 0.168"),
        (0.1, "p = 0.100"),
        (0.0703125, "p = 0.0703"),
        (0.00206, "p = 0.0021"),
        (0.001, "p = 0.0010"),
        (0.000519416, "p = 5.19e-04"),
        (3.2e-9, "p = 3.20e-09"),
        (math.nan, "p undefined"),
    ],
)
def test_p_has_three_digits_or_four_decimals(p: float, shown: str) -> None:
    assert p_text(p) == shown


@pytest.mark.parametrize(
    ("n_resamples", "shown"),
    [(4_999, "p < 0.0004"), (9_999, "p < 0.0002"), (999, "p < 0.002"), (99, "p < 0.02")],
)
def test_floor_of_draws(n_resamples: int, shown: str) -> None:
    """STATISTICS.md 2.2: twice one draw in R + 1."""
    floor = 2 / (n_resamples + 1)
    assert p_text(floor, floor) == shown


@given(n_resamples=st.integers(2, 10**7))
def test_bound_as_shown_is_never_below_the_bound(n_resamples: int) -> None:
    """`p < 0.001` is untrue where only p <= 0.00133 is known."""
    bound = 2 / (n_resamples + 1)
    shown = p_text(bound, bound)
    assert shown.startswith("p < ")
    assert float(shown.removeprefix("p < ")) >= bound * (1 - 1e-9)


@given(p=st.floats(5e-324, 1.0))
def test_p_is_never_shown_as_nothing(p: float) -> None:
    (number,) = re.findall(r"[\d.e+-]+$", p_text(p))
    assert float(number) > 0.0
    assert float(number) == pytest.approx(p, rel=0.06)


@given(p=st.floats(0.9, 1.0, exclude_max=True))
def test_certainty_is_only_shown_for_certainty(p: float) -> None:
    """STATISTICS.md 2.8: 1.000 for exact 1; what is rounded to it may be as near as 0.0005."""
    if p_text(p) == "p = 1.000":
        assert p >= 0.9995


def test_the_end_of_floating_point_is_no_p_value() -> None:
    """2,900 items against none have a p-value of 2^-2899, which no float holds."""
    data = {"a": [0] * 3_000, "b": [1] * 2_900 + [0] * 100, "c": [1] * 3_000}
    results = [
        deadheat.compare({name: data[name] for name in "ab"}),
        deadheat.compare([x + 0.5 for x in data["a"]], [x + 1e-9 for x in data["c"]]),
        deadheat.rank(data, n_resamples=99),
        deadheat.adjust([1e-320, 2.3e-308, 0.5]),
        deadheat.claim(n=3_000, baseline="0/3000", candidate="2900/3000", p="0.5"),
    ]
    for result in results:
        for shown in (result.to_text(), result.to_markdown()):
            assert not re.search(r"e-3\d\d", shown.replace("< 1e-300", "")), shown
    assert all("1e-300" in one.to_text() for one in (results[0], *results[2:]))
