"""Precision, recall and F from counts of labels, alone or averaged over labels.

An item contributes, for each label that counts, whether it is a true positive, whether it was put
out and whether it is the reference: shape (item, 3 K), these three blocks of K columns in this
order. The binary and the micro form need K = 1 column a block. The definitions are those of
scikit-learn's ``precision_recall_fscore_support``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from deadheat.metrics.applicable import refuse
from deadheat.metrics.label_choice import asked_labels, positive_label
from deadheat.metrics.metric import VERSION, Average, Floats, Settings, Takes, ratio

Parts = Callable[[Floats, Floats, Floats], tuple[Floats, Floats]]
"""Maps true positives, counts put out and counts of references to numerator and denominator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelRatio:
    """A ratio of counts of a label, or its average over labels.

    An output that is not usable is put out for no label: it misses its reference and is counted
    against no other label.

    Attributes
    ----------
    family : str
        Name without the average, such as "f1".
    parts : callable
        Numerator and denominator of the ratio.
    average : {"binary", "micro", "macro", "weighted"}
    labels : tuple or None
        Asked for; None for the labels that occur in the references or in a system's own outputs.
    positive : object or None
        Asked for; None for 1 among 0/1 labels.
    zero_division : float
        What 0/0 is set to; NaN leaves such labels out of an average.
    counted : tuple
        Bound: the labels that count.
    present : tuple of bool or None
        Bound: which of them enter a macro average; None for those that occur in the totals.
    columns : tuple of int
        Bound: the column of each code, -1 for none; one more at the end for the code -1.
    """

    family: str
    parts: Parts
    average: Average
    labels: tuple[Any, ...] | None = None
    positive: Any = None
    zero_division: float = 0.0
    counted: tuple[Any, ...] = ()
    present: tuple[bool, ...] | None = ()
    columns: tuple[int, ...] = (-1,)
    takes: ClassVar[Takes] = "labels"
    is_mean: ClassVar[bool] = False
    greater_is_better: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float] | None] = (0.0, 1.0)

    @property
    def name(self) -> str:
        """Such as "f1" or "macro_f1"."""
        return self.family if self.average == "binary" else f"{self.average}_{self.family}"

    @property
    def signature(self) -> str:
        """Name, label set, policy for 0/0, version."""
        if self.average == "binary":
            which = f"positive:{self.counted[0] if self.counted else self.positive}"
        elif self.labels is not None:
            which = f"labels:[{','.join(str(label) for label in self.labels)}]"
        else:
            which = f"labels:{len(self.counted)}"
        return f"{self.name}|{which}|zd:{self.zero_division:g}|v:{VERSION}"

    @property
    def _pooled(self) -> bool:
        return self.average in ("binary", "micro")

    def bind(self, labels: Sequence[Any], present: NDArray[np.bool_] | None) -> Self:
        if self.average == "binary":
            counted: tuple[Any, ...] = (positive_label(self.positive, labels, self.family),)
        elif self.labels is not None:
            counted = asked_labels(self.labels, labels)
        else:
            counted = tuple(labels)
        column = {label: position for position, label in enumerate(counted)}
        if self.average == "binary" or self.labels is not None:
            entering: tuple[bool, ...] | None = (True,) * len(counted)
        else:
            entering = None if present is None else tuple(present.tolist())
        return replace(
            self,
            counted=counted,
            present=entering,
            columns=(*(column.get(label, -1) for label in labels), -1),
        )

    def statistics(self, references: NDArray[Any] | None, outputs: NDArray[Any]) -> Floats:
        columns = np.asarray(self.columns, dtype=np.intp)
        wanted, given = columns[references], columns[outputs]
        hit = np.where(wanted == given, given, -1)
        if self._pooled:
            return np.stack([hit >= 0, given >= 0, wanted >= 0], axis=-1).astype(np.float64)
        width = len(self.counted)
        rows = np.zeros((len(outputs), 3 * width))
        for block, column in enumerate((hit, given, wanted)):
            (items,) = np.nonzero(column >= 0)
            rows[items, block * width + column[items]] = 1.0
        return rows

    def value(self, totals: Floats) -> Floats:
        numerator, denominator, weights, entering = self._counts(totals)
        ratios = ratio(numerator, denominator, self.zero_division)
        if self._pooled:
            return ratios[..., 0]
        used = ~np.isnan(ratios)
        mean = ratio(*_sums(ratios, weights * used, used))
        if self.average == "macro":
            return mean
        # Without any support the weights say nothing, and scikit-learn takes the plain mean.
        plain = ratio(*_sums(ratios, used * entering, used))
        return np.where((weights * used).sum(axis=-1) == 0.0, plain, mean)

    def undefined(self, totals: Floats) -> NDArray[np.bool_]:
        _, denominator, weights, _ = self._counts(totals)
        unsupported = weights.sum(axis=-1) == 0.0
        return np.asarray(np.any((denominator == 0.0) & (weights > 0.0), axis=-1) | unsupported)

    def _counts(self, totals: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Return numerator, denominator, weight and entry (0 or 1) of each label, (..., K)."""
        width = totals.shape[-1] // 3
        hits, given, wanted = (totals[..., i * width : (i + 1) * width] for i in range(3))
        numerator, denominator = self.parts(hits, given, wanted)
        if self._pooled:
            occurring: NDArray[np.bool_] = np.ones(1, dtype=bool)
        elif self.present is None:
            occurring = given + wanted > 0.0
        else:
            occurring = np.asarray(self.present, dtype=bool)
        entering = np.broadcast_to(occurring.astype(np.float64), numerator.shape)
        return numerator, denominator, wanted if self.average == "weighted" else entering, entering


def _sums(values: Floats, weights: Floats, used: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    return np.sum(weights * np.where(used, values, 0.0), axis=-1), np.sum(weights, axis=-1)


def label_ratio(family: str, parts: Parts, settings: Settings) -> LabelRatio:
    """Make a metric of this kind.

    Raises
    ------
    UsageError
        If it is given labels without an average, or a positive label with one.
    """
    binary = settings.average == "binary"
    refuse(settings, "labels" if binary else "positive", "greater_is_better")
    return LabelRatio(
        family=family,
        parts=parts,
        average=settings.average,
        labels=settings.labels,
        positive=settings.positive,
        zero_division=settings.zero_division,
    )
