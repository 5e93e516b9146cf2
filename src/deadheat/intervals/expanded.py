"""Percentile interval at levels widened for small n (Hesterberg 2015)."""

from __future__ import annotations

import math

from scipy import special

from deadheat.distributions import EXACT_FLOOR, Distribution
from deadheat.intervals import duality, percentile
from deadheat.intervals.duality import Dual
from deadheat.intervals.ends import settled, unit_count
from deadheat.intervals.interval import Alternative, Interval, tail_of

METHOD = "expanded"


def widened(tail: float, n: int) -> float:
    """Tail that a bootstrap of n units has to leave outside: Phi(sqrt(n/(n-1)) t_{n-1}(tail)).

    The bootstrap spreads sqrt((n-1)/n) too little and knows no t quantile (Hesterberg 2015).

    Examples
    --------
    >>> round(widened(0.025, 20), 5)
    0.01588
    """
    t = float(special.stdtrit(n - 1, tail))
    return float(special.ndtr(math.sqrt(n / (n - 1)) * t))


def nominal(tail: float, n: int) -> float:
    """Tail whose widened form is `tail`: the inverse of `widened`."""
    if tail > 1.0 - EXACT_FLOOR:
        return 1.0
    z = float(special.ndtri(tail))
    return float(special.stdtr(n - 1, math.sqrt((n - 1) / n) * z))


def from_distribution(
    distribution: Distribution,
    *,
    estimate: float,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    n_units: int | None = None,
    acceleration: float = 0.0,
) -> Interval:
    """Interval of the statistic; parameters as in `percentile.from_distribution`.

    `n_units` has to be given.
    """
    n = unit_count(METHOD, n_units)
    special_case = settled(
        distribution,
        method=METHOD,
        estimate=estimate,
        confidence_level=confidence_level,
        alternative=alternative,
        n_units=n,
    )
    if special_case is not None:
        return special_case
    return percentile.at_tail(
        distribution,
        widened(tail_of(confidence_level, alternative), n),
        method=METHOD,
        confidence_level=confidence_level,
        alternative=alternative,
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
    """P-value dual to the interval: tails mapped back to nominal ones."""
    n = unit_count(METHOD, n_units)
    if n < 2:
        return duality.ONE_UNIT

    def back(tail: float) -> float:
        return nominal(tail, n)

    return duality.of_tails(
        distribution, value=value, alternative=alternative, below=back, above=back
    )
