"""What picking the best of many adds to its value, and how often each comes first."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from deadheat.errors import InferenceError
from deadheat.ranking.draws import Floats, checked

ROWS = 256
"""Resamples whose order is looked at together."""

STEP, REACH = 1.0 / 64.0, 40.0
"""Of the trapezoidal rule, which converges geometrically for such an integrand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Optimism:
    """The value of the system that came out best, and how much of it is luck of the draw.

    Attributes
    ----------
    value : float
        Of the best system.
    optimism : float
        How much better, on average over the resamples, the one that is best there looks than it
        is on the data; on the scale of the metric, so below 0 where less is better.
    corrected : float
        Value less optimism.
    monte_carlo_error : float
        Standard error of the optimism.
    """

    value: float
    optimism: float
    corrected: float
    monte_carlo_error: float
    n_resamples: int


def optimism(estimates: ArrayLike, draws: ArrayLike, *, greater_is_better: bool = True) -> Optimism:
    """Bootstrap the winner's curse: mean over r of value*[r, best in r] - value[best in r].

    Systems that tie for the best of a resample count equally. The correction is a bootstrap
    estimate of a bias, not a cure: a fresh set of items is.

    Parameters
    ----------
    estimates : array_like, shape (system,)
    draws : array_like, shape (resample, system)
    greater_is_better : bool

    Raises
    ------
    InferenceError
        If the shapes do not go together, there are fewer than two draws, or one is undefined.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> draws = rng.normal(0.5, 0.01, (9999, 5))
    >>> found = optimism([0.5] * 5, draws)
    >>> round(found.optimism / 0.01, 2), round(expected_maximum(5), 2)
    (1.16, 1.16)
    """
    centre, values = checked(estimates, draws)
    sign = 1.0 if greater_is_better else -1.0
    first = _first(sign * values)
    gains = (first * (values - centre)).sum(axis=1) / first.sum(axis=1)
    size = float(gains.mean())
    value = float(sign * (sign * centre).max())
    return Optimism(
        value=value,
        optimism=size,
        corrected=value - size,
        monte_carlo_error=float(gains.std(ddof=1)) / math.sqrt(gains.size),
        n_resamples=gains.size,
    )


def expected_maximum(k: int) -> float:
    """Return the expected largest of k independent standard normals (Tippett 1925).

    Times the standard error of one system it is what picking the best of k equal, independent
    systems adds.

    Raises
    ------
    InferenceError
        If k is below 1.

    Examples
    --------
    >>> [round(expected_maximum(k), 3) for k in (2, 3, 5, 10, 20, 50)]
    [0.564, 0.846, 1.163, 1.539, 1.867, 2.249]
    """
    if k < 1:
        raise InferenceError(f"there are {k} systems.", fix="Give at least 1.")
    x = np.arange(-REACH, REACH + STEP / 2.0, STEP)
    log_density = -0.5 * (x * x + math.log(2.0 * math.pi)) + math.log(k)
    density = np.exp(log_density + (k - 1) * special.log_ndtr(x))
    return float(STEP * (x * density).sum())


def best_shares(draws: ArrayLike, *, greater_is_better: bool = True) -> Floats:
    """Share of resamples in which each system comes first, shape (system,); ties are split.

    Descriptive: it is no posterior probability, and near ties it does not settle as items are
    added (Hall & Miller 2009).

    Examples
    --------
    >>> best_shares([[1, 2, 2], [3, 1, 2]]).tolist()
    [0.5, 0.25, 0.25]
    """
    values = _drawn(draws)
    first = _first(values if greater_is_better else -values)
    shares: Floats = (first / first.sum(axis=1, keepdims=True)).mean(axis=0)
    return shares


def rank_shares(draws: ArrayLike, *, greater_is_better: bool = True) -> Floats:
    """Share of resamples in which each system (row) has each rank (column), shape (m, m).

    Systems that tie share the ranks that they take up equally, so that rows and columns add up
    to 1 and the first column is `best_shares`. Descriptive, as those are.

    Examples
    --------
    >>> rank_shares([[1, 2, 2], [3, 1, 2]]).tolist()
    [[0.5, 0.0, 0.5], [0.25, 0.25, 0.5], [0.25, 0.75, 0.0]]
    """
    values = _drawn(draws)
    n_resamples, m = values.shape
    # One more column: where the ranks of a tie stop, its share is taken back, and a running sum
    # spreads it over them.
    steps = np.zeros(m * (m + 1))
    for start in range(0, n_resamples, ROWS):
        block = values[start : start + ROWS]
        system = np.argsort(-block if greater_is_better else block, axis=1, kind="stable")
        opens, closes = _runs(np.take_along_axis(block, system, axis=1))
        share = 1.0 / (closes - opens)
        for ends, sign in ((opens, 1.0), (closes, -1.0)):
            where = (system * (m + 1) + ends).ravel()
            steps += np.bincount(where, weights=sign * share.ravel(), minlength=steps.size)
    shares = np.cumsum(steps.reshape(m, m + 1), axis=1)[:, :m] / n_resamples
    # The running sum leaves rounding where a share is 0.
    cleaned: Floats = np.clip(np.round(shares, 12), 0.0, 1.0)
    return cleaned


def _drawn(draws: ArrayLike) -> Floats:
    values = np.asarray(draws, dtype=np.float64)
    return checked(np.zeros(values.shape[-1:]), values)[1]


def _tolerance(values: Floats) -> Floats:
    """How far two values of a resample, one a row, may be apart and still be equal."""
    widest: Floats = 1e-12 * np.abs(values).max(axis=1, keepdims=True)
    return widest


def _first(oriented: Floats) -> NDArray[np.bool_]:
    """Mark the greatest values of each row."""
    marked: NDArray[np.bool_] = oriented >= oriented.max(axis=1, keepdims=True) - _tolerance(
        oriented
    )
    return marked


def _runs(ordered: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where the run of equal values that each stands in opens and closes."""
    at = np.arange(ordered.shape[1])
    new = np.ones(ordered.shape, dtype=np.bool_)
    new[:, 1:] = np.abs(np.diff(ordered, axis=1)) > _tolerance(ordered)
    opens = np.maximum.accumulate(np.where(new, at, 0), axis=1)
    ends = np.ones(ordered.shape, dtype=np.bool_)
    ends[:, :-1] = new[:, 1:]
    closes = np.minimum.accumulate(np.where(ends, at + 1, at.size)[:, ::-1], axis=1)[:, ::-1]
    return opens, closes
