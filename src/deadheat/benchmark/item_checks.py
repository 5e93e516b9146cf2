"""What single items say: difficulty, discrimination, upsets."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from deadheat import health
from deadheat.alignment import Alignment
from deadheat.benchmark.item_parts import Discrimination, Items, Suspect, Upset, Upsets, UpsetSystem

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

ENOUGH = 10
"""Systems from which on the correlation of an item with the others says something."""

WEAK = 0.1
"""Correlation with the rest below which an item hardly discriminates."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """Scores of every item, with what is known of each.

    Attributes
    ----------
    names : polars.Series
        Item ids; numbers from 1 where there are none.
    systems : tuple of str
        Sorted, so that no number depends on the order in which they were given.
    scores : ndarray, shape (item, system)
    binary : bool
    order : ndarray of int, shape (system,)
        Positions from best to worst.
    statistics : health.ItemStatistics
        Correlations are NaN throughout where systems are few.
    right, wrong : ndarray of bool, shape (item,), or None
        Items on which all systems have the best, or the worst possible score.
    upsets : health.Upsets or None
    """

    names: pl.Series
    systems: tuple[str, ...]
    scores: Floats
    binary: bool
    order: NDArray[np.int64]
    statistics: health.ItemStatistics
    right: Flags | None
    wrong: Flags | None
    upsets: health.Upsets | None

    @property
    def n_systems(self) -> int:
        return int(self.scores.shape[1])

    @property
    def varies(self) -> Flags:
        """Whether the systems differ on each item."""
        return np.asarray((self.scores != self.scores[:, :1]).any(axis=1))

    @property
    def n_right(self) -> NDArray[np.int64] | None:
        """How many systems are right on each item; None unless scores are 0/1."""
        return self.scores.sum(axis=1).astype(np.int64) if self.binary else None


def table_of(
    alignment: Alignment,
    scores: Floats,
    order: NDArray[np.int64],
    bounds: tuple[float, float] | None,
    *,
    greater: bool,
) -> Table:
    """Look at every item.

    Parameters
    ----------
    alignment : Alignment
    scores : ndarray, shape (item, system)
        In the order of the alignment.
    order : ndarray of int, shape (system,)
        Positions from best to worst.
    bounds : tuple of float, or None
        Least and greatest score possible.
    greater : bool
        Whether greater scores are better.
    """
    by_name = np.argsort(np.array(alignment.systems, dtype=object), kind="stable")
    if (np.diff(by_name) < 0).any():
        scores, order = scores[:, by_name], np.argsort(by_name)[order]
    binary = bool(((scores == 0.0) | (scores == 1.0)).all())
    n_systems = scores.shape[1]
    statistics = health.item_statistics(scores)
    if n_systems < ENOUGH:
        unknown = np.full(len(scores), np.nan)
        statistics = health.ItemStatistics(
            difficulty=statistics.difficulty, r_total=unknown, r_rest=unknown
        )
    low, high = bounds if bounds is not None else (math.nan, math.nan)
    best, worst = (high, low) if greater else (low, high)
    return Table(
        names=names_of(alignment),
        systems=tuple(alignment.systems[at] for at in by_name),
        scores=scores,
        binary=binary,
        order=order,
        statistics=statistics,
        right=np.asarray((scores == best).all(axis=1)) if math.isfinite(best) else None,
        wrong=np.asarray((scores == worst).all(axis=1)) if math.isfinite(worst) else None,
        upsets=health.upsets(scores == 1.0, order) if binary and n_systems >= ENOUGH else None,
    )


def names_of(alignment: Alignment) -> pl.Series:
    """Return the item ids; numbers from 1 where there are none.

    Parameters
    ----------
    alignment : Alignment
        The items, in order.
    """
    if alignment.items is not None:
        return alignment.items
    return pl.int_range(1, alignment.n + 1, eager=True)


def named(table: Table, positions: NDArray[np.int64], n: int) -> tuple[str, ...]:
    """Return the names of the first n of some items.

    Parameters
    ----------
    table : Table
        Scores of items by systems.
    positions : ndarray of int, shape (k,)
        Rows of the table.
    n : int
        How many names at most.
    """
    return tuple(map(str, table.names.gather(positions[:n]).to_list()))


def items_of(alignment: Alignment, table: Table | None, listed: int) -> Items:
    """Count the items that tell anything.

    Parameters
    ----------
    alignment : Alignment
        The items, in order.
    table : Table or None
        Scores of items by systems; None where the metric has none.
    listed : int
        How many items are spelled out.
    """
    dropped = tuple((dropped.reason, dropped.n) for dropped in alignment.dropped)
    several = table is not None and table.n_systems > 1
    if table is None:
        return Items(
            n=alignment.n,
            informative=None,
            all_right=None,
            all_wrong=None,
            unsolved=(),
            hash=alignment.hash,
            dropped=dropped,
        )
    unsolved = np.flatnonzero(table.wrong) if several and table.wrong is not None else None
    return Items(
        n=alignment.n,
        informative=int(table.varies.sum()) if several else None,
        all_right=int(table.right.sum()) if several and table.right is not None else None,
        all_wrong=None if unsolved is None else len(unsolved),
        unsolved=() if unsolved is None else named(table, unsolved, listed),
        hash=alignment.hash,
        dropped=dropped,
    )


def discrimination_of(table: Table | None, metric: str, listed: int) -> Discrimination | str:
    """Say on which items better systems do worse, or why that is not known.

    Parameters
    ----------
    table : Table or None
        Scores of items by systems; None where the metric has none.
    metric : str
        Name of the metric.
    listed : int
        How many items are spelled out.
    """
    if table is None:
        return f"{metric} has no score for each item"
    if table.n_systems < ENOUGH:
        return (
            f"{table.n_systems} {'system is' if table.n_systems == 1 else 'systems are'} too few "
            f"to correlate an item with the others ({ENOUGH} are needed): of each item only the "
            "difficulty is given"
        )
    r = table.statistics.r_rest
    known = np.flatnonzero(~np.isnan(r))
    if not known.size:
        return "no item varies over the systems together with the others"
    negative = known[r[known] < 0.0]
    negative = negative[np.argsort(r[negative], kind="stable")]
    counts = table.n_right
    suspects = tuple(
        Suspect(
            item=name,
            n_right=None if counts is None else int(counts[at]),
            difficulty=float(table.statistics.difficulty[at]),
            r_total=float(table.statistics.r_total[at]),
            r_rest=float(r[at]),
        )
        for name, at in zip(named(table, negative, listed), negative.tolist(), strict=False)
    )
    return Discrimination(
        n_systems=table.n_systems,
        mean_r_rest=float(r[known].mean()),
        negative=len(negative),
        weak=int(((r[known] >= 0.0) & (r[known] < WEAK)).sum()),
        suspects=suspects,
    )


def upsets_of(table: Table | None, listed: int) -> Upsets | str:
    """List the items that weak systems solve and no strong one does, or say why none are.

    Parameters
    ----------
    table : Table or None
        Scores of items by systems; None where the metric has none.
    listed : int
        How many items are spelled out.
    """
    if table is None or not table.binary:
        return "whether an item is solved is known of scores of 0 and 1 only"
    found = table.upsets
    if found is None:
        return f"fewer than {ENOUGH} systems are too few to be parted into weak and strong ones"
    items = np.flatnonzero(found.items)
    items = items[np.argsort(-found.n_weak[items], kind="stable")]
    return Upsets(
        strong=tuple(table.systems[at] for at in found.strong),
        weak=tuple(table.systems[at] for at in found.weak),
        n=len(items),
        n_open=found.open_items,
        items=tuple(
            Upset(item=name, n_weak=int(found.n_weak[at]))
            for name, at in zip(named(table, items, listed), items.tolist(), strict=False)
        ),
        systems=tuple(
            UpsetSystem(system=table.systems[at], n=int(n))
            for at, n in zip(found.weak, found.by_system, strict=True)
        ),
    )


def frame_of(table: Table, more: dict[str, Flags]) -> pl.DataFrame:
    """Return what is known of each item as a frame.

    Parameters
    ----------
    table : Table
    more : dict of str to ndarray of bool, shape (item,)
        Further flags by name.
    """
    r = table.statistics.r_rest
    several = table.n_systems > 1
    nothing = np.zeros(len(r), dtype=np.bool_)
    with np.errstate(invalid="ignore"):
        flags = {
            "all_right": table.right if several and table.right is not None else nothing,
            "all_wrong": table.wrong if several and table.wrong is not None else nothing,
            "constant": ~table.varies if several else nothing,
            "negative": r < 0.0,
            "weak": (r >= 0.0) & (r < WEAK),
            "upset": nothing if table.upsets is None else table.upsets.items,
            **more,
        }
    n_right = table.n_right
    return pl.DataFrame(
        {
            "item": table.names,
            "n_right": pl.Series([None] * len(r), dtype=pl.Int64) if n_right is None else n_right,
            "difficulty": table.statistics.difficulty,
            "r_total": pl.Series(table.statistics.r_total).fill_nan(None),
            "r_rest": pl.Series(r).fill_nan(None),
            "flags": _words(flags, len(r)),
        }
    )


def _words(flags: dict[str, Flags], n: int) -> pl.Series:
    """Return the names of the flags that are set on each item, null where none is."""
    codes = np.zeros(n, dtype=np.int64)
    for place, flag in enumerate(flags.values()):
        codes |= flag.astype(np.int64) << place
    distinct, back = np.unique(codes, return_inverse=True)
    names = list(flags)
    texts = [
        ";".join(name for place, name in enumerate(names) if code >> place & 1) or None
        for code in distinct.tolist()
    ]
    return pl.Series(texts, dtype=pl.String).gather(back)
