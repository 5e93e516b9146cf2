"""Tango's score interval (1998) of many paired tables at once."""

from __future__ import annotations

import numpy as np

from deadheat.power.binomial import Floats, Ints
from deadheat.power.outcomes import blocks

HALVINGS = 60
"""Of an interval of at most 2: what is left is far below the rounding of an end."""

BLOCK = 4_096
"""Outcomes that are worked on at a time: few columns each, so more than elsewhere fit in cache."""


def tango_ends(losses: Ints, wins: Ints, n: int, z: float) -> tuple[Floats, Floats]:
    """Return both ends of the interval of candidate - baseline.

    Parameters
    ----------
    losses, wins : ndarray of int, shape (table,)
        Items that only the baseline and only the candidate gets right.
    n : int
        Items, at least 2.
    z : float
        Normal quantile of the level, above 0.
    """
    low, high = np.empty(wins.shape), np.empty(wins.shape)
    for block in blocks(wins.size, BLOCK):
        lost, won = losses[block].astype(np.float64), wins[block].astype(np.float64)
        low[block], high[block] = _low(lost, won, n, z), -_low(won, lost, n, z)
    return low, high


def _low(losses: Floats, wins: Floats, n: int, z: float) -> Floats:
    """Solve score(x) = z by halving; the score falls from +inf at -1 to at most 0 at the gap."""
    low, high = np.full(wins.shape, -1.0), (wins - losses) / n
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        above = _exceeds(losses, wins, n, middle, z)
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return 0.5 * (low + high)


def _exceeds(losses: Floats, wins: Floats, n: int, x: Floats, z: float) -> Floats:
    """Whether the score of the hypothesis that the difference is x, below the gap, exceeds z."""
    gain = wins - losses
    w = (2.0 * n - gain) * x - (losses + wins)
    v = losses * x * (x - 1.0)
    root = np.sqrt(np.maximum(w * w - 8.0 * n * v, 0.0))
    q = (root - w) / (4.0 * n)
    variance = n * (2.0 * q + x * (1.0 - x))
    return np.asarray((gain - n * x) ** 2 > z * z * variance)
