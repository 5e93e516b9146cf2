"""Expected calibration error over bins of equal width (Naeini et al. 2015; Guo et al. 2017)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import UsageError
from deadheat.metrics.labels.truths import Positive
from deadheat.metrics.metric import VERSION, Floats, OfValues, Settings, Takes, ratio
from deadheat.metrics.numbers.checks import probabilities
from deadheat.notes import Note


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationError(OfValues):
    """Sum over bins of (n_b / N) |share right in b - mean confidence in b|.

    n_b cancels, so that a bin needs one sum: of (right - confidence). The bins are
    (0, 1/B], (1/B, 2/B], ..., and 0 is in the first; they do not depend on the data.

    Attributes
    ----------
    bins : int
        How many there are, B.
    positive : Positive
        What the confidence is in: being right, or the positive label.

    Examples
    --------
    >>> import numpy as np
    >>> ece = CalibrationError(bins=2)
    >>> ece.statistics(np.array([True, False, True]), np.array([0.5, 0.25, 0.875]))
    array([[ 0.5  ,  0.   ,  1.   ],
           [-0.25 ,  0.   ,  1.   ],
           [ 0.   ,  0.125,  1.   ]])
    >>> float(ece.value(np.array([0.25, 0.125, 3.0])))
    0.125
    """

    bins: int = 15
    positive: Positive = field(default_factory=Positive)
    name: ClassVar[str] = "ece"
    takes: ClassVar[Takes] = "confidences"
    bounds: ClassVar[tuple[float, float] | None] = (0.0, 1.0)

    @property
    def greater_is_better(self) -> bool:
        """False: it is an error."""
        return False

    @property
    def signature(self) -> str:
        """Name, positive label, number and kind of bins, version."""
        return f"ece|{self.positive}|bins:{self.bins}|width:equal|closed:right|v:{VERSION}"

    def with_references(self, references: NDArray[Any]) -> Self:
        """Freeze the positive label."""
        return replace(self, positive=self.positive.bound(references, self.name))

    def statistics(self, references: NDArray[Any], outputs: Floats) -> Floats:
        """Return right - confidence in the column of its bin, and 1, shape (item, bins + 1).

        Raises
        ------
        ItemError
            If an output is not between 0 and 1, or there is no reference.
        """
        confidences = probabilities(outputs)
        rows = np.zeros((len(confidences), self.bins + 1))
        excess = self.positive.truths(references, self.name) - confidences
        rows[np.arange(len(rows)), self.bin_of(confidences)] = excess
        rows[:, -1] = 1.0
        return rows

    def value(self, totals: Floats) -> Floats:
        return ratio(np.abs(totals[..., :-1]).sum(axis=-1), totals[..., -1])

    def remarks(self, system: str, references: NDArray[Any], outputs: Floats) -> Sequence[Note]:
        """Say how large the error of a perfectly calibrated system would be here."""
        expected = self.of_calibrated(probabilities(outputs))
        return (
            Note(
                code="ece_bias",
                message="ECE is biased upward: a perfectly calibrated system with the "
                f"{len(outputs):,} confidences of {system} would show about {expected:.4f} with "
                f"{self.bins} bins, by chance alone.",
            ),
        )

    def of_calibrated(self, confidences: Floats) -> float:
        """Return the expected ECE of a perfectly calibrated system with these confidences.

        Then (right - confidence) has mean 0 and variance p (1 - p) on each item independently,
        and the mean size of a normal sum of variance V is sqrt(2 V / pi):
        sum over bins of sqrt(2 / pi) sqrt(sum in b of p (1 - p)) / N. NaN without items.
        """
        p = np.asarray(confidences, dtype=np.float64)
        variances = np.bincount(self.bin_of(p), weights=p * (1.0 - p), minlength=self.bins)
        size = math.sqrt(2.0 / math.pi) * float(np.sqrt(variances).sum())
        return size / p.size if p.size else math.nan

    def bin_of(self, confidences: Floats) -> NDArray[np.intp]:
        """Return the bin of each confidence, from 0."""
        # k / B rounds as the text "0.2" does; multiples of 1 / B would not.
        edges = np.arange(1, self.bins) / self.bins
        return np.searchsorted(edges, confidences, side="left")


OPTIONS = ("bins", "positive")
"""Settings that the metric has."""


def metric(settings: Settings) -> CalibrationError:
    """Make the metric.

    Raises
    ------
    UsageError
        If there is no bin.
    """
    if settings.bins < 1:
        raise UsageError(f"bins is {settings.bins}.", fix="Give a whole number of 1 or more.")
    return CalibrationError(bins=settings.bins, positive=Positive(asked=settings.positive))
