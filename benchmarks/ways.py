"""What is measured: the same work done in several ways."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

RESAMPLES = 9_999

Call = Callable[[], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One way to do the work of a case.

    Attributes
    ----------
    case : str
        What is done, to what.
    name : str
        By whom, and how.
    package : str
        Distribution that does it.
    make : callable
        Imports what is needed, makes the inputs and returns what is timed: a call that does the
        work and says what it found.
    scale : float
        How many times as much work the case asks for: such as 100 where 100 resamples are drawn.
        Seconds are multiplied by it.
    note : str
        Why the work is not quite the same.
    """

    case: str
    name: str
    package: str
    make: Callable[[], Call]
    scale: float = 1.0
    note: str = ""

    @property
    def ours(self) -> bool:
        """Whether deadheat does it."""
        return self.package == "deadheat"


def interval(low: float, high: float) -> str:
    """Show an interval in points."""
    return f"{100 * low:+.2f} to {100 * high:+.2f}"
