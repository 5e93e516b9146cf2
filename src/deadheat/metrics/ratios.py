"""Precision, recall and F over labels: one ratio of counts, averaged in four ways."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import MetricError, known
from deadheat.metrics.label_counts import LabelCounts, defined_mean, ratio
from deadheat.metrics.metric import Average, Codes, Floats, Options

POSITIVE_BY_CUSTOM = ((False, True), (0, 1), (0.0, 1.0), ("0", "1"))
"""Pairs of labels of which the second is the positive one without being told."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LabelRatio(LabelCounts):
    """A ratio of counts; subclasses define `parts`.

    Attributes
    ----------
    average : {"binary", "micro", "macro", "weighted"}
        One positive label, the sums over labels, the mean over labels, or that mean weighted by
        how often each label is due in the resample.
    positive : object
        Positive label of the binary form.
    """

    average: Average = "binary"
    positive: Any = None

    def parts(self, right: Floats, given: Floats, due: Floats) -> tuple[Floats, Floats]:
        """Return numerator and denominator."""
        raise NotImplementedError

    @property
    def signature(self) -> str:
        """Name and settings in one word."""
        positive = f",positive:{self.positive}" if self.average == "binary" else ""
        # Not super(): the class that slots=True makes is not the one this name refers to.
        return f"{LabelCounts.signature.fget(self)}{positive}"  # type: ignore[attr-defined]

    def bound(self, labels: tuple[object, ...], occurring: NDArray[np.bool_]) -> Self:
        """Freeze the label set, and the positive label of the binary form.

        Raises
        ------
        MetricError
            If it is not clear which label is positive.
        """
        if self.average != "binary":
            return LabelCounts.bound(self, labels, occurring)
        positive = self.positive
        if positive is None:
            customary = [pair[1] for pair in POSITIVE_BY_CUSTOM if set(labels) <= set(pair)]
            if not customary or isinstance(labels[0], str) != isinstance(customary[0], str):
                listed = ", ".join(map(str, labels[:12]))
                raise MetricError(
                    f"{self.name} needs a positive label, and the labels are {listed}.",
                    fix=f"Name it with --positive, or average over labels: macro_{self.name}.",
                )
            positive = customary[0]
        spelled = {str(label): label for label in labels}
        if str(positive) not in spelled and self.positive is not None:
            raise MetricError(
                f"the positive label {positive!r} occurs in no reference and no output.",
                fix=known(spelled, str(positive)),
            )
        counted = np.array([str(label) == str(positive) for label in labels])
        return replace(self, labels=labels, counted=counted, positive=positive)

    def statistics(self, references: Codes, outputs: Codes) -> Floats:
        """Return right, given and due, for every label or summed over those that count."""
        if self.average in ("macro", "weighted"):
            return LabelCounts.statistics(self, references, outputs)
        assert self.counted is not None
        # Code -1 reads the last entry, which is no label and never counts.
        counts = np.append(self.counted, False)
        due, given = counts[references], counts[outputs]
        right = due & (references == outputs)
        return np.stack([right, given, due], axis=-1).astype(np.float64)

    def value(self, totals: Floats) -> Floats:
        """Map totals of shape (..., k) to values of shape (...)."""
        counts = self.counts(totals)
        values = ratio(*self.parts(counts.right, counts.given, counts.due), self.zero_division)
        if self.average in ("binary", "micro"):
            return values[..., 0]
        weights = counts.due[..., self.counted] if self.average == "weighted" else None
        return defined_mean(values[..., self.counted], weights)

    def undefined(self, totals: Floats) -> NDArray[np.bool_]:
        """Say where a denominator is 0, shape (...)."""
        counts = self.counts(totals)
        _, denominator = self.parts(counts.right, counts.given, counts.due)
        if self.average in ("macro", "weighted"):
            denominator = denominator[..., self.counted]
        return np.any(denominator == 0.0, axis=-1)


def settings(kind: str, options: Options) -> dict[str, Any]:
    """Return the fields that precision, recall and F take from options."""
    prefix = "" if options.average == "binary" else f"{options.average}_"
    return {
        "name": f"{prefix}{kind}",
        "average": options.average,
        "positive": options.positive,
        "zero_division": options.zero_division,
        "only": None if options.labels is None else tuple(options.labels),
    }
