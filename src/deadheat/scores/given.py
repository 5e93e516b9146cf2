"""The scores that systems brought along."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deadheat.alignment import Alignment
from deadheat.errors import MetricError
from deadheat.metrics import Metric

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Given:
    """Scores of every system.

    Attributes
    ----------
    table : ndarray, shape (item, system)
        A contiguous column for each system; 0 where a score is absent.
    absent : tuple of (ndarray of bool or None)
        Per system: where a score is absent and is to be the worst; None for nowhere.
    binary : bool
        Whether all scores are 0 or 1.
    """

    table: Floats
    absent: tuple[Bools | None, ...]
    binary: bool


def given_scores(alignment: Alignment) -> Given | None:
    """Return the scores, or None where a system has none.

    Raises
    ------
    MetricError
        If a score is not finite.
    """
    columns = [column for column in alignment.scores if column is not None]
    if len(columns) < len(alignment.systems):
        return None
    table = np.empty((len(columns), alignment.n))
    absent = tuple(
        column.is_null().to_numpy() if column.null_count() else None for column in columns
    )
    for system, column, row in zip(alignment.systems, columns, table, strict=True):
        row[:] = (column.fill_null(0.0) if column.null_count() else column).to_numpy()
        if not (np.isfinite(row.min()) and np.isfinite(row.max())):
            raise MetricError(
                f"{int((~np.isfinite(row)).sum())} scores of {system} are not finite.",
                fix="Leave such a score out (null) and choose --missing drop or wrong.",
            )
    return Given(table=table.T, absent=absent, binary=all(is_binary(row) for row in table))


def with_worst(given: Given, metric: Metric) -> Floats:
    """Return the scores with the worst possible one where a score is absent.

    Raises
    ------
    MetricError
        If it is not known which score is the worst.
    """
    if all(mask is None for mask in given.absent):
        return given.table
    bounds = metric.bounds
    if bounds is None and given.table.min() >= 0.0 and given.table.max() <= 1.0:
        bounds = (0.0, 1.0) if metric.greater_is_better else None
    if bounds is None:
        raise MetricError(
            "absent scores cannot be given the worst score: "
            + (
                f"these scores go from {given.table.min():g} to {given.table.max():g}, and their "
                "scale is not known."
                if metric.greater_is_better
                else "nothing bounds a score of which less is better."
            ),
            fix="Choose --missing drop, or fill in the scores.",
        )
    table = given.table.copy(order="F")
    for column, mask in zip(table.T, given.absent, strict=True):
        if mask is not None:
            column[mask] = bounds[0 if metric.greater_is_better else 1]
    return table


def not_zero_one(alignment: Alignment, table: Floats) -> MetricError:
    """Return the error that says which score is not 0 or 1."""
    for system, column in zip(alignment.systems, table.T, strict=True):
        others = np.flatnonzero((column != 0.0) & (column != 1.0))
        if others.size:
            break
    first = int(others[0])
    item = f"row {first + 1}" if alignment.items is None else f"item {alignment.items[first]!r}"
    return MetricError(
        f"accuracy takes scores of 0 and 1, but {system} has {column[first]:g}"
        + (f" and {others.size - 1:,} more such scores." if others.size > 1 else "."),
        where=item,
        fix="Use --metric mean for graded scores, or correct the score.",
    )


def is_binary(column: Floats) -> bool:
    """Whether all scores are 0 or 1."""
    return bool(((column == 0.0) | (column == 1.0)).all())
