"""Area under the ROC curve: the chance that a positive item is put above a negative one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from deadheat.metrics.labels.truths import Positive, one_class
from deadheat.metrics.metric import VERSION, Floats, OfWeights, Settings, ValueOf, ratio
from deadheat.metrics.numbers.ranks import Places, by_blocks, mid_ranks, running
from deadheat.notes import Note


@dataclass(frozen=True, slots=True, kw_only=True)
class Auroc(OfWeights):
    """Mann & Whitney's (1947) U over pairs of a positive and a negative item; a tie counts half.

    Only the order of a system's outputs matters, so they are kept as their ranks: where two
    systems exchange outputs they exchange ranks, whatever the scales of the two (Venkatraman &
    Begg 1996).

    Examples
    --------
    >>> import numpy as np
    >>> auroc = Auroc()
    >>> rows = auroc.rows(np.array([0, 0, 1, 1]), np.array([0.1, 0.4, 0.4, 0.8]))
    >>> auroc.value_of(rows)(np.array([[1.0, 1.0, 1.0, 1.0], [0.0, 2.0, 2.0, 0.0]]))
    array([0.875, 0.5  ])
    """

    positive: Positive = field(default_factory=Positive)
    name: ClassVar[str] = "auroc"
    bounds: ClassVar[tuple[float, float] | None] = (0.0, 1.0)

    @property
    def signature(self) -> str:
        """Name, positive label, what a tie counts, version."""
        return f"auroc|{self.positive}|ties:half|v:{VERSION}"

    def with_references(self, references: NDArray[Any]) -> Self:
        """Freeze the positive label."""
        return replace(self, positive=self.positive.bound(references, self.name))

    def rows(self, references: NDArray[Any], outputs: Floats) -> Floats:
        """Return truth and rank among this system's outputs, shape (item, 2)."""
        truths = self.positive.truths(references, self.name)
        return np.stack([truths, mid_ranks(outputs)], axis=1)

    def value_of(self, rows: Floats) -> ValueOf:
        """Sort; each weighting then costs one pass over the items."""
        truths, ranks = rows[:, 0] == 1.0, rows[:, 1]
        order = np.argsort(ranks, kind="stable")
        positive, negative = order[truths[order]], order[~truths[order]]
        places = Places.of(ranks[positive], ranks[negative])

        def kernel(weights: Floats) -> Floats:
            chosen, sums = weights[positive], running(weights[negative])
            won = np.einsum("ij,ij->j", chosen, places.weight_below(sums))
            return ratio(won, chosen.sum(axis=0) * sums[-1])

        return by_blocks(kernel, len(rows))

    def remarks(self, system: str, references: NDArray[Any], outputs: Floats) -> Sequence[Note]:
        """Say when a class is missing."""
        truths = self.positive.truths(references, self.name)
        missing = truths.all() or not truths.any()
        return one_class(self.name, system, truths, "positives and negatives") if missing else ()


OPTIONS = ("positive",)
"""Settings that the metric has."""


def metric(settings: Settings) -> Auroc:
    """Make the metric."""
    return Auroc(positive=Positive(asked=settings.positive))
