"""The result of every interval method."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Alternative = Literal["two-sided", "less", "greater"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Two ends and how they were found.

    Attributes
    ----------
    low, high : float
        The ends; NaN where the interval is undefined, infinite on the open side of a one-sided
        interval.
    confidence_level : float
        Nominal coverage, between 0 and 1.
    method : str
        The method whose numbers these are (after a fall-back, the one fallen back to).
    alternative : {"two-sided", "less", "greater"}
        "greater" is the one-sided interval [low, inf), "less" is (-inf, high].
    monte_carlo_error : float or None
        Half-width within which the worse end would move if it were drawn again (95%); None when
        no draws were made.
    note : str
        Why the interval is undefined, or what was fallen back to; empty otherwise.
    """

    low: float
    high: float
    confidence_level: float
    method: str
    alternative: Alternative = "two-sided"
    monte_carlo_error: float | None = None
    note: str = ""

    @property
    def defined(self) -> bool:
        """Whether both ends are numbers."""
        return not (math.isnan(self.low) or math.isnan(self.high))

    def excludes(self, value: float) -> bool:
        """Whether `value` lies outside the interval."""
        return self.defined and (value < self.low or value > self.high)


def undefined(method: str, confidence_level: float, note: str) -> Interval:
    """Return an interval without ends that says why."""
    return Interval(
        low=math.nan, high=math.nan, confidence_level=confidence_level, method=method, note=note
    )


def tail_of(confidence_level: float, alternative: Alternative) -> float:
    """Probability left outside each closed end: alpha / 2, or alpha when one-sided."""
    alpha = 1.0 - confidence_level
    return alpha / 2.0 if alternative == "two-sided" else alpha
