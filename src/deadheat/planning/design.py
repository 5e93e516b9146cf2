"""What is planned: two systems or one, and all that is known of their scores."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Literal

NAN = math.nan

Kind = Literal["paired_binary", "paired_mean", "single_binary", "single_mean"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pilot:
    """What a pilot showed.

    Attributes
    ----------
    sources : tuple of str
        Paths as given.
    metric : str
    items : int
    hash : str
        Of the rows, as other reports have it.
    systems : tuple of str
        Baseline and candidate, or the only system.
    values : tuple of float
        The metric of each.
    discordant : int or None
        Items on which exactly one system is right; None where scores are not 0/1.
    sd : float
        Standard deviation of the per-item differences, or of the scores of the only system.
    runs : tuple of int, or None
        Answers of each system to an item, where the variance of answers was estimated.
    clusters : int or None
        Clusters of the items.
    """

    sources: tuple[str, ...]
    metric: str
    items: int
    hash: str
    systems: tuple[str, ...]
    values: tuple[float, ...]
    discordant: int | None
    sd: float
    runs: tuple[int, ...] | None = None
    clusters: int | None = None

    @property
    def gap(self) -> float:
        """Observed candidate - baseline; NaN for one system."""
        # 0.645 - 0.625 is 0.020000000000000018 in binary, and a gap of two points.
        return round(self.values[1] - self.values[0], 15) if len(self.values) == 2 else NAN

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "sources": list(self.sources),
            "metric": self.metric,
            "items": self.items,
            "hash": self.hash,
            "systems": list(self.systems),
            "values": list(self.values),
            "gap": self.gap,
            "discordant": self.discordant,
            "runs": None if self.runs is None else list(self.runs),
            "clusters": self.clusters,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Variances:
    """Where the variance of a per-item difference comes from (Miller 2024).

    Attributes
    ----------
    between : float
        Of the expected differences of the items.
    within : tuple of float
        Of repeated answers to one item, of baseline and candidate.
    answers : tuple of int
        Answers of each system to every item.
    """

    between: float
    within: tuple[float, float]
    answers: tuple[int, int]

    @property
    def noise(self) -> float:
        """Variance of a per-item difference that answers add."""
        return sum(own / n for own, n in zip(self.within, self.answers, strict=True))

    @property
    def saving(self) -> float:
        """By how much one more answer of each system lessens `noise`; above 0 at any number."""
        return sum(own / n / (n + 1) for own, n in zip(self.within, self.answers, strict=True))

    @property
    def total(self) -> float:
        """Variance of a per-item difference."""
        return self.between + self.noise

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "between": self.between,
            "within": list(self.within),
            "answers": list(self.answers),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Clustering:
    """What dependence between items costs.

    Attributes
    ----------
    design_effect : float
        Factor on the variance of a mean, and so on the number of items.
    size : float
        Items of a cluster; NaN where the design effect was given as such.
    icc : float
        Intra-class correlation of the per-item differences.
    """

    design_effect: float = 1.0
    size: float = NAN
    icc: float = NAN


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """What is known of the scores; NaN where nothing is.

    Attributes
    ----------
    kind : {"paired_binary", "paired_mean", "single_binary", "single_mean"}
    baseline, candidate : float
        True values of the metric. A single system is the baseline.
    gap : float
        True candidate - baseline.
    discordance : float
        Share of items on which exactly one system is right.
    only_baseline, only_candidate : float
        Its two parts.
    discordance_range : tuple of float
        Least and greatest discordance that the gap, or the two accuracies, allow.
    latent_correlation, loading : float
        Correlation of the two latent scores, and the loading of a one-factor model that has it.
    phi : float
        Correlation of the two 0/1 scores.
    sd : float
        Standard deviation of a per-item difference, or of the scores of a single system.
    side_variances : tuple of float
        Variance of the scores of each system, for independent sets of items.
    variances : Variances or None
    clustering : Clustering
    n_systems : int or None
        Systems of which all pairs are compared.
    pilot : Pilot or None
    method, test : str
        Of the reading, for 0/1 scores.
    """

    kind: Kind
    baseline: float = NAN
    candidate: float = NAN
    gap: float = NAN
    discordance: float = NAN
    only_baseline: float = NAN
    only_candidate: float = NAN
    discordance_range: tuple[float, float] = (NAN, NAN)
    latent_correlation: float = NAN
    loading: float = NAN
    phi: float = NAN
    sd: float = NAN
    side_variances: tuple[float, float] = (NAN, NAN)
    variances: Variances | None = None
    clustering: Clustering = field(default_factory=Clustering)
    n_systems: int | None = None
    pilot: Pilot | None = None
    method: str = "auto"
    test: str = "exact"

    @property
    def binary(self) -> bool:
        """Whether scores are 0 and 1."""
        return self.kind in ("paired_binary", "single_binary")

    @property
    def paired(self) -> bool:
        """Whether two systems are compared."""
        return self.kind in ("paired_binary", "paired_mean")

    @property
    def comparisons(self) -> int:
        """Pairs that are compared."""
        m = self.n_systems
        return 1 if m is None else m * (m - 1) // 2

    @property
    def known(self) -> bool:
        """Whether one number says how much a per-item difference varies."""
        return not math.isnan(self.sd)

    @property
    def cells(self) -> dict[str, float] | None:
        """Shares of items that both, one or neither get right, where the accuracies are known."""
        if math.isnan(self.only_candidate) or math.isnan(self.baseline):
            return None
        both = self.baseline - self.only_baseline
        neither = 1.0 - self.discordance - both
        return {
            # Differences of shares may end below 0 by rounding.
            "both": max(both, 0.0),
            "only_baseline": self.only_baseline,
            "only_candidate": self.only_candidate,
            "neither": max(neither, 0.0),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "kind": self.kind,
            "baseline": self.baseline,
            "candidate": self.candidate,
            "difference": self.gap,
            "cells": self.cells,
            "discordance": self.discordance,
            "discordance_range": list(self.discordance_range),
            "latent_correlation": self.latent_correlation,
            "loading": self.loading,
            "phi": self.phi,
            "sd": self.sd,
            "variances": None if self.variances is None else self.variances.to_dict(),
            "design_effect": self.clustering.design_effect,
            "cluster_size": self.clustering.size,
            "icc": self.clustering.icc,
            "systems": self.n_systems,
            "comparisons": self.comparisons,
            "method": self.method if self.kind == "paired_binary" else None,
            "test": self.test if self.kind == "paired_binary" else None,
            "pilot": None if self.pilot is None else self.pilot.to_dict(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a plan is to reach.

    Attributes
    ----------
    power : float
        Probability of resolving the gap.
    gap : float
        Size of the gap, above 0; NaN where none is given.
    items : int or None
        Items that there are.
    half_width : float
        Half-width of the interval; NaN where none is given.
    confidence_level : float
        Of all comparisons together.
    comparisons : int
    """

    power: float = 0.8
    gap: float = NAN
    items: int | None = None
    half_width: float = NAN
    confidence_level: float = 0.95
    comparisons: int = 1

    @property
    def alpha(self) -> float:
        """Two-sided level of one comparison: by Bonferroni, where there are several."""
        # 1 - 0.95 is 0.050000000000000044 in binary.
        return round(1.0 - self.confidence_level, 12) / self.comparisons

    @property
    def level(self) -> float:
        """Confidence level of the interval of one comparison."""
        return 1.0 - self.alpha

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "power": self.power,
            "gap": self.gap,
            "items": self.items,
            "half_width": self.half_width,
            "confidence_level": self.confidence_level,
            "alpha": self.alpha,
        }
