"""Single units drawn at random, and the type that each belongs to."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.rng import Stream

MOST_UNITS = 1 << 32
"""Units are drawn by 32-bit numbers."""

MAP_BITS = 21
"""Leading bits of a unit that most often settle its type, at most. Changes no bit."""


class Units:
    """Uniform units 0 .. n - 1, two to a word, by Lemire's multiplication with rejection."""

    __slots__ = ("_left", "_n", "_stream")

    def __init__(self, stream: Stream, n: int) -> None:
        self._stream = stream
        self._n = n
        self._left = np.empty(0, dtype=np.intp)

    def take(self, size: int) -> NDArray[np.intp]:
        """Return the next `size` units."""
        while self._left.size < size:
            fresh = self._accepted((size - self._left.size + 1) // 2)
            self._left = np.concatenate([self._left, fresh]) if self._left.size else fresh
        taken, self._left = self._left[:size], self._left[size:]
        return taken

    def _accepted(self, n_words: int) -> NDArray[np.intp]:
        halves = self._stream.words(n_words).astype("<u8", copy=False).view("<u4")
        product = halves.astype(np.uint64) * np.uint64(self._n)
        units = (product >> np.uint64(32)).astype(np.intp)
        uneven = MOST_UNITS % self._n
        if uneven:
            good = product.astype(np.uint32) >= uneven
            if not good.all():
                return units[good]
        return units


class Owners:
    """The type of each unit: units of a type are consecutive."""

    __slots__ = ("_guide", "_past", "_shift")

    def __init__(self, multiplicities: NDArray[np.int64]) -> None:
        self._past = np.cumsum(multiplicities)
        n = int(self._past[-1])
        bits = min(MAP_BITS, max(12, (16 * multiplicities.size).bit_length()))
        self._shift = max(0, n.bit_length() - bits)
        begins = np.arange(0, n, 1 << self._shift)
        ends = np.minimum(begins + (1 << self._shift), n) - 1
        first, last = (np.searchsorted(self._past, at, side="right") for at in (begins, ends))
        self._guide = np.where(first == last, first, -1).astype(np.int32)

    def described(self) -> dict[str, Any]:
        """Return what `deadheat.resampling.kernel.Plan` has of units and their types."""
        return {"owners": self._guide, "past": self._past, "shift": self._shift}

    def of(self, units: NDArray[np.intp]) -> NDArray[np.int32]:
        """Return the type of each unit."""
        found: NDArray[np.int32] = self._guide.take(units >> self._shift)
        if self._shift:
            open_ = np.flatnonzero(found < 0)
            found[open_] = np.searchsorted(self._past, units[open_], side="right")
        return found
