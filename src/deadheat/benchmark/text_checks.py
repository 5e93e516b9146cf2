"""What the texts of items say: duplicates among them, and overlap with a training file."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from deadheat.alignment import Alignment
from deadheat.benchmark.item_checks import Table
from deadheat.benchmark.item_parts import Duplicates, OverlapOfSystem, TrainingOverlap
from deadheat.benchmark.training import Training
from deadheat.similarity import (
    CONTAINED,
    NEAR,
    PASSAGE,
    SHINGLE,
    Overlap,
    exact_groups,
    near_groups,
)

Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]


def duplicates_of(
    texts: Sequence[str], alignment: Alignment, names: pl.Series, listed: int
) -> tuple[Duplicates, Flags]:
    """Group items by their texts; items without one belong to no group.

    Parameters
    ----------
    texts : sequence of str
        Of every item, as `similarity.normal` gives them.
    alignment : Alignment
    names : polars.Series
        Of the items.
    listed : int
        Groups that are spelled out.

    Returns
    -------
    Duplicates
    ndarray of bool, shape (item,)
        Whether an item has a duplicate.
    """
    filled = np.flatnonzero([bool(text) for text in texts])
    exact = exact_groups([texts[at] for at in filled.tolist()])
    _, first = np.unique(exact, return_index=True)
    near = near_groups([texts[at] for at in filled[first].tolist()])
    groups = exact if near is None else near.of_text[exact]
    sizes = np.bincount(groups, minlength=1)
    flags = np.zeros(len(texts), dtype=np.bool_)
    flags[filled] = sizes[groups] > 1
    exact_sizes = np.bincount(exact, minlength=1)
    found = Duplicates(
        n_texts=len(filled),
        n_empty=len(texts) - len(filled),
        exact_groups=int((exact_sizes > 1).sum()),
        exact_items=int(exact_sizes[exact_sizes > 1].sum()),
        near_groups=None if near is None else int((sizes > 1).sum()),
        near_items=None if near is None else int(sizes[sizes > 1].sum()),
        redundant=int((sizes[sizes > 1] - 1).sum()),
        conflicting=_conflicting(exact, filled, alignment.references),
        groups=_listed(groups, sizes, filled, names, listed),
        threshold=NEAR,
        shingle=SHINGLE,
    )
    return found, flags


def _conflicting(exact: Ints, filled: Ints, references: pl.Series | None) -> int:
    """Count the groups of one text with several references."""
    if references is None or not filled.size:
        return 0
    pairs = pl.DataFrame({"group": exact, "reference": references.gather(filled)})
    return int((pairs.unique().group_by("group").len()["len"] > 1).sum())


def _listed(
    groups: Ints, sizes: Ints, filled: Ints, names: pl.Series, listed: int
) -> tuple[tuple[str, ...], ...]:
    """Return the names of the items of the largest groups, and of each the first few."""
    several = np.flatnonzero(sizes > 1)
    chosen = several[np.argsort(-sizes[several], kind="stable")][:listed]
    order = np.argsort(groups, kind="stable")
    starts = np.searchsorted(groups[order], chosen)
    return tuple(
        tuple(map(str, names.gather(filled[order[start : start + min(size, listed)]]).to_list()))
        for start, size in zip(starts.tolist(), sizes[chosen].tolist(), strict=True)
    )


def overlap_of(
    texts: Sequence[str],
    training: Training,
    names: pl.Series,
    table: Table | None,
    listed: int,
) -> tuple[TrainingOverlap, Flags]:
    """Find the items whose texts a training file holds.

    Parameters
    ----------
    texts : sequence of str
        Of every item, as `similarity.normal` gives them.
    training : Training
    names : polars.Series
        Of the items.
    table : Table or None
    listed : int
        Items that are spelled out.

    Returns
    -------
    TrainingOverlap
    ndarray of bool, shape (item,)
        Whether an item is held by the file.
    """
    overlap = Overlap(texts)
    for batch in training.batches():
        overlap.see(batch)
    inside = overlap.contained
    found = TrainingOverlap(
        n_training=overlap.n_seen,
        exact=int(overlap.exact.sum()),
        contained=int(inside.sum()),
        short=int((np.isnan(overlap.shares) & np.array([bool(text) for text in texts])).sum()),
        items=tuple(map(str, names.gather(np.flatnonzero(inside)[:listed]).to_list())),
        systems=_apart(table, inside),
        threshold=CONTAINED,
        passage=PASSAGE,
    )
    return found, inside


def _apart(table: Table | None, inside: Flags) -> tuple[OverlapOfSystem, ...]:
    """Return the mean scores on both parts of the items, the best system first."""
    if table is None or not inside.any():
        return ()
    there = table.scores[inside].mean(axis=0)
    rest = np.full(there.size, np.nan) if inside.all() else table.scores[~inside].mean(axis=0)
    return tuple(
        OverlapOfSystem(
            system=table.systems[at], overlapping=float(there[at]), rest=float(rest[at])
        )
        for at in table.order.tolist()
    )
