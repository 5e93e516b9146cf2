"""From scores that were drawn to the inference that `compare` would make of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from deadheat.inference import between, means
from deadheat.inference.result import Inference
from deadheat.metrics.mean import Mean
from deadheat.scores import Scores, Units, by_units
from deadheat.scores.means import means_of
from deadheat.settings import Settings
from deadheat.simulation import Drawn

Floats = NDArray[np.float64]

SYSTEMS = ("baseline", "candidate")


def scores_of(drawn: Drawn) -> Scores:
    """Return what `compare` has before it infers: scores averaged over runs, in their units."""
    scores = means_of(SYSTEMS, (Mean(), Mean()), drawn.per_item, ())
    return by_units(scores, _units(drawn))


def _units(drawn: Drawn) -> Units | None:
    if drawn.clusters is None:
        return None
    n = int(drawn.clusters[-1]) + 1
    # Clusters of one item each are items.
    return None if n == len(drawn.clusters) else Units(kind="cluster", of_item=drawn.clusters, n=n)


def inferred(scores: Scores, settings: Settings) -> Inference:
    """Infer the difference as `compare` does.

    Intervals of the two sides, which cost as much again where scores are not 0/1, are left out.
    """
    if scores.kind == "mean" and scores.units is None and scores.per_item is not None:
        return means.paired(differences_of(scores.per_item), settings, mirrored=False)
    return between.paired([scores], settings)[0].difference


def differences_of(per_item: Floats) -> Floats:
    """Return candidate - baseline, shape (item,), of scores of shape (item, 2)."""
    baseline, candidate = per_item.T
    return means.without_rounding(candidate - baseline, float(np.abs(per_item).max()))
