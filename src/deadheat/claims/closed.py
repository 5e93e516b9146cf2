"""Closed forms for right-or-wrong scores that publications take besides those of `METHODS`."""

from __future__ import annotations

import math

from scipy import special

from deadheat.intervals import agresti_min, bonett_price, student_t
from deadheat.intervals.interval import Interval, between, undefined
from deadheat.intervals.moments import moments
from deadheat.intervals.quantiles import normal_quantile

PAIRED = {
    "bonett_price": bonett_price.paired_proportions,
    "agresti_min": agresti_min.paired_proportions,
}
"""Methods that look at the discordant counts and the number of items alone."""

OF_MEANS = ("student_t", "clt")
"""Methods that take right and wrong as any other scores, with n - 1 in the variance."""


def of_mean(
    method: str, values: tuple[int, ...], counts: tuple[int, ...], confidence_level: float
) -> Interval:
    """Return the interval of a mean by one of `OF_MEANS`.

    "clt" takes the normal quantile, as evaluation harnesses do that print a standard error.

    Parameters
    ----------
    method : str
        One of `OF_MEANS`.
    values : tuple of int
        Different scores.
    counts : tuple of int
        Items with each of them.
    confidence_level : float
        Between 0.5 and 1.
    """
    if method == "student_t":
        return student_t.one_mean(values, counts, confidence_level=confidence_level)
    found = moments(values, counts)
    if found.note:
        return undefined(method, confidence_level, found.note)
    z = normal_quantile(confidence_level, "two-sided")
    half = z * math.sqrt(found.variance / found.n)
    return between(
        found.mean - half,
        found.mean + half,
        method=method,
        confidence_level=confidence_level,
        alternative="two-sided",
    )


def paired_t(net: int, discordant: int, n: int) -> float:
    """Return the p-value of the paired t test; NaN where all differences are alike.

    Parameters
    ----------
    net : int
        Items by which the candidate is ahead; negative where it is behind.
    discordant : int
        Items on which exactly one system is right.
    n : int
        Number of items.
    """
    squares = n * discordant - net * net
    if n < 2 or squares == 0:
        return math.nan
    t = abs(net) / math.sqrt(squares / (n - 1))
    return min(1.0, 2.0 * float(special.stdtr(n - 1, -t)))
