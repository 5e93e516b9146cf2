"""Precision, recall and F from counts of labels, alone or averaged over labels.

An item contributes, for each label that counts, whether it is a true positive, whether it was put
out and whether it is the reference: shape (item, 3 K), these three blocks of K columns in this
order. The binary and the micro form need K = 1 column a block.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from deadheat.metrics.applicable import refuse
from deadheat.metrics.labels.averaged_ratio import AveragedRatio, Parts
from deadheat.metrics.labels.choice import asked_labels, positive_label
from deadheat.metrics.metric import VERSION, Floats, Settings, Takes


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelRatio(AveragedRatio):
    """A ratio of counts of a label, or its average over labels.

    An output that is not usable is put out for no label: it misses its reference and is counted
    against no other label.

    Attributes
    ----------
    positive : object or None
        Asked for; None for 1 among 0/1 labels.
    counted : tuple
        Bound: the labels that count.
    columns : tuple of int
        Bound: the column of each code, -1 for none; one more at the end for the code -1.
    """

    positive: Any = None
    counted: tuple[Any, ...] = ()
    columns: tuple[int, ...] = (-1,)
    takes: ClassVar[Takes] = "labels"

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
        if self.pooled:
            return np.stack([hit >= 0, given >= 0, wanted >= 0], axis=-1).astype(np.float64)
        width = len(self.counted)
        rows = np.zeros((len(outputs), 3 * width))
        for block, column in enumerate((hit, given, wanted)):
            (items,) = np.nonzero(column >= 0)
            rows[items, block * width + column[items]] = 1.0
        return rows


def label_ratio(family: str, parts: Parts, settings: Settings) -> LabelRatio:
    """Make a metric of this kind.

    Raises
    ------
    UsageError
        If it is given labels without an average, or a positive label with one.
    """
    which = "positive" if settings.average == "binary" else "labels"
    refuse(settings, ("average", "beta", "zero_division", which))
    return LabelRatio(
        family=family,
        parts=parts,
        average=settings.average,
        labels=settings.labels,
        positive=settings.positive,
        zero_division=settings.zero_division,
    )
