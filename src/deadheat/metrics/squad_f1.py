"""SQuAD F1: the mean F1 of the words of outputs and their references."""

from __future__ import annotations

from deadheat.metrics.metric import Settings
from deadheat.metrics.texts.normalization import normalizer
from deadheat.metrics.texts.squad import Squad, overlap

OPTIONS = ("normalize", "normalize_map")
"""Settings that the metric has."""


def metric(settings: Settings) -> Squad:
    """Make the metric.

    Examples
    --------
    >>> squad_f1 = metric(Settings(name="squad_f1"))
    >>> squad_f1.statistics([("Eiffel Tower", "tower of Paris")], ["The Eiffel Tower, in Paris"])
    array([[0.66666667, 1.        ]])
    """
    return Squad(name="squad_f1", score=overlap, normalize=normalizer(settings))
