"""Accuracy: the share of right outputs, from labels or from 0/1 scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from deadheat.metrics.metric import VERSION, Floats, Settings, Takes, ratio


@dataclass(frozen=True, slots=True, kw_only=True)
class Accuracy:
    """The share of right outputs; an output that is not usable is wrong.

    Examples
    --------
    >>> accuracy = Accuracy()
    >>> accuracy.statistics(np.array([0, 1, 1]), np.array([0, 1, -1]))
    array([[1., 1.],
           [1., 1.],
           [0., 1.]])
    """

    name: ClassVar[str] = "accuracy"
    greater_is_better: ClassVar[bool] = True
    takes: ClassVar[Takes] = "scores_or_labels"
    is_mean: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    signature: ClassVar[str] = f"accuracy|v:{VERSION}"

    def bind(self, labels: Sequence[Any], present: NDArray[np.bool_] | None) -> Self:
        return self

    def statistics(self, references: NDArray[Any] | None, outputs: NDArray[Any]) -> Floats:
        rows = np.ones((len(outputs), 2))
        rows[:, 0] = outputs if references is None else references == outputs
        return rows

    def value(self, totals: Floats) -> Floats:
        return ratio(totals[..., 0], totals[..., 1])

    def undefined(self, totals: Floats) -> NDArray[np.bool_]:
        return np.asarray(totals[..., 1] == 0.0)


OPTIONS = ()
"""Settings that the metric has."""


def metric(settings: Settings) -> Accuracy:
    """Make the metric."""
    return Accuracy()
