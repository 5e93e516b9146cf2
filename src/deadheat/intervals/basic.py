"""Basic interval: the percentile interval reflected in the estimate (Davison & Hinkley 1997).

It leaves the range of a bounded metric and covers worst of all the methods here; it is offered
for comparison with other tools.
"""

from __future__ import annotations

from deadheat.distributions import Distribution
from deadheat.intervals import percentile
from deadheat.intervals.duality import Dual
from deadheat.intervals.interval import Alternative, Interval, between

METHOD = "basic"

MIRRORED: dict[Alternative, Alternative] = {
    "two-sided": "two-sided",
    "less": "greater",
    "greater": "less",
}
"""The side that a reflection turns each side into."""


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
    found = percentile.from_distribution(
        distribution,
        estimate=estimate,
        confidence_level=confidence_level,
        alternative=MIRRORED[alternative],
        n_units=n_units,
    )
    return between(
        2.0 * estimate - found.high,
        2.0 * estimate - found.low,
        method=METHOD if found.method == percentile.METHOD else found.method,
        confidence_level=confidence_level,
        alternative=alternative,
        monte_carlo_error=found.monte_carlo_error,
        note=found.note,
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
    """P-value dual to the interval: the percentile one at the reflected value."""
    return percentile.p_value(
        distribution,
        value=2.0 * estimate - value,
        estimate=estimate,
        alternative=MIRRORED[alternative],
    )
