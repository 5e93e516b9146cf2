"""Spearman's rank correlation of outputs with references (Spearman 1904)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from deadheat.metrics.metric import VERSION, Floats, OfWeights, Settings, ValueOf, ratio
from deadheat.metrics.numbers.checks import numeric
from deadheat.metrics.numbers.ranks import Places, by_blocks, mid_ranks, running, summed
from deadheat.metrics.numbers.variation import without_variation
from deadheat.notes import Note


@dataclass(frozen=True, slots=True, kw_only=True)
class Spearman(OfWeights):
    """Pearson's correlation of mid-ranks, which are those of each resample anew.

    Outputs are kept as ranks, so that two systems that exchange outputs exchange ranks, whatever
    their scales. Undefined where references or outputs do not vary.

    Examples
    --------
    >>> import numpy as np
    >>> spearman = Spearman()
    >>> rows = spearman.rows(np.array([1, 2, 3]), np.array([0.1, 0.9, 0.3]))
    >>> spearman.value_of(rows)(np.array([[1.0, 1.0, 1.0], [1.0, 2.0, 0.0], [3.0, 0.0, 0.0]]))
    array([0.5, 1. , nan])
    """

    name: ClassVar[str] = "spearman"
    signature: ClassVar[str] = f"spearman|ties:mid-rank|v:{VERSION}"
    bounds: ClassVar[tuple[float, float] | None] = (-1.0, 1.0)

    def rows(self, references: NDArray[Any], outputs: Floats) -> Floats:
        """Return reference and rank among this system's outputs, shape (item, 2).

        Raises
        ------
        ItemError
            If a reference is not a number.
        """
        return np.stack([numeric(references), mid_ranks(outputs)], axis=1)

    def value_of(self, rows: Floats) -> ValueOf:
        """Sort by both columns; each weighting then costs one pass over the items.

        The weight below a number and half that beside it, less half of all weight, is its
        mid-rank about the mean rank.
        """
        order = np.lexsort((rows[:, 0], rows[:, 1]))
        y, x = rows[order, 0], rows[order, 1]
        by_y = np.argsort(y, kind="stable")
        places_x, places_y = Places.of(x, x), Places.of(y, y[by_y])

        def kernel(weights: Floats) -> Floats:
            sorted_weights = weights[order]
            sums = running(sorted_weights)
            ranks_x = places_x.weight_below(sums)
            ranks_y = places_y.weight_below(running(sorted_weights[by_y]))
            ranks_x -= 0.5 * sums[-1]
            ranks_y -= 0.5 * sums[-1]
            weighted_x, weighted_y = sorted_weights * ranks_x, sorted_weights * ranks_y
            covariance, square_x, square_y = (
                summed(a * b)
                for a, b in ((weighted_x, ranks_y), (weighted_x, ranks_x), (weighted_y, ranks_y))
            )
            return np.clip(ratio(covariance, np.sqrt(square_x) * np.sqrt(square_y)), -1.0, 1.0)

        return by_blocks(kernel, len(rows))

    def remarks(self, system: str, references: NDArray[Any], outputs: Floats) -> Sequence[Note]:
        """Say when nothing varies."""
        return without_variation(self.name, system, numeric(references), outputs)


OPTIONS = ()
"""Settings that the metric has."""


def metric(settings: Settings) -> Spearman:
    """Make the metric."""
    return Spearman()
