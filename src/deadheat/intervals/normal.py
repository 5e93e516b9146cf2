"""Normal interval: estimate less bootstrap bias -+ z bootstrap standard errors."""

from __future__ import annotations

import math

from deadheat.distributions import Distribution
from deadheat.intervals import duality
from deadheat.intervals.duality import Dual
from deadheat.intervals.ends import settled
from deadheat.intervals.interval import Alternative, Interval, between
from deadheat.intervals.quantiles import normal_quantile

METHOD = "normal"


def from_distribution(
    distribution: Distribution,
    *,
    estimate: float,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    n_units: int | None = None,
    acceleration: float = 0.0,
) -> Interval:
    """Interval of the statistic; parameters as in `percentile.from_distribution`."""
    special_case = settled(
        distribution,
        method=METHOD,
        estimate=estimate,
        confidence_level=confidence_level,
        alternative=alternative,
        n_units=n_units,
    )
    if special_case is not None:
        return special_case
    z = normal_quantile(confidence_level, alternative)
    sd = distribution.sd
    centre = 2.0 * estimate - distribution.mean
    draws = distribution.n_resamples
    # Of the mean, sd / sqrt(R); of z sd, z sd / sqrt(2 R), as for normal draws.
    error = None if draws is None else 1.96 * sd * math.sqrt((1.0 + z * z / 2.0) / draws)
    return between(
        centre - z * sd,
        centre + z * sd,
        method=METHOD,
        confidence_level=confidence_level,
        alternative=alternative,
        monte_carlo_error=error,
    )


def p_value(
    distribution: Distribution,
    *,
    value: float = 0.0,
    estimate: float,
    alternative: Alternative = "two-sided",
    n_units: int | None = None,
    acceleration: float = 0.0,
) -> Dual:
    """P-value dual to the interval, from the standard normal score of `value`."""
    if (found := duality.degenerate(distribution, value)) is not None:
        return found
    z = (2.0 * estimate - distribution.mean - value) / distribution.sd
    return duality.of_normal(z, alternative)
