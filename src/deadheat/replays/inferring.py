"""From scores that were drawn to the inference that `compare` would make of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from deadheat.inference import between, binary, clustered, means
from deadheat.inference.result import Inference
from deadheat.metrics.mean import Mean
from deadheat.scores import Scores, Units, by_units
from deadheat.scores.means import means_of
from deadheat.settings import Settings
from deadheat.simulation import Drawn

Floats = NDArray[np.float64]

SYSTEMS = ("baseline", "candidate")


def scores_of(drawn: Drawn) -> Scores:
    """Return what `compare` has before it infers: scores averaged over runs, in their units.

    Parameters
    ----------
    drawn : Drawn
        A data set.
    """
    scores = means_of(SYSTEMS, (Mean(), Mean()), drawn.per_item, ())
    return by_units(scores, _units(drawn))


def _units(drawn: Drawn) -> Units | None:
    if drawn.clusters is None:
        return None
    n = int(drawn.clusters[-1]) + 1
    # Clusters of one item each are items.
    return None if n == len(drawn.clusters) else Units(kind="cluster", of_item=drawn.clusters, n=n)


def inferred(scores: Scores, settings: Settings) -> Inference:
    """Infer the difference as `compare` does, with the one test that the reading takes.

    Tests that are only shown, and the intervals of the two sides, cost as much again.

    Parameters
    ----------
    scores : Scores
        Of the two systems, the baseline first.
    settings : Settings
    """
    per_item, units = scores.per_item, scores.units
    if per_item is None or between.is_resampled(scores, settings):
        return between.paired([scores], settings)[0].difference
    if units is not None:
        differences = per_item[:, 1] - per_item[:, 0]
        return clustered.paired(differences, units, settings, first_alone=True)
    if scores.kind == "binary":
        return binary.paired(binary.counts_of(*per_item.T), settings)
    return means.paired(differences_of(per_item), settings, mirrored=False, first_alone=True)


def differences_of(per_item: Floats) -> Floats:
    """Return candidate - baseline, shape (item,), of scores of shape (item, 2).

    Parameters
    ----------
    per_item : ndarray, shape (item, 2)
        Baseline and candidate of each item.
    """
    baseline, candidate = per_item.T
    return means.without_rounding(candidate - baseline, float(np.abs(per_item).max()))
