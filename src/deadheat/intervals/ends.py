"""What every interval that is read off a bootstrap distribution has in common."""

from __future__ import annotations

import math

from deadheat.distributions import Distribution, negligible
from deadheat.errors import InferenceError
from deadheat.intervals.interval import Alternative, Interval, between, tail_of, undefined
from deadheat.intervals.proportions import ONE_ITEM

NO_SPREAD = "every resample gives the same value"


def settled(
    distribution: Distribution,
    *,
    method: str,
    estimate: float,
    confidence_level: float,
    alternative: Alternative,
    n_units: int | None,
) -> Interval | None:
    """Return the interval where no method is needed: one unit, nothing defined, no spread.

    Raises
    ------
    InferenceError
        If the distribution was drawn fewer than twice.
    """
    tail_of(confidence_level, alternative)
    if distribution.n_resamples is not None and distribution.n_resamples < 2:
        raise InferenceError(
            f"the statistic is defined in {distribution.n_resamples} resamples.",
            fix="An interval takes at least 2; 9,999 are usual.",
        )
    if n_units is not None and n_units < 2:
        return undefined(method, confidence_level, ONE_ITEM, alternative)
    if math.isnan(estimate) or math.isnan(distribution.sd):
        return undefined(method, confidence_level, "the statistic is undefined", alternative)
    if not negligible(distribution.sd, distribution.mean):
        return None
    return between(
        estimate,
        estimate,
        method="degenerate",
        confidence_level=confidence_level,
        alternative=alternative,
        monte_carlo_error=None if distribution.n_resamples is None else 0.0,
        note=NO_SPREAD,
    )


def require_resolved(distribution: Distribution, tail: float) -> None:
    """Refuse a tail too thin for the number of draws.

    Raises
    ------
    InferenceError
        Saying how many resamples are needed.
    """
    if distribution.resolves(tail):
        return
    if distribution.n_resamples is None:
        raise InferenceError(
            f"an end that leaves {tail:.3g} outside lies in a tail too far out to be computed.",
            fix="Choose a lower confidence level.",
        )
    needed = math.ceil(1.0 / tail - 1e-6) - 1
    raise InferenceError(
        f"{distribution.n_resamples} resamples cannot place an end that leaves {tail:.3g} outside.",
        fix=f"Draw at least {needed:,} resamples.",
    )


def worse_error(
    distribution: Distribution, lower: float, upper: float, alternative: Alternative
) -> float | None:
    """Return the larger of the Monte Carlo errors of the closed ends; None when exact."""
    if distribution.n_resamples is None:
        return None
    return max(0.0 if alternative == "less" else lower, 0.0 if alternative == "greater" else upper)


def unit_count(method: str, n_units: int | None) -> int:
    """Return the number of units.

    Raises
    ------
    InferenceError
        If it was not given: the t expansion depends on it.
    """
    if n_units is None:
        raise InferenceError(
            f"the method {method} widens by the number of units, which was not given.",
            fix="Pass n_units.",
        )
    return n_units
