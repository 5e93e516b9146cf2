"""Sums of independent whole steps, exactly: the engine of the lattice distributions.

The pmf of the sum follows from its characteristic function at the frequencies 2 pi k / M by a
discrete Fourier transform over a window of M points. Outside the window lies less than 2e-18 by
Bernstein's inequality, so the window costs O(sd) and not O(n).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deadheat.distributions import Lattice
from deadheat.errors import InferenceError

MAX_POINTS = 1 << 22
"""Lattices of more points are not built."""

WINDOW_LOG = 41.5
"""Minus the logarithm of what may lie beyond either side of the window."""

SPECTRUM_FLOOR = -45.0
"""Logarithm under which a value of the characteristic function is taken as zero."""

MAX_TERMS = 1 << 26
"""Sines that may be computed for one distribution."""

BLOCK_TERMS = 1 << 18


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """`n` independent draws of whole steps with given probabilities."""

    steps: NDArray[np.int64]
    probabilities: NDArray[np.float64]
    n: int

    @property
    def mean(self) -> float:
        return float(np.dot(self.probabilities, self.steps))

    @property
    def variance(self) -> float:
        deviation = self.steps - self.mean
        return float(np.dot(self.probabilities, deviation * deviation))


def part(steps: ArrayLike, multiplicities: ArrayLike, n: int | None = None) -> Part:
    """Return the steps that can occur; n defaults to the sum of the multiplicities.

    Raises
    ------
    InferenceError
        If the multiplicities are negative or count nothing.
    """
    weights = np.asarray(multiplicities, dtype=np.float64)
    total = float(weights.sum())
    if not total > 0.0 or weights.min() < 0.0:
        raise InferenceError(
            "the multiplicities do not count any unit.", fix="Give at least one unit."
        )
    occurs = weights > 0.0
    return Part(
        steps=np.asarray(steps, dtype=np.int64)[occurs],
        probabilities=weights[occurs] / total,
        n=round(total) if n is None else n,
    )


def reach(variance: float, largest: float, log_tail: float) -> float:
    """Distance that a centred sum exceeds with probability exp(-log_tail) at most.

    Bernstein's inequality for independent terms of at most `largest` (Boucheron, Lugosi and
    Massart 2013, eq. 2.10).
    """
    linear = largest * log_tail / 3.0
    return linear + math.sqrt(linear * linear + 2.0 * variance * log_tail)


def convolved(
    parts: Sequence[Part],
    denominator: float,
    *,
    log_bound: Callable[[int], NDArray[np.float64]] | None = None,
) -> Lattice | None:
    """Distribution of the sum of all draws of all parts, divided by `denominator`.

    Parameters
    ----------
    parts : sequence of Part
    log_bound : callable, optional
        Maps M to an upper bound of log|phi(2 pi k / M)|, k = 0 .. M // 2. By default it is found
        from the transform of each part where there are many frequencies.

    Returns
    -------
    Lattice or None
        None when it would take more than `MAX_POINTS` points or `MAX_TERMS` sines.
    """
    lowest = sum(one.n * int(one.steps.min()) for one in parts)
    gap = math.gcd(*(int(np.gcd.reduce(one.steps - one.steps.min())) for one in parts))
    if gap == 0:
        return Lattice(pmf=np.ones(1), start=lowest, denominator=denominator)
    small = [Part((one.steps - one.steps.min()) // gap, one.probabilities, one.n) for one in parts]
    mean = sum(one.n * one.mean for one in small)
    variance = sum(one.n * one.variance for one in small)
    up = max(float(one.steps.max()) - one.mean for one in small)
    down = max(one.mean for one in small)
    top = sum(one.n * int(one.steps.max()) for one in small)
    start = max(0, math.floor(mean - reach(variance, down, WINDOW_LOG)))
    stop = min(top, math.ceil(mean + reach(variance, up, WINDOW_LOG))) + 1
    if (stop - start) * gap > MAX_POINTS:
        return None
    size = _fast_length(stop - start)
    kept = np.arange(1, size // 2 + 1)
    n_steps = sum(one.steps.size for one in small)
    if kept.size * n_steps > BLOCK_TERMS:
        bound = log_bound(size) if log_bound else _log_modulus(small, size)
        kept = kept[bound[1:] > SPECTRUM_FLOOR]
    if kept.size * n_steps > MAX_TERMS:
        return None
    angle = 2.0 * np.pi / size * kept.astype(np.float64)
    log_phi = sum((one.n * log_characteristic(one, angle) for one in small), np.zeros(1, complex))
    spectrum = np.zeros(size // 2 + 1, dtype=np.complex128)
    spectrum[0] = 1.0
    spectrum[kept] = np.exp(np.conj(log_phi) - 1j * angle * (mean - start))
    pmf = np.zeros((stop - start - 1) * gap + 1)
    pmf[::gap] = np.fft.irfft(spectrum, size)[: stop - start]
    return Lattice(pmf=pmf, start=lowest + start * gap, denominator=denominator)


def log_characteristic(one: Part, angle: NDArray[np.float64]) -> NDArray[np.complex128]:
    """Log E exp(i angle (step - mean)), accurate relative to itself near angle 0."""
    deviation = one.steps - one.mean
    result = np.empty(angle.size, dtype=np.complex128)
    rows = max(1, BLOCK_TERMS // deviation.size)
    for start in range(0, angle.size, rows):
        turn = np.multiply.outer(angle[start : start + rows], deviation)
        sine = np.sin(turn) @ one.probabilities
        np.sin(0.5 * turn, out=turn)
        result[start : start + rows] = log_of(-2.0 * ((turn * turn) @ one.probabilities), sine)
    return result


def log_of(real: NDArray[np.float64], imag: NDArray[np.float64]) -> NDArray[np.complex128]:
    """Log(1 + real + i imag), accurate for small arguments too."""
    excess = 2.0 * real + real * real + imag * imag
    modulus = np.where(
        excess > -0.5,
        0.5 * np.log1p(np.maximum(excess, -0.5)),
        # A finite logarithm of zero: infinite times a complex number is not a number.
        np.log(np.maximum(np.hypot(1.0 + real, imag), 1e-300)),
    )
    return np.asarray(modulus + 1j * np.arctan2(imag, 1.0 + real), dtype=np.complex128)


def binomial(n: int, p: float) -> tuple[int, NDArray[np.float64]]:
    """First count and pmf of Binomial(n, p), accurate relative to itself down to 1e-290."""
    if n == 0 or p <= 0.0 or p >= 1.0:
        return (n if p >= 1.0 else 0), np.ones(1)
    distance = reach(n * p * (1.0 - p), max(p, 1.0 - p), 670.0)
    first = max(0, math.floor(n * p - distance))
    last = min(n, math.ceil(n * p + distance))
    count = np.arange(first, last, dtype=np.float64)
    logs = np.zeros(last - first + 1)
    np.cumsum(np.log((n - count) / (count + 1.0)) + math.log(p / (1.0 - p)), out=logs[1:])
    pmf = np.exp(logs - logs.max())
    return first, pmf / pmf.sum()


def _log_modulus(parts: Sequence[Part], size: int) -> NDArray[np.float64]:
    total = np.zeros(size // 2 + 1)
    for one in parts:
        wrapped = np.bincount(one.steps % size, weights=one.probabilities, minlength=size)
        total += one.n * np.log(np.maximum(np.abs(np.fft.rfft(wrapped)), 1e-300))
    return total


def _fast_length(least: int) -> int:
    """Least even 2^a 3^b 5^c that is not below `least`."""
    best = 1 << max(1, (least - 1).bit_length())
    for odd in (3, 5, 9, 15, 25, 27, 45, 75, 81, 125):
        candidate = odd << max(1, (-(-least // odd) - 1).bit_length())
        best = min(best, candidate)
    return best
