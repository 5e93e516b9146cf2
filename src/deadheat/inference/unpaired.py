"""Two systems on items that are not the same, or are treated so on request."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from deadheat.distributions import Distribution, Replicates
from deadheat.inference import companions, corpus, means
from deadheat.inference.clustered import said
from deadheat.inference.conclude import conclude
from deadheat.inference.corpus import Resampled
from deadheat.inference.methods import Estimator, from_distribution, module_for
from deadheat.inference.result import Inference
from deadheat.intervals import duality
from deadheat.intervals.acceleration import pooled_acceleration
from deadheat.intervals.interval import Interval
from deadheat.resampling import exact
from deadheat.rng import Purpose
from deadheat.settings import Alternative, Settings
from deadheat.significance.two_proportions import two_proportion_z
from deadheat.significance.welch import welch_t

Floats = NDArray[np.float64]

SCORES = "unpaired scores"
STEPS = np.array([0.0, 1.0])


def proportions(
    baseline: Floats, candidate: Floats, purposes: tuple[Purpose, ...], settings: Settings
) -> Inference:
    """Infer the difference of two accuracies on two sets of items, 0/1 scores of shape (item,)."""
    (k_baseline, n_baseline), (k_candidate, n_candidate) = (
        (int(np.count_nonzero(side)), len(side)) for side in (baseline, candidate)
    )
    cells = (k_baseline, n_baseline, k_candidate, n_candidate)
    method = "newcombe" if settings.method == "auto" else settings.method
    module, design = module_for(method, ("two_proportions", "from_distribution"), SCORES)
    p, q = k_baseline / n_baseline, k_candidate / n_candidate
    smaller, total = min(n_baseline, n_candidate), n_baseline + n_candidate

    @cache
    def distribution() -> Distribution:
        found = exact.two_counts(*cells)
        if found is not None:
            return found
        draws = [
            means.drawn_means(STEPS, np.array([n - k, k]), settings, purpose)
            for (k, n), purpose in zip((cells[:2], cells[2:]), purposes, strict=True)
        ]
        return Replicates.of(draws[1] - draws[0], estimate=q - p)

    def interval_at(
        confidence_level: float, alternative: Alternative = settings.alternative
    ) -> Interval:
        found: Interval = module.two_proportions(
            *cells, confidence_level=confidence_level, alternative=alternative
        )
        return found

    if design == "two_proportions":
        estimator = Estimator(
            interval_at=interval_at, p_value=lambda: duality.by_bisection(interval_at, value=0.0)
        )
    else:
        estimator = from_distribution(
            method,
            distribution(),
            estimate=q - p,
            n_units=smaller,
            acceleration=lambda: pooled_acceleration(-baseline, candidate),
            settings=settings,
        )
    return conclude(
        estimator,
        method=method,
        why="unpaired 0/1 scores" if settings.method == "auto" else "",
        estimate=q - p,
        standard_error=math.sqrt(p * (1.0 - p) / n_baseline + q * (1.0 - q) / n_candidate),
        n_units=smaller,
        n_items=total,
        varies=0 < k_baseline + k_candidate < n_baseline + n_candidate,
        tests=companions.run(
            {
                "z": lambda: two_proportion_z(*cells, alternative=settings.alternative),
                "bootstrap": lambda: companions.share(distribution(), settings.alternative),
            },
            ("z",),
            settings,
        ),
        settings=settings,
    )


def two_means(
    baseline: Floats, candidate: Floats, purposes: tuple[Purpose, ...], settings: Settings
) -> Inference:
    """Infer the difference of two means on two sets of items, scores of shape (item,) each."""
    # A common offset would take the digits that the difference needs.
    baseline, candidate = baseline - baseline[0], candidate - baseline[0]
    method = "welch" if settings.method == "auto" else settings.method
    module, design = module_for(method, ("two_means", "from_distribution"), SCORES)
    smaller, total = min(len(baseline), len(candidate)), len(baseline) + len(candidate)
    estimate = float(candidate.mean() - baseline.mean())
    variances = [
        float(side.var(ddof=1)) / len(side) if len(side) > 1 else math.nan
        for side in (baseline, candidate)
    ]

    def draws() -> Replicates:
        means_drawn = [
            means.drawn_means(*np.unique(side, return_counts=True), settings, purpose)
            for side, purpose in zip((baseline, candidate), purposes, strict=True)
        ]
        return Replicates.of(means_drawn[1] - means_drawn[0], estimate=estimate)

    distribution = cache(draws)

    def interval_at(
        confidence_level: float, alternative: Alternative = settings.alternative
    ) -> Interval:
        found: Interval = module.two_means(
            baseline,
            candidate,
            confidence_level=confidence_level,
            alternative=alternative,
        )
        return found

    if design == "two_means":
        estimator = Estimator(
            interval_at=interval_at, p_value=lambda: duality.by_bisection(interval_at, value=0.0)
        )
    else:
        estimator = from_distribution(
            method,
            distribution(),
            estimate=estimate,
            n_units=smaller,
            acceleration=lambda: pooled_acceleration(-baseline, candidate),
            settings=settings,
        )
    return conclude(
        estimator,
        method=method,
        why="unpaired scores" if settings.method == "auto" else "",
        estimate=estimate,
        standard_error=math.sqrt(sum(variances)),
        n_units=smaller,
        n_items=total,
        varies=bool(np.ptp(baseline) > 0.0 or np.ptp(candidate) > 0.0),
        tests=companions.run(
            {
                "welch": lambda: welch_t(baseline, candidate, alternative=settings.alternative),
                "bootstrap": lambda: companions.share(distribution(), settings.alternative),
            },
            ("welch",),
            settings,
        ),
        settings=settings,
    )


def corpora(baseline: Resampled, candidate: Resampled, settings: Settings) -> Inference:
    """Infer the difference of a metric of the whole set on two sets of items."""
    method = "bca_t" if settings.method == "auto" else settings.method
    module_for(method, ("from_distribution",), corpus.SCORES)
    smaller, total = min(baseline.n, candidate.n), baseline.n + candidate.n
    estimate = float(candidate.values[0] - baseline.values[0])
    distribution = Replicates.of(candidate.draws[:, 0] - baseline.draws[:, 0], estimate=estimate)
    fewer = min((baseline, candidate), key=lambda side: side.n)
    return conclude(
        from_distribution(
            method,
            distribution,
            estimate=estimate,
            n_units=smaller,
            acceleration=lambda: pooled_acceleration(
                (baseline.n - 1.0) * baseline.left_out[:, 0],
                (1.0 - candidate.n) * candidate.left_out[:, 0],
                multiplicities=(baseline.multiplicities, candidate.multiplicities),
            ),
            settings=settings,
        ),
        method=method,
        why="unpaired" if settings.method == "auto" else "",
        undefined_because=corpus.refused(fewer),
        estimate=estimate,
        standard_error=distribution.sd,
        n_units=smaller,
        n_items=total,
        varies=corpus.varies(distribution, estimate),
        tests=()
        if math.isnan(estimate)
        else companions.run(
            {"bootstrap": lambda: companions.share(distribution, settings.alternative)},
            ("bootstrap",),
            settings,
        ),
        settings=settings,
        n_undefined=max(baseline.n_undefined, candidate.n_undefined),
        design_effect=_design_effect(baseline, candidate),
        notes=(
            *corpus.remarks(
                smaller,
                max(baseline.n_undefined, candidate.n_undefined),
                distribution.n_undefined,
                fewer.units,
            ),
            *(() if fewer.units is None else said(fewer.units)),
        ),
    )


def _design_effect(*sides: Resampled) -> float:
    """Return the variance of a gap between two sets over that of independent items."""
    variances = [corpus.variance(side.left_out[:, 0], side.multiplicities) for side in sides]
    alone = sum(
        variance / side.design_effects[0] if variance > 0.0 else 0.0
        for variance, side in zip(variances, sides, strict=True)
    )
    return sum(variances) / alone if alone > 0.0 else math.nan
