"""How an inference is made: everything that is not data, checked once before any work."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

import numpy as np

from deadheat.engine import Engine
from deadheat.errors import UsageError
from deadheat.rng import checked_seed

Alternative = Literal["two-sided", "less", "greater"]

MAX_RESAMPLES = 10_000_000
"""Draws are kept to place the ends of an interval: 80 MB a system at this number."""


def _number(value: object) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)


def _shown(value: object) -> str:
    return f"{value:,}" if _whole(value) else f"{value:g}" if _number(value) else repr(value)


def _whole(number: object) -> bool:
    return isinstance(number, (int, np.integer)) and not isinstance(number, bool)


def if_percent(value: object) -> str:
    """Return what a number is as a share, for an error, where it looks like percents.

    Examples
    --------
    >>> if_percent(95), if_percent(0.3)
    ('; 95% is 0.95', '')
    """
    if not _number(value) or not 1.0 < value <= 100.0:  # type: ignore[operator]
        return ""
    return f"; {value:g}% is {value / 100.0:.10g}"  # type: ignore[operator]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Parameters of an interval and its tests, by SciPy's names.

    Attributes
    ----------
    method : str
        Interval method, or "auto".
    confidence_level : float
        Between 0.5 and 1, both excluded.
    n_resamples : int
        Draws where draws are needed; exact distributions make none.
    seed : int
        Of the draws.
    alternative : {"two-sided", "less", "greater"}
        About candidate - baseline.
    test : str
        Companion test of the reading, or "auto".
    margin : float or None
        Smallest difference that matters, on the metric's own scale.
    threads : int or None
        Threads for drawing; None means every core. Never changes a number.
    engine : Engine or None
        Where blocks of many counts are drawn. Never changes a number.
    progress : callable or None
        Told how many resamples are done, of how many.
    """

    method: str = "auto"
    confidence_level: float = 0.95
    n_resamples: int = 9_999
    seed: int = 0
    alternative: Alternative = "two-sided"
    test: str = "auto"
    margin: float | None = None
    threads: int | None = None
    engine: Engine | None = field(default=None, compare=False, repr=False)
    progress: Callable[[int, int], None] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not _number(self.confidence_level) or not 0.5 < self.confidence_level < 1.0:
            raise UsageError(
                f"the confidence level is {_shown(self.confidence_level)}.",
                fix="Give a number between 0.5 and 1, such as 0.95"
                f"{if_percent(self.confidence_level)}.",
            )
        if not _whole(self.n_resamples) or not 2 <= self.n_resamples <= MAX_RESAMPLES:
            raise UsageError(
                f"the number of resamples is {_shown(self.n_resamples)}.",
                fix=f"Give a whole number from 2 to {MAX_RESAMPLES:,}; 9,999 is usual.",
            )
        if self.alternative not in get_args(Alternative):
            raise UsageError(
                f"the alternative is {self.alternative!r}.",
                fix=f"Give one of {', '.join(get_args(Alternative))}.",
            )
        if self.margin is not None and not (
            _number(self.margin) and 0.0 < self.margin < float("inf")
        ):
            raise UsageError(
                f"the margin is {_shown(self.margin)}.",
                fix="Give the smallest difference that matters, a number above 0 on the scale "
                "of the metric (0.01 is one point of accuracy).",
            )
        if self.threads is not None and not (_whole(self.threads) and self.threads >= 1):
            raise UsageError(
                f"the number of threads is {self.threads}.", fix="Give a whole number from 1."
            )
        checked_seed(self.seed)

    def without_engine(self) -> Settings:
        """Return what a result keeps: all that a number depends on."""
        return replace(self, engine=None, progress=None)

    @property
    def planning_alpha(self) -> float:
        """Two-sided level at which the planning formulas stand for this alternative."""
        return self.alpha if self.alternative == "two-sided" else 2.0 * self.alpha

    @property
    def alpha(self) -> float:
        """Share of misses that the level allows, 1 - confidence_level."""
        # 1 - 0.95 is 0.050000000000000044 in binary; a p-value of exactly 0.05 must meet it.
        return round(1.0 - self.confidence_level, 12)


MEMORY = "4GB"
"""Bytes that a table may take before it is counted in passing."""

_UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}


def size_of(memory: object) -> int:
    """Return the bytes of a size, such as "500MB" or 2_000_000.

    Raises
    ------
    UsageError
        If it is no size of a megabyte or more.

    Examples
    --------
    >>> size_of("1.5 GB"), size_of(2_000_000)
    (1500000000, 2000000)
    """
    text = str(memory).strip().casefold().replace("_", "").replace("i", "")
    number = text.rstrip("bgkmt ")
    unit = text[len(number) :].strip()
    try:
        size = float(number) * _UNITS[unit]
    except (ValueError, KeyError):
        size = math.nan
    if isinstance(memory, bool) or not 10**6 <= size < math.inf:
        raise UsageError(
            f"the memory is {memory!r}.", fix="Give a size of 1MB or more, such as 500MB or 2GB."
        )
    return int(size)
