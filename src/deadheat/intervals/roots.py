"""Roots of monotone functions of one number."""

from __future__ import annotations

from collections.abc import Callable

TOLERANCE = 1e-14
"""Distance to the root, beside rounding, at which the search ends."""


def root(function: Callable[[float], float], low: float, high: float) -> float:
    """Find where a function changes sign between `low` and `high` (Chandrupatla 1997).

    Inverse quadratic interpolation where it is safe, bisection elsewhere; infinite values at the
    ends are allowed. An end is returned where there is no change of sign.

    Examples
    --------
    >>> round(root(lambda x: x * x - 2.0, 0.0, 2.0), 12)
    1.414213562373
    """
    a, b = high, low
    f_a, f_b = function(a), function(b)
    if f_a == 0.0 or f_b == 0.0 or (f_a > 0.0) == (f_b > 0.0):
        return a if abs(f_a) <= abs(f_b) else b
    step = 0.5
    while True:
        x = a + step * (b - a)
        f_x = function(x)
        if (f_x > 0.0) == (f_a > 0.0):
            c, f_c = a, f_a
        else:
            c, f_c, b, f_b = b, f_b, a, f_a
        a, f_a = x, f_x
        best = a if abs(f_a) < abs(f_b) else b
        least = (TOLERANCE + 4e-16 * abs(best)) / abs(b - a)
        if least > 0.5 or f_a == 0.0:
            return best
        step = 0.5
        if f_c != f_b:
            xi, phi = (a - b) / (c - b), (f_a - f_b) / (f_c - f_b)
            if phi * phi < xi and (1.0 - phi) ** 2 < 1.0 - xi:
                step = f_a / (f_b - f_a) * f_c / (f_b - f_c)
                step += (c - a) / (b - a) * f_a / (f_c - f_a) * f_b / (f_c - f_b)
        step = min(max(step, least), 1.0 - least)
