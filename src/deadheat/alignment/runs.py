"""Runs of an item side by side, for metrics that look at each of them."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

import polars as pl

from deadheat.alignment.repeats import RunCounts, check_one_value
from deadheat.errors import AlignmentError
from deadheat.hashing import answers_hash
from deadheat.notes import Note

LISTED = ("output", "score")
"""Columns that become lists."""

SHARED = 0.5
"""Share of the cells of items by runs that are filled at least where items share their runs."""


def names_of_runs(table: pl.DataFrame) -> tuple[str, ...]:
    """Return the names of the runs of a system, sorted; one empty name where there are none."""
    if "run" not in table.columns:
        return ("",)
    return tuple(str(name) for name in table["run"].unique().sort())


def crossed(table: pl.DataFrame, system: str) -> pl.DataFrame:
    """Return a table with a row for each item in each run, null where there was none.

    Parameters
    ----------
    table : polars.DataFrame
        Without repeated keys; without runs it is left as it is.
    system : str
        For messages.

    Raises
    ------
    AlignmentError
        If the items do not share their runs.

    Examples
    --------
    >>> table = pl.DataFrame({"item": ["x", "x", "y"], "run": [1, 2, 1], "score": [1.0, 0.0, 1.0]})
    >>> crossed(table, "a").select("item", "run", "score", "there").rows()[2:]
    [('y', 1, 1.0, True), ('y', 2, None, False)]
    """
    if not {"item", "run"} <= set(table.columns):
        return table
    items, runs = table.select("item").unique(), table.select("run").unique()
    cells = len(items) * len(runs)
    if len(table) < SHARED * cells:
        raise AlignmentError(
            f"the items of {system} do not share their runs: {len(table):,} answers to "
            f"{len(items):,} items stand under {len(runs):,} names of runs.",
            fix="Where a run belongs to one item, use --runs fixed: averaged within items, such "
            "answers already count with their noise.",
        )
    marked = table.with_columns(pl.lit(True).alias("there"))
    if len(table) == cells:
        return marked
    return (
        items.join(runs, how="cross")
        .sort("item", "run")
        .join(marked, on=["item", "run"], how="left", maintain_order="left")
        .with_columns(pl.col("there").fill_null(False))
    )


def with_runs(table: pl.DataFrame, system: str) -> tuple[pl.DataFrame, RunCounts]:
    """Put the outputs and scores of the runs of each item into lists.

    Parameters
    ----------
    table : polars.DataFrame
        Sorted by item, then run; without ids every row is an item of one run.
    system : str
        For messages.

    Returns
    -------
    table : polars.DataFrame
        One row for each item, without "run"; of what `crossed` returned with "complete", whether
        the item is in every run.
    counts : RunCounts

    Raises
    ------
    AlignmentError
        If the runs of an item disagree about its reference, cluster or stratum.

    Examples
    --------
    >>> table = pl.DataFrame({"item": ["x", "x", "y"], "score": [1.0, None, 0.0]})
    >>> listed, counts = with_runs(table, "a")
    >>> listed["score"].to_list(), str(counts)
    ([[1.0, None], [0.0]], '1 to 2 runs')
    """
    lists = [name for name in LISTED if name in table.columns]
    if "item" not in table.columns or table["item"].n_unique() == len(table):
        single = table.with_columns(pl.concat_list(name) for name in lists)
        return single.drop("run", "there", strict=False), RunCounts(fewest=1, most=1)
    shared = [name for name in ("reference", "cluster", "stratum") if name in table.columns]
    for name in shared:
        check_one_value(table, name, system)
    grouped = table.group_by("item", maintain_order=True).agg(
        *(pl.col(name) for name in lists),
        *(pl.col(name).drop_nulls().first() for name in shared),
        *((pl.col("there").all().alias("complete"),) if "there" in table.columns else ()),
        pl.len().alias("runs"),
    )
    runs = grouped["runs"].to_numpy()
    return grouped.drop("runs"), RunCounts(fewest=int(runs.min()), most=int(runs.max()))


def without_output(table: pl.DataFrame) -> pl.DataFrame:
    """Take the score from rows without a usable output."""
    if not all(name in table.columns for name in LISTED):
        return table
    return table.with_columns(pl.when(pl.col("output").is_not_null()).then(pl.col("score")))


def runs_notes(
    systems: Sequence[str], counts: Sequence[RunCounts], by_order: Sequence[bool]
) -> tuple[Note, ...]:
    """Say how many runs there are, and for which systems nothing but the order tells them apart.

    Parameters
    ----------
    systems : sequence of str
    counts : sequence of RunCounts
    by_order : sequence of bool
        Per system: whether its rows come without the name of a run.
    """
    if all(count.most == 1 for count in counts):
        return ()
    listed = ", ".join(f"{s} {count}" for s, count in zip(systems, counts, strict=True))
    notes = [Note(code="runs_kept", message=f"Every item was taken with all its runs: {listed}.")]
    unnamed = [
        s
        for s, count, order in zip(systems, counts, by_order, strict=True)
        if order and count.most > 1
    ]
    if unnamed:
        message = (
            f"Rows of {', '.join(unnamed)} with the same item id were taken as its runs, in the "
            "order in which they stand; --run names a column that tells runs apart."
        )
        notes.append(Note(code="runs_by_order", message=message))
    return tuple(notes)


def lacks(values: pl.Series) -> pl.Series:
    """Mark the items whose value, or the value of one of whose runs, is null."""
    if not isinstance(values.dtype, pl.List):
        return values.is_null()
    there = values.list.drop_nulls().list.len()
    return (there < values.list.len()).fill_null(True)


def nulls(values: pl.Series) -> int:
    """Count the values that are null; of lists, what is null inside of them."""
    if not isinstance(values.dtype, pl.List):
        return values.null_count()
    return values.drop_nulls().explode().null_count()


def runs_hash(outputs: pl.Series | None, scores: pl.Series | None) -> str:
    """Return the hash of what one system did in all its runs, 64 hexadecimal digits.

    It is the SHA-256 digest of two hashes written one after the other: that of the numbers of
    runs of the items, as `deadheat.hashing.answers_hash` takes a column of outputs, and that of
    the outputs and scores of all runs, item by item.

    Examples
    --------
    >>> from hashlib import sha256
    >>> scores = pl.Series([[1.0, 0.0], [1.0]])
    >>> parts = answers_hash(pl.Series([2, 1]), None), answers_hash(None, pl.Series([1.0, 0, 1]))
    >>> runs_hash(None, scores) == sha256("".join(parts).encode()).hexdigest()
    True
    """
    columns = [column for column in (outputs, scores) if column is not None]
    lengths = columns[0].list.len().fill_null(0).cast(pl.Int64)
    flat = [None if c is None else c.drop_nulls().explode() for c in (outputs, scores)]
    hashes = answers_hash(lengths, None) + answers_hash(flat[0], flat[1])
    return sha256(hashes.encode()).hexdigest()
