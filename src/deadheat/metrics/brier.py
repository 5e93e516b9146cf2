"""Brier score: the mean squared error of probabilities (Brier 1950, binary form)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from deadheat.metrics.labels.truths import Positive
from deadheat.metrics.metric import VERSION, Floats, OfValues, Settings, Takes
from deadheat.metrics.numbers.checks import probabilities


@dataclass(frozen=True, slots=True, kw_only=True)
class Brier(OfValues):
    """Mean of (p - y)^2, p the probability of the positive label and y 1 where it is true.

    Between 0 and 1; Brier's own form over both labels is twice this.

    Examples
    --------
    >>> import numpy as np
    >>> Brier().statistics(np.array(["0", "1"], dtype=object), np.array([0.5, 1.0]))
    array([[0.25, 1.  ],
           [0.  , 1.  ]])
    """

    positive: Positive = field(default_factory=Positive)
    name: ClassVar[str] = "brier"
    takes: ClassVar[Takes] = "numbers"
    is_mean: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float] | None] = (0.0, 1.0)

    @property
    def greater_is_better(self) -> bool:
        """False: it is an error."""
        return False

    @property
    def signature(self) -> str:
        """Name, positive label, version."""
        return f"brier|{self.positive}|v:{VERSION}"

    def with_references(self, references: NDArray[Any]) -> Self:
        """Freeze the positive label."""
        return replace(self, positive=self.positive.bound(references, self.name))

    def statistics(self, references: NDArray[Any], outputs: Floats) -> Floats:
        """Return squared error and 1, shape (item, 2).

        Raises
        ------
        ItemError
            If an output is not between 0 and 1, or there is no reference.
        """
        errors = probabilities(outputs) - self.positive.truths(references, self.name)
        return np.stack([errors * errors, np.ones(len(errors))], axis=1)


OPTIONS = ("positive",)
"""Settings that the metric has."""


def metric(settings: Settings) -> Brier:
    """Make the metric."""
    return Brier(positive=Positive(asked=settings.positive))
