"""What is resampled: items, or clusters of them, within strata or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from deadheat.alignment import Alignment
from deadheat.errors import AlignmentError

Ints = NDArray[np.int64]
Kind = Literal["item", "cluster", "stratum"]

PLURAL: Mapping[str, str] = {"item": "items", "cluster": "clusters", "stratum": "strata"}
"""What several units are called."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Units:
    """What is resampled.

    Attributes
    ----------
    kind : {"item", "cluster", "stratum"}
    of_item : ndarray of int, shape (row,)
        Unit of each item, or of each kind of items, 0 to n - 1.
    n : int
        Number of units.
    strata : ndarray of int, shape (unit,), or None
        Stratum of each unit, or of each row where units are items, 0 to H - 1; None where there
        is one, or none.
    multiplicities : ndarray of int, shape (row,), or None
        Items that each row stands for, where rows are kinds of items.
    averaged : bool
        Whether rows are means of items, of which nothing else is known.
    """

    kind: Kind
    of_item: Ints
    n: int
    strata: Ints | None = None
    multiplicities: Ints | None = None
    averaged: bool = False

    @classmethod
    def alone(cls, n: int) -> Units:
        """Return n items, each a unit of its own."""
        return cls(kind="item", of_item=np.arange(n), n=n)

    @property
    def sizes(self) -> Ints:
        """Items of each unit, shape (unit,)."""
        if self.multiplicities is None:
            return np.bincount(self.of_item, minlength=self.n)
        sizes = np.zeros(self.n, dtype=np.int64)
        np.add.at(sizes, self.of_item, self.multiplicities)
        return sizes

    @property
    def n_items(self) -> int:
        """Number of items."""
        if self.multiplicities is None:
            return len(self.of_item)
        return int(self.multiplicities.sum())


Strata = Literal["fixed", "random"]
"""Whether a claim is about these strata, or about new ones, of which these are a sample."""

Weighting = Literal["pooled", "macro"]
"""Whether every item counts alike, or every stratum."""


def units_of(alignment: Alignment, strata: Strata = "fixed") -> Units | None:
    """Return the units of an alignment with clusters or strata; None where items are drawn freely.

    Strata that are ``"random"`` are the units themselves.

    Raises
    ------
    AlignmentError
        If a cluster has items in several strata, or a stratum has one unit.
    """
    clusters, column = alignment.clusters, alignment.strata
    counts = None if alignment.multiplicities is None else alignment.multiplicities.to_numpy()
    if strata == "random" and column is not None:
        of_item = codes(column)
        n = int(of_item.max()) + 1
        averaged = alignment.read.averaged
        return Units(kind="stratum", of_item=of_item, n=n, multiplicities=counts, averaged=averaged)
    kind: Kind = "item" if clusters is None else "cluster"
    of_item = np.arange(alignment.height) if clusters is None else codes(clusters)
    n = int(of_item.max()) + 1
    of_unit = None
    if column is not None:
        # Units of a stratum: of clusters each is one, and a kind of items stands for several.
        weights = counts if clusters is None else None
        of_unit = _strata_of_units(column, of_item, n, clusters, weights)
    if kind == "cluster" and n == alignment.n:
        # Clusters of one item each are items, in the order of the items.
        of_unit = None if of_unit is None else of_unit[of_item]
        of_item, kind = np.arange(n), "item"
    if of_unit is None and kind == "item":
        return None
    n = alignment.n if kind == "item" else n
    return Units(
        kind=kind,
        of_item=of_item,
        n=n,
        strata=of_unit,
        multiplicities=counts,
        averaged=alignment.read.averaged,
    )


def codes(column: pl.Series) -> Ints:
    """Return the position of each value in the sorted list of values, shape (item,)."""
    return (column.rank("dense") - 1).cast(pl.Int64).to_numpy()


def _strata_of_units(
    strata: pl.Series,
    of_item: Ints,
    n: int,
    clusters: pl.Series | None,
    multiplicities: Ints | None,
) -> Ints | None:
    coded = codes(strata)
    of_unit = np.zeros(n, dtype=np.int64)
    of_unit[of_item] = coded
    split = np.flatnonzero(of_unit[of_item] != coded)
    if split.size:
        assert clusters is not None
        named = clusters[int(split[0])]
        first, second = strata.filter(clusters == named).unique().sort()[:2]
        raise AlignmentError(
            f"cluster {named!r} has items in several strata, {first!r} and {second!r} among them.",
            fix="A cluster lies in one stratum; derive one of the two from the other.",
        )
    counts = np.bincount(of_unit, multiplicities)
    if counts.size == 1:
        return None
    if counts.min() == 1:
        alone = int(np.argmin(counts))
        name = strata[int(np.flatnonzero(coded == alone)[0])]
        raise AlignmentError(
            f"stratum {name!r} has one {'item' if clusters is None else 'cluster'}, from which no "
            "variation can be seen.",
            fix="Merge it with another stratum, leave its items out, or leave --stratum out.",
        )
    return of_unit
