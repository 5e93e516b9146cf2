"""Numbers are read with the precision of their digits, and what is no number is refused."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.claims.printed import Printed, p_value, percent, points, share
from deadheat.errors import UsageError


def ends(found: Printed) -> tuple[float, float]:
    return float(found.low), float(found.high)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("71.2", 71.15, 71.25),
        ("71.20", 71.195, 71.205),
        ("71", 70.5, 71.5),
        ("71.", 70.5, 71.5),
        (" 71.2% ", 71.15, 71.25),
        ("7.12e1", 71.15, 71.25),
        ("1e2", 99.5, 100.0),
        (".5", 0.45, 0.55),
        ("0", 0.0, 0.5),
        ("0.0", 0.0, 0.05),
        ("100", 99.5, 100.0),
        (71.2, 71.15, 71.25),
        (71.0, 70.95, 71.05),
        (71, 70.5, 71.5),
        (np.float64(71.2), 71.15, 71.25),
        (np.float32(71.2), 71.15, 71.25),
        (np.int64(71), 70.5, 71.5),
    ],
)
def test_digits_say_how_precise_a_percentage_is(text: Any, low: float, high: float) -> None:
    assert ends(percent(text, "baseline", 500)) == pytest.approx((low, high), abs=1e-12)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("+1.1", 1.05, 1.15),
        ("-0.8", -0.85, -0.75),
        ("−0.8", -0.85, -0.75),  # the minus sign of an article
        ("-100", -100.0, -99.5),
        (-0.8, -0.85, -0.75),
        ("18/500", 3.6, 3.6),
        ("+18/500", 3.6, 3.6),
        ("-18 / 500", -3.6, -3.6),
    ],
)
def test_differences_have_signs(text: Any, low: float, high: float) -> None:
    assert ends(points(text, "gap", 500)) == pytest.approx((low, high), abs=1e-12)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        (".004", 0.0035, 0.0045),
        ("0.004", 0.0035, 0.0045),
        (0.004, 0.0035, 0.0045),
        ("1e-5", 0.5e-5, 1.5e-5),
        (1e-05, 0.5e-5, 1.5e-5),
        ("<0.001", 0.0, 0.001),
        ("< .001", 0.0, 0.001),
        ("p<0.001", 0.0, 0.001),
        ("p = .03", 0.025, 0.035),
        ("≤0.05", 0.0, 0.05),
        (">0.05", 0.05, 1.0),
        ("1", 0.5, 1.0),
        ("0.000", 0.0, 0.0005),
        ("0.00", 0.0, 0.005),
    ],
)
def test_p_values_may_be_bounds(text: Any, low: float, high: float) -> None:
    assert ends(p_value(text)) == pytest.approx((low, high), rel=1e-9, abs=1e-15)


@given(st.decimals(0, 100, places=3))
def test_what_is_rounded_to_a_text_is_held_by_it(number: Decimal) -> None:
    for places in (0, 1, 2):
        text = str(round(number, places))
        found = percent(text, "baseline", 1)
        assert found.low <= Fraction(number) <= found.high
        assert found.holds(float(number))
        # A step further is another text.
        assert not found.holds(float(number) + 1.01 * 10.0**-places)


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_a_computed_float_is_the_count_that_it_was_computed_from(pair: tuple[int, int]) -> None:
    k, n = pair
    assert percent(100 * k / n, "baseline", n).low * n <= 100 * k
    assert percent(100 * k / n, "baseline", n).high * n >= 100 * k
    assert percent(f"{k}/{n}", "baseline", n).value == Fraction(100 * k, n)


NO_NUMBERS = ["", " ", "x", "71,2", "7 1", "1_000", "nan", "inf", "-inf", "0x10", "%", "--3", "٣"]
NO_NUMBERS += ["1e9999", "1" * 50, "<3", "71.2 points", "1/0/2"]


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_text_that_is_no_number(text: str) -> None:
    for read in (
        lambda: percent(text, "baseline", 500),
        lambda: points(text, "gap", 500),
        lambda: share(text),
    ):
        with pytest.raises(UsageError, match="is not a number"):
            read()


@pytest.mark.parametrize(
    "given",
    [True, None, [1], float("nan"), float("inf"), 10**5000, b"71", np.bool_(True), 1j],
    ids=lambda given: type(given).__name__,
)
def test_what_is_no_number_at_all(given: Any) -> None:
    for read in (lambda: percent(given, "baseline", 500), lambda: p_value(given)):
        with pytest.raises(UsageError, match="is not a number"):
            read()


@pytest.mark.parametrize("text", ["100.1", "-0.1", "1e3", "101", "-1/500", "501/500"])
def test_percentages_lie_between_0_and_100(text: str) -> None:
    with pytest.raises(UsageError, match=r"the candidate is .*percent from 0 to 100"):
        percent(text, "candidate", 500)


@pytest.mark.parametrize("text", ["100.5", "-101", "501/500"])
def test_differences_are_at_most_100_points(text: str) -> None:
    with pytest.raises(UsageError, match=r"the gap is .*points from -100 to 100"):
        points(text, "gap", 500)


@pytest.mark.parametrize("text", ["1.1", "-0.1", "<1.5", 2])
def test_p_values_lie_between_0_and_1(text: Any) -> None:
    with pytest.raises(UsageError, match="the p-value is"):
        p_value(text)


def test_a_share_of_other_items() -> None:
    with pytest.raises(UsageError) as caught:
        percent("356/400", "baseline", 500)
    assert "the baseline is 356/400, a count of 400 items, and n is 500" in str(caught.value)
