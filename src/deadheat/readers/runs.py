"""Scores that come as a list for each item, one entry for each run: a row for each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import NoneType
from typing import Any

import numpy as np
import polars as pl

from deadheat.errors import InputError
from deadheat.evaluation import Answers, Source
from deadheat.readers.cells import finite, word_for
from deadheat.readers.records import typed_series
from deadheat.readers.structured import entries, is_list
from deadheat.readers.table import Table

Counts = np.ndarray[tuple[int], np.dtype[np.int64]]


def one_row_a_run(table: Table, roles: dict[str, str]) -> tuple[Table, dict[str, str]]:
    """Give every entry of a column of lists of scores a row of its own.

    Parameters
    ----------
    table : Table
        As a format has read it.
    roles : dict
        Column by role.

    Returns
    -------
    table : Table
        With a column of run ids 1 to K, Int64, and what else a row holds repeated; rows keep
        their names.
    roles : dict
        With the role "run". Both are as they were where the scores are no lists.

    Raises
    ------
    InputError
        If there are runs already, or a cell is no list, an empty one or one that mixes.
    """
    name = roles.get("score")
    if name is None:
        return table, roles
    values = table.columns[name]
    typed = isinstance(values.dtype, (pl.List, pl.Array))
    if not typed and not (values.dtype == pl.Object and any(map(is_list, values.to_list()))):
        return table, roles
    if "run" in roles:
        raise InputError(
            f"column {name!r} holds a list of scores, one for each run, and column "
            f"{roles['run']!r} names runs too.",
            where=table.place,
            fix="Give one score a row where a column names the runs.",
        )
    counts, scores = (_typed if typed else _untyped)(table, name)
    rows = np.repeat(np.arange(table.height), counts)
    first = np.repeat(np.cumsum(counts) - counts, counts)
    run = f"{name}, run"
    columns = {column: cells.gather(rows) for column, cells in table.columns.items()}
    columns[name] = scores
    columns[run] = pl.Series(run, np.arange(rows.size) - first + 1)
    exploded = replace(table, columns=columns, height=rows.size, rows=table.rows.take(rows))
    return exploded, roles | {"run": run}


def run_scores(source: Any) -> Answers | None:
    """Return the scores of a list of lists of numbers, or an array of shape (item, run).

    Items are numbered from 1. None for anything else, such as lists of which some are empty.
    """
    if getattr(source, "ndim", 1) == 2:
        source = source.tolist()
    if not isinstance(source, (list, tuple)) or not all(map(is_list, source)) or not source:
        return None
    lists = [entries(value) for value in source]
    numbers = (bool, int, float, np.number, np.bool_, NoneType)
    every = [score for scores in lists for score in scores]
    if not all(lists) or not all(isinstance(score, numbers) for score in every):
        return None
    if all(score is None for score in every):
        return None
    counts = np.array([len(scores) for scores in lists])
    items = np.repeat(np.arange(1, len(lists) + 1), counts)
    first = np.repeat(np.cumsum(counts) - counts, counts)
    scores = [None if score is None else float(score) for score in every]
    return Answers(
        system="",
        items=pl.Series(items),
        outputs=None,
        scores=finite(pl.Series(scores, dtype=pl.Float64)),
        runs=pl.Series(np.arange(items.size) - first + 1),
        source=Source(path="", sha256="", format="array"),
    )


def _typed(table: Table, name: str) -> tuple[Counts, pl.Series]:
    """Return how many entries each list has, and all of them; none at all is one missing score."""
    values = table.columns[name]
    lists = values.arr.to_list() if isinstance(values.dtype, pl.Array) else values
    counts = lists.list.len().fill_null(1).cast(pl.Int64).to_numpy()
    if not counts.all():
        raise _unlike(table, name, int(counts.argmin()), "is empty")
    return counts, lists.explode()


def _untyped(table: Table, name: str) -> tuple[Counts, pl.Series]:
    cells = [_scores(table, name, row, v) for row, v in enumerate(table.columns[name].to_list())]
    counts = np.fromiter(map(len, cells), dtype=np.int64, count=len(cells))
    scores = [score for cell in cells for score in cell]
    return counts, typed_series(name, scores, table.place)


def _scores(table: Table, name: str, row: int, value: object) -> Sequence[Any]:
    """Return the scores of one cell; a missing list is one missing score."""
    if value is None:
        return (None,)
    if not is_list(value):
        raise InputError(
            f"a {word_for(value)} stands where other rows have a list of scores.",
            where=table.where(row, name),
            fix="Write a list in every row, one score for each run.",
        )
    scores = entries(value)
    words = list(dict.fromkeys(word_for(score) for score in scores if score is not None))
    if len(words) > 1 or not scores:
        what = f"mixes {' and '.join(words)}" if scores else "is empty"
        raise _unlike(table, name, row, what)
    return scores


def _unlike(table: Table, name: str, row: int, what: str) -> InputError:
    return InputError(
        f"the list of scores {what}.",
        where=table.where(row, name),
        fix="Write one score for each run, in one way; null for a run without a score.",
    )
