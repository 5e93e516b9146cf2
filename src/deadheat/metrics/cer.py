"""Character error rate: edits of characters over the characters of the references."""

from __future__ import annotations

from deadheat.metrics.metric import Settings
from deadheat.metrics.texts.edits import ErrorRate
from deadheat.metrics.texts.normalization import normalizer

OPTIONS = ("normalize", "normalize_map")
"""Settings that the metric has."""


def metric(settings: Settings) -> ErrorRate:
    """Make the metric. Characters are code points; the spaces between words are among them.

    Examples
    --------
    >>> cer = metric(Settings(name="cer"))
    >>> float(cer.value(cer.statistics([("abcd",)], ["abxd"]).sum(axis=0)))
    0.25
    """
    return ErrorRate(name="cer", unit="characters", normalize=normalizer(settings))
