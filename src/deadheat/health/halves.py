"""A set of items parted at random into two halves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from deadheat.rng import Purpose, Stream

MOST_SPLITS = 500
"""Splits of a set of ordinary size."""

FEWEST_SPLITS = 20

WORDS = 100_000_000
"""Random numbers that all splits together may take: large sets, whose halves hardly differ, are
parted less often."""


def n_splits(n_units: int) -> int:
    """Return how often a set is parted.

    Parameters
    ----------
    n_units : int
        Items, or clusters of them.

    Examples
    --------
    >>> n_splits(500), n_splits(1_000_000)
    (500, 100)
    """
    return max(FEWEST_SPLITS, min(MOST_SPLITS, WORDS // max(n_units, 1)))


def random_halves(n_units: int, n: int, seed: int) -> Iterator[NDArray[np.bool_]]:
    """Yield n random halves, shape (unit,), each with `n_units // 2` units set.

    Parameters
    ----------
    n_units : int
        Items, or clusters of them.
    n : int
        How many halves.
    seed : int
        Of the draws.

    Examples
    --------
    >>> [int(half.sum()) for half in random_halves(7, 3, seed=0)]
    [3, 3, 3]
    """
    # An exchange is what the purpose is for: each unit is put on one of two sides.
    stream = Stream(seed, Purpose.EXCHANGE, 0)
    size = n_units // 2
    for _ in range(n):
        half = np.zeros(n_units, dtype=np.bool_)
        if size:
            # The units of the smallest of as many random numbers are a simple random sample.
            half[np.argpartition(stream.words(n_units), size - 1)[:size]] = True
        yield half
