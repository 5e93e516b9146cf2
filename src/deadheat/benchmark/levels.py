"""Where the systems stand between what needs no ability and what cannot be surpassed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from deadheat.alignment import Alignment
from deadheat.benchmark.parts import Baseline, Baselines, Ceiling, LabelNoise, Resolution, System
from deadheat.dependence import in_units
from deadheat.errors import DeadheatError, UsageError
from deadheat.metrics import Metric
from deadheat.scores import Scores, score_items
from deadheat.scores.given import range_of
from deadheat.scores.units import Strata, Weighting
from deadheat.significance.mcnemar import mcnemar

Floats = NDArray[np.float64]

ROUNDING = 1e-6
"""How far scores may lie outside of 0 to 1 and still be on that scale."""

MOST_ANSWERS = 20
"""Answers that are tried as the constant one, the most frequent references first."""


def bounds_of(scores: Scores, table: Floats | None) -> tuple[float, float] | None:
    """Return the least and greatest value possible; None where the scale is not known.

    Scores that all lie between 0 and 1 are taken to be on that scale.

    Parameters
    ----------
    scores : Scores
        Of all systems.
    table : ndarray of float, shape (item, system), or None
        Scores, where the metric has one for each item.
    """
    metric = scores.metrics[0]
    if table is None or not table.size:
        return metric.bounds
    low, high = float(table.min()), float(table.max())
    # Scores of single precision may leave the scale by their rounding.
    low = 0.0 if -ROUNDING <= low < 0.0 else low
    high = 1.0 if 1.0 < high <= 1.0 + ROUNDING else high
    return range_of(metric, low, high)


def limit_of(bounds: tuple[float, float] | None, greater: bool) -> float:
    """Return the best value possible; NaN where it is unknown or unbounded.

    Parameters
    ----------
    bounds : (float, float) or None
        Least and greatest value of the metric.
    greater : bool
        Whether greater values are better.
    """
    limit = math.nan if bounds is None else bounds[1 if greater else 0]
    return limit if math.isfinite(limit) else math.nan


def ceiling_of(
    best: System,
    scores: Scores,
    bounds: tuple[float, float] | None,
    resolution: Resolution | None,
) -> Ceiling | str:
    """Hold the best system against the best value possible, or say why that cannot be done.

    Parameters
    ----------
    best : System
        The best one.
    scores : Scores
        Of all systems.
    bounds : (float, float) or None
        Least and greatest value of the metric.
    resolution : Resolution or None
        The smallest gap that is resolved.
    """
    greater = scores.metrics[0].greater_is_better
    limit = limit_of(bounds, greater)
    if bounds is None or math.isnan(limit):
        return f"{scores.metrics[0].name} states no best value"
    headroom = abs(limit - best.value)
    size = max(abs(end) for end in bounds if math.isfinite(end))
    perfect = math.nan
    if scores.kind == "binary" and scores.units is None:
        missed = round(headroom * len(scores.rows))
        perfect = mcnemar(0, missed).p_value
    return Ceiling(
        system=best.system,
        value=best.value,
        limit=limit,
        headroom=headroom,
        share=headroom / size,
        half_width=(best.interval.high - best.interval.low) / 2.0,
        minimum_detectable=math.nan if resolution is None else resolution.minimum_detectable,
        perfect_p_value=perfect,
    )


def constant_answers(
    alignment: Alignment,
    measure: Metric | None,
    strata: Strata,
    weighting: Weighting,
) -> tuple[Baseline, ...] | str:
    """Return what the most frequent reference scores as the answer to every item.

    Where another constant answer scores better, as it may by a metric that is no share of right
    answers, it is a row of its own. A text says why there is none.

    Parameters
    ----------
    alignment : Alignment
        The items, in order.
    measure : Metric or None
        None for accuracy of labels or scores.
    strata : {'fixed', 'random'}
        What strata are taken for.
    weighting : {'pooled', 'macro'}
        How strata are weighted.
    """
    references = alignment.references
    takes = "scores_or_labels" if measure is None else measure.takes
    if measure is not None and takes not in ("labels", "scores_or_labels"):
        return f"{measure.name} is no metric of labels"
    if references is None or references.null_count():
        return "there are no references from which the majority class could be seen"
    if references.dtype == pl.Binary:
        return "references that are lists have no majority class"
    counts = references.value_counts().sort(
        "count", references.name, descending=[True, False], maintain_order=True
    )
    answers = counts[references.name].head(MOST_ANSWERS)
    is_share = (measure is None or measure.name == "accuracy") and weighting == "pooled"
    if is_share:
        # Of all constant answers the most frequent one is right most often.
        answers = answers.head(1)
    rows = []
    for answer in answers.to_list():
        try:
            value = _value_of(alignment, answer, measure, strata, weighting)
        except DeadheatError as error:
            return f"a constant answer cannot be scored ({error.found.rstrip('.')})"
        if not math.isnan(value):
            rows.append(Baseline(kind="constant", name=str(answer), value=value))
    if not rows:
        return "a constant answer has no value by this metric"
    greater = measure is None or measure.greater_is_better
    majority = replace(rows[0], kind="majority")
    best = (max if greater else min)(rows, key=lambda row: row.value)
    better = best.value > majority.value if greater else best.value < majority.value
    return (majority, best) if better else (majority,)


def _value_of(
    alignment: Alignment,
    answer: Any,
    measure: Metric | None,
    strata: Strata,
    weighting: Weighting,
) -> float:
    """Score a system that gives one answer to every item."""
    assert alignment.references is not None
    outputs = pl.repeat(answer, alignment.n, dtype=alignment.references.dtype, eager=True)
    constant = replace(
        alignment, systems=("constant",), outputs=(outputs,), scores=(None,), lacking=()
    )
    scores, _ = in_units(score_items(constant, measure), constant, strata, weighting)
    return float(scores.values[0])


def random_choice(
    options: int | Floats, scores: Scores, of_item: NDArray[np.int64] | None
) -> Baseline:
    """Return what a random choice among the options is right on.

    Parameters
    ----------
    options : int or ndarray, shape (item,)
    scores : Scores
    of_item : ndarray of int, shape (item,), or None
        Strata over which values are averaged.

    Raises
    ------
    UsageError
        If scores are not 0/1: there is no expected score then.
    """
    if scores.kind != "binary" and scores.metrics[0].name != "accuracy":
        raise UsageError(
            "--options is about right and wrong choices, and the scores of "
            f"{scores.metrics[0].name} are not 0 and 1.",
            fix="Leave it out, or use --metric accuracy.",
        )
    if isinstance(options, int):
        return Baseline(kind="random", name=f"1 of {options:,}", value=1.0 / options)
    chances = 1.0 / options
    least, most = int(options.min()), int(options.max())
    name = f"1 of {least:,}" if least == most else f"1 of {least:,} to {most:,}"
    value = float(chances.mean())
    if of_item is not None:
        value = float((np.bincount(of_item, chances) / np.bincount(of_item)).mean())
    return Baseline(kind="random", name=name, value=value)


def baselines_of(
    rows: Sequence[Baseline],
    systems: Sequence[System],
    best: System,
    bounds: tuple[float, float] | None,
    scores: Scores,
) -> Baselines:
    """Hold the systems against the best of several baselines.

    Parameters
    ----------
    rows : sequence of Baseline
        At least one.
    systems : sequence of System
        The systems that were read, the best first.
    best : System
        The best one.
    bounds : (float, float) or None
        Least and greatest value of the metric.
    scores : Scores
        Of all systems.
    """
    greater = scores.metrics[0].greater_is_better
    highest = (max if greater else min)(rows, key=lambda row: row.value)
    limit = limit_of(bounds, greater)
    room = limit - highest.value

    def reaches(system: System) -> bool:
        end = system.interval.low if greater else system.interval.high
        end = system.value if math.isnan(end) else end
        return end <= highest.value if greater else end >= highest.value

    return Baselines(
        rows=tuple(rows),
        best=highest,
        margin=(best.value - highest.value) / room if room else math.nan,
        reached_by=tuple(system.system for system in systems if reaches(system)),
        best_reached=reaches(best),
    )


def label_noise_of(
    share: float, systems: Sequence[System], best: System, scores: Scores
) -> LabelNoise:
    """Hold the systems against what is left when a share of the references is wrong.

    Parameters
    ----------
    share : float
        Of the references that are wrong.
    systems : sequence of System
        The systems that were read, the best first.
    best : System
        The best one.
    scores : Scores
        Of all systems.

    Raises
    ------
    UsageError
        If the metric is no share of right answers.
    """
    metric = scores.metrics[0]
    if scores.kind != "binary" and metric.name != "accuracy":
        raise UsageError(
            f"--label-error limits a share of right answers, and {metric.name} is none.",
            fix="Leave it out, or use --metric accuracy.",
        )
    limit = 1.0 - share
    above = tuple(system.system for system in systems if system.value > limit + 1e-12)
    within = tuple(
        system.system
        for system in systems
        if system.system not in above and system.interval.high >= limit
    )
    return LabelNoise(
        share=share, limit=limit, headroom=limit - best.value, above=above, within=within
    )
