"""A pilot taken for the truth: data sets are drawn from its items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.amounts import whole
from deadheat.rng import Purpose, Stream
from deadheat.simulation.design import MOST_SCORES, Drawn
from deadheat.simulation.normals import uniforms

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pilot:
    """Paired scores of two systems from which items, or whole clusters, are drawn with replacement.

    Attributes
    ----------
    scores : ndarray, shape (2, item)
        The baseline first.
    items : int
        Items of each data set; with clusters, about so many.
    of_item : ndarray of int, shape (item,), or None
        Cluster of each item, 0 to G - 1.
    """

    scores: Floats
    items: int
    of_item: Ints | None = None

    def __post_init__(self) -> None:
        whole("--items", self.items, 2, MOST_SCORES // 2, f"Give 2 to {MOST_SCORES // 2:,} items.")

    @property
    def gap(self) -> float:
        """Candidate - baseline over the items of the pilot."""
        return float((self.scores[1] - self.scores[0]).mean())

    @property
    def n_clusters(self) -> int | None:
        """Clusters of each data set: as many as hold `items` items on average; None without."""
        if self.of_item is None:
            return None
        sizes = np.bincount(self.of_item)
        return max(2, round(self.items * sizes.size / int(sizes.sum())))

    def draw(self, seed: int, replay: int = 0) -> Drawn:
        """Draw one data set; the words of its stream choose an item, or a cluster, each.

        Parameters
        ----------
        seed : int
            Zero or more.
        replay : int
            Number of the data set, from 0.
        """
        stream = Stream(seed, Purpose.SIMULATION, replay)
        n_clusters = self.n_clusters
        if self.of_item is None or n_clusters is None:
            chosen = _chosen(stream, self.items, self.scores.shape[1])
            return Drawn(scores=self.scores[:, chosen, None])
        sizes = np.bincount(self.of_item)
        order = np.argsort(self.of_item, kind="stable")
        starts = np.cumsum(sizes) - sizes
        clusters = _chosen(stream, n_clusters, sizes.size)
        lengths = sizes[clusters]
        owners = np.repeat(np.arange(n_clusters), lengths)
        within = np.arange(owners.size) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        rows = order[starts[clusters][owners] + within]
        return Drawn(scores=self.scores[:, rows, None], clusters=owners)


def _chosen(stream: Stream, n: int, among: int) -> NDArray[Any]:
    """Draw positions 0 to `among` - 1; a uniform number below 1 times `among` is below `among`."""
    return (uniforms(stream.words(n)) * among).astype(np.int64)
