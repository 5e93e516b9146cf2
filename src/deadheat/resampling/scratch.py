"""Memory that is used again and again.

Large arrays that are made and freed in turn cost more than what is done with them: the system
takes their memory back, and hands it over anew page by page as it is first touched.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from deadheat.rng import Stream

PIECE = 1 << 16
"""Words that are drawn at a time. Changes no bit."""


class Scratch:
    """Arrays of one thread, by name.

    Examples
    --------
    >>> scratch = Scratch()
    >>> first = scratch.array("counts", (2, 3), np.int64)
    >>> np.shares_memory(first, scratch.array("counts", (1, 4), np.int64))
    True
    """

    __slots__ = ("_arrays",)

    def __init__(self) -> None:
        self._arrays: dict[tuple[str, np.dtype[Any]], NDArray[Any]] = {}

    def array(self, name: str, shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
        """Return an array of undefined content, in the memory of the last one of this name."""
        key, size = (name, np.dtype(dtype)), math.prod(shape)
        kept = self._arrays.get(key)
        if kept is None or kept.size < size:
            kept = self._arrays[key] = np.empty(size, dtype)
        return kept[:size].reshape(shape)

    def words(self, stream: Stream, rows: int, columns: int) -> NDArray[np.uint64]:
        """Return the next words of a stream, shape (rows, columns), row by row."""
        words = self.array("words", (rows * columns,), np.uint64)
        for start in range(0, words.size, PIECE):
            piece = words[start : start + PIECE]
            piece[...] = stream.words(piece.size)
        return words.reshape(rows, columns)
