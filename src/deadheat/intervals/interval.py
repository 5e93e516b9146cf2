"""The result of every interval method."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

from deadheat.errors import InferenceError

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

    def to_dict(self) -> dict[str, float | str | None]:
        """Return plain data; a note is there only where there is something to say."""
        found: dict[str, float | str | None] = {
            "low": self.low,
            "high": self.high,
            "confidence_level": self.confidence_level,
            "method": self.method,
            "monte_carlo_error": self.monte_carlo_error,
        }
        note = self.note
        if self.defined and not note and math.isinf(self.high - self.low):
            note = f"one-sided ({self.alternative}): the other end is open"
        return found | ({"note": note} if note else {})

    @property
    def defined(self) -> bool:
        """Whether both ends are numbers."""
        return not (math.isnan(self.low) or math.isnan(self.high))

    def excludes(self, value: float) -> bool:
        """Whether `value` lies outside the interval by more than rounding (STATISTICS.md 0.5)."""
        ends = [abs(end) for end in (self.low, self.high, value) if math.isfinite(end)]
        slack = 1e-12 * max(ends, default=0.0)
        return self.defined and (value < self.low - slack or value > self.high + slack)


def undefined(
    method: str, confidence_level: float, note: str, alternative: Alternative = "two-sided"
) -> Interval:
    """Return an interval without ends that says why."""
    return Interval(
        low=math.nan,
        high=math.nan,
        confidence_level=confidence_level,
        method=method,
        alternative=alternative,
        note=note,
    )


def between(
    low: float,
    high: float,
    *,
    method: str,
    confidence_level: float,
    alternative: Alternative,
    monte_carlo_error: float | None = None,
    note: str = "",
) -> Interval:
    """Return the interval from `low` to `high`, its open side moved to infinity."""
    return Interval(
        low=-math.inf if alternative == "less" else low,
        high=math.inf if alternative == "greater" else high,
        confidence_level=confidence_level,
        method=method,
        alternative=alternative,
        monte_carlo_error=monte_carlo_error,
        note=note,
    )


def tail_of(confidence_level: float, alternative: Alternative) -> float:
    """Probability left outside each closed end: alpha / 2, or alpha when one-sided.

    Raises
    ------
    InferenceError
        If the level is not between 0 and 1, or the alternative is not one of the three.
    """
    if not 0.0 < confidence_level < 1.0:
        raise InferenceError(
            f"the confidence level is {confidence_level:g}.",
            fix="Give a number between 0 and 1, such as 0.95.",
        )
    if alternative not in get_args(Alternative):
        raise InferenceError(
            f"the alternative is {alternative!r}.",
            fix=f"Give one of {', '.join(get_args(Alternative))}.",
        )
    alpha = 1.0 - confidence_level
    return alpha / 2.0 if alternative == "two-sided" else alpha
