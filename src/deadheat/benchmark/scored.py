"""Systems of a benchmark as every check sees them: scored, in order, with their intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.alignment import Alignment
from deadheat.benchmark import levels, separation
from deadheat.benchmark.item_checks import Table, table_of
from deadheat.benchmark.parts import System
from deadheat.dependence import Unit, in_units
from deadheat.inference import between, clustered
from deadheat.inference.board import Board, board, drawn_values
from deadheat.intervals.interval import Interval, undefined
from deadheat.measuring import Measured
from deadheat.metrics import Metric
from deadheat.ranking.ranks import best_first
from deadheat.scores import Scores, score_items
from deadheat.scores.units import PLURAL, Units, units_of
from deadheat.settings import Settings

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scored:
    """The systems that are checked, and the trivial ones beside them.

    Attributes
    ----------
    alignment : Alignment
        Of the systems that are checked.
    scores : Scores
    unit : Unit
    systems, trivial : tuple of System
        From best to worst.
    bounds : tuple of float, or None
        Least and greatest value possible.
    table : Table or None
        Scores of items, where the metric has them.
    board : Board or str
        All pairs, or why there are none.
    errors : ndarray, shape (pair,), or None
        Standard errors of the differences of the pairs.
    halved : Units or None
        What halves of the items are made of: clusters stay whole.
    """

    alignment: Alignment
    scores: Scores
    unit: Unit
    systems: tuple[System, ...]
    trivial: tuple[System, ...]
    bounds: tuple[float, float] | None
    table: Table | None
    board: Board | str
    errors: Floats | None
    halved: Units | None

    @property
    def metric(self) -> Metric:
        """The metric as it was bound."""
        return self.scores.metrics[0]

    @property
    def greater(self) -> bool:
        """Whether greater values are better."""
        return self.metric.greater_is_better


def scored(
    part: Measured,
    measure: Metric | None,
    trivial: Sequence[str],
    settings: Settings,
    options: Mapping[str, Any],
) -> Scored:
    """Score the systems and compare all pairs of those that are not trivial.

    Parameters
    ----------
    part : Measured
        All systems on the same items.
    measure : Metric or None
    trivial : sequence of str
    settings : Settings
    options : mapping
        Options of the call, of which strata and weighting are looked at.
    """
    (alignment,), (scores,), (unit,) = part.alignments, part.scores, part.units
    strata, weighting = options["strata"], options["weighting"]
    beside: tuple[System, ...] = ()
    if trivial:
        chosen, alignment = (
            _restricted(alignment, [(name in trivial) == wanted for name in alignment.systems])
            for wanted in (True, False)
        )
        parted, _ = in_units(score_items(chosen, measure), chosen, strata, weighting)
        intervals = _intervals(parted, settings, None)
        beside = _systems(parted, chosen, intervals, _order(parted), trivial=True)
        scores, unit = in_units(score_items(alignment, measure), alignment, strata, weighting)
    found = _board(scores, settings)
    drawn = None if isinstance(found, str) else found.draws
    order = _order(scores)
    greater = scores.metrics[0].greater_is_better
    whole = weighting == "pooled" and strata == "fixed"
    per_item = scores.per_item if whole else score_items(alignment, measure).per_item
    bounds = levels.bounds_of(scores, per_item)
    return Scored(
        alignment=alignment,
        scores=scores,
        unit=unit,
        systems=_systems(
            scores, alignment, _intervals(scores, settings, drawn), order, trivial=False
        ),
        trivial=beside,
        bounds=bounds,
        table=None
        if per_item is None
        else table_of(alignment, per_item, order, bounds, greater=greater),
        board=found,
        errors=None if isinstance(found, str) else separation.standard_errors(scores, found.pairs),
        halved=units_of(alignment, strata),
    )


def _restricted(alignment: Alignment, kept: Sequence[bool]) -> Alignment:
    """Return the alignment of some of its systems: the items stay as they are."""
    names = ("systems", "outputs", "scores", "absent", "unparseable", "hashes", "only")

    def of_kept(values: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(value for value, keep in zip(values, kept, strict=True) if keep)

    columns: dict[str, Any] = {
        name: of_kept(getattr(alignment, name))
        for name in (*names, "lacking")
        if getattr(alignment, name)
    }
    read = replace(alignment.read, answers=of_kept(alignment.answers))
    return replace(alignment, read=read, **columns)


def _board(scores: Scores, settings: Settings) -> Board | str:
    """Compare all pairs, or say why there are none."""
    n = len(scores.systems)
    if n < 2:
        return "one system has nothing to be compared with"
    kind, units = _units(scores)
    if units < 2:
        return f"one {kind} cannot show how much {PLURAL[kind]} vary"
    return board(scores, settings)


def _units(scores: Scores) -> tuple[str, int]:
    """Return what is resampled, and how many there are."""
    if scores.units is None:
        return "item", len(scores.rows)
    return scores.units.kind, scores.units.n


def _order(scores: Scores) -> NDArray[np.int64]:
    """Return the systems from best to worst; of equal ones the first by name."""
    by_name = np.array(sorted(range(len(scores.systems)), key=lambda at: scores.systems[at]))
    return np.asarray(
        by_name[
            best_first(
                scores.values[by_name], greater_is_better=scores.metrics[0].greater_is_better
            )
        ]
    )


def _intervals(scores: Scores, settings: Settings, drawn: Floats | None) -> list[Interval]:
    """Return the interval of each system's own value."""
    kind, units = _units(scores)
    if drawn is None and scores.per_item is None and units < 2:
        why = f"one {kind} cannot show how much {PLURAL[kind]} vary"
        return [undefined("none", settings.confidence_level, why)] * len(scores.systems)
    if drawn is None and units >= 2 and _has_to_be_drawn(scores):
        drawn, _ = drawn_values(scores, settings)
    return between.each(scores, settings, drawn)


def _has_to_be_drawn(scores: Scores) -> bool:
    units = scores.units
    if scores.per_item is None:
        return True
    if units is None:
        return False
    return units.strata is not None or (
        scores.kind != "binary" and (units.kind == "item" or units.n >= clustered.ENOUGH)
    )


def _systems(
    scores: Scores,
    alignment: Alignment,
    intervals: Sequence[Interval],
    order: NDArray[np.int64],
    *,
    trivial: bool,
) -> tuple[System, ...]:
    return tuple(
        System(
            system=scores.systems[at],
            value=float(scores.values[at]),
            interval=intervals[at],
            trivial=trivial,
            unparseable=alignment.unparseable[at],
            hash=alignment.hashes[at],
        )
        for at in order.tolist()
    )


def typical_error(found: Scored) -> float:
    """Return the median standard error of a difference; NaN where nothing varies.

    Parameters
    ----------
    found : Scored
        Scores and the board of pairs.
    """
    if found.errors is None or not (found.errors > 0.0).any():
        return math.nan
    return float(np.median(found.errors[found.errors > 0.0]))
