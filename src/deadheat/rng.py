"""One seed, independent streams by purpose and block.

Resamples are drawn in blocks of a frozen size; block ``j`` of purpose ``p`` draws raw 64-bit
words from ``SFC64(SeedSequence(seed, spawn_key=(p, j)))``. Only raw words are stable between
NumPy versions (NEP 19), so every transform of them is ours.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from deadheat.errors import UsageError

BLOCK = 256
"""Resamples in one block. Part of the definition of the stream: never derive it from anything."""


class Purpose(IntEnum):
    """What a stream is for; streams of different purposes are independent."""

    BOOTSTRAP = 0
    EXCHANGE = 1
    FIRST_ALONE = 2
    SECOND_ALONE = 3
    FIRST_RUNS = 4
    SECOND_RUNS = 5
    SIMULATION = 6


class Stream:
    """Raw 64-bit words of one block, in order.

    Parameters
    ----------
    seed : int
        The seed of the whole computation, zero or more.
    purpose : Purpose
        What the words are for.
    block : int
        Number of the block, from 0.
    branch : int, optional
        Number of a side stream of the block, from 0; see `branch`.
    """

    __slots__ = ("_bits", "_key", "_seed")

    def __init__(self, seed: int, purpose: Purpose, block: int, *branch: int) -> None:
        self._seed = seed
        self._key: tuple[Purpose, int, tuple[int, ...]] = (purpose, block, branch)
        spawn_key = (int(purpose), block, *branch)
        self._bits = np.random.SFC64(np.random.SeedSequence(seed, spawn_key=spawn_key))

    def words(self, n: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
        """Return the next `n` words, shape (n,), uint64."""
        return self._bits.random_raw(n)

    @property
    def state(self) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
        """State of the generator, shape (4,), from which compiled code draws the next words."""
        state: np.ndarray[tuple[int], np.dtype[np.uint64]] = self._bits.state["state"]["state"]
        return state

    def branch(self, number: int) -> Stream:
        """Return side stream `number` of this block, from its start.

        Words whose number depends on the words before them (a second look, a rejection) come
        from a side stream, so that reading the main stream in pieces cannot change either.
        """
        purpose, block, branch = self._key
        return Stream(self._seed, purpose, block, *branch, number)


def checked_seed(seed: object) -> int:
    """Return `seed` as an int of zero or more.

    Raises
    ------
    UsageError
        If it is a generator, a negative or not a whole number: a record must be able to state it.
    """
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or int(seed) < 0:
        raise UsageError(
            f"the seed is {seed!r}, which a record cannot state.",
            fix="Give a whole number of zero or more.",
        )
    return int(seed)
