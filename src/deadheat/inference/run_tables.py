"""Tables of rows by runs: what a claim about recipes is inferred from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import MetricError
from deadheat.inference.result import SystemRuns
from deadheat.intervals.components import (
    MeanOverRuns,
    Part,
    RunParts,
    mean_over_runs,
    part_of_rows,
    parts_of_runs,
    two_way_components,
)
from deadheat.scores import Scores, types_together

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunTable:
    """The runs of one system on rows that are a sample.

    Attributes
    ----------
    rows : ndarray, shape (row, run)
        Scores of items or, for other metrics, jackknife pseudo-values of units: in either case
        the mean over rows is the metric of the run.
    clusters, strata : ndarray of int, shape (row,), or None
    binary : bool
        Whether they are 0/1 scores of items drawn freely.
    """

    rows: Floats
    clusters: Ints | None = None
    strata: Ints | None = None
    binary: bool = False

    @property
    def values(self) -> Floats:
        """The metric of each run."""
        found: Floats = self.rows.mean(axis=0)
        return found

    @property
    def n_units(self) -> int:
        """Number of rows, or of clusters of them."""
        return len(self.rows) if self.clusters is None else int(self.clusters.max()) + 1

    @property
    def n_runs(self) -> int:
        """Number of runs."""
        return int(self.rows.shape[1])

    def part(self, values: Floats) -> Part:
        """Return the variance of the mean of values, shape (row,)."""
        return part_of_rows(values, self.clusters, self.strata)

    def design_effect(self, values: Floats) -> float:
        """Return the variance of the mean of values by that without clusters; 1 without them."""
        if self.clusters is None:
            return 1.0
        alone = part_of_rows(values, None, self.strata).variance
        return self.part(values).variance / alone if alone > 0.0 else math.nan

    def part_of_means(self) -> Part:
        """Return the variance of the mean over rows of the mean over these runs."""
        return self.part(self.rows.mean(axis=1))

    def parts(self) -> RunParts:
        """Return what the runs add to the variance."""
        return parts_of_runs(self.rows, self.clusters, self.strata)

    def mean(self) -> MeanOverRuns:
        """Return the mean over rows and runs, with its variance."""
        return mean_over_runs(float(self.values.mean()), self.part_of_means(), [self.parts()])

    def runs(self) -> SystemRuns:
        """Return the values of the runs and the components of variance."""
        return SystemRuns(
            values=tuple(self.values.tolist()), components=two_way_components(self.rows)
        )


def tables_of(scores: Scores, n_runs: Sequence[int]) -> list[RunTable]:
    """Return the table of each system.

    Parameters
    ----------
    scores : Scores
        Every run as a system, those of one system after each other.
    n_runs : sequence of int
        Runs of each system.
    """
    units = scores.units
    clusters = strata = None
    if scores.per_item is None:
        rows, strata = _pseudo_values(scores)
        if not np.isfinite(rows).all():
            undefined = int((~np.isfinite(rows).all(axis=0)).sum())
            raise MetricError(
                f"{scores.metrics[0].name} is undefined in {undefined} of {rows.shape[1]} runs, "
                "or is with an item left out.",
                fix="Leave such a run out, or choose what an undefined ratio counts as "
                "(--zero-division).",
            )
    else:
        rows = scores.per_item
        if units is not None:
            clusters = None if units.kind == "item" else units.of_item
            strata = None if units.strata is None else units.strata[units.of_item]
    return [
        RunTable(
            rows=np.ascontiguousarray(table),
            clusters=clusters,
            strata=strata,
            binary=scores.kind == "binary" and units is None,
        )
        for table in np.split(rows, np.cumsum(n_runs)[:-1], axis=1)
    ]


def _pseudo_values(scores: Scores) -> tuple[Floats, Ints | None]:
    """Return jackknife pseudo-values, shape (unit, run), and the stratum of each unit.

    Their mean is the metric, and the variance of their mean is that of the jackknife (Tukey
    1958), so that a metric of the whole set has a table of units by runs like any mean.
    """
    types = types_together([scores])
    left_out = np.repeat(
        scores.weighing.left_out(types.statistics[0], types.multiplicities),
        types.multiplicities,
        axis=0,
    )
    strata = None if types.strata is None else np.repeat(types.strata, types.multiplicities)
    n = len(left_out)
    rows = np.empty_like(left_out)
    for stratum in range(1 if strata is None else int(strata.max()) + 1):
        within = np.ones(n, dtype=bool) if strata is None else strata == stratum
        size = int(within.sum())
        around = left_out[within].mean(axis=0) - left_out[within]
        rows[within] = scores.values + around * ((size - 1) * n / size)
    return rows, strata
