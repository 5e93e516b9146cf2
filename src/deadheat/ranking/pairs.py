"""Which systems are compared with which: lists of (first, second) and tables of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deadheat.errors import InferenceError

Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]


def all_pairs(n_systems: int) -> Indices:
    """Return every pair once, shape (m (m - 1) / 2, 2), the lower index first.

    Examples
    --------
    >>> all_pairs(3).tolist()
    [[0, 1], [0, 2], [1, 2]]
    """
    return np.stack(np.triu_indices(n_systems, 1), axis=1).astype(np.int64)


def against(baseline: int, n_systems: int) -> Indices:
    """Return the pairs of one baseline with every other system, shape (m - 1, 2).

    Examples
    --------
    >>> against(1, 3).tolist()
    [[1, 0], [1, 2]]
    """
    others = np.delete(np.arange(n_systems, dtype=np.int64), baseline)
    return np.stack([np.full_like(others, baseline), others], axis=1)


def symmetric(pairs: ArrayLike, flags: ArrayLike, n_systems: int) -> Flags:
    """Spread one flag a pair over a symmetric table, shape (m, m); False where no pair is.

    Examples
    --------
    >>> symmetric([[0, 1], [1, 2]], [True, False], 3).astype(int).tolist()
    [[0, 1, 0], [1, 0, 0], [0, 0, 0]]
    """
    listed = checked_pairs(pairs, n_systems)
    table = np.zeros((n_systems, n_systems), dtype=np.bool_)
    table[listed[:, 0], listed[:, 1]] = flags
    return table | table.T


def checked_pairs(pairs: ArrayLike, n_systems: int) -> Indices:
    """Return pairs as an array of int, shape (pair, 2).

    Raises
    ------
    InferenceError
        If a pair names a system that is not there, or one system twice.
    """
    listed = np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
    wrong = (
        (listed < 0).any(axis=1)
        | (listed >= n_systems).any(axis=1)
        | (listed[:, 0] == listed[:, 1])
    )
    if wrong.any():
        at = int(np.flatnonzero(wrong)[0])
        raise InferenceError(
            f"pair {at + 1} is {tuple(listed[at].tolist())}.",
            fix=f"A pair names two different systems from 0 to {n_systems - 1}.",
        )
    return listed


def checked_table(name: str, flags: ArrayLike | None, n_systems: int) -> Flags:
    """Return a table of flags, shape (m, m); all False where there is none.

    Raises
    ------
    InferenceError
        If it has another shape.
    """
    if flags is None:
        return np.zeros((n_systems, n_systems), dtype=np.bool_)
    table = np.asarray(flags, dtype=np.bool_)
    if table.shape != (n_systems, n_systems):
        raise InferenceError(
            f"{name} has shape {table.shape} for {n_systems} systems.",
            fix="Give one row and one column for each system.",
        )
    return table
