"""Binomial probabilities over the range that matters, with nearly full relative accuracy."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LOG_LOST = 37.0
"""What lies beyond `reach` on one side has a probability below exp(-37), about 1e-16."""


def reach(variance: float | Floats, step: float = 1.0) -> Floats:
    """Distance from its mean that a sum of independent terms hardly ever exceeds (Bernstein 1924).

    Parameters
    ----------
    variance : float or ndarray
        Of the sum.
    step : float
        Largest distance of one term from its mean.

    Returns
    -------
    ndarray of the shape of `variance`
        Each side beyond has a probability of at most exp(-37).
    """
    linear = LOG_LOST * step / 3.0
    return np.asarray(linear + np.sqrt(linear * linear + 2.0 * LOG_LOST * np.asarray(variance)))


def binomial(trials: int, share: float) -> tuple[int, Floats]:
    """Return the first point and the probabilities of Binomial(trials, share) from there on.

    Parameters
    ----------
    trials : int
        Numbers of trials.
    share : float
        Chance of each.
    """
    first, rows = binomial_rows(np.array([trials]), share)
    points = min(rows.shape[1], trials - int(first[0]) + 1)
    return int(first[0]), rows[0, :points]


def binomial_rows(trials: Ints, share: float) -> tuple[Ints, Floats]:
    """Return the first points, shape (row,), and the probabilities from there on.

    Ratios of neighbours are added up in logarithms, so that a probability is as exact as a few
    thousand additions of numbers near 0, at any number of trials.

    Parameters
    ----------
    trials : ndarray of int, shape (row,)
    share : float
        Chance of a success, from 0 to 1.

    Returns
    -------
    ndarray of int, shape (row,); ndarray, shape (row, point)
        Points beyond `trials` have probability 0.
    """
    if share in (0.0, 1.0):
        return trials * int(share), np.ones((len(trials), 1))
    mean = np.asarray(trials * share, dtype=np.float64)
    half = np.ceil(reach(mean * (1.0 - share)))
    first = np.maximum(np.floor(mean - half), 0.0).astype(np.int64)
    width = int((np.minimum(np.ceil(mean + half), trials) - first).max()) + 1
    points = first[:, None] + np.arange(width)
    left = trials[:, None] - points[:, :-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.log(np.maximum(left, 0) / (points[:, :-1] + 1))
    logs = np.zeros(points.shape)
    np.cumsum(ratios + (math.log(share) - math.log1p(-share)), axis=1, out=logs[:, 1:])
    mass = np.exp(logs - logs.max(axis=1, keepdims=True))
    return first, mass / mass.sum(axis=1, keepdims=True)


def at_least(wins: Ints, trials: Ints, share: float) -> Floats:
    """P(W >= wins) of W ~ Binomial(trials, share), for wins from 1 on; 0 above `trials`.

    Parameters
    ----------
    wins : ndarray of int
        Least numbers that count.
    trials : ndarray of int
        Numbers of trials.
    share : float
        Chance of each.
    """
    inside = wins <= trials
    safe = np.where(inside, wins, 1)
    tail = special.betainc(safe, np.where(inside, trials - wins + 1, 1), share)
    return np.where(inside, tail, 0.0)
