"""Texts of one set that are the same, or nearly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse import csgraph

from deadheat.similarity.shingles import Shingles, Vocabulary, shingled

Ints = NDArray[np.int64]

NEAR = 0.8
"""Jaccard similarity from which on two texts are near duplicates."""

SHINGLE = 3
"""Words in a shingle."""

MOST_SHINGLES = 1 << 24
"""Different shingles of all texts together."""

MOST_CANDIDATES = 30_000_000
"""Pairs of texts that are looked at."""

_BLOCK = 2_000_000
"""Candidates, or shingles of candidates, that are held at once."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Groups:
    """Texts in groups.

    Attributes
    ----------
    of_text : ndarray of int64, shape (text,)
        Group of each text, numbered by their first texts.
    n_pairs : int
        Pairs of near duplicates that were found.
    """

    of_text: Ints
    n_pairs: int


def exact_groups(texts: Sequence[str]) -> Ints:
    """Return the group of each text, shape (text,): equal texts share one.

    Groups are numbered from 0 by their first text.

    Parameters
    ----------
    texts : sequence of str
        As `normal` gives them.

    Examples
    --------
    >>> exact_groups(["a", "b", "a"]).tolist()
    [0, 1, 0]
    """
    seen: dict[str, int] = {}
    return np.array([seen.setdefault(text, len(seen)) for text in texts], dtype=np.int64)


def near_groups(texts: Sequence[str], *, threshold: float = NEAR) -> Groups | None:
    """Group texts whose sets of shingles have a Jaccard similarity of `threshold` or more.

    Groups are what pairs of near duplicates connect: the ends of a chain may be less alike.
    All pairs are found, and none by chance: two sets can only be as similar if they share one of
    their rarest shingles, as many of each as its size leaves room for (prefix filter).

    Parameters
    ----------
    texts : sequence of str
        As `normal` gives them, each once.
    threshold : float
        Above 0 and at most 1.

    Returns
    -------
    Groups or None
        None where the texts are too long, or too many are too alike, to be compared within
        bounds of memory and time.

    References
    ----------
    Broder, A. Z. (1997). On the resemblance and containment of documents. Sequences 1997, 21-29.
    Chaudhuri, S., Ganti, V. & Kaushik, R. (2006). A primitive operator for similarity joins in
    data cleaning. ICDE 2006.

    Examples
    --------
    >>> near_groups(["a b c d e f g h", "a b c d e f g", "x y z"]).of_text.tolist()
    [0, 0, 1]
    """
    if sum(map(len, texts)) > 8 * MOST_SHINGLES:
        return None
    found = shingled(texts, SHINGLE, Vocabulary())
    if len(found.fingerprints) > MOST_SHINGLES:
        return None
    rows = _rarest_first(found)
    prefix = _prefix(rows, threshold)
    per_text = _candidates_of(prefix)
    if per_text.sum() > 2 * MOST_CANDIDATES + len(texts):
        return None
    edges = np.empty((0, 2), dtype=np.int64)
    n_pairs = 0
    for block in _blocks(per_text):
        pairs = _similar(rows, _candidates(prefix, block), threshold)
        n_pairs += len(pairs)
        edges = np.concatenate([edges, pairs])
        if len(edges) > _BLOCK:
            # What is connected stays so by a star of as many edges as there are texts.
            labels = _connected(edges, len(texts))
            edges = np.stack([np.arange(len(texts)), _first_of(labels)[labels]], axis=1)
    return Groups(of_text=_connected(edges, len(texts)), n_pairs=n_pairs)


def _rarest_first(found: Shingles) -> sparse.csr_array:
    """Return which text has which shingle, columns from the rarest to the most frequent one."""
    _, columns, counts = np.unique(found.fingerprints, return_inverse=True, return_counts=True)
    place = np.empty(len(counts), dtype=np.int64)
    place[np.argsort(counts, kind="stable")] = np.arange(len(counts))
    ones = np.ones(len(columns), dtype=np.int32)
    rows = sparse.csr_array(
        (ones, place[columns], found.starts), shape=(len(found.sizes), max(len(counts), 1))
    )
    rows.sort_indices()
    return rows


def _prefix(rows: sparse.csr_array, threshold: float) -> sparse.csr_array:
    """Keep of each text its ``n - ceil(threshold n) + 1`` rarest shingles."""
    sizes = np.diff(rows.indptr)
    needed = np.ceil(threshold * sizes - 1e-9).astype(np.int64)
    kept = np.where(sizes > 0, sizes - needed + 1, 0)
    within = np.arange(rows.nnz) - np.repeat(rows.indptr[:-1], sizes)
    chosen = within < np.repeat(kept, sizes)
    starts = np.concatenate([[0], np.cumsum(kept)])
    return sparse.csr_array((rows.data[chosen], rows.indices[chosen], starts), shape=rows.shape)


def _candidates_of(prefix: sparse.csr_array) -> Ints:
    """Return how many pairings each text has over its rare shingles, itself included."""
    counts = np.bincount(prefix.indices, minlength=prefix.shape[1])
    summed = np.concatenate([[0], np.cumsum(counts[prefix.indices])])
    return np.asarray(summed[prefix.indptr[1:]] - summed[prefix.indptr[:-1]], dtype=np.int64)


def _blocks(per_text: Ints) -> list[slice]:
    """Return runs of texts with a bounded number of pairings."""
    number = np.cumsum(per_text) // _BLOCK
    ends = np.flatnonzero(np.diff(number)) + 1
    edges = [0, *ends.tolist(), len(per_text)]
    return [slice(low, high) for low, high in pairwise(edges) if high > low]


def _candidates(prefix: sparse.csr_array, block: slice) -> Ints:
    """Return pairs, first < second, that share a rare shingle, with the first in the block."""
    shared = (prefix[block] @ prefix.T).tocoo()
    first, second = shared.row.astype(np.int64) + block.start, shared.col.astype(np.int64)
    ahead = first < second
    return np.stack([first[ahead], second[ahead]], axis=1)


def _similar(rows: sparse.csr_array, pairs: Ints, threshold: float) -> Ints:
    """Keep the pairs whose Jaccard similarity reaches the threshold."""
    sizes = np.diff(rows.indptr).astype(np.int64)
    first, second = sizes[pairs[:, 0]], sizes[pairs[:, 1]]
    # Sets of sizes too different cannot be that similar.
    pairs = pairs[np.minimum(first, second) >= threshold * np.maximum(first, second) - 1e-9]
    work = np.cumsum(sizes[pairs].sum(axis=1)) // _BLOCK
    parts = np.split(pairs, np.flatnonzero(np.diff(work)) + 1)
    kept = []
    for part in parts:
        both = np.asarray(rows[part[:, 0]].multiply(rows[part[:, 1]]).sum(axis=1)).ravel()
        either = sizes[part].sum(axis=1) - both
        kept.append(part[both >= threshold * either - 1e-9])
    return np.concatenate(kept) if kept else pairs


def _connected(edges: Ints, n: int) -> Ints:
    """Return the group of each text that edges connect, numbered by first texts."""
    table = sparse.coo_array(
        (np.ones(len(edges), dtype=np.int8), (edges[:, 0], edges[:, 1])), shape=(n, n)
    )
    _, labels = csgraph.connected_components(table, directed=False)
    _, first, of_text = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[of_text].astype(np.int64)


def _first_of(labels: Ints) -> Ints:
    return np.unique(labels, return_index=True)[1].astype(np.int64)
