"""Distributions of sums of real values by inverting characteristic functions, with a bound.

With S the centred sum wrapped on a period L, phi_k its characteristic function at 2 pi k / L and
Phi the weights of Vaaler (1985, theorem 6; Bull. Amer. Math. Soc. 12), for every K

    |P(S <= x) - (x - a)/L + sum_{k<=K} Phi(k/(K+1)) Im(phi_k (e(-kx) - e(-ka))) / (pi k)|
        <= (f(x) + f(a)) L / (2K + 2) + P(S outside the period),

f the density of S smoothed by Fejer's kernel of order K and a the lower edge of the period. Some
tens of phi_k are computed; the many others up to K are bounded by `deadheat.resampling.decay`, so
that the bound holds for discrete data too. It is proportional to the density: it is the largest
in the middle and far smaller in the tails.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deadheat.resampling.characteristic import log_phi_flipped, log_phi_mean
from deadheat.resampling.convolution import reach
from deadheat.resampling.decay import Decay, decay_of
from deadheat.resampling.series import Inverted

MAX_ERROR = 1e-5
"""Distributions whose error is not bounded by this are not returned."""

MAX_FLOOR = 1e-6

WINDOW_LOG = 32.0
"""Minus the logarithm of what may lie outside the period on either side."""

NEGLIGIBLE = 1e-14
"""Effect of all the frequencies that may be left out of the series where it is affordable."""

ROUNDING = 1e-12
"""Allowance for float64 arithmetic, and so the least floor."""

EFFORTS = (1 << 20, 1 << 23)
"""Sines that may be computed: at first, and where that does not suffice."""

MAX_FREQUENCIES = 1 << 14


def inverted_mean(values: ArrayLike, multiplicities: ArrayLike | None = None) -> Inverted | None:
    """Ideal bootstrap distribution of the mean of any real values.

    Parameters
    ----------
    values : array_like, shape (N,)
    multiplicities : array_like of int, shape (N,), optional

    Returns
    -------
    Inverted or None
        None when the error cannot be bounded by `MAX_ERROR`: few values, or values that lie so
        near a lattice that the distribution has steps. The caller then draws.
    """
    x, weights, scale = _prepared(values, multiplicities)
    n = float(weights.sum())
    centre = float((weights * x).sum()) / n if x.size else 0.0
    deviation = x - centre
    variance = float((weights * deviation * deviation).sum())
    if x.size < 2 or not variance > 0.0:
        return None
    up, down = float(deviation[-1]), -float(deviation[0])
    window = (
        -min(n * down, reach(variance, down, WINDOW_LOG)),
        min(n * up, reach(variance, up, WINDOW_LOG)),
    )
    decay = decay_of(x, weights, size=_transform_size(n))
    if decay is None:
        return None
    inside = np.maximum(1.0 - decay.share * (1.0 - decay.bounds), 1e-300)
    return _inverted(
        lambda turn: log_phi_mean(deviation, weights, turn),
        deviation,
        window=window,
        edges=decay.edges,
        log_bounds=n * np.log(inside),
        variance=variance,
        centre=centre * scale,
        unit=scale / n,
    )


def inverted_signflip(
    values: ArrayLike, multiplicities: ArrayLike | None = None
) -> Inverted | None:
    """Distribution of sum(s_i values_i) over fair random signs s_i.

    Parameters and return value as for `inverted_mean`; the statistic is a total, not a mean.
    """
    x, weights, scale = _prepared(values, multiplicities)
    differs = x != 0.0
    x, weights = x[differs], weights[differs]
    if x.size < 2:
        return None
    x, weights = _sorted(np.abs(x), weights)
    n = float(weights.sum())
    variance = float((weights * x * x).sum())
    edge = min(math.sqrt(2.0 * variance * WINDOW_LOG), float((weights * x).sum()))
    decay = decay_of(x, weights, size=_transform_size(n))
    if decay is None:
        return None
    edges, log_bounds = _flipped_bounds(decay, x, weights)
    return _inverted(
        lambda turn: log_phi_flipped(x, weights, turn),
        x,
        window=(-edge, edge),
        edges=edges,
        log_bounds=log_bounds,
        variance=variance,
        centre=0.0,
        unit=scale,
    )


def _flipped_bounds(
    decay: Decay, x: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Bound log prod|cos(t x)| by -t^2 x^2 / 2 (|t x| <= pi / 2) and by the bulk's phi(2t).

    The mean of log|cos| is at most log(mean cos^2) / 2 (Jensen), and cos^2 t = (1 + cos 2t) / 2.
    """
    edges = 0.5 * decay.edges
    n_bulk = decay.share * float(weights.sum())
    by_bulk = 0.5 * n_bulk * np.log(0.5 * (1.0 + decay.bounds))
    squares = np.concatenate([[0.0], np.cumsum(weights * x * x)])
    small = np.searchsorted(x, 0.5 * np.pi / edges[1:], side="right")
    by_square = -0.5 * edges[:-1] ** 2 * squares[small]
    return edges, np.minimum(by_bulk, by_square)


def _inverted(
    log_phi: Callable[[NDArray[np.float64]], NDArray[np.complex128]],
    terms: NDArray[np.float64],
    *,
    window: tuple[float, float],
    edges: NDArray[np.float64],
    log_bounds: NDArray[np.float64],
    variance: float,
    centre: float,
    unit: float,
) -> Inverted | None:
    low, high = 1.01 * window[0], 1.01 * window[1]
    period = high - low
    turn = 2.0 * np.pi / period
    first = np.maximum(np.ceil(edges[:-1] / turn), 1.0)
    last = np.ceil(edges[1:] / turn) - 1.0
    count = np.maximum(last - first + 1.0, 0.0)
    mass = 2.0 * count * np.exp(np.maximum(log_bounds, -45.0))
    effect = mass / (np.pi * first)
    # Sizes of ascending terms fall, then rise: a sort that merges runs has next to nothing to do.
    ascending = np.sort(np.abs(terms), kind="stable")
    for effort in EFFORTS:
        affordable = _affordable(ascending, turn, effort)
        beyond = np.cumsum(np.where(first > affordable, effect, 0.0))
        cell = int(np.argmin((1.0 + np.cumsum(mass)) / (last + 1.0) + beyond))
        order = float(last[cell])
        # What is left out when the series ends with the cell before: from the far end inwards.
        left_out = np.cumsum(effect[cell::-1])[::-1]
        enough = int(np.argmax(np.append(left_out, 0.0) <= NEGLIGIBLE))
        wanted = first[enough] - 1.0 if enough <= cell else order
        size = int(min(wanted, affordable, order))
        # The cell in which the series ends counts as a whole.
        rest = slice(int(np.searchsorted(last, size, side="right")), cell + 1)
        half = 0.5 / (order + 1.0)
        floor = float(effect[rest].sum() + 2.0 * half * mass[rest].sum()) + ROUNDING
        if size >= 1 and floor <= MAX_FLOOR:
            break
    else:
        return None
    k = np.arange(1.0, size + 1.0)
    phi = np.exp(log_phi(turn * k))
    modulus = np.abs(phi)
    at_edge = (phi * np.exp(-1j * turn * k * low)).real * (1.0 - k / (order + 1.0))
    floor += half * abs(1.0 + 2.0 * float(at_edge.sum())) + 2.0 * math.exp(-WINDOW_LOG)
    error = half * (1.0 + 2.0 * float(modulus.sum())) + floor
    if error > MAX_ERROR:
        return None
    used = np.flatnonzero(modulus > 1e-18)
    return Inverted(
        mean=centre,
        sd=math.sqrt(variance) * unit,
        error_bound=error,
        floor=floor,
        low=centre + low * unit,
        high=centre + high * unit,
        phi=phi[: used[-1] + 1],
        order=order,
    )


def _affordable(ascending: NDArray[np.float64], turn: float, effort: int) -> float:
    """Most frequencies for which the values far from zero cost no more than `effort`."""
    affordable = 64
    while affordable < MAX_FREQUENCIES:
        bound = 0.25 / (2 * affordable * turn)
        far = ascending.size - int(np.searchsorted(ascending, bound, side="right"))
        if 2 * affordable * far > effort:
            break
        affordable *= 2
    return float(affordable)


def _transform_size(n: float) -> int:
    wanted = 1e7 / math.sqrt(n)
    return 1 << min(max(math.ceil(math.log2(wanted)), 15), 18)


def _prepared(
    values: ArrayLike, multiplicities: ArrayLike | None
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Sorted values divided by a power of two near the largest, their weights, that power."""
    x = np.asarray(values, dtype=np.float64)
    weights = np.ones(x.size) if multiplicities is None else np.asarray(multiplicities, float)
    largest = float(np.abs(x).max()) if x.size else 0.0
    if not (math.isfinite(largest) and largest > 0.0):
        return np.zeros(0), np.zeros(0), 1.0
    scale = 2.0 ** math.frexp(largest)[1]
    x, weights = _sorted(x / scale, weights)
    return x[weights > 0.0], weights[weights > 0.0], scale


def _sorted(
    x: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if np.all(x[1:] >= x[:-1]):
        return x, weights
    if np.ptp(weights) == 0.0:
        return np.sort(x), weights
    order = np.lexsort((weights, x))
    return x[order], weights[order]
