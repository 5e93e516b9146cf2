"""Runs that passed, out of how many, item by item."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import ItemError, UsageError
from deadheat.metrics.metric import VERSION, Floats, OfValues, Settings, Takes

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Passes(OfValues):
    """A mean over items of what the numbers of runs and of passes say of `k` runs.

    Attributes
    ----------
    k : int
        Number of runs that the metric speaks of.
    written : str
        The name up to `k`, such as "pass@".
    of_counts : callable
        Maps (runs, passes, k) to the value of an item.
    """

    k: int
    written: str
    of_counts: Callable[[int, int, int], float]
    takes: ClassVar[Takes] = "runs"
    of_outputs: ClassVar[bool] = False
    is_mean: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float] | None] = (0.0, 1.0)

    @property
    def name(self) -> str:
        """Such as "pass@5"."""
        return f"{self.written}{self.k}"

    @property
    def signature(self) -> str:
        """Name with `k`, version."""
        return f"{self.name}|v:{VERSION}"

    def statistics(
        self, references: None, outputs: Sequence[Sequence[float | None] | None]
    ) -> Floats:
        """Return the value of each item and 1, shape (item, 2).

        Parameters
        ----------
        references : None
        outputs : sequence of (sequence of (float or None) or None)
            For each item the score of each run, 0 or 1. A run without a score (None or NaN) did
            not pass; neither did an item without any run, for which None stands.

        Raises
        ------
        ItemError
            If a score is neither 0 nor 1, or an item has fewer runs than `k`.
        """
        runs, passes = counted(outputs, self.name)
        absent = np.array([item is None for item in outputs], dtype=bool)
        few = np.flatnonzero((runs < self.k) & ~absent)
        if few.size:
            raise self._too_few(few, runs)
        rows = np.ones((len(outputs), 2))
        side = int(runs.max(initial=0)) + 1
        pairs, place = np.unique(runs * side + passes, return_inverse=True)
        values = [
            self.of_counts(pair // side, pair % side, self.k) if pair else 0.0
            for pair in pairs.tolist()
        ]
        rows[:, 0] = np.array(values, dtype=np.float64)[place]
        return rows

    def _too_few(self, few: Ints, runs: Ints) -> ItemError:
        row = int(few[0])
        more = f" {few.size:,} of {runs.size:,} items have fewer than {self.k}." * (few.size > 1)
        word = "run" if runs[row] == 1 else "runs"
        return ItemError(
            f"the item has {runs[row]} {word} and k is {self.k}: {self.name} is not defined where "
            f"k is larger than the number of runs.{more}",
            row=row,
            fix=f"Choose k of at most {runs[few].min()}, or give more runs."
            if runs[few].min()
            else "Give runs for every item.",
        )


def counted(outputs: Sequence[Sequence[float | None] | None], name: str) -> tuple[Ints, Ints]:
    """Count the runs of each item and those that passed, both of shape (item,).

    Raises
    ------
    ItemError
        If a score is neither 0 nor 1 (nor None or NaN, which is no pass).

    Examples
    --------
    >>> counted([[1.0, 0.0, None], None, [1.0]], "pass@1")
    (array([3, 0, 1]), array([1, 0, 1]))
    """
    held = [() if item is None else item for item in outputs]
    runs = np.fromiter(map(len, held), dtype=np.int64, count=len(held))
    scores = np.array(list(chain.from_iterable(held)), dtype=np.float64)
    item = np.repeat(np.arange(len(held)), runs)
    others = np.flatnonzero(~((scores == 0.0) | (scores == 1.0) | np.isnan(scores)))
    if others.size:
        first = others[0]
        more = f" {others.size - 1:,} more are neither." if others.size > 1 else ""
        raise ItemError(
            f"a run has the score {scores[first]:g}; {name} takes 0 (failed) and 1 (passed).{more}",
            row=int(item[first]),
            fix="Say what passes by giving 0 or 1, or take the mean over the runs: --metric mean.",
        )
    return runs, np.bincount(item[scores == 1.0], minlength=len(held)).astype(np.int64)


def k_of(settings: Settings, written: str) -> int:
    """Return the number of runs that a metric is asked about.

    Raises
    ------
    UsageError
        If it was not said or is no whole number of 1 or more.
    """
    if settings.k is None or settings.k < 1:
        said = "" if settings.k is None else f", and k is {settings.k}"
        raise UsageError(
            f"{settings.name} needs to know the number of runs k, 1 or more{said}.",
            fix=f"Write it in the name, such as {written}5.",
        )
    return settings.k
