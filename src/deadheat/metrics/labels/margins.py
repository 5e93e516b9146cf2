"""What metrics of a confusion table need: its diagonal and its margins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from deadheat.metrics.metric import VERSION, Floats, Takes


@dataclass(frozen=True, slots=True, kw_only=True)
class Margins:
    """Base of metrics of a confusion table over K labels.

    An item contributes 1 + 2 K statistics: whether it is right, which label was put out and which
    is the reference. An output that is not usable is put out for none.

    Attributes
    ----------
    n_labels : int
        Bound: number of labels.
    """

    n_labels: int = 0
    name: ClassVar[str]
    bounds: ClassVar[tuple[float, float] | None] = (-1.0, 1.0)
    takes: ClassVar[Takes] = "labels"
    is_mean: ClassVar[bool] = False
    greater_is_better: ClassVar[bool] = True

    @property
    def signature(self) -> str:
        """Name, number of labels, version."""
        return f"{self.name}|labels:{self.n_labels}|v:{VERSION}"

    def bind(self, labels: Sequence[Any], present: NDArray[np.bool_] | None) -> Self:
        return replace(self, n_labels=len(labels))

    def statistics(self, references: NDArray[Any] | None, outputs: NDArray[Any]) -> Floats:
        wanted, given = np.asarray(references, dtype=np.intp), np.asarray(outputs, dtype=np.intp)
        rows = np.zeros((len(given), 1 + 2 * self.n_labels))
        rows[:, 0] = wanted == given
        for start, column in ((1, given), (1 + self.n_labels, wanted)):
            (items,) = np.nonzero(column >= 0)
            rows[items, start + column[items]] = 1.0
        return rows

    def counts(self, totals: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Split totals: n and right, shape (...); put out and references, shape (..., K)."""
        given = totals[..., 1 : 1 + self.n_labels]
        wanted = totals[..., 1 + self.n_labels :]
        return wanted.sum(axis=-1), totals[..., 0], given, wanted
