"""BCa intervals as they are drawn: scipy.stats.bootstrap gives them unless it is told otherwise."""

from __future__ import annotations

import math
from collections.abc import Sequence

from deadheat.distributions import Lattice
from deadheat.intervals.acceleration import acceleration
from deadheat.intervals.bca import Correction

NODES = ((-math.sqrt(3.0), 1 / 6), (0.0, 2 / 3), (math.sqrt(3.0), 1 / 6))
"""Places, in standard deviations, and weights that stand for a normal law (Gauss and Hermite)."""


def acceleration_of(values: Sequence[int], counts: Sequence[int]) -> float:
    """Return the acceleration of the mean of scores, by the jackknife.

    Parameters
    ----------
    values : sequence of int
        Different scores.
    counts : sequence of int
        Items with each of them.

    Examples
    --------
    Six items ahead and none behind, of 400:

    >>> round(acceleration_of((0, 1), (394, 6)), 4)
    0.0665
    """
    n = sum(counts)
    if n < 2:
        return 0.0
    total = sum(value * count for value, count in zip(values, counts, strict=True))
    return acceleration([(total - value) / (n - 1) for value in values], counts)


def levels_drawn(
    distribution: Lattice, estimate: float, corrected: Correction, tail: float, n_resamples: int
) -> list[tuple[float, float, float]]:
    """Return the levels of both ends of a drawn BCa interval, and how likely they are.

    The bias correction is an estimate from the same draws and differs from one run to the next.

    Parameters
    ----------
    distribution : Lattice
        Exact bootstrap distribution.
    estimate : float
        The statistic on the data.
    corrected : Correction
        Without Monte Carlo error.
    tail : float
        Left outside at each end.
    n_resamples : int
        Draws.

    Returns
    -------
    list of (weight, lower level, upper level)
    """
    below, above = distribution.at_most(estimate), distribution.at_least(estimate)
    less, equal = 1.0 - above, below + above - 1.0
    share = less + equal / 2.0
    density = math.exp(-0.5 * corrected.z0**2) / math.sqrt(2.0 * math.pi)
    error = math.sqrt(max(less + equal / 4.0 - share**2, 0.0) / n_resamples) / density
    found = []
    for place, weight in NODES:
        moved = Correction(z0=corrected.z0 + place * error, a=corrected.a)
        if moved.defined(tail) and moved.mirrored.defined(tail):
            found.append((weight, moved.adjusted(tail), 1.0 - moved.mirrored.adjusted(tail)))
    return found
