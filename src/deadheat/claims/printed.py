"""Numbers as they are printed, and how much their digits leave open."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from deadheat.errors import UsageError

NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?", re.ASCII | re.IGNORECASE)
COMMA = re.compile(r"[+-]?\d{0,12},\d{1,12}", re.ASCII)
COUNTED = re.compile(r"([+-]?\d{1,12}) ?/ ?(\d{1,12})", re.ASCII)
BOUND = re.compile(r"(?:p ?)?(<=|>=|<|>|=)? ?(.*)", re.IGNORECASE | re.DOTALL)
LONGEST = 40
"""Characters of a number that somebody printed."""

SLACK = Fraction(1, 10**10)
"""Part of a value by which floating point may have moved what was computed and not typed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """A number, and the numbers that are printed with the same digits.

    Attributes
    ----------
    text : str
        As it was written.
    value : Fraction
    low, high : Fraction
        71.2 stands for what lies between 71.15 and 71.25, both included: rules of rounding
        differ in what they do with a half.
    decimals : int
        Digits after the point.
    """

    text: str
    value: Fraction
    low: Fraction
    high: Fraction
    decimals: int = 0

    def holds(self, number: float) -> bool:
        """Whether `number` is printed like this.

        Parameters
        ----------
        number : float
            In the unit of what is printed.
        """
        slack = 1e-11 * max(abs(float(self.low)), abs(float(self.high)))
        return float(self.low) - slack <= number <= float(self.high) + slack


def percent(given: Any, name: str, n: int) -> Printed:
    """Read a value in percent, such as 71.2, or as items of all items, such as 356/500.

    Parameters
    ----------
    given : str, int or float
        What was written; the digits of a text say how precise it is.
    name : str
        What it is, for the message.
    n : int
        Number of items.

    Raises
    ------
    UsageError
        If it is no number, is below 0 or above 100, or counts items of another number.

    Examples
    --------
    >>> found = percent("71.2", "baseline", 500)
    >>> float(found.low), float(found.high)
    (71.15, 71.25)
    >>> percent("356/500", "baseline", 500).value
    Fraction(356, 5)
    """
    found, wanted = _points(given, name, n), "percent from 0 to 100, such as 71.2"
    if 100 < found.value <= n and found.value.denominator == 1:
        wanted += (
            f". If {found.text} of {n:,} items are right, write {found.text}/{n} "
            f"({float(100 * found.value / n):.4g}%)"
        )
    return _within(found, name, 0, wanted)


def points(given: Any, name: str, n: int) -> Printed:
    """Read a difference in points, such as +3.6 or -0.8, or in items, such as 18/500.

    Parameters as in `percent`.

    Raises
    ------
    UsageError
        If it is no number, or beyond 100 points either way.
    """
    return _within(_points(given, name, n), name, -100, "points from -100 to 100, such as 3.6")


def share(given: Any) -> Printed:
    """Read a percentage of resamples.

    Parameters
    ----------
    given : str, int or float
        What was written.

    Raises
    ------
    UsageError
        If it is no number, is below 0 or above 100.
    """
    found = _read(given, "share of resamples", "percent from 0 to 100, such as 97")
    return _within(found, "share of resamples", 0, "percent from 0 to 100, such as 97")


def p_value(given: Any) -> Printed:
    """Read a p-value, or a bound of one.

    Parameters
    ----------
    given : str, int or float
        What was written.

    Raises
    ------
    UsageError
        If it is no number, is below 0 or above 1, or is 0 without digits that say how near.

    Examples
    --------
    >>> found = p_value("<0.001")
    >>> float(found.low), float(found.high)
    (0.0, 0.001)
    """
    wanted = "a number from 0 to 1 as it is printed, such as .004 or '<0.001'"
    sign, rest = "", given
    if isinstance(given, str):
        match = BOUND.fullmatch(given.strip().replace("≤", "<=").replace("≥", ">="))
        if match is not None:
            sign, rest = match[1] or "", match[2]
    found = _read(rest, "p-value", wanted)
    if not 0 <= found.value <= 1:
        raise UsageError(f"the p-value is {given}.", fix=f"Give {wanted}.")
    digits = sign in ("", "=") and found.decimals > 0
    if found.value == 0 and not digits and not sign.startswith(">"):
        raise UsageError(
            f"the p-value is {given}, and none is 0 or less.",
            fix="Give it as it is printed, with its digits, such as 0.000 or '<0.001'.",
        )
    low, high = max(found.low, Fraction(0)), min(found.high, Fraction(1))
    if sign.startswith("<"):
        low, high = Fraction(0), found.value
    elif sign.startswith(">"):
        low, high = found.value, Fraction(1)
    return Printed(text=str(given).strip(), value=found.value, low=low, high=high)


def _points(given: Any, name: str, n: int) -> Printed:
    """Read percent or points, or items of `n`."""
    match = COUNTED.fullmatch(given.strip().replace("−", "-")) if isinstance(given, str) else None
    if match is None:
        return _read(given, name, "a number as it is printed, such as 71.2, or items, such as 7/10")
    items, of = int(match[1]), int(match[2])
    if of != n:
        raise UsageError(
            f"the {name} is {given.strip()}, a count of {of:,} items, and n is {n:,}.",
            fix="Both systems have to be counted on the same items: correct one of the two.",
        )
    value = Fraction(100 * items, of)
    return Printed(text=given.strip(), value=value, low=value, high=value)


def _read(given: Any, name: str, wanted: str) -> Printed:
    """Read a number with the precision of its last digit."""
    number = isinstance(given, (str, int, float, np.integer, np.floating))
    if isinstance(given, int) and abs(given) > 10**LONGEST:
        given = "a number of more than 40 digits"
    text = str(given).strip()
    # A minus sign that was copied from an article, and the unit, are what people paste.
    plain = text.replace("−", "-").removesuffix("%").strip()
    if not number or isinstance(given, bool) or len(text) > LONGEST or not NUMBER.fullmatch(plain):
        if COMMA.fullmatch(plain):
            wanted = f"a point in place of the comma: {plain.replace(',', '.')}"
        shown = repr(given) if len(repr(given)) <= 2 * LONGEST else f"{repr(given)[:LONGEST]}..."
        raise UsageError(f"the {name} is {shown}, which is not a number.", fix=f"Give {wanted}.")
    digits = Decimal(plain)
    exponent = digits.as_tuple().exponent
    assert isinstance(exponent, int)
    value = Fraction(digits)
    # An integer stands for the nearest ones at most: 1e+02 is 100.
    half = max(Fraction(10) ** min(exponent, 0) / 2, abs(value) * SLACK)
    return Printed(
        text=text,
        value=value,
        low=value - half,
        high=value + half,
        decimals=max(0, -exponent),
    )


def _within(found: Printed, name: str, least: int, wanted: str) -> Printed:
    """Refuse what lies outside, and cut off what the digits leave open there."""
    if not least <= found.value <= 100:
        raise UsageError(f"the {name} is {found.text}.", fix=f"Give {wanted}.")
    return replace(found, low=max(found.low, Fraction(least)), high=min(found.high, Fraction(100)))
