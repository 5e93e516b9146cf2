"""Shingles and similarities by sets of tuples."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from deadheat.similarity import words


def grams(text: str, size: int) -> set[tuple[str, ...]]:
    """All runs of `size` words; of a shorter text all of it."""
    found = words(text)
    if not found:
        return set()
    size = min(size, len(found))
    return {tuple(found[at : at + size]) for at in range(len(found) - size + 1)}


def near_pairs(texts: Sequence[str], threshold: float, size: int = 3) -> set[tuple[int, int]]:
    """All pairs whose Jaccard similarity reaches a threshold."""
    sets = [grams(text, size) for text in texts]
    return {
        (i, j)
        for (i, a), (j, b) in combinations(enumerate(sets), 2)
        if a | b and len(a & b) / len(a | b) >= threshold - 1e-9
    }


def groups(n: int, pairs: set[tuple[int, int]]) -> list[int]:
    """The smallest member of the component of each text."""
    label = list(range(n))
    changed = True
    while changed:
        changed = False
        for i, j in pairs:
            low = min(label[i], label[j])
            changed |= label[i] != low or label[j] != low
            label[i] = label[j] = low
    return label
