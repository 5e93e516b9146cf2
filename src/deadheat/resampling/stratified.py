"""Counts of types within strata, each of which is drawn on its own.

The counts of stratum h are those of `deadheat.resampling.counts.Multinomial` on side stream 2 + h
of the block. With a single stratum they would be those without strata on another stream; callers
leave a single stratum out, so that it changes no bit.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from deadheat.resampling.counts import Multinomial, checked_multiplicities
from deadheat.resampling.scratch import Scratch
from deadheat.rng import Stream

Ints = NDArray[np.int64]

OWN_BRANCHES = 2
"""Side streams of a block that `Multinomial` uses itself."""


class Stratified:
    """Draws of the counts of types, a fixed number of units from each stratum.

    Parameters
    ----------
    multiplicities : ndarray of int, shape (G,)
        Units of each type.
    strata : ndarray of int, shape (G,)
        Stratum of each type, 0 to H - 1.

    Attributes
    ----------
    n : int
        Units in a resample.
    order : ndarray of intp, shape (G,)
        Types in the order of the columns of `chunks`: stratum by stratum.
    """

    __slots__ = ("_engines", "n", "order")

    def __init__(self, multiplicities: Ints, strata: Ints) -> None:
        given = checked_multiplicities(multiplicities)
        within = [np.flatnonzero(strata == stratum) for stratum in range(int(strata.max()) + 1)]
        self._engines = [Multinomial(given[types]) for types in within]
        self.n = int(given.sum())
        self.order = np.concatenate(
            [types[engine.order] for types, engine in zip(within, self._engines, strict=True)]
        )

    def chunks(
        self,
        stream: Stream,
        rows: int,
        dtype: DTypeLike = np.float64,
        scratch: Scratch | None = None,
    ) -> Iterator[NDArray[Any]]:
        """Yield counts of successive resamples, shape (rows, G), columns as in `order`."""
        scratch = scratch or Scratch()
        drawn = scratch.array("stratified", (rows, self.order.size), np.dtype(dtype))
        start = 0
        for number, engine in enumerate(self._engines):
            columns = drawn[:, start : start + engine.order.size]
            done = 0
            for chunk in engine.chunks(stream.branch(OWN_BRANCHES + number), rows, dtype, scratch):
                columns[done : done + len(chunk)] = chunk
                done += len(chunk)
            start += engine.order.size
        yield drawn
