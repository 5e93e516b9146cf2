"""Compact letters: systems share a letter exactly where the data do not put them in order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from deadheat.errors import InferenceError
from deadheat.ranking.pairs import Flags

Method = Literal["insert_absorb", "clique_growing"]

SINGLE = len(ascii_lowercase)
"""Columns that have a name of one letter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Letters:
    """Groups of systems that are not separated among themselves; groups may overlap.

    Attributes
    ----------
    groups : tuple of tuple of int
        Systems of each column, best first; columns by their best member, then the next.
    names : tuple of str
        One for each column: a to z, then aa, ab and so on.
    of : tuple of tuple of str
        Names of the columns that each system is in, by system.
    method : {"insert_absorb", "clique_growing"}
    """

    groups: tuple[tuple[int, ...], ...]
    names: tuple[str, ...]
    of: tuple[tuple[str, ...], ...]
    method: Method

    @property
    def labels(self) -> tuple[str, ...]:
        """What to print beside each system: "ab", or "z,aa" where names have two letters."""
        joint = "" if len(self.names) <= SINGLE else ","
        return tuple(joint.join(names) for names in self.of)


def letters(different: ArrayLike, order: ArrayLike) -> Letters:
    """Letter systems so that two share a letter if and only if they are not separated.

    Parameters
    ----------
    different : array_like of bool, shape (system, system)
        Symmetric: which pairs are separated.
    order : array_like of int, shape (system,)
        The systems from best to worst.

    Raises
    ------
    InferenceError
        If the table is not symmetric or the order no permutation of its rows.

    Notes
    -----
    Insert-and-absorb (Piepho 2004) ends, in whatever order the pairs come, with every largest
    group of systems of which no two are separated. Where "not separated" follows the scores
    (intervals on a line) those are at most as many as systems, but standard errors that differ
    can make them exponentially many. So systems are inserted one by one, where the number of
    columns never falls, and as soon as there are more than 26 and more than systems the columns
    are grown greedily instead (Gramm et al. 2007): fewer columns, some of them not largest, and
    the same statement about every pair. `method` says which it was.

    Examples
    --------
    >>> table = np.zeros((4, 4), dtype=bool)
    >>> table[0, 2] = table[0, 3] = table[1, 3] = True
    >>> letters(table | table.T, [0, 1, 2, 3]).labels
    ('a', 'ab', 'bc', 'c')
    """
    table, best_first = _checked(different, order)
    alike = ~table[np.ix_(best_first, best_first)]
    np.fill_diagonal(alike, True)
    limit = max(SINGLE, len(alike))
    found = _insert_absorb(alike, limit)
    method: Method = "insert_absorb" if found is not None else "clique_growing"
    columns = sorted(found if found is not None else _grow(alike))
    names = tuple(_name(number) for number in range(len(columns)))
    of: list[list[str]] = [[] for _ in best_first]
    groups = tuple(tuple(int(best_first[at]) for at in column) for column in columns)
    for name, group in zip(names, groups, strict=True):
        for system in group:
            of[system].append(name)
    return Letters(groups=groups, names=names, of=tuple(map(tuple, of)), method=method)


def _checked(different: ArrayLike, order: ArrayLike) -> tuple[Flags, list[int]]:
    table = np.asarray(different, dtype=np.bool_)
    best_first = np.asarray(order, dtype=np.int64)
    m = best_first.size
    if table.shape != (m, m) or not np.array_equal(table, table.T):
        raise InferenceError(
            f"the table of separated pairs {table.shape} is not symmetric over {m} systems.",
            fix="Give one row and one column for each system, and each pair twice.",
        )
    if not np.array_equal(np.sort(best_first), np.arange(m)):
        raise InferenceError(
            "the order does not name each system once.", fix="Give the systems from best to worst."
        )
    return table, best_first.tolist()


def _insert_absorb(alike: Flags, limit: int) -> list[tuple[int, ...]] | None:
    """Return the columns, or None once there are more than `limit`; sets are bits of an int."""
    near = [sum(1 << int(other) for other in np.flatnonzero(row)) for row in alike]
    columns: list[int] = [1] if near else []
    for system in range(1, len(near)):
        apart = [column for column in columns if column & ~near[system]]
        shared = {column & near[system] for column in columns}
        columns = apart + [group | 1 << system for group in _largest(shared)]
        if len(columns) > limit:
            return None
    return [_members(column) for column in columns]


def _largest(groups: Iterable[int]) -> list[int]:
    """Absorb every group that is part of another."""
    kept: list[int] = []
    for group in sorted(groups, key=int.bit_count, reverse=True):
        if all(group & ~other for other in kept):
            kept.append(group)
    return kept


def _members(column: int) -> tuple[int, ...]:
    return tuple(at for at in range(column.bit_length()) if column >> at & 1)


def _grow(alike: Flags) -> list[tuple[int, ...]]:
    """Cover the pairs that are alike: from the best pair still open, add what covers most."""
    open_pairs = alike.copy()
    np.fill_diagonal(open_pairs, False)
    columns: list[tuple[int, ...]] = []
    for system in range(len(alike)):
        while open_pairs[system].any():
            members, candidates = [system], alike[system].copy()
            candidates[system] = False
            gain = open_pairs[system].astype(np.int64)
            while candidates.any():
                best = int(np.argmax(np.where(candidates, gain, -1)))
                if gain[best] == 0:
                    break
                members.append(best)
                candidates &= alike[best]
                candidates[best] = False
                gain += open_pairs[best]
            open_pairs[np.ix_(members, members)] = False
            columns.append(tuple(sorted(members)))
    lone = set(range(len(alike))).difference(*columns)
    return columns + [(system,) for system in lone]


def _name(number: int) -> str:
    """Name a column: 0 is a, 25 z, 26 aa."""
    name = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, SINGLE)
        name = ascii_lowercase[letter] + name
    return name
