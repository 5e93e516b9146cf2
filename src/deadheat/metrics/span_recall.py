"""Span recall: the share of the spans of the references that were found."""

from __future__ import annotations

from deadheat.metrics.metric import Settings
from deadheat.metrics.recall import parts
from deadheat.metrics.spans.counts import SpanRatio, span_ratio

OPTIONS = ("average", "labels", "scheme", "zero_division")
"""Settings that the metric has."""


def metric(settings: Settings) -> SpanRatio:
    """Make the metric; without an average the spans of all types count together.

    Raises
    ------
    UsageError
        If there is no such scheme of tags.
    """
    return span_ratio("span_recall", parts, settings)
