"""Average precision: the area under the precision-recall curve as a sum of steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from deadheat.metrics.labels.truths import Positive, one_class
from deadheat.metrics.metric import VERSION, Floats, OfWeights, Settings, ValueOf, ratio
from deadheat.metrics.numbers.ranks import by_blocks, mid_ranks, running, summed
from deadheat.notes import Note


@dataclass(frozen=True, slots=True, kw_only=True)
class AveragePrecision(OfWeights):
    """Sum over distinct thresholds, from the greatest, of (R_n - R_{n-1}) P_n.

    Nothing is interpolated, and tied outputs pass a threshold together, as in scikit-learn's
    ``average_precision_score``. Undefined without a positive item, and 1 without a negative one.
    Outputs are kept as ranks, as in `deadheat.metrics.auroc.Auroc`.

    Examples
    --------
    >>> import numpy as np
    >>> precision = AveragePrecision()
    >>> rows = precision.rows(np.array([0, 1, 0, 1]), np.array([0.1, 0.4, 0.5, 0.8]))
    >>> precision.value_of(rows)(np.array([[1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 0.0, 1.0]]))
    array([0.83333333, 1.        ])
    """

    positive: Positive = field(default_factory=Positive)
    name: ClassVar[str] = "average_precision"
    bounds: ClassVar[tuple[float, float] | None] = (0.0, 1.0)

    @property
    def signature(self) -> str:
        """Name, positive label, version."""
        return f"average_precision|{self.positive}|v:{VERSION}"

    def with_references(self, references: NDArray[Any]) -> Self:
        """Freeze the positive label."""
        return replace(self, positive=self.positive.bound(references, self.name))

    def rows(self, references: NDArray[Any], outputs: Floats) -> Floats:
        """Return truth and rank among this system's outputs, shape (item, 2)."""
        truths = self.positive.truths(references, self.name)
        return np.stack([truths, mid_ranks(outputs)], axis=1)

    def value_of(self, rows: Floats) -> ValueOf:
        """Sort; each weighting then costs one pass over the items."""
        truths, ranks = rows[:, 0] == 1.0, -rows[:, 1]
        order = np.argsort(ranks, kind="stable")
        positive, negative = order[truths[order]], order[~truths[order]]
        # Recall rises only where there are positives.
        thresholds = np.unique(ranks[positive])
        hits = np.searchsorted(ranks[positive], thresholds, side="right")
        alarms = np.searchsorted(ranks[negative], thresholds, side="right")

        def kernel(weights: Floats) -> Floats:
            positives = running(weights[positive])
            true = positives[hits]
            precision = ratio(true, true + running(weights[negative])[alarms], 0.0)
            gained = np.diff(true, axis=0, prepend=0.0)
            return ratio(summed(gained * precision), positives[-1])

        return by_blocks(kernel, len(rows))

    def remarks(self, system: str, references: NDArray[Any], outputs: Floats) -> Sequence[Note]:
        """Say when there are no positives."""
        truths = self.positive.truths(references, self.name)
        return () if truths.any() else one_class(self.name, system, truths, "positives")


OPTIONS = ("positive",)
"""Settings that the metric has."""


def metric(settings: Settings) -> AveragePrecision:
    """Make the metric."""
    return AveragePrecision(positive=Positive(asked=settings.positive))
