"""Tango's score interval of a paired difference of proportions (Tango 1998)."""

from __future__ import annotations

import math

from deadheat.intervals.interval import Alternative, Interval, between, undefined
from deadheat.intervals.proportions import check_cells, paired_size_note
from deadheat.intervals.quantiles import normal_quantile
from deadheat.intervals.roots import root

METHOD = "tango"


def score(only_baseline: float, only_candidate: float, n: float, x: float) -> float:
    """Return the standard normal score of the hypothesis that candidate - baseline is x.

    The nuisance probability is the restricted maximum likelihood estimate (Tango 1998, eq. 5).
    At x = 0 this is the square root of the uncorrected McNemar statistic, with its sign.
    """
    gain = only_candidate - only_baseline
    w = (2.0 * n - gain) * x - only_candidate - only_baseline
    v = -only_baseline * x * (1.0 - x)
    root = math.sqrt(max(w * w - 8.0 * n * v, 0.0))
    # Two forms of one root: each where it does not subtract nearly equal numbers.
    q = (root - w) / (4.0 * n) if w <= 0.0 else -2.0 * v / (root + w)
    variance = n * (2.0 * q + x * (1.0 - x))
    distance = gain - n * x
    if variance <= 0.0:
        return math.copysign(math.inf, distance) if distance else 0.0
    return distance / math.sqrt(variance)


def paired_proportions(
    both: float,
    only_baseline: float,
    only_candidate: float,
    neither: float,
    *,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> Interval:
    """Interval of candidate - baseline on the same items.

    It excludes 0 exactly when the uncorrected McNemar test rejects.

    Parameters
    ----------
    both, only_baseline, only_candidate, neither : float
        Items that both systems, one of them, or neither answered rightly.
    confidence_level : float
        Between 0 and 1.
    alternative : {"two-sided", "less", "greater"}
        Which sides are closed.

    Examples
    --------
    >>> interval = paired_proportions(30, 0, 0, 20)
    >>> round(interval.low, 6), round(interval.high, 6)
    (-0.071348, 0.071348)
    """
    n = check_cells(both, only_baseline, only_candidate, neither)
    z = normal_quantile(confidence_level, alternative)
    if note := paired_size_note(n):
        return undefined(METHOD, confidence_level, note, alternative)
    return between(
        _low(only_baseline, only_candidate, n, z),
        # The mirror image: swapping the systems negates the interval to the last bit.
        -_low(only_candidate, only_baseline, n, z),
        method=METHOD,
        confidence_level=confidence_level,
        alternative=alternative,
    )


def _low(only_baseline: float, only_candidate: float, n: float, z: float) -> float:
    """Solve score(x) = z; the score falls from +inf at -1 to -inf at 1."""
    if only_baseline == n and z > 0.0:
        return -1.0
    if only_candidate == n and z < 0.0:
        return 1.0
    return root(lambda x: score(only_baseline, only_candidate, n, x) - z, -1.0, 1.0)
