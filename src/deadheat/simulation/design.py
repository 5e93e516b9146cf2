"""What is drawn: systems, items, clusters, runs, and how all of them hang together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deadheat.amounts import inside, whole
from deadheat.errors import UsageError
from deadheat.simulation.marginals import Marginal

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_SCORES = 100_000_000
"""Scores of one data set: 800 MB where they are held at once."""

SLACK = 1e-12
"""By which a correlation may exceed a bound, for decimal numbers that are not binary ones."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drawn:
    """Scores that were drawn.

    Attributes
    ----------
    scores : ndarray, shape (system, item, run)
    clusters : ndarray of int, shape (item,), or None
        Cluster of each item, from 0, ascending.
    """

    scores: Floats
    clusters: Ints | None = None

    @classmethod
    def of(cls, blocks: Sequence[Drawn]) -> Drawn:
        """Put blocks of items together.

        Parameters
        ----------
        blocks : sequence of Drawn
            In order.
        """
        if len(blocks) == 1:
            return blocks[0]
        clusters = [block.clusters for block in blocks if block.clusters is not None]
        return cls(
            scores=np.concatenate([block.scores for block in blocks], axis=1),
            clusters=np.concatenate(clusters) if clusters else None,
        )

    @property
    def per_item(self) -> Floats:
        """Scores averaged over runs, shape (item, system), a contiguous column for each system."""
        found: Floats = np.ascontiguousarray(self.scores.mean(axis=2)).T
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """One latent number for each answer, and the score that it is worth.

    The latent number of (system, item, run) is
    ``sqrt(c) f(item) + sqrt(k - c) u(system, item) + sqrt(1 - k) e(system, item, run)`` with
    standard normal f, u and e, c the `correlation` and k the `answer_correlation`. In clusters
    the parts of the item are ``sqrt(icc)`` times a part of its cluster and ``sqrt(1 - icc)`` times
    one of its own. A negative correlation, between two systems, turns f around for the second.

    Attributes
    ----------
    items : int
        2 or more.
    marginals : tuple of Marginal
        Distribution of the scores of each system, the baseline first.
    correlation : float
        Of the latent numbers of two systems on one item: the square of their loading on f. From
        -1 (0 for more than two systems) to 1, and in size at most `answer_correlation`.
    cluster_size : int
        Items of a cluster; the last one may have fewer. 1 is no clusters.
    icc : float
        Share of the parts of an item that its cluster has in common, from 0 to 1. Times
        `answer_correlation` it is the latent correlation of answers of one system to two items
        of a cluster.
    runs : int
        Answers of each system to each item.
    answer_correlation : float
        Latent correlation of two answers of one system to one item, from 0 to 1.
    """

    items: int
    marginals: tuple[Marginal, ...]
    correlation: float
    cluster_size: int = 1
    icc: float = 0.0
    runs: int = 1
    answer_correlation: float = 1.0

    def __post_init__(self) -> None:
        whole("--items", self.items, 2, MOST_SCORES, f"Give 2 to {MOST_SCORES:,} items.")
        whole("--runs", self.runs, 1, MOST_SCORES, "Give 1 run or more.")
        if len(self.marginals) < 2:
            raise UsageError("there is one mean.", fix="Give those of two systems or more.")
        self._check_size()
        self._check_correlation()
        self._check_clusters()

    def _check_size(self) -> None:
        n_scores = self.items * self.runs * len(self.marginals)
        if n_scores > MOST_SCORES:
            raise UsageError(
                f"{self.items:,} items, {len(self.marginals):,} systems and {self.runs:,} runs are "
                f"{n_scores:,} scores.",
                fix=f"Give fewer: up to {MOST_SCORES:,} are drawn.",
            )

    def _check_correlation(self) -> None:
        fix = "The latent correlation of two answers to one item lies between 0 and 1."
        k = inside("--answer-correlation", self.answer_correlation, 0.0, 1.0, fix)
        fix = "The correlation of the latent scores of two systems lies between -1 and 1."
        c = inside("--correlation", self.correlation, -1.0, 1.0, fix)
        if c < 0.0 and len(self.marginals) > 2:
            raise UsageError(
                f"--correlation is {c:g}, for {len(self.marginals)} systems.",
                fix="More than two systems share one factor, which takes 0 or more.",
            )
        if abs(c) > k + SLACK:
            raise UsageError(
                f"--correlation is {c:g} and --answer-correlation {k:g}: two systems cannot be "
                "more alike on an item than two answers of one of them.",
                fix="Give a correlation no greater in size than that of answers.",
            )

    def _check_clusters(self) -> None:
        fix = f"Give 1 to {self.items:,} items a cluster: there are {self.items:,} items."
        whole("--cluster-size", self.cluster_size, 1, self.items, fix)
        fix = "The share of an item's parts that its cluster has in common lies between 0 and 1."
        inside("--icc", self.icc, 0.0, 1.0, fix)

    @property
    def loading(self) -> float:
        """Loading of a latent score on the shared factor; NaN where the correlation is negative."""
        return math.sqrt(self.correlation) if self.correlation >= 0.0 else math.nan

    @property
    def gap(self) -> float:
        """True candidate - baseline; NaN unless there are two systems."""
        if len(self.marginals) != 2:
            return math.nan
        return self.marginals[1].mean - self.marginals[0].mean

    @property
    def n_clusters(self) -> int | None:
        """Number of clusters; None without."""
        return None if self.cluster_size == 1 else -(-self.items // self.cluster_size)
