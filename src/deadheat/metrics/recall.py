"""Recall: the share of right ones among the items whose reference is a label."""

from __future__ import annotations

from deadheat.metrics.labels.counts import LabelRatio, label_ratio
from deadheat.metrics.metric import Floats, Settings


def parts(hits: Floats, given: Floats, wanted: Floats) -> tuple[Floats, Floats]:
    """Return true positives and the count of references, shape (..., K) each."""
    return hits, wanted


OPTIONS = ("average", "labels", "positive", "zero_division")
"""Settings that the metric has."""


def metric(settings: Settings) -> LabelRatio:
    """Make the metric."""
    return label_ratio("recall", parts, settings)
