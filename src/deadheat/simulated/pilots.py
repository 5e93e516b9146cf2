"""Two systems in a file of yours, to be taken for the truth."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import DeadheatError, InputError, UsageError
from deadheat.measuring import measured
from deadheat.sides import shortened

OPTION = re.compile(r"(?<!\S)--[a-z]")

PLAIN = (
    "A simulation reads its pilot without options: give a table of one row for each item, with "
    "its id in a column item and a score of each of two systems in a column of its own."
)
"""What a pilot is that needs no option to be read."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PilotFile:
    """What was read.

    Attributes
    ----------
    source : str
        Path as given; data in memory by its type.
    systems : tuple of str
        Baseline and candidate.
    scores : ndarray, shape (2, item)
        Averaged over runs.
    of_item : ndarray of int, shape (item,), or None
        Cluster of each item, from 0.
    hash : str
        Of the rows, as other reports have it.
    """

    source: str
    systems: tuple[str, ...]
    scores: NDArray[np.float64]
    of_item: NDArray[np.int64] | None
    hash: str

    @property
    def items(self) -> int:
        """Number of items."""
        return int(self.scores.shape[1])

    @property
    def binary(self) -> bool:
        """Whether all scores are 0 or 1."""
        return bool(np.isin(self.scores, (0.0, 1.0)).all())

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "source": self.source,
            "items": self.items,
            "clusters": None if self.of_item is None else int(self.of_item.max()) + 1,
            "hash": self.hash,
        }


def read_pilot(source: Any) -> PilotFile:
    """Read the paired scores of two systems, the baseline first.

    Parameters
    ----------
    source : path, data frame, or mapping of names to arrays

    Raises
    ------
    DeadheatError
        If it cannot be read, there are not two systems, or there are too few items or clusters.
    """
    try:
        (part,) = measured([source], {}, [None], _both, missing="error", unparseable="wrong")
    except DeadheatError as error:
        if not OPTION.search(error.fix):
            raise
        # What would resolve it elsewhere is an option that a simulation does not have.
        raise InputError(error.found, where=error.where, fix=PLAIN) from None
    (scores,), (alignment,) = part.scores, part.alignments
    units = scores.units
    if scores.per_item is None:
        raise InputError(
            f"the pilot is measured by {scores.metrics[0].name}, which has no score for each item.",
            fix="Give scores of items.",
        )
    if units is not None and units.strata is not None:
        raise InputError(
            "the pilot has strata, which are not simulated.",
            fix="Give one stratum, or leave the column out.",
        )
    clustered = units is not None and units.kind == "cluster"
    if alignment.n < 2 or (units is not None and clustered and units.n < 2):
        raise InputError(
            f"the pilot has one {'cluster' if clustered else 'item'}.",
            fix="Give two or more: what varies can be seen in no fewer.",
        )
    return PilotFile(
        source=os.fspath(source)
        if isinstance(source, (str, os.PathLike))
        else f"({type(source).__name__} in memory)",
        systems=scores.systems,
        scores=np.ascontiguousarray(scores.per_item.T),
        of_item=units.of_item if units is not None and clustered else None,
        hash=alignment.hash,
    )


def _both(systems: tuple[str, ...]) -> Sequence[Sequence[str]]:
    if len(systems) != 2:
        raise UsageError(
            f"the pilot has {len(systems)} system{'' if len(systems) == 1 else 's'}: "
            f"{shortened(systems)}.",
            fix="Give a file of two, the baseline first.",
        )
    return [systems]
