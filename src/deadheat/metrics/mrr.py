"""Mean reciprocal rank of the first relevant document (Voorhees 1999)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from deadheat.metrics.metric import Settings
from deadheat.metrics.retrieval import PerQuery, Ranking, depth


@dataclass(frozen=True, slots=True, kw_only=True)
class ReciprocalRank(PerQuery):
    """1 / rank of the first document with a relevance above 0; 0 if there is none to rank k.

    Examples
    --------
    >>> ReciprocalRank().statistics([["d2"], ["d2"]], [["d1", "d2"], {"d1": 0.5, "d2": 0.5}])
    array([[0.5 , 1.  ],
           [0.75, 1.  ]])
    """

    family: ClassVar[str] = "mrr"

    def of_query(self, ranking: Ranking) -> float:
        """Return the mean over the orders of the tied documents among which the first one is."""
        hits = ranking.hits
        if not hits.any():
            return 0.0
        group = int(np.argmax(hits > 0.0))
        before, size, relevant = int(ranking.starts[group]), int(ranking.sizes[group]), hits[group]
        tries = np.arange(size - int(relevant) + 1)
        # Of the size - j places left after j misses, relevant are hits.
        hit = relevant / (size - tries)
        first = hit * np.concatenate([[1.0], np.cumprod(1.0 - hit[:-1])])
        ranks = before + 1 + tries
        counted = ranks <= (np.inf if self.k is None else self.k)
        return float((first / ranks)[counted].sum())


OPTIONS = ("k",)
"""Settings that the metric has."""


def metric(settings: Settings) -> ReciprocalRank:
    """Make the metric; without k all documents count."""
    return ReciprocalRank(k=depth(settings))
