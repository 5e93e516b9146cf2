"""How well the items as a whole put the systems in the same order again."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from deadheat import health
from deadheat.benchmark.item_checks import Table
from deadheat.benchmark.item_parts import Estimate, Reliability
from deadheat.health.halves import n_splits
from deadheat.scores.grouping import summed
from deadheat.scores.units import Units
from deadheat.settings import Settings

Floats = NDArray[np.float64]

FEWEST = 3
"""Systems without which reliability is nothing: two are in perfect order or in none."""

FEWEST_DRAWN = 5
"""Systems from which on resampling them says something."""


def reliability_of(
    table: Table | None,
    units: Units | None,
    metric: str,
    settings: Settings,
) -> Reliability | str:
    """Say how well the items put these systems in the same order again, or why not.

    Where items have clusters the totals of these are what alpha is taken over and what is parted
    into halves: items of one cluster agree more than others, and would flatter both (Sireci,
    Thissen & Wainer 1991). Alpha allows for their sizes (Raju 1977).

    Parameters
    ----------
    table : Table or None
        Scores of items by systems; None where the metric has none.
    units : Units or None
        What is parted into halves; None for items.
    metric : str
        Name of the metric.
    settings : Settings
        Level, draws and seed.
    """
    if table is None:
        return f"{metric} has no score for each item"
    n_systems = table.n_systems
    if n_systems < FEWEST:
        return (
            f"{n_systems} {'system is' if n_systems == 1 else 'systems are'} too few: items can "
            f"agree on the order of {FEWEST} or more"
        )
    scores, sizes = table.scores, None
    if units is not None and units.kind != "item":
        scores, sizes = summed(scores, units), units.sizes
    if len(scores) < 2:
        return f"there is one {'item' if units is None else units.kind}, which has no halves"
    splits = n_splits(len(scores))
    halves = health.halves_compared(
        scores, health.random_halves(len(scores), splits, settings.seed)
    )
    alpha, correlation = health.cronbach_alpha(scores, sizes), _mean(halves.correlations)
    if math.isnan(alpha) and math.isnan(correlation):
        return "all systems have the same score"
    drawn = None
    if n_systems >= FEWEST_DRAWN:
        drawn = health.over_systems(
            scores, halves, n_resamples=settings.n_resamples, seed=settings.seed, sizes=sizes
        )
    stepped = None
    if drawn is not None:
        stepped = np.array([health.spearman_brown(r) for r in drawn.correlation.tolist()])
    return Reliability(
        alpha=_estimate(alpha, None if drawn is None else drawn.alpha, settings),
        split_half=_estimate(health.spearman_brown(correlation), stepped, settings),
        correlation=correlation,
        kendall=_estimate(_mean(halves.taus), None if drawn is None else drawn.tau, settings),
        n_splits=splits,
        n_systems=n_systems,
    )


def _mean(values: Floats) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else math.nan


def _estimate(value: float, drawn: Floats | None, settings: Settings) -> Estimate:
    """Return a value with the percentile interval of its draws, those undefined left out."""
    low = high = math.nan
    if drawn is not None and not math.isnan(value):
        known = np.sort(drawn[~np.isnan(drawn)])
        rank = math.floor((known.size + 1) * settings.alpha / 2.0 + 1e-9)
        if rank >= 1:
            low, high = float(known[rank - 1]), float(known[known.size - rank])
    return Estimate(value=value, low=low, high=high)
