"""Percentile interval: the ends of the bootstrap distribution itself (Efron 1979)."""

from __future__ import annotations

from deadheat.distributions import Distribution
from deadheat.intervals import duality
from deadheat.intervals.duality import Dual
from deadheat.intervals.ends import require_resolved, settled, worse_error
from deadheat.intervals.interval import Alternative, Interval, between, tail_of

METHOD = "percentile"


def from_distribution(
    distribution: Distribution,
    *,
    estimate: float,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    n_units: int | None = None,
    acceleration: float = 0.0,
) -> Interval:
    """Interval of the statistic whose bootstrap distribution is given.

    Parameters
    ----------
    distribution : Distribution
        Of the statistic over resamples.
    estimate : float
        The statistic on the data.
    confidence_level : float
        Between 0 and 1.
    alternative : {"two-sided", "less", "greater"}
        Which sides are closed.
    n_units : int, optional
        Independent units that were resampled; one unit has no interval.
    acceleration : float
        Not used by this method.

    Raises
    ------
    InferenceError
        If there are too few draws for the level.
    """
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
    return at_tail(
        distribution,
        tail_of(confidence_level, alternative),
        method=METHOD,
        confidence_level=confidence_level,
        alternative=alternative,
    )


def at_tail(
    distribution: Distribution,
    tail: float,
    *,
    method: str,
    confidence_level: float,
    alternative: Alternative,
    note: str = "",
) -> Interval:
    """Interval that leaves `tail` of the distribution outside each closed end."""
    require_resolved(distribution, tail)
    return between(
        distribution.lower(tail),
        distribution.upper(tail),
        method=method,
        confidence_level=confidence_level,
        alternative=alternative,
        monte_carlo_error=worse_error(
            distribution,
            distribution.lower_error(tail),
            distribution.upper_error(tail),
            alternative,
        ),
        note=note,
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
    """Share of the distribution beyond `value`, doubled when two-sided (STATISTICS.md 2.2)."""
    return duality.of_tails(distribution, value=value, alternative=alternative)
