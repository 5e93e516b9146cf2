"""Logarithms of characteristic functions of sums, at a few frequencies.

Values near zero, on the scale of the largest frequency, enter through power sums, the few others
one by one: the cost hardly depends on the number of frequencies.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy import special

from deadheat.resampling.convolution import log_of

NEAR = 0.25
"""Largest angle that enters through the power series."""

MEAN_TERMS = 14
FLIP_TERMS = 10
CHUNK = 1 << 13
BLOCK = 1 << 18


def log_phi_mean(
    deviations: NDArray[np.float64], weights: NDArray[np.float64], turn: NDArray[np.float64]
) -> NDArray[np.complex128]:
    """Return n log E exp(i t X), X a centred value at random and n the sum of the weights.

    Parameters
    ----------
    deviations : ndarray, shape (N,), ascending
    weights : ndarray, shape (N,)
    turn : ndarray, shape (K,), ascending
        Frequencies.
    """
    n = float(weights.sum())
    near = _near(deviations, turn)
    radius = NEAR / float(turn[-1])
    sums = _power_sums(deviations[near] / radius, weights[near], MEAN_TERMS) / n
    scaled = np.multiply.outer(turn * radius, np.ones(MEAN_TERMS))
    powers = np.cumprod(scaled, axis=1) / special.factorial(np.arange(1, MEAN_TERMS + 1))
    signs = np.array([(-1.0) ** (j // 2) for j in range(1, MEAN_TERMS + 1)])
    series = powers * (sums * signs)
    real, imag = series[:, 1::2].sum(axis=1), series[:, 0::2].sum(axis=1)
    far, counts = _far(deviations, near), _far(weights, near) / n
    rows = max(1, BLOCK // max(far.size, 1))
    for start in range(0, turn.size if far.size else 0, rows):
        block = slice(start, start + rows)
        angle = np.multiply.outer(turn[block], far)
        imag[block] += np.sin(angle) @ counts
        half = np.sin(0.5 * angle)
        real[block] -= 2.0 * ((half * half) @ counts)
    return n * log_of(real, imag)


def log_phi_flipped(
    values: NDArray[np.float64], weights: NDArray[np.float64], turn: NDArray[np.float64]
) -> NDArray[np.complex128]:
    """Sum of weights log cos(t values), with i pi for each negative cosine."""
    near = _near(values, turn)
    radius = NEAR / float(turn[-1])
    ratio = values[near] / radius
    sums = _power_sums(ratio * ratio, weights[near], FLIP_TERMS)
    square = (turn * radius) ** 2
    powers = np.cumprod(np.multiply.outer(square, np.ones(FLIP_TERMS)), axis=1)
    result = (powers @ (sums * _log_cosine_coefficients())).astype(np.complex128)
    far, counts = _far(values, near), _far(weights, near)
    rows = max(1, BLOCK // max(far.size, 1))
    for start in range(0, turn.size if far.size else 0, rows):
        block = slice(start, start + rows)
        cosine = np.cos(np.multiply.outer(turn[block], far))
        flips = (cosine < 0.0) @ counts
        result[block] += np.log(np.maximum(np.abs(cosine), 1e-300)) @ counts
        result[block] += 1j * np.pi * (flips % 2.0)
    return result


def _near(values: NDArray[np.float64], turn: NDArray[np.float64]) -> slice:
    radius = NEAR / float(turn[-1])
    low = int(np.searchsorted(values, -radius, side="left"))
    return slice(low, int(np.searchsorted(values, radius, side="right")))


def _far(array: NDArray[np.float64], near: slice) -> NDArray[np.float64]:
    return np.concatenate([array[: near.start], array[near.stop :]])


def _power_sums(
    values: NDArray[np.float64], weights: NDArray[np.float64], n_powers: int
) -> NDArray[np.float64]:
    """Sum weights values^j, j = 1 .. n_powers."""
    sums = np.zeros(n_powers)
    for start in range(0, values.size, CHUNK):
        base = values[start : start + CHUNK]
        power = weights[start : start + CHUNK] * base
        for j in range(n_powers):
            sums[j] += power.sum()
            power *= base
    return sums


def _log_cosine_coefficients() -> NDArray[np.float64]:
    """Coefficients of y^(2j) in log cos y, j = 1 .. FLIP_TERMS (Abramowitz & Stegun 4.3.72)."""
    bernoulli = special.bernoulli(2 * FLIP_TERMS)
    return np.array(
        [
            -(2.0 ** (2 * j - 1))
            * (4.0**j - 1.0)
            * abs(bernoulli[2 * j])
            / (j * math.factorial(2 * j))
            for j in range(1, FLIP_TERMS + 1)
        ]
    )
