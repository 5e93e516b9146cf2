"""The rows of each item of a long table brought together, out of core.

Where the table is in the order of its items, whole items pass by one after the other. Otherwise
its rows are parted by a hash of the item: every batch is sorted by its parts and written as a run,
and each part is then gathered from all runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

PART = "\x00part"
"""Column of the part that a row belongs to; no file has one of this name."""


class ApartError(Exception):
    """The table is not in the order of its items."""


def together(batches: Iterable[pl.DataFrame], item: str, most: int) -> Iterator[pl.DataFrame]:
    """Yield the rows of whole items.

    Parameters
    ----------
    most : int
        Rows that an item has at most.

    Raises
    ------
    ApartError
        If the table is not in the order of its items, by value or by length and value.
    """
    orders = [*ORDERS]
    rest: pl.DataFrame | None = None
    for batch in batches:
        rows = batch if rest is None else pl.concat([rest, batch])
        items = rows[item]
        orders = [order for order in orders if order(items)]
        if not orders:
            raise ApartError
        cut = int((items == items[-1]).arg_max() or 0)
        if cut:
            yield rows[:cut]
        rest = rows[cut:]
        if rest.height > most:
            # More rows than there are systems: one of them has several.
            yield rest
    if rest is not None and rest.height:
        yield rest


def _rises(items: pl.Series) -> bool:
    return items.is_sorted()


def _rises_by_length(items: pl.Series) -> bool:
    """Whether numbers in names rise, as in q9, q10."""
    if items.dtype != pl.String:
        return False
    length, item = pl.col("item").str.len_bytes(), pl.col("item")
    before = length.shift(1)
    falls = (length < before) | ((length == before) & (item < item.shift(1)))
    return not items.alias("item").to_frame().select(falls.any()).item()


ORDERS: tuple[Callable[[pl.Series], bool], ...] = (
    _rises,
    _rises_by_length,
    lambda items: items.is_sorted(descending=True),
    lambda items: _rises_by_length(items.reverse()),
)
"""Whether items are in one of the orders in which tables are sorted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """Batches of rows on disk, each sorted by the part that a row belongs to.

    Attributes
    ----------
    files : tuple of Path
    starts : ndarray of int, shape (file, part + 1)
        Where each part begins in each file.
    """

    files: tuple[Path, ...]
    starts: np.ndarray[tuple[int, int], np.dtype[np.int64]]

    @classmethod
    def write(cls, batches: Iterable[pl.DataFrame], folder: Path, item: str, n_parts: int) -> Runs:
        files, starts = [], []
        part = (pl.col(item).hash(seed=0) % n_parts).alias(PART)
        for number, batch in enumerate(batches):
            rows = batch.with_columns(part).sort(PART)
            starts.append(np.searchsorted(rows[PART].to_numpy(), np.arange(n_parts + 1)))
            files.append(folder / f"{number}.parquet")
            each = max(1_000, -(-rows.height // n_parts))
            try:
                rows.drop(PART).write_parquet(files[-1], compression="lz4", row_group_size=each)
            except pl.exceptions.PolarsError as error:
                # A full disk is an error of polars like any other.
                raise OSError(str(error)) from None
        return cls(files=tuple(files), starts=np.array(starts, dtype=np.int64))

    @property
    def n_bytes(self) -> int:
        return sum(file.stat().st_size for file in self.files)

    def parts(self) -> Iterator[pl.DataFrame]:
        """Yield the rows of each part, by item."""
        for number in range(self.starts.shape[1] - 1):
            first, last = self.starts[:, number].tolist(), self.starts[:, number + 1].tolist()
            pieces = [
                pl.scan_parquet(file, glob=False).slice(start, stop - start)
                for file, start, stop in zip(self.files, first, last, strict=True)
                if stop > start
            ]
            if pieces:
                yield pl.concat(pl.collect_all(pieces))
