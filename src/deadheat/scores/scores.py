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
from deadheat.scores.units import Units
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
    units : Units or None
        What `rows` are, where they are not items drawn freely.
    items : Scores or None
        The scores of the items, where `rows` are clusters.
    multiplicities : ndarray of int, shape (row,), or None
        Items that each row stands for, where rows are kinds of items.
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
    units: Units | None = None
    items: Scores | None = None
    multiplicities: Ints | None = None

    @property
    def n(self) -> int:
        """Number of items, or of units."""
        return len(self.rows) if self.multiplicities is None else int(self.multiplicities.sum())

    @property
    def statistics(self) -> Floats:
        """What is weighted of every item, shape (item, system, k); made anew at each call."""
        return self.weighing.expanded(self.rows)

    def types(self) -> tuple[Floats, Ints]:
        """Return the distinct statistics and how many items have each; see `types_together`."""
        found = types_together([self])
        return found.statistics[0], found.multiplicities


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Types:
    """Kinds of units that are alike in all that is weighted.

    Attributes
    ----------
    statistics : list of ndarray, shape (type, system, k)
        What is weighted, for each metric.
    multiplicities : ndarray of int64, shape (type,)
    strata : ndarray of int64, shape (type,), or None
        Stratum of each type.
    """

    statistics: list[Floats]
    multiplicities: Ints
    strata: Ints | None


def types_together(parts: Sequence[Scores]) -> Types:
    """Return the types of units that are scored by several metrics.

    Units of different strata are of different types. Types are formed with the systems in the
    order of their names and the metrics in that of their signatures: the order in which either
    were given changes no draw.

    Parameters
    ----------
    parts : sequence of Scores
        Of the same systems on the same units.
    """
    systems = parts[0].systems
    strata = None if parts[0].units is None else parts[0].units.strata
    before = [] if strata is None else [strata[:, None].astype(np.float64)]
    by_name = sorted(range(len(systems)), key=lambda position: systems[position])
    # Rows are few columns and statistics many: rows are merged before they are expanded,
    # and once more where different rows contribute the same.
    few = collapse(
        _beside([*before, *(part.rows for part in parts)]), multiplicities=parts[0].multiplicities
    )
    ends = np.cumsum([len(before), *(part.rows.shape[1] for part in parts)])[:-1]
    stratum, *columns = np.split(few.rows, ends, axis=1)
    wide = [
        part.weighing.expanded(rows)[:, by_name] for part, rows in zip(parts, columns, strict=True)
    ]
    by_signature = sorted(range(len(parts)), key=lambda at: parts[at].metrics[by_name[0]].signature)
    flat = [wide[at].reshape(len(few.rows), -1) for at in by_signature]
    merged = collapse(_beside([stratum, *flat] if before else flat), inverse=True)
    multiplicities = np.zeros(len(merged.rows), dtype=np.int64)
    np.add.at(multiplicities, merged.inverse, few.multiplicities)  # type: ignore[arg-type]
    back = np.argsort(by_name)
    ends = np.cumsum([len(before), *(part.shape[1] for part in flat)])[:-1]
    stratum, *columns = np.split(merged.rows, ends, axis=1)
    found = dict(zip(by_signature, columns, strict=True))
    return Types(
        statistics=[
            np.ascontiguousarray(found[at].reshape(-1, *part.shape[1:])[:, back])
            for at, part in enumerate(wide)
        ],
        multiplicities=multiplicities,
        strata=stratum[:, 0].astype(np.int64) if before else None,
    )


def _beside(columns: Sequence[NDArray[Any]]) -> NDArray[Any]:
    return columns[0] if len(columns) == 1 else np.concatenate(columns, axis=1)
