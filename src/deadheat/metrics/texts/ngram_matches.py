"""How many n-grams of a text occur in its reference, for all texts and all n at once.

An n-gram is known by the number of its first n - 1 tokens and by its last token. So each n takes
one sort of the references and one search for the outputs, and no n-gram is ever built.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

BLOCK = 1 << 14
"""Tokens that are sorted together at least: what is searched stays in a core's cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Coded:
    """Texts as numbers.

    Attributes
    ----------
    codes : ndarray, shape (token,)
        Of all texts, one after the other; from 0 to below `n_codes`.
    lengths : ndarray, shape (text,)
    n_codes : int
    """

    codes: Integers
    lengths: Integers
    n_codes: int

    def totals(self, order: int) -> Integers:
        """Return how many n-grams each text has, n from 1 to `order`, shape (text, n)."""
        return np.asarray(np.maximum(self.lengths[:, None] - np.arange(order), 0))


def numbered(texts: Iterable[Sequence[str]]) -> dict[str, int]:
    """Return a number for each distinct token of texts, from 0.

    Examples
    --------
    >>> numbered([["b", "a"], ["a", "c"]])
    {'b': 0, 'a': 1, 'c': 2}
    """
    return {token: i for i, token in enumerate(dict.fromkeys(chain.from_iterable(texts)))}


def coded(texts: Sequence[Sequence[str]], numbers: Mapping[str, int]) -> Coded:
    """Return texts with each token's number; tokens without one share the next number.

    Examples
    --------
    >>> coded([["a", "b"], ["a", "z"]], {"b": 0, "a": 1}).codes
    array([1, 0, 1, 2])
    """
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    other = len(numbers)
    found = map(numbers.get, chain.from_iterable(texts), repeat(other))
    codes = np.fromiter(found, np.int64, int(lengths.sum()))
    return Coded(codes=codes, lengths=lengths, n_codes=other + 1)


def coded_characters(texts: Sequence[str]) -> Coded:
    """Return texts with each character's code point."""
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), "<u4")
    return Coded(codes=codes.astype(np.int64), lengths=lengths, n_codes=sys.maxunicode + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Level:
    """The distinct n-grams of a block of references, for one n.

    Attributes
    ----------
    keys : ndarray, shape (n-gram,)
        Sorted: the number of the (n-1)-gram it starts with, times `n_codes`, plus its last code.
    most : ndarray, shape (n-gram,)
        How often it occurs in one reference at most.
    group : ndarray, shape (n-gram,)
    """

    keys: Integers
    most: Integers
    group: Integers


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceNgrams:
    """The n-grams of references, n from 1 to `order`, group by group.

    References of one group are alternatives: an n-gram counts as often as it occurs in the one
    that has it most often (Papineni et al., 2002).
    """

    order: int
    starts: tuple[int, ...]
    blocks: tuple[tuple[_Level, ...], ...]

    @classmethod
    def of(cls, texts: Coded, group: Integers, order: int) -> ReferenceNgrams:
        """Count the n-grams of references.

        Parameters
        ----------
        texts : Coded
        group : ndarray, shape (text,)
            Of each text, from 0 without a gap, ascending.
        order : int
        """
        n_groups = int(group[-1]) + 1 if len(group) else 0
        sizes = np.bincount(group, weights=texts.lengths, minlength=n_groups)
        starts = (*_starts(sizes.astype(np.int64)), n_groups)
        return cls(
            order=order,
            starts=starts,
            blocks=tuple(
                _levels(*block, stop - start, texts.n_codes, order)
                for start, stop, block in _blocks(texts, group, starts)
            ),
        )

    def matched(self, texts: Coded) -> Integers:
        """Return how many n-grams of each text its group has too, shape (group, n).

        Parameters
        ----------
        texts : Coded
            One text for each group, coded as the references were.
        """
        found = np.zeros((self.starts[-1], self.order), dtype=np.int64)
        own = np.arange(self.starts[-1])
        for (start, stop, block), levels in zip(
            _blocks(texts, own, self.starts), self.blocks, strict=True
        ):
            _match(*block, levels, texts.n_codes, found[start:stop])
        return found


def _starts(sizes: Integers) -> list[int]:
    """Return where blocks of groups start."""
    before = np.cumsum(sizes) - sizes
    return np.flatnonzero(np.diff(before // BLOCK, prepend=-1)).tolist()


def _blocks(
    texts: Coded, group: Integers, starts: Sequence[int]
) -> Iterator[tuple[int, int, tuple[Integers, Integers, Integers]]]:
    """Cut texts where blocks of groups start: their codes, lengths and groups from 0."""
    first = np.searchsorted(group, starts)
    token = np.concatenate([[0], np.cumsum(texts.lengths)])[first]
    for i in range(len(starts) - 1):
        some = slice(first[i], first[i + 1])
        yield (
            starts[i],
            starts[i + 1],
            (texts.codes[token[i] : token[i + 1]], texts.lengths[some], group[some] - starts[i]),
        )


def _levels(
    codes: Integers, lengths: Integers, group: Integers, n_groups: int, n_codes: int, order: int
) -> tuple[_Level, ...]:
    alternatives = len(group) > n_groups
    text = np.repeat(np.arange(len(lengths)), lengths)
    left = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(codes))
    at, prefix, owner = np.arange(len(codes)), group[text], np.arange(n_groups)
    levels = []
    for n in range(order):
        whole = left[at] > n
        at, prefix = at[whole], prefix[whole]
        keys, prefix = np.unique(prefix * n_codes + codes[at + n], return_inverse=True)
        owner = owner[keys // n_codes]
        most = np.bincount(prefix, minlength=len(keys))
        if alternatives:
            pairs, counts = np.unique(prefix * len(lengths) + text[at], return_counts=True)
            most = np.zeros_like(most)
            np.maximum.at(most, pairs // len(lengths), counts)
        levels.append(_Level(keys=keys, most=most, group=owner))
    return tuple(levels)


def _match(
    codes: Integers,
    lengths: Integers,
    group: Integers,
    levels: tuple[_Level, ...],
    n_codes: int,
    found: Integers,
) -> None:
    left = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(codes))
    at, prefix = np.arange(len(codes)), np.repeat(group, lengths)
    for n, level in enumerate(levels):
        whole = left[at] > n
        at, prefix = at[whole], prefix[whole]
        if not (len(at) and len(level.keys)):
            return
        keys = prefix * n_codes + codes[at + n]
        place = np.minimum(np.searchsorted(level.keys, keys), len(level.keys) - 1)
        known = level.keys[place] == keys
        at, prefix = at[known], place[known]
        clipped = np.minimum(np.bincount(prefix, minlength=len(level.keys)), level.most)
        found[:, n] = np.bincount(level.group, weights=clipped, minlength=len(found))
