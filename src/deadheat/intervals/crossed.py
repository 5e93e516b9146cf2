"""Percentile interval of the crossed bootstrap of items and runs (Owen 2007)."""

from __future__ import annotations

from dataclasses import replace

from deadheat.distributions import Distribution
from deadheat.intervals import percentile
from deadheat.intervals.interval import Alternative, Interval

METHOD = "crossed"

TOO_FEW = 5
"""Fewer runs than this are not resampled, as clusters are not."""

CONSERVATIVE = (
    "the crossed bootstrap counts residual variance about three times and so is conservative, "
    "unless runs vary more than anything else and are few: then it is too short"
)


def from_crossed(
    distribution: Distribution,
    *,
    estimate: float,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Interval of a mean, or of a difference, whose crossed bootstrap distribution is given.

    Parameters
    ----------
    distribution : Distribution
        See `deadheat.resampling.crossed`.
    estimate : float
        The statistic on the data.
    confidence_level : float
        Between 0 and 1.
    alternative : {"two-sided", "less", "greater"}
        Which sides are closed.
    """
    found = percentile.from_distribution(
        distribution, estimate=estimate, confidence_level=confidence_level, alternative=alternative
    )
    if found.method != percentile.METHOD:
        return found
    return replace(found, method=METHOD, note=found.note or CONSERVATIVE)
