"""The bootstrap drawn, as other tools draw it, where it would be computed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from deadheat.distributions import Replicates
from deadheat.inference import binary, means, methods
from deadheat.inference.result import Inference
from deadheat.intervals import studentized
from deadheat.replays import counts
from deadheat.replays.inferring import differences_of, inferred, scores_of
from deadheat.replays.outcomes import Outcome, outcome_of
from deadheat.rng import Purpose, Stream
from deadheat.settings import Settings
from deadheat.simulation import Drawn

Floats = NDArray[np.float64]


def rests_on_distribution(settings: Settings) -> bool:
    """Whether the method is read off a bootstrap distribution, which may be drawn.

    Parameters
    ----------
    settings : Settings
    """
    return settings.method in ("auto", *methods.offering("from_distribution"))


def draws_anything(first: Drawn, settings: Settings, *, zero_one: bool) -> bool:
    """Whether intervals rest on draws, at least for most data sets.

    Parameters
    ----------
    first : Drawn
        A data set.
    settings : Settings
    zero_one : bool
        Whether all scores are 0 or 1.
    """
    n = first.scores.shape[1]
    if settings.method != "auto":
        return rests_on_distribution(settings) or settings.method == studentized.METHOD
    if first.clusters is not None:
        return not inferred(scores_of(first), settings).exact
    if zero_one:
        method, _ = binary.chosen(counts.of_discordant(n, n // 2, n - n // 2))
    else:
        method, _ = means.chosen(n)
    return method in methods.offering("from_distribution")


def redrawn(drawn: Drawn, stream: Stream, settings: Settings) -> Outcome:
    """Return what a data set comes to, its bootstrap distribution drawn.

    Parameters
    ----------
    drawn : Drawn
        Of two systems. Clusters, which are drawn anyway or not at all, are left as they are.
    stream : Stream
        Of the resamples of this data set.
    settings : Settings
        Their seed is not used.
    """
    _, n, n_runs = drawn.scores.shape
    if drawn.clusters is None and n_runs == 1 and np.isin(drawn.scores, (0.0, 1.0)).all():
        return counts.redrawn(drawn.scores[:, :, 0], stream, settings)
    own = replace(settings, seed=int(stream.words(1)[0]))
    scores = scores_of(drawn)
    found = inferred(scores, own)
    if scores.units is None and scores.per_item is not None:
        found = _of_means(scores.per_item, found, own)
    return outcome_of(found, n, settings)


def _of_means(per_item: Floats, found: Inference, settings: Settings) -> Inference:
    method = means.chosen(len(per_item))[0] if settings.method == "auto" else settings.method
    if method not in methods.offering("from_distribution"):
        return found
    values, multiplicities = np.unique(differences_of(per_item), return_counts=True)
    draws = means.drawn_means(values, multiplicities, settings, Purpose.BOOTSTRAP)
    interval = means.estimator_of_mean(
        method,
        values,
        multiplicities,
        settings,
        distribution=lambda: Replicates.of(draws, estimate=found.estimate),
        scores="the mean of paired scores",
    ).interval_at(settings.confidence_level)
    return replace(found, interval=interval, exact=False)
