"""SQuAD exact match: the share of outputs that are one of their references."""

from __future__ import annotations

from deadheat.metrics.metric import Settings
from deadheat.metrics.texts.normalization import normalizer
from deadheat.metrics.texts.squad import Squad, same

OPTIONS = ("normalize", "normalize_map")
"""Settings that the metric has."""


def metric(settings: Settings) -> Squad:
    """Make the metric.

    Examples
    --------
    >>> squad_em = metric(Settings(name="squad_em"))
    >>> squad_em.statistics([("Eiffel Tower", "tower of Paris")], ["the Eiffel tower."])
    array([[1., 1.]])
    """
    return Squad(name="squad_em", score=same, normalize=normalizer(settings))
