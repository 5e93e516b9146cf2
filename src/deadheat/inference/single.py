"""One system on its own."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from deadheat.inference import means
from deadheat.inference.conclude import ONE_UNIT
from deadheat.inference.methods import module_for
from deadheat.intervals.interval import Interval, undefined
from deadheat.settings import Settings

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def proportion(k: int, n: int, settings: Settings) -> Interval:
    """Interval of k right of n, by Wilson unless another method is named."""
    method = "wilson" if settings.method == "auto" else settings.method
    module, design = module_for(method, ("one_proportion", *means.DESIGNS), "one 0/1 system")
    if design == "one_proportion":
        found: Interval = module.one_proportion(
            k, n, confidence_level=settings.confidence_level, alternative=settings.alternative
        )
        return found
    units = np.array([n - k, k])
    there = units > 0
    return mean(np.array([0.0, 1.0])[there], settings, units[there])


def mean(scores: Floats, settings: Settings, units: Ints | None = None) -> Interval:
    """Interval of the mean of one system's scores, shape (row,), of one item or of `units`."""
    values, multiplicities = means.distinct(scores, units)
    n = int(multiplicities.sum())
    method = means.chosen(n)[0] if settings.method == "auto" else settings.method
    if n == 1:
        return undefined(method, settings.confidence_level, ONE_UNIT)
    return means.estimator_of_mean(
        method,
        values,
        multiplicities,
        settings,
        distribution=cache(lambda: means.distribution_of_mean(values, multiplicities, settings)),
        scores="the mean of one system",
    ).interval_at(settings.confidence_level)
