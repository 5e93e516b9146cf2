"""Recall at k: the share of the relevant documents among the first k."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from deadheat.metrics.metric import Settings
from deadheat.metrics.retrieval import PerQuery, Ranking, depth


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallAt(PerQuery):
    """Relevant documents to rank k over all relevant ones, those with a relevance above 0.

    Examples
    --------
    >>> RecallAt(k=2).statistics([["d1", "d2"], ["d1"]], [["d1", "d9", "d2"], {"d1": 1, "d9": 1}])
    array([[0.5, 1. ],
           [1. , 1. ]])
    """

    family: ClassVar[str] = "recall"

    def of_query(self, ranking: Ranking) -> float:
        """Return the share found; of tied documents across rank k a share counts."""
        sizes = ranking.sizes
        room = np.clip((self.k or len(ranking.relevances)) - ranking.starts, 0, sizes)
        return float(ranking.hits @ (room / sizes)) / len(ranking.relevant)


OPTIONS = ("k",)
"""Settings that the metric has."""


def metric(settings: Settings) -> RecallAt:
    """Make the metric.

    Raises
    ------
    UsageError
        If k is not given.
    """
    return RecallAt(k=depth(settings, required=True))
