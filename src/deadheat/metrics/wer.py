"""Word error rate: edits of words over the words of the references."""

from __future__ import annotations

from deadheat.metrics.metric import Settings
from deadheat.metrics.texts.edits import ErrorRate
from deadheat.metrics.texts.normalization import normalizer

OPTIONS = ("normalize", "normalize_map")
"""Settings that the metric has."""


def metric(settings: Settings) -> ErrorRate:
    """Make the metric.

    Examples
    --------
    It can be above 1, and normalisation decides:

    >>> wer = metric(Settings(name="wer"))
    >>> float(wer.value(wer.statistics([("fries",)], ["no fry"]).sum(axis=0)))
    2.0
    >>> lower = metric(Settings(name="wer", normalize=("lower",)))
    >>> lower.statistics([("Yes it is",)], ["YES IT IS"])
    array([[0., 0., 0., 3.]])
    >>> lower.signature
    'wer|norm:lower|v:1'
    """
    return ErrorRate(name="wer", unit="words", normalize=normalizer(settings))
