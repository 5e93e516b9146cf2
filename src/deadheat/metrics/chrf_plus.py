"""chrF++: chrF with the n-grams of words up to the second beside those of characters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from deadheat.metrics.chrf import OPTIONS, ChrF
from deadheat.metrics.metric import Settings
from deadheat.metrics.texts.normalization import normalizer
from deadheat.metrics.texts.translation import sacrebleu_metrics

__all__ = ["OPTIONS", "ChrFPlus", "metric"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChrFPlus(ChrF):
    """chrF++ of the whole set, from 0 to 100 (Popović, 2017), as sacrebleu scores it.

    Examples
    --------
    The orders of words follow those of characters:

    >>> ChrFPlus().statistics([("so it is.",)], ["so is it."])[0, 18:]
    array([4., 4., 4., 3., 3., 0.])
    """

    name: ClassVar[str] = "chrf++"
    word_order: ClassVar[int] = 2


def metric(settings: Settings) -> ChrFPlus:
    """Make the metric.

    Raises
    ------
    UsageError
        If sacrebleu is not installed.
    """
    sacrebleu_metrics(settings.name)
    return ChrFPlus(normalize=normalizer(settings))
