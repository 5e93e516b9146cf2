"""Two systems with 0/1 scores on the same items."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from deadheat import power
from deadheat.distributions import Lattice
from deadheat.inference import companions, means
from deadheat.inference.conclude import conclude
from deadheat.inference.methods import Estimator, module_for
from deadheat.inference.result import Counts, Inference
from deadheat.intervals import duality, wilson
from deadheat.intervals.duality import Dual
from deadheat.intervals.interval import Interval
from deadheat.resampling import exact
from deadheat.settings import Alternative, Settings
from deadheat.significance.mcnemar import mcnemar
from deadheat.significance.significance import Significance, stated
from deadheat.significance.student_t import paired_t

Floats = NDArray[np.float64]

TAIL_FLOOR = 1e-9
"""Below this the Fourier form has lost its digits and the tilted one takes over."""

SHOWN = ("exact", "midp", "chi2", "chi2_cc", "bootstrap")
STEPS = np.array([-1.0, 0.0, 1.0])


def counts_of(
    baseline: Floats, candidate: Floats, multiplicities: NDArray[np.int64] | None = None
) -> Counts:
    """Count the four cells of two columns of 0/1 scores, shape (row,) each."""
    right_baseline, right_candidate = baseline == 1.0, candidate == 1.0
    both = counted(right_baseline & right_candidate, multiplicities)
    only_baseline = counted(right_baseline, multiplicities) - both
    only_candidate = counted(right_candidate, multiplicities) - both
    n = len(baseline) if multiplicities is None else int(multiplicities.sum())
    return Counts(
        both=both,
        only_baseline=only_baseline,
        only_candidate=only_candidate,
        neither=n - both - only_baseline - only_candidate,
    )


def counted(rows: NDArray[np.bool_], multiplicities: NDArray[np.int64] | None) -> int:
    """Return how many items are in the rows that are marked."""
    if multiplicities is None:
        return int(np.count_nonzero(rows))
    return int(multiplicities[rows].sum())


def chosen(counts: Counts) -> tuple[str, str]:
    """Return the automatic method and why (STATISTICS.md 0.2 and B.3)."""
    n, discordant = counts.n, counts.discordant
    if n in (counts.only_baseline, counts.only_candidate):
        return "tango", "the difference is the same on every item"
    if n >= 50 and discordant >= 10:
        return "percentile", f"{n:,} items, {discordant:,} discordant"
    if n >= 50:
        return "tango", f"{discordant} discordant item{'' if discordant == 1 else 's'}"
    return "tango", f"{n} item{'' if n == 1 else 's'}"


def paired(counts: Counts, settings: Settings) -> Inference:
    """Infer the difference of two accuracies on the same items."""
    n = counts.n
    method, why = chosen(counts) if settings.method == "auto" else (settings.method, "")
    share = counts.discordant / n
    estimate = (counts.only_candidate - counts.only_baseline) / n
    distribution = exact.paired_counts(counts.only_baseline, counts.only_candidate, n)
    return conclude(
        _estimator(method, counts, distribution, settings),
        method=method,
        why=why,
        estimate=estimate,
        standard_error=math.sqrt(max(share - estimate**2, 0.0) / (n - 1)) if n > 1 else math.nan,
        n_units=n,
        varies=counts.discordant > 0,
        tests=companions.run(_tests(counts, distribution, settings), SHOWN, settings),
        settings=settings,
        counts=counts,
        resolving=_resolving(counts, settings),
        detectable=power.minimum_detectable(n, discordance=share, alpha=settings.planning_alpha)
        if share
        else None,
    )


def _differences(counts: Counts) -> tuple[Floats, NDArray[np.int64]]:
    """Return the distinct per-item differences and how many items have each."""
    multiplicities = np.array(
        [counts.only_baseline, counts.n - counts.discordant, counts.only_candidate]
    )
    there = multiplicities > 0
    return STEPS[there], multiplicities[there]


def _estimator(method: str, counts: Counts, distribution: Lattice, settings: Settings) -> Estimator:
    scores = "paired 0/1 scores"
    module, design = module_for(method, ("paired_proportions", *means.DESIGNS), scores)
    if design != "paired_proportions":
        estimator = means.estimator_of_mean(
            method,
            *_differences(counts),
            settings,
            distribution=lambda: distribution,
            scores=scores,
        )
        if method != "percentile":
            return estimator
        return Estimator(
            interval_at=estimator.interval_at,
            p_value=lambda: _share(estimator.p_value(), counts, settings),
            distribution=estimator.distribution,
        )

    def interval_at(
        confidence_level: float, alternative: Alternative = settings.alternative
    ) -> Interval:
        found: Interval = module.paired_proportions(
            counts.both,
            counts.only_baseline,
            counts.only_candidate,
            counts.neither,
            confidence_level=confidence_level,
            alternative=alternative,
        )
        return found

    return Estimator(
        interval_at=interval_at, p_value=lambda: duality.by_bisection(interval_at, value=0.0)
    )


def _share(dual: Dual, counts: Counts, settings: Settings) -> Dual:
    """Return the share p-value, by tilting where the plain Fourier form has no digits."""
    if not dual.p_value < TAIL_FLOOR:
        return dual
    return _far(counts, settings)


def _far(counts: Counts, settings: Settings) -> Dual:
    """Return the share p-value with relative accuracy in the far tail."""
    below, above = exact.paired_tails(counts.only_baseline, counts.only_candidate, counts.n)
    tails = {"greater": below, "less": above, "two-sided": min(1.0, 2.0 * min(below, above))}
    p_value, bound = stated(tails[settings.alternative])
    return Dual(p_value=p_value, bound=bound)


def _tests(counts: Counts, distribution: Lattice, settings: Settings) -> companions.Tests:
    alternative = settings.alternative

    def variant(name: str) -> Significance:
        return mcnemar(
            counts.only_baseline, counts.only_candidate, variant=name, alternative=alternative
        )

    def share() -> Significance:
        found = companions.share(distribution, alternative)
        if not found.p_value < TAIL_FLOOR:
            return found
        dual = _far(counts, settings)
        return replace(found, p_value=dual.p_value, p_value_bound=dual.bound)

    return {
        "exact": lambda: variant("exact"),
        "mcnemar": lambda: variant("exact"),
        "midp": lambda: variant("midp"),
        "chi2": lambda: variant("chi2"),
        "chi2_cc": lambda: variant("chi2_cc"),
        "bootstrap": share,
        "t": lambda: paired_t(np.repeat(*_differences(counts)), alternative=alternative),
    }


def _resolving(counts: Counts, settings: Settings) -> tuple[int, int] | None:
    """Fewest and most items that resolve the observed gap, over the interval of discordance."""
    gap = abs(counts.only_candidate - counts.only_baseline) / counts.n
    if gap == 0.0:
        return None
    discordance = wilson.one_proportion(
        counts.discordant, counts.n, confidence_level=settings.confidence_level
    )
    low, high = (
        power.items_to_resolve(gap, max(gap, end), alpha=settings.planning_alpha)
        for end in (discordance.low, discordance.high)
    )
    return None if low is None or high is None else (low, high)
