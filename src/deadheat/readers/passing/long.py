"""Long tables that are too large to be held: items are put together and their kinds counted."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl

from deadheat.errors import InputError
from deadheat.readers.passing.kinds import COUNT, Progress
from deadheat.readers.passing.together import ApartError, Runs, together

MOST_SYSTEMS = 10_000
"""More names than this in a column of systems, and it is none."""

HELD = 16
"""Times that the rows of a batch are held at once: as read, sorted, spread and counted."""

FEWEST_ROWS = 1_000
"""Of a batch, however little memory there is."""

AT = "\x00at"
"""Column of positions; no file has one of this name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LongTable:
    """A table with a row for each item and system.

    Attributes
    ----------
    rows : polars.LazyFrame
        Its rows, with the columns below, of the systems that are asked for.
    item, system : str
        Columns of item ids and of names of systems; the latter of type String.
    own : tuple of str
        Columns of what a system did: scores, outputs.
    shared : tuple of str
        Columns of what belongs to an item: reference, cluster, stratum.
    place : str
        How the table is called in messages.
    """

    rows: pl.LazyFrame
    item: str
    system: str
    own: tuple[str, ...]
    shared: tuple[str, ...]
    place: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LongKinds:
    """Kinds of items of a long table.

    Attributes
    ----------
    rows : polars.DataFrame
        A long table of the kinds: for each kind, the rows of one of its items.
    kinds : polars.DataFrame
        That item of each kind, and `COUNT`: how many items are of the kind.
    n_rows : int
        Rows of the table.
    written : int
        Bytes that were written aside to bring the rows of an item together; 0 where they stood so.
    """

    rows: pl.DataFrame
    kinds: pl.DataFrame
    n_rows: int
    written: int


def count_long(table: LongTable, memory: int, progress: Progress | None = None) -> LongKinds:
    """Count the kinds of items of a long table.

    Parameters
    ----------
    table : LongTable
    memory : int
        Bytes that batches of rows may take, about.
    progress : callable, optional
        Told how many batches are done, of how many, on each way through the table.

    Raises
    ------
    InputError
        If a row names no item or system, an item has several rows of a system or rows that
        disagree about what belongs to it, or there is no room for what has to be written.
    """
    systems, n_rows = _systems(table)
    coded = table.rows.with_columns(pl.col(table.system).cast(pl.Enum(systems)).to_physical())
    sample = coded.head(10_000).collect(engine="streaming")
    each = max(16.0, sample.estimated_size() / max(1, sample.height))
    size = max(FEWEST_ROWS, int(memory / (HELD * each)))

    def counted(parts: Iterable[pl.DataFrame]) -> pl.DataFrame:
        kinds: list[pl.DataFrame] = []
        for part in parts:
            kinds.append(_kinds(_spread(part, table, systems), table))
            if len(kinds) > 1 and sum(map(len, kinds)) > size:
                kinds = [_added(kinds, table)]
                if len(kinds[0]) > size:
                    raise InputError(
                        f"there are more than {len(kinds[0]):,} kinds of items, which cannot be "
                        "counted in passing.",
                        where=table.place,
                        fix="Give a greater --memory.",
                    )
        return _added(kinds, table)

    def batches() -> Iterator[pl.DataFrame]:
        found = coded.collect_batches(chunk_size=size, maintain_order=True, engine="streaming")
        for number, batch in enumerate(found, start=1):
            yield batch
            if progress is not None:
                progress(min(number * size, n_rows), n_rows)

    written = 0
    try:
        kinds = counted(together(batches(), table.item, len(systems)))
    except ApartError:
        kinds = None
    if kinds is None:
        with TemporaryDirectory(prefix="deadheat-") as scratch:
            runs = _runs(table, batches(), Path(scratch), -(-n_rows // size))
            kinds, written = counted(runs.parts()), runs.n_bytes
    return LongKinds(
        rows=_long(kinds, table, systems),
        kinds=kinds.select(table.item, COUNT),
        n_rows=n_rows,
        written=written,
    )


def _runs(table: LongTable, batches: Iterable[pl.DataFrame], folder: Path, n_parts: int) -> Runs:
    try:
        return Runs.write(batches, folder, table.item, n_parts)
    except OSError as error:
        free = shutil.disk_usage(folder).free
        raise InputError(
            "the rows of an item do not stand together, and they cannot be brought together on "
            f"disk: {' '.join(str(error).split())[:200]} ({free / 1e9:.1f} GB are free).",
            where=table.place,
            fix="Set TMPDIR to a folder with room, or sort the table by item.",
        ) from None


def _systems(table: LongTable) -> tuple[list[str], int]:
    """Return the names of the systems, in the order of the table, and its number of rows."""
    item, system = table.item, table.system
    found = (
        table.rows.select(item, system)
        .with_row_index(AT)
        .group_by(system)
        .agg(pl.col(AT).min(), pl.len().alias(COUNT), pl.col(item).is_null().any().alias("null"))
        .sort(AT)
        .collect(engine="streaming")
    )
    for column, lacks in ((item, found["null"].any()), (system, found[system].null_count())):
        if lacks:
            at = table.rows.select(column).with_row_index(AT).filter(pl.col(column).is_null())
            row = at.head(1).collect(engine="streaming")[AT][0]
            raise InputError(
                "the cell is empty.",
                where=f"{table.place}, row {row + 1:,}, column {column!r}",
                fix="Every row needs an entry in this column.",
            )
    if found.height > MOST_SYSTEMS:
        raise InputError(
            f"column {system!r} has {found.height:,} different values, too many for systems.",
            where=table.place,
            fix="Name the column of systems with --system-column.",
        )
    return found[system].to_list(), int(found[COUNT].sum())


def _spread(rows: pl.DataFrame, table: LongTable, systems: list[str]) -> pl.DataFrame:
    """Return one row for each item: it, what belongs to it, and what each system did.

    Of each system there is "present" and each of `table.own`, see `_of`.
    """
    rows = rows.sort(table.item, maintain_order=True)
    items = rows[table.item]
    first = np.flatnonzero((items != items.shift(1)).fill_null(True).to_numpy())
    of_row = np.repeat(np.arange(first.size), np.diff(first, append=rows.height))
    place = of_row * len(systems) + rows[table.system].to_numpy()
    row_of = np.full(first.size * len(systems), -1, dtype=np.int64)
    row_of[place] = np.arange(rows.height)
    if np.count_nonzero(row_of >= 0) < rows.height:
        raise _repeated(table, systems, items, place)
    columns = {table.item: items.gather(first)}
    for name in table.shared:
        columns[name] = _agreed(table, items, rows[name], first, of_row)
    for number, rows_of in enumerate(row_of.reshape(-1, len(systems)).T):
        present = pl.Series(rows_of >= 0)
        at = pl.Series(rows_of, dtype=pl.Int64).set(~present, None)
        columns[_of("present", number)] = present
        columns |= {_of(name, number): rows[name].gather(at) for name in table.own}
    return pl.DataFrame(columns)


def _of(column: str, number: int) -> str:
    """Name what one system did, or whether it did anything."""
    return f"\x00{number} {column}"


def _agreed(
    table: LongTable,
    items: pl.Series,
    values: pl.Series,
    first: np.ndarray[tuple[int], np.dtype[np.int64]],
    of_row: np.ndarray[tuple[int], np.dtype[np.int64]],
) -> pl.Series:
    """Return the one value that the rows of each item have, as far as they have any."""
    found = values.gather(first)
    if found.null_count():
        pairs = pl.DataFrame({"item": of_row, "value": values})
        given = pairs.group_by("item", maintain_order=True).agg(
            pl.col("value").drop_nulls().first()
        )
        found = given["value"]
    differ = (values != found.gather(of_row)).fill_null(False)
    if differ.any():
        at = int(differ.arg_max() or 0)
        both = f"{found[int(of_row[at])]!r} and {values[at]!r}"
        raise InputError(
            f"the rows of item {items[at]!r} disagree about its {values.name}: {both}.",
            where=table.place,
            fix="Correct the column: it belongs to the item, whatever the system.",
        )
    return found


def _repeated(
    table: LongTable,
    systems: list[str],
    items: pl.Series,
    place: np.ndarray[tuple[int], np.dtype[np.int64]],
) -> InputError:
    taken = np.sort(place)
    twice = int(taken[:-1][taken[1:] == taken[:-1]][0])
    at = int(np.flatnonzero(place == twice)[0])
    return InputError(
        f"an item has more than one row: {items[at]!r} ({int((place == twice).sum())} rows) in "
        f"{systems[twice % len(systems)]}.",
        where=table.place,
        fix="Keep one row for each item and system.",
    )


def _kinds(spread: pl.DataFrame, table: LongTable) -> pl.DataFrame:
    keys = [name for name in spread.columns if name != table.item]
    return spread.group_by(keys).agg(pl.col(table.item).min(), pl.len().cast(pl.Int64).alias(COUNT))


def _added(kinds: list[pl.DataFrame], table: LongTable) -> pl.DataFrame:
    """Put counts of kinds together, in the order of the item that stands for each."""
    keys = [name for name in kinds[0].columns if name not in (table.item, COUNT)]
    together = pl.concat(kinds).group_by(keys)
    return together.agg(pl.col(table.item).min(), pl.col(COUNT).sum()).sort(table.item)


def _long(kinds: pl.DataFrame, table: LongTable, systems: list[str]) -> pl.DataFrame:
    """Return the kinds as a long table with the columns of the one that was counted."""
    return pl.concat(
        kinds.filter(_of("present", number)).select(
            table.item,
            pl.lit(system).alias(table.system),
            *table.shared,
            *(pl.col(_of(name, number)).alias(name) for name in table.own),
        )
        for number, system in enumerate(systems)
    )
