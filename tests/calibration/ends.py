"""Interval methods for means, of many data sets at once.

The resamples are those of deadheat's own streams. A hundred data sets share one set of them:
within one data set nothing changes, and the cost of drawing is paid once. `test_choices.py` holds
every method against `deadheat.compare`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import special

from deadheat.intervals.expanded import widened
from deadheat.resampling.counts import counts
from deadheat.rng import BLOCK, Purpose, Stream

Floats = NDArray[np.float64]
Ends = tuple[Floats, Floats]
"""Lower and upper ends, shape (set,) each; NaN where there is no interval."""

TAIL = 0.025
Z = float(special.ndtri(1.0 - TAIL))
MAX_UNDEFINED = 0.01
"""Share of resamples without a standard error from which deadheat refuses bootstrap-t."""


def drawn_counts(n: int, n_resamples: int, seed: int) -> Floats:
    """Draw how often each of n units occurs, shape (n, resample), as `rng=seed` draws it."""
    ones = np.ones(n, dtype=np.int64)
    blocks = range(-(-n_resamples // BLOCK))
    drawn = [counts(Stream(seed, Purpose.BOOTSTRAP, block), ones, n, BLOCK) for block in blocks]
    return np.concatenate(drawn)[:n_resamples].T.astype(np.float64)


@dataclass(frozen=True, kw_only=True)
class Resampled:
    """A mean of many data sets on their resamples, for methods of the bootstrap distribution.

    Attributes
    ----------
    n : int
        Units of a data set.
    estimate, acceleration : ndarray, shape (set,)
    draws : ndarray, shape (set, resample)
    """

    n: int
    estimate: Floats
    acceleration: Floats
    draws: Floats

    @cached_property
    def ascending(self) -> Floats:
        return np.sort(self.draws, axis=1)

    def at(self, lower: Floats | float, upper: Floats | float) -> Ends:
        """Order statistics that leave these tails outside, shape (set,) or one for all."""
        size = self.draws.shape[1]
        sets = np.arange(len(self.draws))

        def rank(tail: Floats | float) -> NDArray[np.intp]:
            found = np.floor((size + 1) * np.broadcast_to(tail, sets.shape) + 1e-9)
            return np.clip(found, 1, size).astype(np.intp)

        return self.ascending[sets, rank(lower) - 1], self.ascending[sets, size - rank(upper)]

    def percentile(self, tail: float = TAIL) -> Ends:
        return self.at(tail, tail)

    def expanded(self) -> Ends:
        return self.percentile(widened(TAIL, self.n))

    def bca(self, tail: float = TAIL) -> Ends:
        """BCa; the percentile interval where the level map turns over (Efron 1987)."""
        size = self.draws.shape[1]
        spread = np.abs(self.draws).max(axis=1)
        apart = self.draws - self.estimate[:, None]
        tied = np.abs(apart) <= 1e-12 * np.maximum(spread, np.abs(self.estimate))[:, None]
        share = ((apart < 0.0) & ~tied).mean(axis=1) + 0.5 * tied.mean(axis=1)
        z0 = special.ndtri(np.clip(share, 1.0 / (size + 1), size / (size + 1)))
        tails = []
        usable = np.ones(len(z0), dtype=np.bool_)
        for side in (1.0, -1.0):
            z = side * z0 + special.ndtri(tail)
            scale = 1.0 - side * self.acceleration * z
            usable &= scale > 0.0
            moved = z / np.where(scale > 0.0, scale, 1.0)
            tails.append(special.ndtr(side * z0 + moved))
        lower, upper = (np.where(usable, found, TAIL) for found in tails)
        return self.at(lower, upper)

    def bca_t(self) -> Ends:
        return self.bca(widened(TAIL, self.n))


def acceleration(deviations: Floats) -> Floats:
    """Return sum u^3 / (6 (sum u^2)^1.5) of each row; 0 where nothing differs."""
    squares = (deviations**2).sum(axis=1)
    cubes = (deviations**3).sum(axis=1)
    return np.where(squares > 0.0, cubes / (6.0 * np.where(squares > 0.0, squares, 1.0) ** 1.5), 0)


def of_means(scores: Floats, drawn: Floats) -> dict[str, Ends]:
    """Return intervals of the means of data sets, by method.

    Parameters
    ----------
    scores : ndarray, shape (set, item)
    drawn : ndarray, shape (item, resample)
        How often each item occurs.

    Returns
    -------
    dict
        `studentized` is NaN where deadheat refuses it.
    """
    n = scores.shape[1]
    mean = scores.mean(axis=1)
    centred = scores - mean[:, None]
    shifts = centred @ drawn / n
    plain = Resampled(
        n=n,
        estimate=np.zeros(len(scores)),
        acceleration=acceleration(centred),
        draws=shifts,
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        t_replicates = _studentized(centred, shifts, drawn)
        error = scores.std(axis=1, ddof=1) / math.sqrt(n)
        error[np.ptp(scores, axis=1) == 0.0] = np.nan
        about_zero = {
            "percentile": plain.percentile(),
            "expanded": plain.expanded(),
            "bca": plain.bca(),
            "bca_t": plain.bca_t(),
            "studentized": _bootstrap_t(t_replicates, error),
            **_closed(centred, error),
        }
    return {name: (mean + low, mean + high) for name, (low, high) in about_zero.items()}


def _studentized(centred: Floats, shifts: Floats, drawn: Floats) -> Floats:
    n = centred.shape[1]
    variance = centred**2 @ drawn / n - shifts**2
    rounding = n * 2.0**-48 * (centred**2).max(axis=1)
    variance[variance <= rounding[:, None]] = np.nan
    t: Floats = shifts / np.sqrt(variance) * math.sqrt(n - 1)
    return t


def _bootstrap_t(t_replicates: Floats, error: Floats) -> Ends:
    """Return bootstrap-t ends (Efron 1981); undefined replicates are left out."""
    ascending = np.sort(t_replicates, axis=1)  # NaN goes last.
    size = ascending.shape[1] - np.isnan(ascending).sum(axis=1)
    rank = np.maximum(np.floor((size + 1) * TAIL + 1e-9).astype(np.intp), 1)
    sets = np.arange(len(ascending))
    refused = size < (1.0 - MAX_UNDEFINED) * ascending.shape[1]
    low, high = ascending[sets, rank - 1], ascending[sets, np.maximum(size - rank, 0)]
    return (
        np.where(refused, np.nan, -high * error),
        np.where(refused, np.nan, -low * error),
    )


def _closed(centred: Floats, error: Floats) -> dict[str, Ends]:
    """Student's t, and the two published t intervals that allow for skewness without draws.

    Johnson (1978) moves the centre by skewness s / (6 sqrt n) standard errors. Hall (1992)
    transforms t by g(t) = t + s t^2 / (3 sqrt n) + s^2 t^3 / (27 n) + s / (6 sqrt n), whose inverse
    is used, with quantiles of Student's t.
    """
    n = centred.shape[1]
    t = float(special.stdtrit(n - 1, 1.0 - TAIL))
    skewness = (centred**3).mean(axis=1) / (centred**2).mean(axis=1) ** 1.5
    moved = skewness / (6.0 * math.sqrt(n))

    def inverse(x: float) -> Floats:
        slope = skewness / math.sqrt(n)
        safe = np.where(np.abs(slope) > 1e-9, slope, 1.0)
        bent = 3.0 / safe * (np.cbrt(1.0 + safe * (x - moved)) - 1.0)
        return np.where(np.abs(slope) > 1e-9, bent, x)

    return {
        "student_t": (-t * error, t * error),
        "johnson_t": ((moved - t) * error, (moved + t) * error),
        "hall_t": (-inverse(t) * error, -inverse(-t) * error),
    }


def of_clusters(totals: Floats, sizes: Floats, drawn: Floats) -> dict[str, Ends]:
    """Return intervals of the means of clustered data sets, by method.

    Parameters
    ----------
    totals, sizes : ndarray, shape (set, cluster)
        Sum of the scores of a cluster, and its items.
    drawn : ndarray, shape (cluster, resample)
        How often each cluster occurs.
    """
    n = sizes.sum(axis=1)
    mean = totals.sum(axis=1) / n
    residuals = totals - sizes * mean[:, None]
    left_out = -residuals / (n[:, None] - sizes)
    shifts = Resampled(
        n=totals.shape[1],
        estimate=np.zeros(len(totals)),
        acceleration=acceleration(left_out.mean(axis=1)[:, None] - left_out),
        draws=(residuals @ drawn) / (sizes @ drawn),
    )
    about_zero = {
        "percentile": shifts.percentile(),
        "expanded": shifts.expanded(),
        "bca": shifts.bca(),
        "bca_t": shifts.bca_t(),
        "cr2": _cr2(residuals, sizes, n),
    }
    return {name: (mean + low, mean + high) for name, (low, high) in about_zero.items()}


def _cr2(residuals: Floats, sizes: Floats, n: Floats) -> Ends:
    """Bell & McCaffrey's error and Satterthwaite's t.

    Of P_cd = w_c w_d (m_c [c = d] - m_c m_d / n) with w_c^2 = 1 / (1 - m_c / n) the trace is n and
    the diagonal is m_c.
    """
    kept = 1.0 - sizes / n[:, None]
    error = np.sqrt((residuals**2 / kept).sum(axis=1)) / n
    a = sizes**2 / kept
    apart = (a.sum(axis=1) ** 2 - (a**2).sum(axis=1)) / n**2
    df = n**2 / ((sizes**2).sum(axis=1) + apart)
    half = special.stdtrit(df, 1.0 - TAIL) * error
    return -half, half
