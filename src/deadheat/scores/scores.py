"""Systems scored on the same items, ready to be weighted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import MetricError
from deadheat.metrics import Metric
from deadheat.notes import Note
from deadheat.resampling.types import collapse

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Kind = Literal["binary", "mean", "corpus"]

MAX_VALUES = 1 << 28
"""Statistics that are held at once: 2 GB."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scores:
    """Systems scored on the same items, ready to be weighted.

    Attributes
    ----------
    systems : tuple of str
    metrics : tuple of Metric
        One for each system, bound to the labels.
    common : Metric
        The same function of the outputs for every system, whichever system they came from: for
        systems that exchange outputs.
    rows : ndarray, shape (item, c)
        All that the statistics of an item depend on: the score of each system, or the codes of
        the reference and of each output. `expanded` makes statistics of them.
    values : ndarray, shape (system,)
        The metric on the items as they are; NaN where undefined.
    per_item : ndarray, shape (item, system), or None
        Scores whose mean the metric is, a contiguous column for each system; None for metrics of
        the whole set.
    kind : {"binary", "mean", "corpus"}
        Means of 0/1 scores; means of other scores; metrics of the whole set.
    undefined : tuple of bool
        Per system: whether its value rests on 0/0.
    notes : tuple of Note
    """

    systems: tuple[str, ...]
    metrics: tuple[Metric, ...]
    common: Metric
    rows: NDArray[Any]
    values: Floats
    per_item: Floats | None
    kind: Kind
    undefined: tuple[bool, ...]
    notes: tuple[Note, ...] = ()

    @property
    def n(self) -> int:
        """Number of items."""
        return len(self.rows)

    @property
    def statistics(self) -> Floats:
        """What every item contributes, shape (item, system, k); made anew at each call."""
        return self.expanded(self.rows)

    def expanded(self, rows: NDArray[Any]) -> Floats:
        """Return the statistics of rows like those of `rows`, shape (row, system, k).

        Raises
        ------
        MetricError
            If they do not fit in 2 GB.
        """
        if self.per_item is not None:
            return np.stack([rows, np.ones(rows.shape)], axis=-1)
        references, *outputs = np.asarray(rows, dtype=np.intp).T
        width = self.metrics[0].statistics(references[:1], outputs[0][:1]).shape[1]
        if len(rows) * len(self.metrics) * width > MAX_VALUES:
            raise MetricError(
                f"{self.metrics[0].name} needs {width:,} sums over {len(rows):,} kinds of items, "
                "which do not fit in 2 GB.",
                fix="Take the average over fewer labels (--labels), or use accuracy.",
            )
        made = np.empty((len(rows), len(self.metrics), width))
        for position, (metric, codes) in enumerate(zip(self.metrics, outputs, strict=True)):
            made[:, position] = metric.statistics(references, codes)
        return made

    def types(self) -> tuple[Floats, Ints]:
        """Return the distinct statistics and how many items have each.

        Types are formed with the systems in the order of their names, so that the order in which
        they were given changes nothing but the order of the second axis.

        Returns
        -------
        statistics : ndarray, shape (type, system, k)
        multiplicities : ndarray of int64, shape (type,)
        """
        by_name = sorted(range(len(self.systems)), key=lambda position: self.systems[position])
        # Rows are few columns and statistics many: rows are merged before they are expanded,
        # and once more where different rows contribute the same.
        few = collapse(self.rows)
        wide = self.expanded(few.rows)[:, by_name]
        merged = collapse(wide.reshape(len(wide), -1), inverse=True)
        multiplicities = np.zeros(len(merged.rows), dtype=np.int64)
        np.add.at(multiplicities, merged.inverse, few.multiplicities)  # type: ignore[arg-type]
        statistics = merged.rows.reshape(-1, *wide.shape[1:])[:, np.argsort(by_name)]
        return np.ascontiguousarray(statistics), multiplicities
