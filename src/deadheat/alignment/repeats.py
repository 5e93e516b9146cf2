"""Rows of one system that share an item id: runs to average, or a mistake."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from deadheat.errors import AlignmentError


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCounts:
    """How many runs the items of a system have.

    Attributes
    ----------
    fewest, most : int
    """

    fewest: int
    most: int

    def __str__(self) -> str:
        span = f"{self.fewest}" if self.fewest == self.most else f"{self.fewest} to {self.most}"
        return f"{span} run{'' if self.most == 1 else 's'}"


def repeated(table: pl.DataFrame) -> pl.DataFrame:
    """Return the keys (item, or item and run) that occur more than once, with "rows".

    Parameters
    ----------
    table : polars.DataFrame
        Sorted by item, then run.
    """
    key = [name for name in ("item", "run") if name in table.columns]
    same = pl.all_horizontal(pl.col(name).eq_missing(pl.col(name).shift(1)) for name in key)
    twice = table.select(*key, same.alias("same"))
    again = twice.filter("same").group_by(key, maintain_order=True).len("rows")
    return again.with_columns(pl.col("rows") + 1)


def one_row_per_item(table: pl.DataFrame, system: str) -> tuple[pl.DataFrame, RunCounts | None]:
    """Average the scores of the runs of each item; an item with a run without score has none.

    Parameters
    ----------
    table : polars.DataFrame
        Sorted by item, without repeated keys.
    system : str
        For messages.

    Returns
    -------
    table : polars.DataFrame
        One row for each item, without "run"; without "output" where runs were averaged. Where
        runs lack a score, with the share of them as "lacking" and as "rest" what the scores of
        the others add up to, over the number of all.
    runs : RunCounts or None
        None where every item has one run.

    Raises
    ------
    AlignmentError
        If there are several outputs for an item and no scores, or if the runs of an item disagree
        about its reference, cluster or stratum.
    """
    if "run" not in table.columns:
        return table, None
    counts = table.group_by("item", maintain_order=True).len("runs")
    if len(counts) == len(table):
        return table.drop("run"), None
    if "score" not in table.columns:
        first = counts.row(int(counts["runs"].arg_max() or 0))
        raise AlignmentError(
            f"system {system} has several runs with outputs and no scores: item {first[0]!r} has "
            f"{first[1]} runs; outputs cannot be averaged.",
            fix="Score every run with --runs random, choose one run and give only its rows, or use "
            "a metric of runs such as majority_vote.",
        )
    shared = [name for name in ("reference", "cluster", "stratum") if name in table.columns]
    for name in shared:
        check_one_value(table, name, system)
    # In the order of the runs, so that the sum has the same bits for any order of rows.
    scores = table["score"].fill_null(float("nan")).to_numpy()
    lengths = counts["runs"].to_numpy().astype(np.int64)
    starts = np.concatenate(([0], np.cumsum(lengths)[:-1]))
    sums = np.add.reduceat(scores, starts)
    first_values = table.group_by("item", maintain_order=True).agg(
        pl.col(name).drop_nulls().first() for name in shared
    )
    means = pl.Series("score", sums / lengths).fill_nan(None)
    averaged = first_values.with_columns(means)
    if means.null_count():
        nowhere = np.isnan(scores)
        rest = np.add.reduceat(np.where(nowhere, 0.0, scores), starts) / lengths
        lacking = np.add.reduceat(nowhere.astype(np.float64), starts) / lengths
        averaged = averaged.with_columns(pl.Series("rest", rest), pl.Series("lacking", lacking))
    return averaged, RunCounts(fewest=int(lengths.min()), most=int(lengths.max()))


def check_one_value(table: pl.DataFrame, name: str, system: str) -> None:
    """Refuse runs of an item that differ in a column that belongs to the item.

    Raises
    ------
    AlignmentError
        If they do.
    """
    values = pl.col(name).drop_nulls()
    different = table.group_by("item", maintain_order=True).agg(values.n_unique().alias("n"))
    different = different.filter(pl.col("n") > 1)
    if len(different):
        raise AlignmentError(
            f"the runs of system {system} disagree about the {name} of {len(different)} items, "
            f"such as {different['item'][0]!r}.",
            fix="An item has one reference, cluster and stratum.",
        )
