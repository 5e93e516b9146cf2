"""Runs of words (shingles) as 64-bit fingerprints, many texts at once.

The fingerprint of a run is a polynomial in the mixed numbers of its words (Karp & Rabin 1987)
modulo 2^64: two different runs have the same one with a chance of about 2^-64, so that among ten
million runs a collision has a chance below 10^-5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from deadheat.similarity.normal import words

Ints = NDArray[np.int64]
Fingerprints = NDArray[np.uint64]

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_MIX = (
    (np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)),
    (np.uint64(27), np.uint64(0x94D049BB133111EB)),
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shingles:
    """The different shingles of each of several texts.

    Attributes
    ----------
    fingerprints : ndarray of uint64
        Of all texts one after the other, ascending within each.
    starts : ndarray of int64, shape (text + 1,)
        Where those of each text begin.
    """

    fingerprints: Fingerprints
    starts: Ints

    @property
    def sizes(self) -> Ints:
        """How many different shingles each text has, shape (text,)."""
        return np.diff(self.starts)

    @property
    def owners(self) -> Ints:
        """Text of each fingerprint."""
        return np.repeat(np.arange(len(self.starts) - 1), self.sizes)


class Vocabulary:
    """Numbers of words, from 1 in the order in which they were first seen; 0 is an unknown word."""

    __slots__ = ("_numbers", "_open")

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._open = True

    def close(self) -> None:
        """Take up no more words: what is not known stays unknown."""
        self._open = False

    def numbers(self, text: str) -> list[int]:
        """Return the numbers of the words of a normal text.

        Parameters
        ----------
        text : str
            As `normal` gives it.
        """
        known: Mapping[str, int] = self._numbers
        found = words(text)
        if not self._open:
            return [known.get(word, 0) for word in found]
        return [self._numbers.setdefault(word, len(self._numbers) + 1) for word in found]


def shingled(texts: Sequence[str], size: int, vocabulary: Vocabulary) -> Shingles:
    """Return the different shingles of each text.

    Runs with an unknown word are left out. A text of fewer words than `size` is one shingle, and
    one without words none.

    Parameters
    ----------
    texts : sequence of str
        As `normal` gives them.
    size : int
        Words in a shingle.
    vocabulary : Vocabulary
        Of the texts that are to be compared.

    Examples
    --------
    >>> shingled(["a b c d", "a b", ""], 3, Vocabulary()).sizes.tolist()
    [2, 1, 0]
    """
    numbered = [vocabulary.numbers(text) for text in texts]
    lengths = np.array([len(numbers) for numbers in numbered], dtype=np.int64)
    flat = np.fromiter(
        chain.from_iterable(numbered),
        dtype=np.uint64,
        count=int(lengths.sum()),
    )
    runs = np.maximum(lengths - size + 1, np.minimum(lengths, 1))
    begins = np.cumsum(lengths) - lengths
    owners = np.repeat(np.arange(len(texts)), runs)
    first = (
        np.repeat(begins, runs) + np.arange(owners.size) - np.repeat(np.cumsum(runs) - runs, runs)
    )
    found, known = _polynomials(flat, first, np.minimum(lengths, size)[owners], size)
    return _distinct(found[known], owners[known], len(texts))


def _polynomials(
    flat: Fingerprints, first: Ints, lengths: Ints, size: int
) -> tuple[Fingerprints, NDArray[np.bool_]]:
    """Return the fingerprints of runs, and whether all of their words are known."""
    mixed = _mixed(flat)
    found = np.zeros(first.size, dtype=np.uint64)
    known = np.ones(first.size, dtype=np.bool_)
    for place in range(size):
        inside = place < lengths
        at = np.where(inside, first + place, 0)
        term = found * _FACTOR + mixed[at] if flat.size else found
        found = np.where(inside, term, found)
        known &= ~inside | (flat[at] != 0) if flat.size else known
    return found, known


def _mixed(numbers: Fingerprints) -> Fingerprints:
    """Spread numbers over 64 bits, each to another value (the finaliser of SplitMix64)."""
    found = numbers * _FACTOR
    for shift, factor in _MIX:
        found = (found ^ (found >> shift)) * factor
    return np.asarray(found ^ (found >> np.uint64(31)))


def _distinct(fingerprints: Fingerprints, owners: Ints, n_texts: int) -> Shingles:
    order = np.lexsort((fingerprints, owners))
    sorted_, by = fingerprints[order], owners[order]
    new = np.ones(sorted_.size, dtype=np.bool_)
    new[1:] = (sorted_[1:] != sorted_[:-1]) | (by[1:] != by[:-1])
    counts = np.bincount(by[new], minlength=n_texts)
    return Shingles(
        fingerprints=sorted_[new], starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    )
