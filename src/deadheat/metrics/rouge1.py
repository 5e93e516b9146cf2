"""ROUGE-1: single words shared with the best reference, mean F1 over items."""

from __future__ import annotations

from deadheat.metrics.metric import Settings
from deadheat.metrics.texts.normalization import normalizer
from deadheat.metrics.texts.rouge import Rouge

OPTIONS = ("normalize", "normalize_map")
"""Settings that the metric has."""


def metric(settings: Settings) -> Rouge:
    """Make the metric."""
    return Rouge(name="rouge1", unit="words", normalize=normalizer(settings))
