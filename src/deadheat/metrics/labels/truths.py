"""Which items are positive: references of two kinds, or of one kind against the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import ItemError, MetricError
from deadheat.metrics.labels.choice import listed, positive_label
from deadheat.notes import Note

Truths = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Positive:
    """The positive label of a metric of references that are positive or not.

    Attributes
    ----------
    asked : object or None
        Asked for; None for 1 among 0/1 labels.
    label : object or None
        Bound: the label as the references have it.
    """

    asked: Any = None
    label: Any = None

    def __str__(self) -> str:
        return f"positive:{self.asked if self.label is None else self.label}"

    def bound(self, references: NDArray[Any], metric: str) -> Self:
        """Freeze the label from the references of all items.

        Raises
        ------
        ItemError
            If an item has no reference.
        MetricError
            If the label has to be named, or the one named is not among the labels.
        """
        labels = _labels(references)
        try:
            label = positive_label(self.asked, labels, metric)
        except MetricError as error:
            if self.asked is not None:
                raise
            raise MetricError(error.found, fix="Name it with --positive.") from None
        if references.dtype == np.bool_ and not isinstance(label, bool):
            raise MetricError(
                f"the positive label is {self.asked!r}, and the references are true or false.",
                fix="Leave --positive out, or give true or false.",
            )
        return replace(self, label=label)

    def truths(self, references: NDArray[Any], metric: str) -> Truths:
        """Return which items are positive, shape (item,).

        Raises
        ------
        ItemError, MetricError
            As `bound`, which is called where it was not before.

        Examples
        --------
        >>> import numpy as np
        >>> Positive().truths(np.array([0, 1, 1]), "auroc")
        array([False,  True,  True])
        >>> Positive().truths(np.array(["no", "yes"], dtype=object), "auroc")
        Traceback (most recent call last):
        ...
        deadheat.errors.MetricError: auroc needs to know which label is positive; labels found: \
'no', 'yes'. Name it with --positive.
        """
        if self.label is None:
            return self.bound(references, metric).truths(references, metric)
        _present(references)
        return np.asarray(references == self.label, dtype=np.bool_)


def one_class(metric: str, system: str, truths: Truths, needed: str) -> Sequence[Note]:
    """Say that a metric is undefined because a class is missing."""
    return (
        Note(
            code="one_class",
            message=f"{metric} of {system} is undefined: it takes {needed}, and of "
            f"{truths.size:,} references {np.count_nonzero(truths):,} are positive.",
        ),
    )


def _labels(references: NDArray[Any]) -> list[Any]:
    _present(references)
    if references.size == 0:
        raise MetricError("there are no items.", fix="Give at least one item with a reference.")
    if references.dtype != object:
        return list(np.unique(references).tolist())
    found = set(references.tolist())
    try:
        return sorted(found)
    except TypeError:
        raise MetricError(
            f"references are of several types: {listed(sorted(found, key=str))}.",
            fix="Write them all as text or all as numbers.",
        ) from None


def _present(references: NDArray[Any]) -> None:
    if references.dtype == object:
        absent = np.array([label is None for label in references.tolist()], dtype=np.bool_)
    elif references.dtype.kind == "f":
        absent = np.isnan(references)
    else:
        return
    if absent.any():
        raise ItemError(
            "there is no reference.",
            row=int(np.argmax(absent)),
            side="reference",
            fix="Give it, or leave the item out with --missing drop.",
        )
