"""A distribution given by a trigonometric series with a known error."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Inverted:
    """A distribution given by a trigonometric series; answers what every distribution answers.

    Attributes
    ----------
    mean, sd : float
        Of the distribution, exact.
    error_bound : float
        No probability is wrong by more than this. At one point `error_at` is sharper.
    floor : float
        A tail found below this is only known to be below it.
    low, high : float
        Edges of the period; less than `floor` lies outside.
    phi : ndarray, shape (K,), complex
        Characteristic function of the centred statistic at 2 pi k / (high - low), k = 1 .. K.
    order : float
        Up to which k the others are known to be negligible.
    """

    mean: float
    sd: float
    error_bound: float
    floor: float
    low: float
    high: float
    phi: NDArray[np.complex128]
    order: float

    @property
    def n_resamples(self) -> None:
        return None

    def at_most(self, x: float) -> float:
        if not self.low < x < self.high:
            return 0.0 if x <= self.low else 1.0
        return min(max(self._cdf(x), 0.0), 1.0)

    def at_least(self, x: float) -> float:
        if not self.low < x < self.high:
            return 1.0 if x <= self.low else 0.0
        return min(max(1.0 - self._cdf(x), 0.0), 1.0)

    def error_at(self, x: float) -> float:
        """Bound of the error of `at_most(x)` and `at_least(x)`."""
        fejer = 1.0 - self._terms() / (self.order + 1.0)
        smoothed = max(self._density(x, fejer), 0.0) * (self.high - self.low)
        return min(self.error_bound, smoothed / (2.0 * self.order + 2.0) + self.floor)

    def resolves(self, tail: float) -> bool:
        return tail > self.floor

    def lower(self, tail: float) -> float:
        return self._solve(tail)

    def upper(self, tail: float) -> float:
        return self._solve(1.0 - tail)

    def lower_error(self, tail: float) -> float:
        return 0.0

    def upper_error(self, tail: float) -> float:
        return 0.0

    def _cdf(self, x: float) -> float:
        period, k = self.high - self.low, self._terms()
        turn = 2.0 * np.pi / period * k
        wave = np.exp(-1j * turn * (x - self.mean)) - np.exp(-1j * turn * (self.low - self.mean))
        series = (self.phi * wave).imag / (np.pi * k) * _vaaler(k / (self.order + 1.0))
        return float((x - self.low) / period - series.sum())

    def _density(self, x: float, weights: NDArray[np.float64]) -> float:
        period = self.high - self.low
        wave = np.exp(-2j * np.pi / period * self._terms() * (x - self.mean))
        return float((1.0 + 2.0 * ((self.phi * wave).real * weights).sum()) / period)

    def _terms(self) -> NDArray[np.float64]:
        return np.arange(1.0, self.phi.size + 1.0)

    def _solve(self, share: float) -> float:
        """Find x with P(T <= x) = share: Newton's steps within a bracket, else halving."""
        left, right = self.low, self.high
        if share <= self.floor or share >= 1.0 - self.floor:
            return left if share <= self.floor else right
        x = min(max(self.mean + self.sd * float(special.ndtri(share)), left), right)
        weights = _vaaler(self._terms() / (self.order + 1.0))
        for _ in range(200):
            excess = self._cdf(x) - share
            left, right = (left, x) if excess > 0.0 else (x, right)
            density = self._density(x, weights)
            step = excess / density if density > 0.0 else math.inf
            following = x - step
            if not left < following < right:
                following = 0.5 * (left + right)
            if abs(following - x) <= 1e-14 * self.sd:
                return following
            x = following
        return x


def _vaaler(share: NDArray[np.float64]) -> NDArray[np.float64]:
    angle = np.pi * share
    weights: NDArray[np.float64] = (1.0 - share) * angle / np.tan(angle) + share
    return weights
