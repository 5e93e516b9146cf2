"""BCa at levels widened for small n: Hesterberg's expansion before the BCa map.

The combination is ours; the coverage of STATISTICS.md 0.3 supports it, not a paper.
"""

from __future__ import annotations

from deadheat.distributions import Distribution
from deadheat.intervals import bca, duality, expanded
from deadheat.intervals.duality import Dual
from deadheat.intervals.ends import settled, unit_count
from deadheat.intervals.interval import Alternative, Interval, tail_of

METHOD = "bca_t"


def from_distribution(
    distribution: Distribution,
    *,
    estimate: float,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    n_units: int | None = None,
    acceleration: float = 0.0,
) -> Interval:
    """Interval of the statistic; parameters as in `bca.from_distribution`.

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
    return bca.at_tail(
        distribution,
        expanded.widened(tail_of(confidence_level, alternative), n),
        bca.correction(distribution, estimate, acceleration),
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
    """P-value dual to the interval: through the BCa map back, then the expansion back."""
    n = unit_count(METHOD, n_units)
    if n < 2:
        return duality.ONE_UNIT
    corrected = bca.correction(distribution, estimate, acceleration)

    def below(tail: float) -> float:
        return expanded.nominal(corrected.nominal(tail), n)

    def above(tail: float) -> float:
        return expanded.nominal(corrected.mirrored.nominal(tail), n)

    return duality.of_tails(
        distribution, value=value, alternative=alternative, below=below, above=above
    )
