"""The mean of scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from deadheat.metrics.metric import VERSION, Floats, Settings, Takes, ratio


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """The mean of scores; nothing is known of their scale.

    Examples
    --------
    >>> mean = Mean()
    >>> float(mean.value(mean.statistics(None, np.array([0.5, 1.0])).sum(axis=0)))
    0.75
    """

    greater_is_better: bool = True
    name: ClassVar[str] = "mean"
    takes: ClassVar[Takes] = "scores"
    is_mean: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float] | None] = None

    @property
    def signature(self) -> str:
        """Name, direction where it is not the usual one, version."""
        return f"mean{'' if self.greater_is_better else '|lower_is_better'}|v:{VERSION}"

    def bind(self, labels: Sequence[Any], present: NDArray[np.bool_] | None) -> Self:
        return self

    def statistics(self, references: NDArray[Any] | None, outputs: NDArray[Any]) -> Floats:
        rows = np.ones((len(outputs), 2))
        rows[:, 0] = outputs
        return rows

    def value(self, totals: Floats) -> Floats:
        return ratio(totals[..., 0], totals[..., 1])

    def undefined(self, totals: Floats) -> NDArray[np.bool_]:
        return np.asarray(totals[..., 1] == 0.0)


OPTIONS = ("greater_is_better",)
"""Settings that the metric has."""


def metric(settings: Settings) -> Mean:
    """Make the metric."""
    return Mean(greater_is_better=settings.greater_is_better is not False)
