"""Means of graded or real scores: the distribution of a mean, and paired differences."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from deadheat.distributions import Distribution, Replicates
from deadheat.inference import companions
from deadheat.inference.conclude import conclude
from deadheat.inference.methods import Estimator, from_distribution, module_for
from deadheat.inference.result import Inference
from deadheat.intervals import duality, studentized
from deadheat.intervals.acceleration import acceleration
from deadheat.intervals.interval import Interval
from deadheat.resampling.bootstrap import bootstrap
from deadheat.resampling.exact import enumerate_bootstrap, lattice_mean, lattice_of
from deadheat.resampling.inversion import inverted_mean
from deadheat.resampling.signflip import signflip
from deadheat.resampling.studentized import studentized_mean
from deadheat.rng import Purpose
from deadheat.settings import Alternative, Settings
from deadheat.significance.shift import shift
from deadheat.significance.sign_flip import sign_flip
from deadheat.significance.significance import Significance
from deadheat.significance.student_t import paired_t
from deadheat.significance.wilcoxon import wilcoxon

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SMALL = 20
"""Fewer items than this and a bootstrap interval is too short (STATISTICS.md 0.2)."""

SHOWN = ("sign_flip", "t")
DESIGNS = ("from_distribution", "one_mean", "from_studentized")


def chosen(n: int) -> tuple[str, str]:
    """Return the automatic method for a mean and why."""
    return ("bca_t", f"{n:,} items") if n >= SMALL else ("student_t", f"small n: {n} items")


def spread(values: Floats, multiplicities: Ints) -> tuple[float, float]:
    """Return mean and standard deviation (ddof 1; NaN for one unit) of values, shape (type,)."""
    n = int(multiplicities.sum())
    weights = multiplicities.astype(np.float64)
    mean = _sum(values * weights) / n
    deviations = values - mean
    squares = _sum(deviations * deviations * weights)
    return mean, math.sqrt(squares / (n - 1)) if n > 1 else math.nan


def _sum(terms: Floats) -> float:
    """Add from both ends: for the other side, who has the terms negated and reversed, the same.

    Not a product of BLAS either: its threads would decide the order, and so the last bits.
    """
    return 0.5 * (float(terms.sum()) + float(terms[::-1].copy().sum()))


def constant(values: Floats) -> bool:
    """Whether distinct values, shape (type,), ascending, are only one."""
    return bool(values[-1] == values[0])


def without_rounding(differences: Floats, magnitude: float) -> Floats:
    """Return differences that are one number but for rounding as that number, or as 0.

    Parameters
    ----------
    differences : ndarray, shape (item,)
    magnitude : float
        Largest size of the scores that were subtracted: their last bits are noise.
    """
    noise = 16.0 * float(np.finfo(np.float64).eps) * magnitude
    if float(np.ptp(differences)) > noise:
        return differences
    same = float(differences[0])
    return np.full_like(differences, same if abs(same) > noise else 0.0)


def distribution_of_mean(
    values: Floats,
    multiplicities: Ints,
    settings: Settings,
    *,
    mirrored: bool = False,
) -> Distribution:
    """Return the bootstrap distribution of a mean: exact where it can be, drawn otherwise.

    Parameters
    ----------
    values : ndarray, shape (type,)
        Distinct values, ascending.
    multiplicities : ndarray, shape (type,)
        How many units have each.
    settings : Settings
    mirrored : bool
        Whether draws are those of -values, negated: so that a difference is drawn the same
        whichever of the two systems is called the baseline.
    """
    lattice = lattice_of(values, multiplicities)
    if lattice is not None:
        steps, denominator = lattice
        found = lattice_mean(steps, multiplicities, denominator=denominator)
        if found is not None:
            return found
    inverted = inverted_mean(values, multiplicities)
    if inverted is not None:
        return inverted
    statistics = np.stack([values, np.ones_like(values)], axis=-1)
    enumerated = enumerate_bootstrap(statistics, multiplicities, _ratio)
    if enumerated is not None:
        return enumerated
    sign = -1.0 if mirrored else 1.0
    draws = sign * drawn_means(
        *_turned(values, multiplicities, mirrored), settings, Purpose.BOOTSTRAP
    )
    return Replicates.of(draws, estimate=spread(values, multiplicities)[0])


def _turned(values: Floats, multiplicities: Ints, mirrored: bool) -> tuple[Floats, Ints]:
    return (-values[::-1], multiplicities[::-1]) if mirrored else (values, multiplicities)


def drawn_means(
    values: Floats, multiplicities: Ints, settings: Settings, purpose: Purpose
) -> Floats:
    """Draw means of resamples, shape (resample,)."""
    statistics = np.stack([values, np.ones_like(values)], axis=-1)[:, None, :]
    draws: Floats = bootstrap(
        statistics,
        multiplicities,
        [_ratio],
        n_resamples=settings.n_resamples,
        seed=settings.seed,
        threads=settings.threads,
        purpose=purpose,
    )[:, 0]
    return draws


def _ratio(totals: Floats) -> Floats:
    ratio: Floats = totals[..., 0] / totals[..., 1]
    return ratio


def estimator_of_mean(
    method: str,
    values: Floats,
    multiplicities: Ints,
    settings: Settings,
    *,
    distribution: Callable[[], Distribution],
    scores: str,
    mirrored: bool = False,
) -> Estimator:
    """Make intervals for a mean by any method that serves one."""
    module, design = module_for(method, DESIGNS, scores)
    if design == "from_distribution":
        n = int(multiplicities.sum())
        mean, _ = spread(values, multiplicities)
        return from_distribution(
            method,
            distribution(),
            estimate=mean,
            n_units=n,
            acceleration=lambda: acceleration((mean * n - values) / (n - 1), multiplicities),
            settings=settings,
        )
    if design == "from_studentized":
        return _studentized(values, multiplicities, settings, mirrored)

    def interval_at(
        confidence_level: float, alternative: Alternative = settings.alternative
    ) -> Interval:
        found: Interval = module.one_mean(
            values,
            multiplicities,
            confidence_level=confidence_level,
            alternative=alternative,
        )
        return found

    return Estimator(
        interval_at=interval_at, p_value=lambda: duality.by_bisection(interval_at, value=0.0)
    )


def _studentized(
    values: Floats, multiplicities: Ints, settings: Settings, mirrored: bool
) -> Estimator:
    n = int(multiplicities.sum())
    mean, sd = spread(values, multiplicities)
    given = {"estimate": mean, "standard_error": 0.0 if constant(values) else sd / math.sqrt(n)}
    sign = -1.0 if mirrored else 1.0
    replicates = cache(
        lambda: (
            sign
            * studentized_mean(
                *_turned(values, multiplicities, mirrored),
                n_resamples=settings.n_resamples,
                seed=settings.seed,
                threads=settings.threads,
            )
        )
    )
    return Estimator(
        interval_at=lambda confidence_level, alternative=settings.alternative: (
            studentized.from_studentized(
                replicates(),
                **given,
                confidence_level=confidence_level,
                alternative=alternative,
            )
        ),
        p_value=lambda: studentized.p_value(
            replicates(), **given, alternative=settings.alternative
        ),
    )


def distinct(rows: Floats, units: Ints | None = None) -> tuple[Floats, Ints]:
    """Return the distinct values of rows, ascending, and how many units have each.

    Parameters
    ----------
    rows : ndarray, shape (row,)
    units : ndarray of int, shape (row,), optional
        Units that each row stands for; one by default.
    """
    if units is None:
        return np.unique(rows, return_counts=True)
    values, at = np.unique(rows, return_inverse=True)
    multiplicities = np.zeros(values.size, dtype=np.int64)
    np.add.at(multiplicities, at, units)
    return values, multiplicities


def paired(
    differences: Floats,
    settings: Settings,
    *,
    mirrored: bool,
    units: Ints | None = None,
    first_alone: bool = False,
) -> Inference:
    """Infer a mean from differences, candidate - baseline, shape (row,), of items or their kinds.

    What has to be drawn is drawn for the two systems in one order, `mirrored` when that is not
    the order of baseline and candidate. A row stands for one item, or for so many `units`.
    With `first_alone` only the first of the tests is run.
    """
    values, multiplicities = distinct(differences, units)
    n = int(multiplicities.sum())
    mean, sd = spread(values, multiplicities)
    method, why = chosen(n) if settings.method == "auto" else (settings.method, "")
    distribution = cache(
        lambda: distribution_of_mean(values, multiplicities, settings, mirrored=mirrored)
    )
    return conclude(
        estimator_of_mean(
            method,
            values,
            multiplicities,
            settings,
            distribution=distribution,
            scores="the mean of paired scores",
            mirrored=mirrored,
        ),
        method=method,
        why=why,
        estimate=mean,
        standard_error=sd / math.sqrt(n),
        n_units=n,
        varies=not constant(values),
        tests=companions.run(
            _tests(values, multiplicities, distribution, settings),
            SHOWN,
            settings,
            first_alone=first_alone,
        ),
        settings=settings,
    )


def _tests(
    values: Floats,
    multiplicities: Ints,
    distribution: Callable[[], Distribution],
    settings: Settings,
) -> companions.Tests:
    alternative, n = settings.alternative, int(multiplicities.sum())
    total = _sum(values * multiplicities)

    def flipped() -> Significance:
        null = signflip(
            values,
            multiplicities,
            seed=settings.seed,
            n_resamples=settings.n_resamples,
            threads=settings.threads,
        )
        return sign_flip(null, total, alternative=alternative, n=n)

    return {
        "sign_flip": flipped,
        "t": lambda: paired_t(values, multiplicities, alternative=alternative),
        "wilcoxon": lambda: wilcoxon(values, multiplicities, alternative=alternative),
        "bootstrap": lambda: companions.share(distribution(), alternative),
    } | companions.two_sided_only(
        {"shift": lambda: shift(distribution(), total / n, variant="two-sided")}, alternative
    )
