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

    _bits: np.random.SFC64 | None

    def __init__(self, seed: int, purpose: Purpose, block: int, *branch: int) -> None:
        self._seed = seed
        self._key: tuple[Purpose, int, tuple[int, ...]] = (purpose, block, branch)
        # Made when words are asked for: compiled code draws its own from `entropy`.
        self._bits = None

    def words(self, n: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
        """Return the next `n` words, shape (n,), uint64."""
        if self._bits is None:
            sequence = np.random.SeedSequence(self._seed, spawn_key=self._spawn_key)
            self._bits = np.random.SFC64(sequence)
        return self._bits.random_raw(n)

    @property
    def entropy(self) -> np.ndarray[tuple[int], np.dtype[np.uint32]]:
        """What the stream is seeded with, shape (word,), as `numpy.random.SeedSequence` has it.

        The words of the seed, least first, filled up to four; then those of the spawn key.
        """
        seed = _words_of(self._seed)
        key = [word for number in self._spawn_key for word in _words_of(number)]
        return np.array([*seed, *[0] * (4 - len(seed)), *key], dtype=np.uint32)

    @property
    def _spawn_key(self) -> tuple[int, ...]:
        purpose, block, branch = self._key
        return (int(purpose), block, *branch)

    def branch(self, number: int) -> Stream:
        """Return side stream `number` of this block, from its start.

        Words whose number depends on the words before them (a second look, a rejection) come
        from a side stream, so that reading the main stream in pieces cannot change either.
        """
        purpose, block, branch = self._key
        return Stream(self._seed, purpose, block, *branch, number)


def _words_of(number: int) -> list[int]:
    """Return the 32-bit words of a number, least first; at least one."""
    words = [number & 0xFFFFFFFF]
    while number := number >> 32:
        words.append(number & 0xFFFFFFFF)
    return words


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
