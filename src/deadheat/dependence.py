"""What is resampled where items depend on each other or come from several strata."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from deadheat.alignment import Alignment
from deadheat.errors import UsageError
from deadheat.notes import Note
from deadheat.scores import Scores, by_units
from deadheat.scores.strata import macro, strata_as_items, values_by_stratum
from deadheat.scores.units import Strata, Weighting, codes, units_of

LISTED = 8
"""Pairs of systems that a note spells out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """What was resampled, in words and numbers.

    Attributes
    ----------
    kind : {"item", "cluster", "stratum"}
    n : int
    n_strata : int or None
        Strata within which units were drawn, or over which they were averaged.
    strata : {"fixed", "random"}
    weighting : {"pooled", "macro"}
    """

    kind: str
    n: int
    n_strata: int | None = None
    strata: Strata = "fixed"
    weighting: Weighting = "pooled"

    def __str__(self) -> str:
        """Say it in one word for a signature.

        Examples
        --------
        >>> str(Unit(kind="item", n=80)), str(Unit(kind="cluster", n=12, n_strata=3))
        ('item', 'cluster-12/strata-3-fixed-pooled')
        """
        unit = self.kind if self.kind == "item" else f"{self.kind}-{self.n}"
        if self.n_strata is None:
            return unit
        return f"{unit}/strata-{self.n_strata}-{self.strata}-{self.weighting}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ByStratum:
    """What each stratum shows.

    Attributes
    ----------
    names : tuple of str
    sizes : ndarray of int, shape (stratum,)
        Items of each.
    values : ndarray, shape (stratum, system)
        The metric in each stratum; NaN where undefined.
    pooled : ndarray, shape (system,)
        The metric on all items.
    """

    names: tuple[str, ...]
    sizes: NDArray[np.int64]
    values: NDArray[np.float64]
    pooled: NDArray[np.float64]


def in_units(
    scores: Scores, alignment: Alignment, strata: Strata, weighting: Weighting
) -> tuple[Scores, Unit]:
    """Return scores of the units that are resampled, and what these are."""
    if alignment.strata is None and (strata == "random" or weighting == "macro"):
        raise UsageError(
            "there are no strata to be " + ("random." if strata == "random" else "averaged over."),
            fix="Name their column with --stratum.",
        )
    units = units_of(alignment, strata)
    n_strata = None if alignment.strata is None else int(alignment.strata.n_unique())
    unit = Unit(
        kind="item" if units is None else units.kind,
        n=alignment.n if units is None else units.n,
        n_strata=n_strata,
        strata=strata,
        weighting=weighting,
    )
    if weighting == "pooled" or alignment.strata is None:
        return by_units(scores, units), unit
    of_item = codes(alignment.strata)
    if strata == "random":
        return strata_as_items(scores, of_item), unit
    grouped = by_units(scores, units)
    return macro(grouped, of_item if units is None or units.strata is None else units.strata), unit


def by_stratum(scores: Scores, alignment: Alignment) -> ByStratum | None:
    """Return what each stratum shows; None where there are none."""
    if alignment.strata is None:
        return None
    of_item = codes(alignment.strata)
    names = alignment.strata.unique().sort().cast(pl.String).to_list()
    return ByStratum(
        names=tuple(names),
        sizes=np.bincount(of_item, _counts(alignment)).astype(np.int64),
        values=values_by_stratum(scores, of_item),
        pooled=scores.values,
    )


def _counts(alignment: Alignment) -> NDArray[np.int64] | None:
    counts = alignment.multiplicities
    return None if counts is None else counts.to_numpy()


def strata_disagree(found: ByStratum, metric: str, pair: tuple[str, str]) -> tuple[Note, ...]:
    """Say whether the pooled gap and the mean of the gaps within strata have two signs."""
    gaps = found.values[:, 1] - found.values[:, 0]
    pooled, macro_gap = float(found.pooled[1] - found.pooled[0]), float(_mean(gaps))
    ahead, behind = int((gaps > 0.0).sum()), int((gaps < 0.0).sum())
    unknown = int(np.isnan(gaps).sum())
    message = (
        f"{pair[1]} has the greater {metric} in {ahead} of {len(gaps)} strata and {pair[0]} in "
        f"{behind}"
    )
    if unknown:
        message += f", and it is undefined in {unknown}"
    message += f"; the pooled gap is {pooled:+.4g}"
    if unknown < len(gaps):
        message += f", the mean of the gaps of the strata {macro_gap:+.4g}"
    notes = [Note(code="strata", message=f"{message}.")]
    if pooled * macro_gap < 0.0:
        notes.append(
            Note(
                code="strata_reverse",
                message="The gap over all items and the mean gap within strata have two signs "
                "(Simpson's paradox): which of them answers the question has to be decided before "
                "anything else (--weighting).",
            )
        )
    return tuple(notes)


def strata_reorder(found: ByStratum, systems: Sequence[str]) -> tuple[Note, ...]:
    """Say which systems are in one order over all items and in the other by the mean of strata."""
    means = _mean(found.values)
    pooled = found.pooled[:, None] - found.pooled
    turned = np.argwhere(np.triu(pooled * (means[:, None] - means) < 0.0))
    if not len(turned):
        return ()
    pairs = [f"{systems[first]} and {systems[second]}" for first, second in turned[:LISTED]]
    more = f" and {len(turned) - LISTED:,} more" if len(turned) > LISTED else ""
    return (
        Note(
            code="strata_reverse",
            message=f"By all items and by the mean of the {len(found.sizes):,} strata these pairs "
            f"are in two orders (Simpson's paradox): {', '.join(pairs)}{more}. Which of them "
            "answers the question has to be decided before anything else (--weighting).",
        ),
    )


def _mean(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean over the strata that have a value, the first axis; NaN where none has."""
    known = ~np.isnan(values)
    totals = np.where(known, values, 0.0).sum(axis=0)
    n = known.sum(axis=0)
    return np.asarray(np.divide(totals, n, out=np.full_like(totals, np.nan), where=n > 0))
