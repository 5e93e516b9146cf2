"""Systems scored on the same items, ready to be weighted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from deadheat.metrics import Metric
from deadheat.notes import Note
from deadheat.resampling.types import collapse
from deadheat.scores.weighing import Weighing

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Kind = Literal["binary", "mean", "corpus"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scores:
    """Systems scored on the same items, ready to be weighted.

    Attributes
    ----------
    systems : tuple of str
    metrics : tuple of Metric
        One for each system, bound to the data.
    weighing : Weighing
        How the metrics depend on the weights of items.
    rows : ndarray, shape (item, c)
        All that the metrics depend on: scores, codes of labels, statistics or numbers.
        `expanded` makes of them what is weighted.
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
    weighing: Weighing
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
        """What is weighted of every item, shape (item, system, k); made anew at each call."""
        return self.weighing.expanded(self.rows)

    def types(self) -> tuple[Floats, Ints]:
        """Return the distinct statistics and how many items have each; see `types_together`."""
        (statistics,), multiplicities = types_together([self])
        return statistics, multiplicities


def types_together(parts: Sequence[Scores]) -> tuple[list[Floats], Ints]:
    """Return the types of items that are scored by several metrics.

    Types are formed with the systems in the order of their names and the metrics in that of their
    signatures: the order in which either were given changes no draw.

    Parameters
    ----------
    parts : sequence of Scores
        Of the same systems on the same items.

    Returns
    -------
    statistics : list of ndarray, shape (type, system, k)
        What is weighted, for each of `parts`.
    multiplicities : ndarray of int64, shape (type,)
    """
    systems = parts[0].systems
    by_name = sorted(range(len(systems)), key=lambda position: systems[position])
    rows = parts[0].rows if len(parts) == 1 else np.concatenate([p.rows for p in parts], axis=1)
    # Rows are few columns and statistics many: rows are merged before they are expanded,
    # and once more where different rows contribute the same.
    few = collapse(rows)
    ends = np.cumsum([part.rows.shape[1] for part in parts])[:-1]
    wide = [
        part.weighing.expanded(columns)[:, by_name]
        for part, columns in zip(parts, np.split(few.rows, ends, axis=1), strict=True)
    ]
    by_signature = sorted(range(len(parts)), key=lambda at: parts[at].metrics[by_name[0]].signature)
    flat = [wide[at].reshape(len(few.rows), -1) for at in by_signature]
    merged = collapse(flat[0] if len(flat) == 1 else np.concatenate(flat, axis=1), inverse=True)
    multiplicities = np.zeros(len(merged.rows), dtype=np.int64)
    np.add.at(multiplicities, merged.inverse, few.multiplicities)  # type: ignore[arg-type]
    back = np.argsort(by_name)
    ends = np.cumsum([part.shape[1] for part in flat])[:-1]
    found = dict(zip(by_signature, np.split(merged.rows, ends, axis=1), strict=True))
    statistics = [
        np.ascontiguousarray(found[at].reshape(-1, *part.shape[1:])[:, back])
        for at, part in enumerate(wide)
    ]
    return statistics, multiplicities
