"""Studentized bootstrap interval, also called bootstrap-t (Efron 1981)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from deadheat.distributions import Replicates
from deadheat.errors import InferenceError
from deadheat.intervals import duality
from deadheat.intervals.duality import Dual
from deadheat.intervals.ends import require_resolved, worse_error
from deadheat.intervals.interval import Alternative, Interval, between, tail_of, undefined

METHOD = "studentized"

MAX_UNDEFINED = 0.01
"""Share of resamples without a standard error before the method is refused."""

NO_ERROR = "the standard error is zero or undefined"


def from_studentized(
    t_replicates: ArrayLike,
    *,
    estimate: float,
    standard_error: float,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Interval from studentized replicates.

    Parameters
    ----------
    t_replicates : array_like, shape (resample,)
        (replicate - estimate) / standard error of that resample; NaN where the latter is 0.
    estimate, standard_error : float
        On the data.
    confidence_level : float
        Between 0 and 1.
    alternative : {"two-sided", "less", "greater"}
        Which sides are closed.

    Raises
    ------
    InferenceError
        If more than 1% of the replicates are NaN, or there are too few for the level.
    """
    tail = tail_of(confidence_level, alternative)
    if not _usable(standard_error):
        return undefined(METHOD, confidence_level, NO_ERROR, alternative)
    t = _distribution(t_replicates)
    require_resolved(t, tail)
    return between(
        estimate - t.upper(tail) * standard_error,
        estimate - t.lower(tail) * standard_error,
        method=METHOD,
        confidence_level=confidence_level,
        alternative=alternative,
        monte_carlo_error=worse_error(
            t,
            t.upper_error(tail) * standard_error,
            t.lower_error(tail) * standard_error,
            alternative,
        ),
        note=_left_out(t),
    )


def p_value(
    t_replicates: ArrayLike,
    *,
    estimate: float,
    standard_error: float,
    value: float = 0.0,
    alternative: Alternative = "two-sided",
) -> Dual:
    """P-value dual to the interval: the share of t* beyond (estimate - value) / standard error."""
    if not _usable(standard_error):
        return Dual(p_value=math.nan, note=NO_ERROR)
    mirrored: dict[Alternative, Alternative] = {"less": "greater", "greater": "less"}
    return duality.of_tails(
        _distribution(t_replicates),
        value=(estimate - value) / standard_error,
        alternative=mirrored.get(alternative, alternative),
    )


def _usable(standard_error: float) -> bool:
    return math.isfinite(standard_error) and standard_error > 0.0


def _distribution(t_replicates: ArrayLike) -> Replicates:
    t = Replicates.of(np.asarray(t_replicates, dtype=np.float64))
    total = t.n_resamples + t.n_undefined
    if t.n_resamples < 2 or t.n_undefined > MAX_UNDEFINED * total:
        raise InferenceError(
            f"{t.n_undefined:,} of {total:,} resamples have a standard error of zero.",
            fix="Use another method, such as bca_t: too few items differ for this one.",
        )
    return t


def _left_out(t: Replicates) -> str:
    if t.n_undefined == 0:
        return ""
    return f"{t.n_undefined:,} resamples with a standard error of zero were left out"
