"""The last step of every inference: put the interval, its p-value and the tests together."""

from __future__ import annotations

import math

from deadheat import power
from deadheat.inference.methods import Estimator
from deadheat.inference.result import Counts, Inference
from deadheat.intervals.duality import Dual
from deadheat.intervals.interval import Interval, undefined
from deadheat.notes import Note
from deadheat.settings import Settings
from deadheat.significance.significance import Significance

NO_VALUE = "the metric is undefined on these items"
ONE_SIDE = "one side has one item, which cannot show how much items vary"
ONE_UNIT = "one item cannot show how much items vary"


def conclude(
    estimator: Estimator,
    *,
    method: str,
    why: str,
    undefined_because: str = "",
    estimate: float,
    standard_error: float,
    n_units: int,
    varies: bool,
    tests: tuple[Significance, ...],
    settings: Settings,
    counts: Counts | None = None,
    n_items: int | None = None,
    n_undefined: int = 0,
    resolving: tuple[int, int] | None = None,
    detectable: float | None = None,
    design_effect: float = 1.0,
    notes: tuple[Note, ...] = (),
) -> Inference:
    """Ask the estimator for what was wanted; one unit has no interval and no p-value.

    Unless they are given, the items that would resolve the gap and the smallest gap that these
    items resolve follow from the standard error, which shrinks with the square root of the items
    (`n_items`, both sides together where they are unpaired; by default the units).
    """
    items = n_items or n_units
    if math.isnan(estimate):
        undefined_because = NO_VALUE
    if n_units == 1 and not undefined_because:
        undefined_because = ONE_UNIT if items <= 2 else ONE_SIDE
    interval: Interval
    margin_interval = None
    if undefined_because:
        interval = undefined(method, settings.confidence_level, undefined_because)
        dual = Dual(p_value=math.nan, bound=None)
        standard_error = math.nan
    else:
        interval = estimator.interval_at(settings.confidence_level)
        dual = estimator.p_value()
        # What differs by rounding alone has no spread, whatever its last bits say.
        standard_error = standard_error if varies else 0.0
        if settings.margin is not None:
            # Two one-sided tests look at both ends of the interval of level 1 - 2 alpha, whatever
            # the alternative (STATISTICS.md 2.9).
            margin_interval = estimator.interval_at(1.0 - 2.0 * settings.alpha, "two-sided")
    spread = standard_error * math.sqrt(items)
    if resolving is None and spread > 0.0 and abs(estimate) > 1e-12 * spread:
        needed = power.items_for_means(abs(estimate), spread, alpha=settings.planning_alpha)
        resolving = None if needed is None else (needed, needed)
    if detectable is None and spread > 0.0:
        detectable = power.minimum_detectable(items, sd=spread, alpha=settings.planning_alpha)
    if settings.alternative == ("greater" if estimate < 0.0 else "less"):
        # More items do not resolve a gap that lies on the other side.
        resolving = None
    said = []
    if why:
        said.append(Note(code="auto_method", message=f"interval: {method} (auto: {why})"))
    if interval.note:
        said.append(Note(code="interval", message=f"interval: {interval.note}"))
    return Inference(
        estimate=estimate,
        standard_error=standard_error,
        interval=interval,
        margin_interval=margin_interval,
        p_value=dual.p_value,
        p_value_bound=dual.bound,
        p_value_error=None
        if interval.monte_carlo_error is None
        else _drawn_error(dual.p_value, settings),
        tests=tests,
        counts=counts,
        varies=varies and not undefined_because,
        exact=interval.monte_carlo_error is None,
        n_undefined=n_undefined,
        resolving=resolving,
        detectable=math.nan if detectable is None else detectable,
        design_effect=design_effect,
        notes=(*said, *notes),
        distribution=None if undefined_because else estimator.distribution,
    )


def _drawn_error(p_value: float, settings: Settings) -> float:
    """Return the standard error of a p-value read off drawn replicates (STATISTICS.md 0.7)."""
    sides = 2.0 if settings.alternative == "two-sided" else 1.0
    share = p_value / sides
    return sides * math.sqrt(share * (1.0 - share) / settings.n_resamples)
