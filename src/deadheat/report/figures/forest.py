"""Rows of estimates with their intervals: values of systems, and differences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from deadheat.intervals.interval import Interval
from deadheat.report.figure import Mark, Points, Role, Spans

MOST_POINTED = 24
"""Rows beyond which hover would only repeat what stands beside them, at the cost of size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A row of a forest: what is named, found and said of it."""

    name: str
    value: float
    low: float
    high: float
    role: Role
    said: str


def estimate(name: str, value: float, interval: Interval, role: Role, said: str) -> Estimate:
    """Make a row of an interval."""
    return Estimate(
        name=name, value=value, low=interval.low, high=interval.high, role=role, said=said
    )


def settled(low: float, high: float, *, greater_is_better: bool = True) -> Role:
    """Return what an interval of a difference, candidate - baseline, shows of its direction."""
    if low > 0.0:
        return "ahead" if greater_is_better else "behind"
    if high < 0.0:
        return "behind" if greater_is_better else "ahead"
    return "open"


def forest(rows: Sequence[Estimate]) -> tuple[Mark, ...]:
    """Draw rows, the first at the top; rows of a role are one mark.

    Of many rows, which have their numbers beside them, none is pointed at.
    """
    few = len(rows) <= MOST_POINTED
    marks: list[Mark] = []
    for role in dict.fromkeys(row.role for row in rows):
        own = [(float(at), row) for at, row in enumerate(rows) if row.role == role]
        marks.append(
            Spans(
                low=tuple(row.low for _, row in own),
                high=tuple(row.high for _, row in own),
                y=tuple(at for at, _ in own),
                role=role,
                hover=tuple(row.said for _, row in own) if few else (),
            )
        )
        marks.append(
            Points(x=tuple(row.value for _, row in own), y=tuple(at for at, _ in own), role=role)
        )
    return tuple(marks)


def extent(rows: Sequence[Estimate]) -> list[float]:
    """Return all numbers that an axis of these rows has to hold."""
    return [
        number for row in rows for number in (row.value, row.low, row.high) if math.isfinite(number)
    ]


def brief(name: str, most: int = 48) -> str:
    """Leave out the middle of a long name, where it stands in a sentence.

    Examples
    --------
    >>> brief("a" * 30 + "b" * 30, 11)
    'aaaaa…bbbbb'
    """
    half = (most - 1) // 2
    return name if len(name) <= most else f"{name[:half]}…{name[-half:]}"
