"""The scores that systems brought along."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from deadheat.alignment import Alignment
from deadheat.errors import MetricError
from deadheat.metrics import Metric

SMALLEST, LARGEST = 1e-100, 1e100
"""Between which the largest score has to lie for its powers to be floats."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Given:
    """Scores of every system.

    Attributes
    ----------
    table : ndarray, shape (item, system)
        A contiguous column for each system; 0 where a score is absent.
    absent : tuple of (ndarray, shape (item,), or None)
        Per system: the share of each score that is absent and is to be the worst, below 1 where
        runs were averaged and some lack one; None for nowhere.
    binary : bool
        Whether all scores are 0 or 1.
    """

    table: Floats
    absent: tuple[Floats | None, ...]
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
    table = np.empty((len(columns), alignment.height))
    lacking = alignment.lacking or (None,) * len(columns)
    absent = tuple(
        absent_shares(column, shares) for column, shares in zip(columns, lacking, strict=True)
    )
    for system, column, row in zip(alignment.systems, columns, table, strict=True):
        row[:] = (column.fill_null(0.0) if column.null_count() else column).to_numpy()
        if not (np.isfinite(row.min()) and np.isfinite(row.max())):
            raise MetricError(
                f"{int((~np.isfinite(row)).sum()):,} of the scores of {system} are not finite.",
                fix="Leave such a score out (null) and choose --missing drop or wrong.",
            )
        size = float(np.abs(row).max(initial=0.0))
        if size and not SMALLEST < size < LARGEST:
            raise MetricError(
                f"scores of {system} are as {'large' if size > 1.0 else 'small'} as {size:.3g}: "
                "their squares cannot be computed.",
                fix=f"Scale them: a largest score between {SMALLEST:g} and {LARGEST:g} is needed.",
            )
    return Given(table=table.T, absent=absent, binary=all(is_binary(row) for row in table))


def absent_shares(scores: pl.Series, lacking: pl.Series | None) -> Floats | None:
    """Return the share of each score that is absent, shape (item,); None where all are there.

    Parameters
    ----------
    scores : polars.Series
        Null where the whole score is absent.
    lacking : polars.Series or None
        Share of the runs of an item that have none; null for 0.

    Examples
    --------
    >>> absent_shares(pl.Series([0.4, None, 1.0]), pl.Series([0.6, 1.0, 0.0])).tolist()
    [0.6, 1.0, 0.0]
    """
    if not scores.null_count() and lacking is None:
        return None
    whole = scores.is_null().to_numpy().astype(np.float64)
    return whole if lacking is None else np.maximum(whole, lacking.fill_null(0.0).to_numpy())


def present_scores(alignment: Alignment) -> list[Floats]:
    """Return the scores of each system that are there, each of a shape of its own."""
    columns = [column for column in alignment.scores if column is not None]
    return [column.drop_nulls().to_numpy() for column in columns]


def with_worst(given: Given, metric: Metric) -> Floats:
    """Return the scores with the worst possible one where a score is absent.

    Raises
    ------
    MetricError
        If it is not known which score is the worst.
    """
    if all(shares is None for shares in given.absent):
        return given.table
    if metric.takes not in ("scores", "scores_or_labels"):
        raise MetricError(
            f"absent scores cannot be given the worst score: for {metric.name} it is another for "
            "each item, or not known.",
            fix="Choose --missing drop, or fill in the scores.",
        )
    low, high = present_range(given)
    bounds = range_of(metric, low, high)
    if bounds is None:
        why = (
            f"these scores go from {low:g} to {high:g} on a scale that is not known"
            if metric.greater_is_better
            else "where less is better, nothing bounds how bad a score can be"
        )
        raise MetricError(
            f"absent scores cannot be given the worst score: {why}.",
            fix="Choose --missing drop, or fill in the scores.",
        )
    table = given.table.copy(order="F")
    worst = getattr(metric, "worst", bounds[0 if metric.greater_is_better else 1])
    for column, shares in zip(table.T, given.absent, strict=True):
        if shares is not None:
            column += shares * worst
    return table


def present_range(given: Given) -> tuple[float, float]:
    """Return the least and the greatest score that is there."""
    present = np.concatenate(
        [
            column if shares is None else column[shares < 1.0]
            for column, shares in zip(given.table.T, given.absent, strict=True)
        ]
    )
    return float(present.min(initial=np.inf)), float(present.max(initial=-np.inf))


def range_of(metric: Metric, low: float, high: float) -> tuple[float, float] | None:
    """Return the least and greatest score possible; None where it is not known.

    Parameters
    ----------
    metric : Metric
    low, high : float
        Least and greatest score that is there.
    """
    if metric.bounds is None and metric.greater_is_better and low >= 0.0 and high <= 1.0:
        return 0.0, 1.0
    return metric.bounds


def not_zero_one(alignment: Alignment, table: Floats) -> MetricError:
    """Return the error that says which score is not 0 or 1."""
    others = np.argwhere((table != 0.0) & (table != 1.0))
    row, column = (int(index) for index in others[0])
    item = f"row {row + 1}" if alignment.items is None else f"item {alignment.items[row]!r}"
    more = f", and {len(others) - 1:,} more are neither" if len(others) > 1 else ""
    return MetricError(
        f"accuracy takes scores of 0 and 1, but {alignment.systems[column]} has "
        f"{table[row, column]:g}{more}.",
        where=item,
        fix="Use --metric mean for graded scores, or correct the scores.",
    )


def is_binary(column: Floats) -> bool:
    """Whether all scores are 0 or 1."""
    return bool(((column == 0.0) | (column == 1.0)).all())
