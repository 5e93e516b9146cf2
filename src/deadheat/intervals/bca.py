"""BCa interval: bias-corrected and accelerated percentiles (Efron 1987)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy import special

from deadheat.distributions import EXACT_FLOOR, Distribution, floor
from deadheat.intervals import duality, percentile
from deadheat.intervals.duality import Dual
from deadheat.intervals.ends import settled, worse_error
from deadheat.intervals.interval import Alternative, Interval, between, tail_of

METHOD = "bca"

MAX_UNDEFINED = 0.01
"""Share of resamples that may be undefined before BCa is refused (STATISTICS.md 1.5)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """How BCa moves the tail below a lower end; `mirrored` does it for the upper end.

    Attributes
    ----------
    z0 : float
        Bias correction.
    a : float
        Acceleration.
    """

    z0: float
    a: float

    @property
    def mirrored(self) -> Correction:
        """The correction of the negated statistic."""
        return Correction(z0=-self.z0, a=-self.a)

    def defined(self, tail: float) -> bool:
        """Whether the level map reaches this tail."""
        return 1.0 - self.a * (self.z0 + float(special.ndtri(tail))) > 0.0

    def adjusted(self, tail: float) -> float:
        """Tail of the bootstrap distribution that stands for a nominal one."""
        z = self.z0 + float(special.ndtri(tail))
        return float(special.ndtr(self.z0 + z / (1.0 - self.a * z)))

    def nominal(self, tail: float) -> float:
        """Nominal tail that a tail of the bootstrap distribution stands for."""
        if tail > 1.0 - EXACT_FLOOR:
            return 1.0
        u = float(special.ndtri(tail)) - self.z0
        scale = 1.0 + self.a * u
        if scale <= 0.0:
            # No nominal level reaches so far: beyond every end where u < 0, within where u > 0.
            return 0.0 if u < 0.0 else 1.0
        return float(special.ndtr(u / scale - self.z0))

    def error_factor(self, tail: float) -> float:
        """By how much estimating z0 from the same draws widens the error of an end.

        Delta method on the draws below the end and below the estimate, whose covariance is
        tail (1 - share below the estimate) / R.
        """
        share = float(special.ndtr(self.z0))
        z = self.z0 + float(special.ndtri(tail))
        adjusted = self.adjusted(tail)
        slope = 1.0 + 1.0 / (1.0 - self.a * z) ** 2
        moved = slope * _density(float(special.ndtri(adjusted))) / _density(self.z0)
        own = adjusted * (1.0 - adjusted)
        both = own - 2.0 * moved * min(adjusted, share) * (1.0 - max(adjusted, share))
        both += moved**2 * share * (1.0 - share)
        return math.sqrt(max(both, 0.0) / own) if own > 0.0 else 1.0


def correction(distribution: Distribution, estimate: float, acceleration: float) -> Correction:
    """Bias correction with mid-ranks, the share held off 0 and 1 by what the draws can tell."""
    least = floor(distribution)
    below, above = distribution.at_most(estimate), distribution.at_least(estimate)
    # The mid-rank of the nearer side: a mirrored distribution has exactly the opposite correction.
    share = max(0.5 * (1.0 - abs(below - above)), least)
    side = 1.0 if below <= above else -1.0
    return Correction(z0=side * float(special.ndtri(share)), a=acceleration)


def p_of_share(share: float, z0: float, a: float) -> float:
    """Two-sided p-value of a value with this share of the distribution below it.

    Examples
    --------
    >>> round(p_of_share(0.012, z0=0.08, a=0.03), 6)
    0.009505
    """
    tail = Correction(z0=z0, a=a).nominal(share)
    return 2.0 * min(tail, 1.0 - tail)


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

    `acceleration` comes from `deadheat.intervals.acceleration`. Where BCa is not available the
    percentile interval is given and the note says why.
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
        correction(distribution, estimate, acceleration),
        method=METHOD,
        confidence_level=confidence_level,
        alternative=alternative,
    )


def at_tail(
    distribution: Distribution,
    tail: float,
    corrected: Correction,
    *,
    method: str,
    confidence_level: float,
    alternative: Alternative,
) -> Interval:
    """Interval at the adjusted levels of a nominal tail, or the percentile one with a reason."""
    below, above = corrected, corrected.mirrored
    if reason := _unavailable(distribution, tail, below, above, alternative):
        return percentile.at_tail(
            distribution,
            tail_of(confidence_level, alternative),
            method=percentile.METHOD,
            confidence_level=confidence_level,
            alternative=alternative,
            note=f"{reason}: percentile interval instead of {method}",
        )
    lower, upper = below.adjusted(tail), above.adjusted(tail)
    used = {"two-sided": (lower, upper), "greater": (lower,), "less": (upper,)}[alternative]
    clipped = not all(distribution.resolves(level) for level in used)
    return between(
        distribution.lower(lower),
        distribution.upper(upper),
        method=method,
        confidence_level=confidence_level,
        alternative=alternative,
        monte_carlo_error=worse_error(
            distribution,
            distribution.lower_error(lower) * below.error_factor(tail),
            distribution.upper_error(upper) * above.error_factor(tail),
            alternative,
        ),
        note=_beyond(distribution) if clipped else "",
    )


def _beyond(distribution: Distribution) -> str:
    if distribution.n_resamples is None:
        return (
            "an adjusted level lies in a tail too far out to be computed, so the end is where the "
            "computable part begins"
        )
    return (
        f"an adjusted level lies beyond {distribution.n_resamples:,} resamples, so the end is the "
        "outermost draw: draw more"
    )


def _unavailable(
    distribution: Distribution,
    tail: float,
    below: Correction,
    above: Correction,
    alternative: Alternative,
) -> str:
    undefined = int(getattr(distribution, "n_undefined", 0))
    draws = distribution.n_resamples
    if draws is not None and undefined > MAX_UNDEFINED * (draws + undefined):
        return f"the statistic is undefined in {undefined:,} of {draws + undefined:,} resamples"
    if math.isnan(below.a):
        return "the acceleration is undefined"
    used = {"two-sided": (below, above), "greater": (below,), "less": (above,)}[alternative]
    if not all(side.defined(tail) for side in used):
        return f"an acceleration of {below.a:.3g} turns the levels over"
    return ""


def p_value(
    distribution: Distribution,
    *,
    value: float = 0.0,
    estimate: float,
    alternative: Alternative = "two-sided",
    n_units: int | None = None,
    acceleration: float = 0.0,
) -> Dual:
    """P-value dual to the interval (STATISTICS.md 2.3).

    Each side asks for the tail that its own end would meet, so that it agrees with the interval
    on a lattice too; for continuous distributions both tails meet at the mid-rank.
    """
    corrected = correction(distribution, estimate, acceleration)
    return duality.of_tails(
        distribution,
        value=value,
        alternative=alternative,
        below=corrected.nominal,
        above=corrected.mirrored.nominal,
    )


def _density(z: float) -> float:
    return math.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi)
