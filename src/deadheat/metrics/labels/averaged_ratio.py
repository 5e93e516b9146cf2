"""Ratios of counts, alone or averaged over labels: the arithmetic of precision, recall and F.

Totals have three blocks of K columns, in this order: true positives, counts put out and counts of
references, for each of K labels. The definitions are those of scikit-learn's
``precision_recall_fscore_support``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from deadheat.metrics.metric import Average, Floats, ratio

Parts = Callable[[Floats, Floats, Floats], tuple[Floats, Floats]]
"""Maps true positives, counts put out and counts of references to numerator and denominator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AveragedRatio:
    """A ratio of counts of a label, or its average over labels.

    Attributes
    ----------
    family : str
        Name without the average, such as "f1".
    parts : callable
        Numerator and denominator of the ratio.
    average : {"binary", "micro", "macro", "weighted"}
        The binary and the micro form have K = 1.
    labels : tuple or None
        Asked for; None for the labels that occur in the references or in a system's own outputs.
    zero_division : float
        What 0/0 is set to; NaN leaves such labels out of an average.
    present : tuple of bool or None
        Bound: which labels enter a macro average; None for those that occur in the totals.
    """

    family: str
    parts: Parts
    average: Average
    labels: tuple[Any, ...] | None = None
    zero_division: float = 0.0
    present: tuple[bool, ...] | None = ()
    is_mean: ClassVar[bool] = False
    greater_is_better: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float] | None] = (0.0, 1.0)

    @property
    def pooled(self) -> bool:
        """Whether the counts of all labels are summed before they are divided."""
        return self.average in ("binary", "micro")

    def value(self, totals: Floats) -> Floats:
        numerator, denominator, weights, entering = self._counts(totals)
        ratios = ratio(numerator, denominator, self.zero_division)
        if self.pooled:
            return ratios[..., 0]
        used = ~np.isnan(ratios)
        mean = ratio(*_sums(ratios, weights * used, used), self.zero_division)
        if self.average == "macro":
            return mean
        # Without any support the weights say nothing, and scikit-learn takes the plain mean.
        plain = ratio(*_sums(ratios, used * entering, used), self.zero_division)
        return np.where((weights * used).sum(axis=-1) == 0.0, plain, mean)

    def undefined(self, totals: Floats) -> NDArray[np.bool_]:
        _, denominator, weights, _ = self._counts(totals)
        unsupported = weights.sum(axis=-1) == 0.0
        return np.asarray(np.any((denominator == 0.0) & (weights > 0.0), axis=-1) | unsupported)

    def _counts(self, totals: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Return numerator, denominator, weight and entry (0 or 1) of each label, (..., K)."""
        hits, given, wanted = blocks(totals)
        numerator, denominator = self.parts(hits, given, wanted)
        if self.pooled:
            occurring: NDArray[np.bool_] = np.ones(1, dtype=bool)
        elif self.present is None:
            occurring = given + wanted > 0.0
        else:
            occurring = np.asarray(self.present, dtype=bool)
        entering = np.broadcast_to(occurring.astype(np.float64), numerator.shape)
        return numerator, denominator, wanted if self.average == "weighted" else entering, entering


def blocks(totals: Floats) -> tuple[Floats, Floats, Floats]:
    """Return true positives, counts put out and counts of references, shape (..., K) each."""
    width = totals.shape[-1] // 3
    hits, given, wanted = (totals[..., i * width : (i + 1) * width] for i in range(3))
    return hits, given, wanted


def _sums(values: Floats, weights: Floats, used: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    return np.sum(weights * np.where(used, values, 0.0), axis=-1), np.sum(weights, axis=-1)
