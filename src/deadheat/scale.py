"""How the numbers of a metric are shown: in points or as they are, with the digits N supports."""

from __future__ import annotations

import math
from dataclasses import dataclass

from deadheat.intervals.interval import Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """A unit and a number of decimals.

    Attributes
    ----------
    in_points : bool
        Values are shown in percent and differences in points (a share times 100).
    decimals : int
        Of the number as shown.
    """

    in_points: bool
    decimals: int

    def value(self, x: float) -> str:
        """Show a value, such as 71.2%.

        Examples
        --------
        >>> Scale(in_points=True, decimals=1).value(0.712)
        '71.2%'
        """
        return f"{self._bare(x)}%" if self.in_points and math.isfinite(x) else self._bare(x)

    def difference(self, x: float) -> str:
        """Show a difference with its sign and unit, such as +3.6 points.

        Examples
        --------
        >>> Scale(in_points=True, decimals=1).difference(0.036)
        '+3.6 points'
        """
        return f"{self.signed(x)}{self.unit}" if math.isfinite(x) else self.signed(x)

    def size(self, x: float) -> str:
        """Show the size of a difference, such as 3.6 points."""
        return f"{self._bare(abs(x))}{self.unit}" if math.isfinite(x) else self._bare(abs(x))

    def signed(self, x: float) -> str:
        """Show a number with its sign and without a unit."""
        text = self._bare(x)
        plus = math.isfinite(x) and not text.startswith("-") and float(text) != 0.0
        return f"+{text}" if plus else text.removeprefix("-") if _is_zero(text) else text

    def ends(self, interval: Interval, *, signed: bool) -> str:
        """Show an interval, such as [-1.2, +8.4]; a one-sided one is open on one side."""
        if not interval.defined:
            return "undefined"
        show = self.signed if signed else self._bare
        low = f"[{show(interval.low)}" if math.isfinite(interval.low) else "(-inf"
        high = f"{show(interval.high)}]" if math.isfinite(interval.high) else "inf)"
        return f"{low}, {high}"

    def interval(self, interval: Interval) -> str:
        """Show the interval of a difference with its unit, such as [-1.2, +8.4] points."""
        unit = self.unit if interval.defined else ""
        return f"{self.ends(interval, signed=True)}{unit}"

    @property
    def unit(self) -> str:
        """Unit of a difference, with the space before it."""
        return " points" if self.in_points else ""

    def _bare(self, x: float) -> str:
        if math.isnan(x):
            return "undefined"
        shown = 100.0 * x if self.in_points else x
        text = f"{shown:.{self.decimals}f}"
        return text.removeprefix("-") if _is_zero(text) else text


def _is_zero(text: str) -> bool:
    return text.strip("-0.") == ""


def _rounded_up(bound: float) -> str:
    """Show a bound with one digit (two from 0.01 on) such that it is not below the bound."""
    exponent = math.floor(math.log10(bound))
    digits = 1 if bound >= 0.01 else 0
    step = 10.0 ** (exponent - digits)
    shown = math.ceil(bound / step * (1.0 - 1e-9)) * step
    return f"{shown:.{digits + 1}g}" if bound >= 1e-4 else f"{shown:.0e}"


def scale_for(n: int, bounds: tuple[float, float] | None, standard_error: float) -> Scale:
    """Choose how to show a metric: one item of N is the last digit, or two digits of the error.

    Parameters
    ----------
    n : int
        Number of items.
    bounds : tuple of float or None
        Range of the metric; shares, in [0, 1], are shown in points.
    standard_error : float
        Of the difference (or value), for metrics without known bounds or with those of percent,
        of which an item is no fixed share.

    Examples
    --------
    >>> scale_for(500, (0.0, 1.0), 0.02)
    Scale(in_points=True, decimals=1)
    >>> scale_for(3004, (0.0, 100.0), 0.22)
    Scale(in_points=False, decimals=2)
    >>> scale_for(80, None, 0.034)
    Scale(in_points=False, decimals=3)
    """
    # One item of N is 1 / N of the whole: 0.002 of 500 items, so three decimals.
    digits = min(max(math.ceil(math.log10(n)), 2), 6)
    if bounds == (0.0, 1.0):
        return Scale(in_points=True, decimals=digits - 2)
    if bounds is not None and bounds != (0.0, 100.0):
        return Scale(in_points=False, decimals=digits)
    if not math.isfinite(standard_error) or standard_error <= 1e-12:
        return Scale(in_points=False, decimals=4)
    return Scale(
        in_points=False, decimals=min(max(1 - math.floor(math.log10(standard_error)), 0), 8)
    )


SMALLEST_SHOWN = 1e-300
"""P-values below are shown as below it: what is smaller is at the end of floating point."""


def p_text(p_value: float, bound: float | None = None, error: float | None = None) -> str:
    """Show a p-value: three significant digits or four decimals, never zero.

    A drawn p-value carries its Monte Carlo standard error.

    Examples
    --------
    >>> p_text(0.167722), p_text(0.0004, 0.0004), p_text(1.0), p_text(3.2e-9)
    ('p = 0.168', 'p < 0.0004', 'p = 1.000', 'p = 3.20e-09')
    >>> p_text(0.0217, error=0.00206), p_text(2.2e-308)
    ('p = 0.0217 +/- 0.0021', 'p < 1e-300')
    """
    if math.isnan(p_value):
        return "p undefined"
    if p_value < SMALLEST_SHOWN:
        return f"p < {SMALLEST_SHOWN:.0e}"
    if bound is not None and p_value <= bound:
        return f"p < {_rounded_up(bound)}"
    drawn = "" if not error else f" +/- {error:.2g}"
    if p_value >= 0.1:
        return f"p = {p_value:.3f}{drawn}"
    if p_value >= 0.001:
        return f"p = {p_value:.4f}{drawn}"
    return f"p = {p_value:.2e}{drawn}"


def p_bare(p_value: float) -> str:
    """Show a p-value as `p_text` does, under a head that says what it is.

    Examples
    --------
    >>> p_bare(0.167722), p_bare(0.0)
    ('0.168', '< 1e-300')
    """
    return p_text(p_value).removeprefix("p ").removeprefix("= ")


def ends(low: str, high: str) -> str:
    """Return a range as it is shown; one number where both ends are printed alike.

    Examples
    --------
    >>> ends("68%", "73%"), ends("6.9 points", "6.9 points")
    ('68% to 73%', '6.9 points')
    """
    return low if low == high else f"{low} to {high}"
