"""Balanced accuracy: the mean of the recalls of the labels that occur in the references."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from deadheat.metrics.labels.counts import LabelRatio
from deadheat.metrics.metric import VERSION, Floats, Settings
from deadheat.metrics.recall import parts


class BalancedAccuracy(LabelRatio):
    """Macro recall without the labels that have no reference, in each resample anew."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """Canonical name."""
        return self.family

    @property
    def signature(self) -> str:
        """Name, number of labels, version."""
        return f"{self.family}|labels:{len(self.counted)}|v:{VERSION}"

    def undefined(self, totals: Floats) -> NDArray[np.bool_]:
        return np.isnan(self.value(totals))


OPTIONS = ()
"""Settings that the metric has."""


def metric(settings: Settings) -> BalancedAccuracy:
    """Make the metric."""
    return BalancedAccuracy(
        family="balanced_accuracy", parts=parts, average="macro", zero_division=math.nan
    )
