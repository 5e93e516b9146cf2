"""Exact bootstrap distributions of means on a lattice: no draws, no seed.

A function returns None where its distribution would be too large to be written out; the caller
then draws. `lattice_of` (is it a lattice?) and `enumerate_bootstrap` (any metric over few types)
have files of their own and are offered here too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from deadheat.distributions import Lattice
from deadheat.errors import InferenceError
from deadheat.resampling.convolution import MAX_POINTS, Part, binomial, convolved, part
from deadheat.resampling.enumeration import enumerate_bootstrap
from deadheat.resampling.lattice import lattice_of

__all__ = [
    "TAIL_FLOOR",
    "enumerate_bootstrap",
    "lattice_mean",
    "lattice_of",
    "one_count",
    "paired_counts",
    "paired_tails",
    "strata",
    "two_counts",
]

TAIL_FLOOR = 1e-12
"""A tail of a transformed pmf below this is only known to be below it (rounding)."""


def lattice_mean(
    steps: ArrayLike, multiplicities: ArrayLike, *, denominator: int = 1
) -> Lattice | None:
    """Bootstrap distribution of a mean of values steps / denominator.

    Parameters
    ----------
    steps : array_like of int, shape (G,)
    multiplicities : array_like of int, shape (G,)
        How many of the n units have each step.
    denominator : int
        Steps in one point of the score.

    Returns
    -------
    Lattice or None
        None when the lattice would hold more than `MAX_POINTS` points.

    Examples
    --------
    >>> round(lattice_mean([0, 1, 2, 5], [1, 1, 1, 1]).at_most(0.0), 12) == 0.25**4
    True
    """
    one = part(steps, multiplicities)
    return convolved([one], one.n * denominator)


def paired_counts(only_baseline: int, only_candidate: int, n: int) -> Lattice:
    """Bootstrap distribution of the difference of two proportions over the same n items.

    Examples
    --------
    >>> d = paired_counts(67, 85, 500)
    >>> d.lower(0.025), d.upper(0.025)
    (-0.012, 0.084)
    """
    _check_counts(only_baseline + only_candidate, n)
    found = lattice_mean(
        [-1, 0, 1], [only_baseline, n - only_baseline - only_candidate, only_candidate]
    )
    return _within(found, n)


def paired_tails(only_baseline: int, only_candidate: int, n: int) -> tuple[float, float]:
    """P(T <= 0) and P(T >= 0) of `paired_counts`, accurate relative to themselves.

    The steps are tilted so that their mean is zero, where the transform has full accuracy, and
    tilted back (Esscher 1932): P(T = s) = Z^n (p/q)^(s/2) P'(T = s), Z = 1 - (sqrt p - sqrt q)^2.
    """
    _check_counts(only_baseline + only_candidate, n)
    p = max(only_baseline, only_candidate) / n
    q = min(only_baseline, only_candidate) / n
    if q == 0.0:
        at_zero = math.exp(n * math.log1p(-p)) if p < 1.0 else 0.0
        near, far = at_zero, 1.0
    else:
        lost = (math.sqrt(p) - math.sqrt(q)) ** 2
        both = math.sqrt(p * q)
        tilted = _within(
            convolved([part([-1, 0, 1], [both, max(1.0 - p - q, 0.0), both], n)], 1), n
        )
        index = np.arange(tilted.start, 1)
        mass = tilted.pmf[: index.size] * np.exp(0.5 * math.log(p / q) * index)
        scale = math.exp(n * math.log1p(-lost))
        near = min(1.0, scale * float(mass[::-1].sum()))
        far = min(1.0, 1.0 - near + scale * float(mass[-1]))
        far = near if p == q else far
    return (near, far) if only_candidate >= only_baseline else (far, near)


def one_count(k: int, n: int) -> Lattice:
    """Bootstrap distribution of one proportion: Binomial(n, k / n) / n."""
    _check_counts(k, n)
    start, pmf = binomial(n, k / n)
    return Lattice(pmf=pmf, start=start, denominator=n)


def two_counts(
    k_baseline: int, n_baseline: int, k_candidate: int, n_candidate: int
) -> Lattice | None:
    """Bootstrap distribution of the difference of two independent proportions.

    Returns None when the common lattice, of spacing 1 / lcm, is too fine.
    """
    _check_counts(k_baseline, n_baseline)
    _check_counts(k_candidate, n_candidate)
    return strata(
        [
            (np.array([0, 1]), np.array([n_baseline - k_baseline, k_baseline])),
            (np.array([0, 1]), np.array([n_candidate - k_candidate, k_candidate])),
        ],
        weights=(-1.0, 1.0),
    )


def strata(
    parts: Sequence[tuple[ArrayLike, ArrayLike]],
    *,
    weights: Sequence[float] | None = None,
    denominator: int = 1,
) -> Lattice | None:
    """Bootstrap distribution of a weighted sum of stratum means, each stratum drawn on its own.

    Parameters
    ----------
    parts : sequence of (steps, multiplicities)
        As for `lattice_mean`, one pair for each stratum.
    weights : sequence of float, optional
        What each stratum mean counts; by default n_h / N (pooled). Equal weights 1 / H give the
        macro average.

    Returns
    -------
    Lattice or None
        None when the strata have no common lattice of at most `MAX_POINTS` points.
    """
    drawn = [part(*one) for one in parts]
    if weights is None:
        return convolved(drawn, denominator * sum(one.n for one in drawn))
    spacings = [
        Fraction(weight).limit_denominator(1_000_000) / one.n
        for weight, one in zip(weights, drawn, strict=True)
    ]
    if any(
        abs(float(spacing * one.n) - weight) > 1e-14 * abs(weight)
        for spacing, weight, one in zip(spacings, weights, drawn, strict=True)
    ):
        return None
    common = math.lcm(*(spacing.denominator for spacing in spacings))
    factors = [int(spacing * common) for spacing in spacings]
    variance = sum(f * f * one.n * one.variance for f, one in zip(factors, drawn, strict=True))
    if variance > MAX_POINTS**2:
        return None
    scaled = [
        Part(steps=one.steps * factor, probabilities=one.probabilities, n=one.n)
        for one, factor in zip(drawn, factors, strict=True)
    ]
    return convolved(scaled, denominator * common)


def _check_counts(k: int, n: int) -> None:
    if n < 1 or not 0 <= k <= n:
        raise InferenceError(
            f"{k} of {n} is no count of items.", fix="Give 0 <= count <= n with n of 1 or more."
        )


def _within(found: Lattice | None, n: int) -> Lattice:
    if found is None:
        raise InferenceError(
            f"the distribution over {n} items needs more than {MAX_POINTS} points.",
            fix="Use the normal interval, which is the same at this size.",
        )
    return found
