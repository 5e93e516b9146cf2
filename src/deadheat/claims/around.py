"""Drawn intervals around the estimate: basic ones, and normal ones of a drawn error."""

from __future__ import annotations

from fractions import Fraction

from scipy import special

from deadheat.claims.drawn import IMPOSSIBLE, Likely, interval_drawn
from deadheat.claims.outcome import Outcome
from deadheat.claims.printed import Printed
from deadheat.intervals.quantiles import normal_quantile

ROUNDED = 3e-5
"""Part by which 1.96 and 2.576, as people type them, differ from the quantiles they stand for."""


def basic_drawn(outcome: Outcome, interval: tuple[Printed, Printed], n_resamples: int) -> Likely:
    """How likely both ends of a drawn basic interval are printed like this.

    It is the percentile interval, reflected at the estimate (Davison & Hinkley 1997, eq. 5.6).

    Parameters
    ----------
    outcome : Outcome
        Two discordant counts.
    interval : (Printed, Printed)
        In points.
    n_resamples : int
        Draws behind the interval.
    """
    twice = Fraction(200 * outcome.net, outcome.n)
    low, high = interval
    return interval_drawn(
        outcome.distribution,
        (_reflected(high, twice), _reflected(low, twice)),
        outcome.n,
        n_resamples=n_resamples,
        tail=outcome.alpha / 2.0,
    )


def _reflected(end: Printed, twice: Fraction) -> Printed:
    return Printed(
        text=end.text,
        value=twice - end.value,
        low=twice - end.high,
        high=twice - end.low,
        decimals=end.decimals,
    )


def normal_drawn(outcome: Outcome, interval: tuple[Printed, Printed], n_resamples: int) -> Likely:
    """How likely estimate -+ z times the standard deviation of draws is printed like this.

    That deviation s is the only thing drawn: (R - 1) s^2 / sigma^2 is taken as chi-squared with
    R - 1 degrees of freedom, sigma being that of the exact bootstrap distribution.

    Parameters
    ----------
    outcome, interval, n_resamples
        As in `basic_drawn`.
    """
    n, net = outcome.n, outcome.net
    variance = 1e4 * (n * outcome.discordant - net * net) / n**3
    if variance <= 0.0 or n_resamples < 2:
        return IMPOSSIBLE
    estimate, (low, high) = Fraction(100 * net, n), interval
    least = float(max(estimate - low.high, high.low - estimate))
    most = float(min(estimate - low.low, high.high - estimate))
    if most <= 0.0 or least > most:
        return IMPOSSIBLE
    z = normal_quantile(outcome.confidence_level, "two-sided")
    least, most = max(0.0, least) / z * (1.0 - ROUNDED), most / z * (1.0 + ROUNDED)
    free = n_resamples - 1
    below, up_to = (float(special.chdtr(free, free * s * s / variance)) for s in (least, most))
    return Likely(up_to - below, min(up_to, 1.0 - below))
