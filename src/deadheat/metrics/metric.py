"""What a metric is: what an item contributes, and what a total is worth.

A metric is a frozen object. `bind` freezes the label set from the whole data once, so that no
label can vanish in a resample; afterwards every resample is a weighting of items, and
``value(weights @ statistics)`` is the metric on it. What is not a function of sums (ranks, areas
under curves) will offer ``value_of(weights)`` through a protocol of its own beside this one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Takes = Literal["scores", "labels", "scores_or_labels"]
Average = Literal["binary", "micro", "macro", "weighted"]

VERSION = 1
"""Of the definitions: it changes when the same data would have another value."""


@runtime_checkable
class Metric(Protocol):
    """A function of summed statistics of the items."""

    @property
    def name(self) -> str:
        """Canonical name, such as "macro_f1"."""
        ...

    @property
    def greater_is_better(self) -> bool:
        """Whether a greater value is a better one."""
        ...

    @property
    def takes(self) -> Takes:
        """What `statistics` is given: scores, or codes of labels."""
        ...

    @property
    def is_mean(self) -> bool:
        """Whether there are two statistics, a score and 1, and the value is their ratio."""
        ...

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Least and greatest value possible, where they are known."""
        ...

    @property
    def signature(self) -> str:
        """The name and every setting that can change the value, parted by "|"."""
        ...

    def bind(self, labels: Sequence[Any], present: NDArray[np.bool_] | None) -> Self:
        """Freeze the label set.

        Parameters
        ----------
        labels : sequence, length K
            All labels of all systems and of the references, sorted; empty for scores.
        present : ndarray of bool, shape (K,), or None
            Which of them occur in the references or in this system's own outputs. None leaves it
            to the totals at hand, which is right for totals of all items only, such as those of
            systems that have exchanged outputs.

        Raises
        ------
        MetricError
            If the settings do not fit the labels.
        """
        ...

    def statistics(self, references: NDArray[Any] | None, outputs: NDArray[Any]) -> Floats:
        """Return what each item contributes, shape (item, k).

        Parameters
        ----------
        references : ndarray of int, shape (item,), or None for scores
            Positions in the labels bound.
        outputs : ndarray, shape (item,)
            Positions in the labels bound, -1 where there is no usable output; or scores.
        """
        ...

    def value(self, totals: Floats) -> Floats:
        """Return the value of totals of shape (..., k), shape (...); NaN where undefined."""
        ...

    def undefined(self, totals: Floats) -> NDArray[np.bool_]:
        """Return where the value rests on a ratio 0/0, whatever it was set to, shape (...)."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the name and the options of a metric say; its module makes the metric of them.

    Attributes
    ----------
    name : str
        As given, for messages.
    average : {"binary", "micro", "macro", "weighted"}
        From the prefix of the name; "binary" where there is none.
    beta : float or None
        From a name such as "f0.5".
    labels : tuple or None
        The labels that an average is taken over.
    positive : object or None
        The positive label of a binary metric.
    zero_division : float
        What a ratio 0/0 is set to: 0, 1 or NaN.
    greater_is_better : bool or None
        None where it was not said.
    """

    name: str
    average: Average = "binary"
    beta: float | None = None
    labels: tuple[Any, ...] | None = None
    positive: Any = None
    zero_division: float = 0.0
    greater_is_better: bool | None = None


def ratio(numerator: Floats, denominator: Floats, otherwise: float = np.nan) -> Floats:
    """Divide, shapes (...) broadcast; where the denominator is 0 the result is `otherwise`.

    Examples
    --------
    >>> ratio(np.array([1.0, 0.0]), np.array([2.0, 0.0]))
    array([0.5, nan])
    """
    shape = np.broadcast_shapes(np.shape(numerator), np.shape(denominator))
    result = np.full(shape, otherwise)
    np.divide(numerator, denominator, out=result, where=denominator != 0.0)
    return result
