"""Axes with round numbers along them, on the scale on which a metric is shown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from deadheat.report.figure import Axis
from deadheat.scale import Scale

MOST_DECIMALS = 6
LARGEST = 1e7
TINIEST = 1e-300
"""Numbers along axes are written with powers of ten beyond these."""

STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
PLAIN = Scale(in_points=False, decimals=3)


def round_step(span: float, most: int) -> float:
    """Return the least step of 1, 2, 2.5 or 5 times a power of ten that divides a span in `most`.

    Examples
    --------
    >>> round_step(0.137, 7), round_step(90.0, 6)
    (0.02, 20.0)
    """
    rough = span / most
    power = 10.0 ** math.floor(math.log10(rough))
    return next(step * power for step in STEPS if step * power >= rough * (1.0 - 1e-9))


def ticks(
    low: float, high: float, *, most: int = 7, signed: bool = False
) -> list[tuple[float, str]]:
    """Return round numbers from low to high, each with its text.

    Examples
    --------
    >>> ticks(-0.013, 0.041, most=4, signed=True)
    [(0.0, '0.00'), (0.02, '+0.02'), (0.04, '+0.04')]
    """
    if not TINIEST < high - low < math.inf:
        return []
    step = round_step(high - low, most)
    exact = (digits for digits in range(13) if abs(step - round(step, digits)) < 1e-9 * step)
    decimals = next(exact, 13)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    largest = max(abs(low), abs(high))
    plain = decimals <= MOST_DECIMALS and largest < LARGEST
    digits = max(3, math.ceil(math.log10(largest / step)) + 1)
    found = []
    for k in range(first, last + 1):
        value = k * step
        text = f"{value:,.{decimals}f}" if plain else f"{value:.{digits}g}"
        found.append((value, f"+{text}" if signed and k > 0 else text))
    return found


def finite(values: Iterable[float]) -> list[float]:
    """Return the numbers that can be drawn."""
    return [value for value in values if math.isfinite(value)]


def padded(values: Sequence[float], *, share: float = 0.05) -> tuple[float, float]:
    """Return the range of values with some room on either side."""
    low, high = min(values), max(values)
    room = share * (high - low)
    if room <= 0.0:
        room = 0.05 * abs(high) or 0.05
    return low - room, high + room


def value_axis(
    label: str,
    values: Iterable[float],
    scale: Scale,
    *,
    bounds: tuple[float, float] | None = None,
    most: int = 7,
) -> Axis:
    """Return an axis of values of a metric, within its bounds where it has some."""
    low, high = padded(finite(values) or [0.0, 1.0])
    if bounds is not None:
        low, high = max(low, bounds[0]), min(high, bounds[1])
    return Axis(
        label=f"{label} (%)" if scale.in_points else label,
        low=low,
        high=high,
        ticks=_scaled(low, high, scale, most=most, signed=False),
    )


def difference_axis(label: str, values: Iterable[float], scale: Scale, *, most: int = 7) -> Axis:
    """Return an axis of differences that has zero on it."""
    low, high = padded([*finite(values), 0.0])
    return Axis(
        label=f"{label} (points)" if scale.in_points else label,
        low=low,
        high=high,
        ticks=_scaled(low, high, scale, most=most, signed=True),
    )


def size_axis(label: str, most: float, scale: Scale) -> Axis:
    """Return an axis of sizes from zero."""
    high = 1.05 * most if most > 0.0 else 1.0
    return Axis(
        label=f"{label} (points)" if scale.in_points else label,
        low=0.0,
        high=high,
        ticks=_scaled(0.0, high, scale, most=5, signed=False),
    )


def _scaled(
    low: float, high: float, scale: Scale, *, most: int, signed: bool
) -> tuple[tuple[float, str], ...]:
    factor = 100.0 if scale.in_points else 1.0
    found = ticks(low * factor, high * factor, most=most, signed=signed)
    return tuple((value / factor, text) for value, text in found)


def number_axis(label: str, low: float, high: float, *, most: int = 7, whole: bool = False) -> Axis:
    """Return an axis of plain numbers; `whole` ones only where they count something."""
    found = ticks(low, high, most=most)
    if whole:
        found = [(value, f"{value:,.0f}") for value, _ in found if value == round(value)]
    return Axis(label=label, low=low, high=high, ticks=tuple(found))


def rows_axis(names: Sequence[str], label: str = "") -> Axis:
    """Return an axis of rows, the first at the top."""
    return Axis(
        label=label,
        low=len(names) - 0.5,
        high=-0.5,
        ticks=tuple((float(at), name) for at, name in enumerate(names)),
    )


def rows_height(n: int, *, tall: float = 26.0, least: float = 0.0) -> float:
    """Return the height of n rows by the width of a drawing."""
    return max(n * tall / 680.0, least)
