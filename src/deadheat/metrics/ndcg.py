"""nDCG: discounted cumulative gain over its ideal (Järvelin & Kekäläinen 2002)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from deadheat.metrics.metric import Floats, Settings
from deadheat.metrics.retrieval import PerQuery, Ranking, depth


@dataclass(frozen=True, slots=True, kw_only=True)
class Ndcg(PerQuery):
    """Sum of relevance / log2(1 + rank) to rank k, over that of the best order of all documents.

    The gain is the relevance itself, as in trec_eval and scikit-learn, not 2^relevance - 1.
    Documents that were not retrieved count in the ideal.

    Examples
    --------
    >>> ndcg = Ndcg(k=2)
    >>> ndcg.statistics([["d1", "d2"]], [["d1", "d9", "d2"]]).round(4)
    array([[0.6131, 1.    ]])
    """

    family: ClassVar[str] = "ndcg"
    conventions: ClassVar[str] = "|gain:linear"

    def of_query(self, ranking: Ranking) -> float:
        """Return DCG over ideal DCG; tied documents share their discounts."""
        relevances = ranking.relevances
        shared = ranking.by_group(self._discounts(len(relevances))) / ranking.sizes
        gained = float(ranking.by_group(relevances) @ shared)
        return gained / float(ranking.relevant @ self._discounts(len(ranking.relevant)))

    def _discounts(self, length: int) -> Floats:
        ranks = np.arange(1, length + 1)
        return (ranks <= (self.k or length)) / np.log2(1 + ranks)


OPTIONS = ("k",)
"""Settings that the metric has."""


def metric(settings: Settings) -> Ndcg:
    """Make the metric; without k all documents count."""
    return Ndcg(k=depth(settings))
