"""Means of items in few clusters: cluster-robust errors with Satterthwaite's t."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from deadheat.inference import companions
from deadheat.inference.conclude import conclude
from deadheat.inference.methods import Estimator, module_for
from deadheat.inference.result import Inference
from deadheat.intervals import cr2, wilson
from deadheat.intervals.cr2 import ClusteredMean, moments_of_clusters
from deadheat.intervals.duality import by_bisection
from deadheat.intervals.interval import Interval
from deadheat.notes import Note
from deadheat.resampling.signflip import signflip
from deadheat.scores.units import PLURAL, Units
from deadheat.settings import Alternative, Settings
from deadheat.significance.cluster_t import cluster_t
from deadheat.significance.sign_flip import sign_flip
from deadheat.significance.significance import Significance

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ENOUGH = 30
"""Clusters from which on boards of means resample them together."""

FEW = 10
"""Fewer clusters than this and any interval is a guess."""

TOO_FEW = 5
"""Fewer clusters than this are not resampled."""

LARGE = 1.0 / 3.0
"""A cluster with a greater share of the items than this is pointed out."""


def moments(values: Floats, units: Units) -> ClusteredMean:
    """Return the mean of values, shape (row,), with its errors over clusters."""
    sign, totals, sizes = _in_order(values, units)
    # How items vary within clusters is not known of means.
    squares = math.nan if units.averaged else _squares(sign * values, units.multiplicities)
    found = moments_of_clusters(totals, sizes, squares=squares)
    return replace(found, mean=sign * found.mean)


def _squares(values: Floats, multiplicities: Ints | None) -> float:
    """Return the sum of squares about the mean, whatever the order of the values."""
    if multiplicities is None:
        ascending = np.sort(values)
        return float(((ascending - ascending.mean()) ** 2).sum())
    mean = float(math.fsum(values * multiplicities)) / float(multiplicities.sum())
    return math.fsum((values - mean) ** 2 * multiplicities)


def _in_order(values: Floats, units: Units) -> tuple[float, Floats, Ints]:
    """Return a sign, and totals of sign * values and sizes of the clusters, ascending.

    So that the order of items and clusters changes no bit of a sum, and neither does negating all
    values but for the sign.
    """
    kinds = units.multiplicities
    weighed = values if kinds is None else values * kinds
    sign = -1.0 if math.fsum(weighed) < 0.0 else 1.0
    order = np.lexsort((sign * values, units.of_item))
    totals = np.bincount(units.of_item[order], sign * weighed[order], minlength=units.n)
    sizes = units.sizes
    ascending = np.lexsort((totals, sizes))
    return sign, totals[ascending].astype(np.float64), sizes[ascending]


def errors_of_pairs(scores: Floats, units: Units) -> tuple[Floats, float]:
    """Return CR2 standard errors of all differences, shape (system, system), and their df.

    Parameters
    ----------
    scores : ndarray, shape (item, system)
    units : Units
    """
    n, sizes, kinds = units.n_items, units.sizes, units.multiplicities
    weighed = scores if kinds is None else scores * kinds[:, None]
    totals = np.stack(
        [np.bincount(units.of_item, column, minlength=units.n) for column in weighed.T], axis=1
    ).astype(np.float64)
    found = moments_of_clusters(totals[:, 0], sizes, squares=0.0)
    residuals = totals - np.outer(sizes, totals.sum(axis=0) / n)
    weighted = residuals / np.sqrt(1.0 - sizes / n)[:, None]
    products = weighted.T @ weighted / n**2
    own = np.diag(products)
    variances = own[:, None] + own - 2.0 * products
    # Differences that cancel leave rounding behind.
    variances[variances <= 1e-13 * np.maximum(own[:, None], own)] = 0.0
    return np.sqrt(variances), found.df


def paired(
    differences: Floats, units: Units, settings: Settings, *, first_alone: bool = False
) -> Inference:
    """Infer a mean from its per-item differences, candidate - baseline, shape (item,).

    With `first_alone` only the first of the tests is run.
    """
    found = moments(differences, units)

    def flipped() -> Significance:
        sign, totals, _ = _in_order(differences, units)
        null = signflip(
            totals,
            seed=settings.seed,
            n_resamples=settings.n_resamples,
            threads=settings.threads,
        )
        total = sign * float(totals.sum())
        return sign_flip(null, total, alternative=settings.alternative, n=units.n)

    return _concluded(found, units, settings, {"sign_flip": flipped}, first_alone=first_alone)


def unpaired(
    baseline: Floats, candidate: Floats, units: tuple[Units, Units], settings: Settings
) -> Inference:
    """Infer the difference of two means over clusters of their own, shape (item,) each."""
    offset = baseline[0]
    first, second = (
        moments(side - offset, own) for side, own in zip((baseline, candidate), units, strict=True)
    )
    fewer = min(units, key=lambda own: own.n)
    return _concluded(cr2.gap_between(first, second), fewer, settings, {})


def _concluded(
    found: ClusteredMean,
    units: Units,
    settings: Settings,
    tests: companions.Tests,
    *,
    first_alone: bool = False,
) -> Inference:
    """Put together what follows from a mean over clusters; `units` are those there are fewest of.

    `tests` come before the t test of the clusters.
    """
    method = cr2.METHOD if settings.method == "auto" else settings.method
    module, _ = module_for(method, ("clustered_mean",), "the mean over few clusters")

    def interval_at(
        confidence_level: float, alternative: Alternative = settings.alternative
    ) -> Interval:
        made: Interval = module.clustered_mean(
            found, confidence_level=confidence_level, alternative=alternative
        )
        return made

    def over_clusters() -> Significance:
        return cluster_t(
            found.mean,
            found.standard_error,
            found.df,
            n_clusters=units.n,
            alternative=settings.alternative,
            note=found.note,
        )

    return conclude(
        Estimator(interval_at=interval_at, p_value=lambda: by_bisection(interval_at, value=0.0)),
        method=method,
        undefined_because=found.note if units.n < cr2.FEWEST else "",
        why=f"{units.n} {units.kind if units.n == 1 else PLURAL[units.kind]}"
        if settings.method == "auto"
        else "",
        estimate=found.mean,
        standard_error=found.standard_error,
        n_units=units.n,
        n_items=found.n,
        varies=bool(found.standard_error > 0.0),
        tests=companions.run(
            {**tests, "cluster_t": over_clusters},
            (*tests, "cluster_t"),
            settings,
            first_alone=first_alone,
        ),
        settings=settings,
        design_effect=found.design_effect,
        notes=said(units, found.df),
    )


def side(values: Floats, units: Units, settings: Settings, *, binary: bool) -> Interval:
    """Interval of one system's mean: Wilson on the effective sample size for 0/1 scores."""
    found = moments(values, units)
    if binary and units.n >= cr2.FEWEST and settings.method in ("auto", wilson.METHOD):
        n = found.effective
        return wilson.one_proportion(
            found.mean * n,
            n,
            confidence_level=settings.confidence_level,
            alternative=settings.alternative,
        )
    method = cr2.METHOD if settings.method == "auto" else settings.method
    module, _ = module_for(method, ("clustered_mean",), "the mean of one system over clusters")
    made: Interval = module.clustered_mean(
        found, confidence_level=settings.confidence_level, alternative=settings.alternative
    )
    return made


def said(units: Units, df: float = math.nan) -> tuple[Note, ...]:
    """Return what a reader should know of few or uneven clusters."""
    if units.kind == "item":
        return ()
    notes = []
    words = PLURAL[units.kind]
    if units.n < ENOUGH:
        guess = (
            f" Fewer than 10 say little about how {words} vary: read any interval with caution."
            if units.n < FEW
            else ""
        )
        freedom = "" if math.isnan(df) else f" (t with {df:.1f} degrees of freedom)"
        notes.append(
            Note(
                code="few_clusters",
                message=f"There {'is' if units.n == 1 else 'are'} {_counted(units)}, too few to be "
                f"resampled well{freedom}.{guess}",
            )
        )
    largest = int(units.sizes.max())
    share = largest / float(units.sizes.sum())
    if share > LARGE:
        notes.append(
            Note(
                code="large_cluster",
                message=f"One {units.kind} has {largest:,} of {int(units.sizes.sum()):,} items "
                f"({share:.0%}): it decides the result nearly alone, which the interval shows by "
                "its width.",
            )
        )
    return tuple(notes)


def effects_noted(scores: Floats, units: Units) -> tuple[Note, ...]:
    """Say how much clusters widen or shorten the intervals of means, shape (item, system)."""
    found = [moments(column, units).design_effect for column in scores.T]
    known = [effect for effect in found if not math.isnan(effect)]
    if units.kind == "item" or not known:
        return ()
    least, most = min(known), max(known)
    shown = f"{least:.2f}" if f"{least:.2f}" == f"{most:.2f}" else f"{least:.2f} to {most:.2f}"
    return (
        Note(
            code="design_effect",
            message=f"Design effect of the values: {shown} (variance over {PLURAL[units.kind]} "
            "by that of independent items).",
        ),
    )


def _counted(units: Units) -> str:
    return f"{units.n:,} {units.kind if units.n == 1 else PLURAL[units.kind]}"
