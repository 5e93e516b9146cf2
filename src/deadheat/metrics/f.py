"""F: the weighted harmonic mean of precision and recall (van Rijsbergen 1979).

F = (1 + b^2) tp / ((1 + b^2) tp + b^2 fn + fp), which is undefined only where a label neither
occurs nor is put out.
"""

from __future__ import annotations

from dataclasses import dataclass

from deadheat.errors import UsageError
from deadheat.metrics.labels.counts import LabelRatio, label_ratio
from deadheat.metrics.metric import Floats, Settings


@dataclass(frozen=True, slots=True)
class Parts:
    """Numerator and denominator of F with recall counting `beta` times as much as precision."""

    beta: float

    def __call__(self, hits: Floats, given: Floats, wanted: Floats) -> tuple[Floats, Floats]:
        """Return numerator and denominator."""
        square = self.beta * self.beta
        return (1.0 + square) * hits, square * wanted + given


OPTIONS = ("average", "beta", "labels", "positive", "zero_division")
"""Settings that the metric has."""


def metric(settings: Settings) -> LabelRatio:
    """Make the metric; without a beta it is 1.

    Raises
    ------
    UsageError
        If beta is not a number above 0.
    """
    beta = 1.0 if settings.beta is None else settings.beta
    if not 0.0 < beta < float("inf"):
        raise UsageError(
            f"beta is {beta:g} in {settings.name!r}.",
            fix="Give a number above 0, such as f0.5, f1 or f2.",
        )
    return label_ratio(f"f{beta:g}", Parts(beta), settings)
