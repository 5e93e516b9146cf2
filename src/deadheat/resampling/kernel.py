"""The compiled kernel, where it was built: the same bits as the NumPy twin, several times faster.

`_kernel.c` is optional when the package is built. Without it, or with DEADHEAT_KERNEL=numpy in the
environment, NumPy draws the same counts from the same words.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.rng import Stream

try:
    from deadheat.resampling import _kernel as compiled
except ImportError:
    compiled = None  # type: ignore[assignment]

VARIABLE = "DEADHEAT_KERNEL"

EVERY, TOPPED_UP, REMAINDER = range(3)
"""Which attempts are resamples: all, those completed by units, those completed by one type."""


def name() -> str:
    """Return what draws counts: "c" or "numpy".

    Examples
    --------
    >>> name() in ("c", "numpy")
    True
    """
    return "numpy" if compiled is None or os.environ.get(VARIABLE) == "numpy" else "c"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Plan:
    """What the compiled kernel has to know of a distribution of counts.

    Attributes
    ----------
    runs : ndarray of int64, shape (run, 7)
        Of types that share a table: the first and the one past the last; 0 for coins, 1 for lanes
        with a guide, 2 for whole words; where its guide begins; its first threshold and the one
        past its last; its least count.
    guide : ndarray of int16
        Guides of all tables, see `deadheat.resampling.tables.InverseTable.guide`.
    thresholds : ndarray of uint64
        Thresholds of all tables.
    mode : {EVERY, TOPPED_UP, REMAINDER}
    n : int
        Units in a resample; 0 where there is no such number.
    least : int
        Total that the first of `acceptance` is about.
    acceptance : ndarray of uint64
        2^64 times the probability that an attempt is accepted, by its total.
    owners : ndarray of int32
        Type of the units that begin alike, or -1; see `deadheat.resampling.units.Owners`.
    past : ndarray of int64
        Cumulated multiplicities.
    shift : int
        Trailing bits of a unit that `owners` does not look at.
    """

    runs: NDArray[np.int64]
    guide: NDArray[np.int16]
    thresholds: NDArray[np.uint64]
    mode: int = EVERY
    n: int = 0
    least: int = 0
    acceptance: NDArray[np.uint64] = field(default_factory=lambda: np.empty(0, np.uint64))
    owners: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))
    past: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    shift: int = 0

    def fill(self, counts: NDArray[Any], words: NDArray[np.uint64]) -> None:
        """Draw counts, shape (resample, type), contiguous float32 or float64; words move on."""
        rows, width = counts.shape
        compiled.draw(
            counts,
            counts.dtype == np.float32,
            rows,
            width,
            words,
            self.runs,
            self.guide,
            self.thresholds,
            self.mode,
            self.n,
            self.least,
            self.acceptance,
            self.owners,
            self.past,
            self.shift,
        )


def words_of(main: Stream, more: Stream, units: Stream | None = None) -> NDArray[np.uint64]:
    """Return the states of fresh streams of a block, and room for half a word that is left."""
    words = np.zeros(14, dtype=np.uint64)
    for number, stream in enumerate((main, more, units)):
        if stream is not None:
            compiled.seed(stream.entropy, words, 4 * number)
    return words
