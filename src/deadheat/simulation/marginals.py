"""What a latent standard normal number is worth as a score.

A score is the quantile of its distribution at Phi(z). So each system has the distribution that
was asked for, with exactly the mean that was asked for, whatever the correlations are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import special

from deadheat.amounts import inside, number, whole
from deadheat.errors import InferenceError, UsageError

Floats = NDArray[np.float64]

MOST_POINTS = 10_000
"""Points of a graded score."""

NARROWEST = 1e-6
"""Of the greatest standard deviation that beta scores can have: quantiles of narrower ones take
SciPy milliseconds each, or come out as NaN (found by a scan of both)."""

FINEST = 1e-9
"""Standard deviation over the size of the mean, below which normal scores lose it to rounding."""

LARGEST = 1e50
"""Size of a mean or standard deviation of real scores, whose squares have to be numbers."""


class Marginal(Protocol):
    """The distribution of the scores of one system."""

    @property
    def mean(self) -> float:
        """Its mean."""
        ...

    def of(self, z: Floats) -> Floats:
        """Return the score of each latent number, same shape; greater for a greater one.

        Parameters
        ----------
        z : ndarray
            Latent standard normal numbers.
        """
        ...


@dataclass(frozen=True, slots=True)
class Points:
    """So many of K points, as a share: Binomial(K, mean) / K. With K = 1 a score is 0 or 1.

    Examples
    --------
    >>> Points(4, 0.5).of(np.array([-3.0, 0.0, 3.0])).tolist()
    [0.0, 0.5, 1.0]
    """

    points: int
    mean: float
    _ends: Floats = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        whole("--levels", self.points, 1, MOST_POINTS, f"Give 1 to {MOST_POINTS:,} points.")
        fix = "An accuracy, or a share of points, lies between 0 and 1, such as 0.72."
        inside("the mean", self.mean, 0.0, 1.0, fix)
        # Above its own end a score has more than k points: P(X > k) from the end that keeps digits.
        more = special.bdtrc(np.arange(self.points), self.points, self.mean)
        object.__setattr__(self, "_ends", -special.ndtri(more))

    def of(self, z: Floats) -> Floats:
        if self.points == 1:
            right: Floats = (z > self._ends[0]).astype(np.float64)
            return right
        found: Floats = np.searchsorted(self._ends, z) / self.points
        return found


@dataclass(frozen=True, slots=True)
class Normal:
    """Normal scores."""

    mean: float
    sd: float

    def __post_init__(self) -> None:
        _check_real(self.mean, self.sd, "normal")
        if self.sd < FINEST * abs(self.mean):
            raise UsageError(
                f"--sd is {self.sd:g}, which is lost in the digits of a mean of {self.mean:g}.",
                fix="Give a standard deviation nearer to the means.",
            )

    def of(self, z: Floats) -> Floats:
        return self.mean + self.sd * z


@dataclass(frozen=True, slots=True)
class Lognormal:
    """Lognormal scores: above 0, with a long tail to the right."""

    mean: float
    sd: float

    def __post_init__(self) -> None:
        _check_positive(self.mean, self.sd, "lognormal")

    def of(self, z: Floats) -> Floats:
        variance = math.log1p((self.sd / self.mean) ** 2)
        found: Floats = self.mean * np.exp(math.sqrt(variance) * z - variance / 2.0)
        return found


@dataclass(frozen=True, slots=True)
class Gamma:
    """Gamma scores: above 0, skewed; exponential where the standard deviation is the mean."""

    mean: float
    sd: float

    def __post_init__(self) -> None:
        _check_positive(self.mean, self.sd, "gamma")

    def of(self, z: Floats) -> Floats:
        shape = (self.mean / self.sd) ** 2
        found = np.asarray(special.gammainccinv(shape, special.ndtr(-z)), dtype=np.float64)
        return found * (self.mean / shape)


@dataclass(frozen=True, slots=True)
class Beta:
    """Beta scores, between 0 and 1: skewed away from the nearer end.

    Examples
    --------
    >>> round(float(Beta(0.5, math.sqrt(1 / 12)).of(np.array([0.0]))[0]), 12)  # uniform
    0.5
    """

    mean: float
    sd: float

    def __post_init__(self) -> None:
        _check_real(self.mean, self.sd, "beta")
        if not 0.0 < self.mean < 1.0:
            raise UsageError(
                f"a mean of beta scores is {self.mean:g}.", fix="Give one between 0 and 1."
            )
        most = math.sqrt(self.mean * (1.0 - self.mean))
        if self.sd >= most * (1.0 - FINEST):
            raise UsageError(
                f"--sd is {self.sd:g}, and scores between 0 and 1 with a mean of {self.mean:g} "
                f"have one below {most:.4g}.",
                fix="Give a smaller one.",
            )
        if self.sd < most * NARROWEST:
            raise UsageError(
                f"--sd is {self.sd:g}, and beta scores with a mean of {self.mean:g} are computed "
                f"for {most * NARROWEST:.2g} or more.",
                fix="Give a greater one, or --shape normal.",
            )

    def of(self, z: Floats) -> Floats:
        size = self.mean * (1.0 - self.mean) / self.sd**2 - 1.0
        above, below = self.mean * size, (1.0 - self.mean) * size
        found: Floats = special.betaincinv(above, below, special.ndtr(z))
        return found


@dataclass(frozen=True, slots=True)
class Zeros:
    """0 most of the time, else exponential: rare wins, some of them large.

    Attributes
    ----------
    mean, sd : float
        The share of scores above 0 is ``2 mean^2 / (sd^2 + mean^2)``.

    Examples
    --------
    >>> round(Zeros(0.1, math.sqrt(0.19)).share, 12)
    0.1
    """

    mean: float
    sd: float

    def __post_init__(self) -> None:
        _check_positive(self.mean, self.sd, "zeros")
        if self.sd < self.mean:
            raise UsageError(
                f"--sd is {self.sd:g}, below a mean of {self.mean:g}, which leaves no zeros.",
                fix="Give a greater one; mean and standard deviation together say how many scores "
                "are 0.",
            )

    @property
    def share(self) -> float:
        """Share of scores above 0."""
        return 2.0 * self.mean**2 / (self.sd**2 + self.mean**2)

    def of(self, z: Floats) -> Floats:
        beyond = np.asarray(math.log(self.share) - special.log_ndtr(-z), dtype=np.float64)
        found: Floats = np.maximum(beyond, 0.0)
        return found * (self.mean / self.share)


def scored(marginal: Marginal, z: Floats) -> Floats:
    """Return the score of each latent number, same shape, all of them finite.

    Parameters
    ----------
    marginal : Marginal
    z : ndarray
        Latent standard normal numbers.

    Raises
    ------
    InferenceError
        If one is not, which would pass for a missing score in the table.
    """
    found = marginal.of(z)
    if not np.isfinite(found).all():
        raise InferenceError(
            f"a score of {marginal} came out as no finite number.",
            fix="Give a mean and a standard deviation that are less far apart.",
        )
    return found


SHAPES: Mapping[str, type[Normal | Beta | Lognormal | Gamma | Zeros]] = {
    "normal": Normal,
    "beta": Beta,
    "lognormal": Lognormal,
    "gamma": Gamma,
    "zeros": Zeros,
}
"""Distributions of real scores by the names that `--shape` takes."""


def _check_real(mean: float, sd: float, shape: str) -> None:
    fix = f"Give the mean and the standard deviation of {shape} scores."
    inside("a mean", number("a mean", mean, fix), -LARGEST, LARGEST, fix)
    inside("--sd", sd, 1e-50, LARGEST, "Give a standard deviation above 0.")


def _check_positive(mean: float, sd: float, shape: str) -> None:
    _check_real(mean, sd, shape)
    if mean < 1e-50:
        raise UsageError(f"a mean of {shape} scores is {mean:g}.", fix="Give one above 0.")
    if not 1e-6 <= sd / mean <= 1e6:
        raise UsageError(
            f"--sd is {sd:g} and a mean {mean:g}, too far apart for {shape} scores.",
            fix="Give a standard deviation nearer to the means.",
        )
