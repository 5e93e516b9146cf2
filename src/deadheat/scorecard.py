"""Each system on its own, with its interval."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from deadheat._version import __version__
from deadheat.alignment import Missing, Unparseable
from deadheat.dependence import Unit
from deadheat.engine import engine_of
from deadheat.hints import cluster_hints
from deadheat.inference import between
from deadheat.inference import runs as over_runs
from deadheat.inference.result import OverRuns
from deadheat.intervals.interval import Interval
from deadheat.measuring import Measured, measured, together
from deadheat.metrics import Metric, metrics_of
from deadheat.notes import Note
from deadheat.recipe import MEASURING, READING, Recipe, call_of, chosen, recipe_of
from deadheat.remarks import about_of, interval_notes, range_notes, run_notes
from deadheat.rendering import Rendered, Several, plain_dict
from deadheat.scale import Scale, scale_for
from deadheat.scores.runs import Claim
from deadheat.scores.units import Strata, Weighting
from deadheat.settings import MEMORY, Settings

SCHEMA = "deadheat/scorecard/1"
SEVERAL = "deadheat/scorecards/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One system of a scorecard."""

    system: str
    value: float
    standard_error: float
    interval: Interval
    unit: Unit
    design_effect: float
    n: int
    items_hash: str
    hash: str
    unparseable: int
    dropped: tuple[tuple[str, int], ...]
    runs: OverRuns | None = None
    about: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorecard(Rendered):
    """Systems with their values and intervals, each on its own items.

    Attributes
    ----------
    metric, metric_signature : str
    greater_is_better : bool
    systems : tuple of Row
        In the order of the sources.
    scale : Scale
    settings : Settings
    recipe : Recipe
    notes : tuple of Note
    part : Measured or None
        What was read and scored, to be drawn and listed; no part of any record.
    """

    metric: str
    metric_signature: str
    greater_is_better: bool
    systems: tuple[Row, ...]
    scale: Scale
    settings: Settings
    recipe: Recipe
    notes: tuple[Note, ...]
    version: str = __version__
    part: Measured | None = field(default=None, repr=False, compare=False)

    @property
    def signature(self) -> str:
        """The settings in one line."""
        drawn = any(row.interval.monte_carlo_error is not None for row in self.systems)
        parts = {
            "metric": self.metric_signature,
            "unit": "+".join(dict.fromkeys(str(row.unit) for row in self.systems)),
            **self._runs(),
            "method": "+".join(sorted({row.interval.method for row in self.systems})),
            "confidence": f"{self.settings.confidence_level:g}",
            "resamples": f"{self.settings.n_resamples}/seed:{self.settings.seed}"
            if drawn
            else "exact",
            "missing": self.recipe.options["missing"],
            "unparseable": self.recipe.options["unparseable"],
            "deadheat": self.version,
        }
        return "|".join(f"{name}:{value}" for name, value in parts.items())

    def _runs(self) -> dict[str, str]:
        """Return the runs as a part of the signature, where the claim is about others."""
        counts = [len(row.runs.systems[0].values) for row in self.systems if row.runs is not None]
        return {"runs": f"random-{'x'.join(map(str, counts))}"} if counts else {}

    def to_dict(self) -> dict[str, Any]:
        """Return plain data of schema deadheat/scorecard/1; undefined is None with a note."""
        return plain_dict(
            {
                "schema": SCHEMA,
                "version": self.version,
                "metric": {
                    "name": self.metric,
                    "greater_is_better": self.greater_is_better,
                    "signature": self.metric_signature,
                },
                "systems": [
                    {
                        "system": row.system,
                        "value": row.value,
                        "standard_error": row.standard_error,
                        "interval": row.interval.to_dict(),
                        "unit": {
                            "kind": row.unit.kind,
                            "n": row.unit.n,
                            "design_effect": row.design_effect,
                        },
                        "runs": None
                        if row.runs is None
                        else {**row.runs.to_dict(), **row.runs.systems[0].to_dict()},
                        "items": {
                            "n": row.n,
                            "hash": row.items_hash,
                            "dropped": [{"reason": why, "n": n} for why, n in row.dropped],
                        },
                        "hash": row.hash,
                        "unparseable": row.unparseable,
                        **({"about": dict(row.about)} if row.about else {}),
                    }
                    for row in self.systems
                ],
                "signature": self.signature,
                "notes": [note.to_dict() for note in self.notes],
            }
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorecards(Several[Scorecard]):
    """The same systems scored by several metrics.

    Attributes
    ----------
    scorecards : tuple of Scorecard
        One for each metric, in the order in which they were named.
    """

    scorecards: tuple[Scorecard, ...]
    version: str = __version__

    @property
    def parts(self) -> tuple[Scorecard, ...]:
        """The results, one for each metric."""
        return self.scorecards

    def to_dict(self) -> dict[str, Any]:
        """Return plain data of schema deadheat/scorecards/1."""
        return {
            "schema": SEVERAL,
            "version": self.version,
            "scorecards": [card.to_dict() for card in self.scorecards],
        }


def score(
    *sources: Any,
    references: Any = None,
    metric: str | Metric | Sequence[Any] | Callable[..., Any] | None = None,
    method: str = "auto",
    confidence_level: float = 0.95,
    n_resamples: int = 9_999,
    rng: int = 0,
    strata: Strata = "fixed",
    weighting: Weighting = "pooled",
    runs: Claim = "fixed",
    missing: Missing = "error",
    unparseable: Unparseable = "wrong",
    item: str | None = None,
    system_column: str | None = None,
    systems: Sequence[str] | None = None,
    score: str | None = None,
    output_column: str | None = None,
    reference_column: str | int | None = None,
    cluster: str | None = None,
    stratum: str | None = None,
    run: str | None = None,
    label_map: Mapping[str, str] | None = None,
    names: Sequence[str] | None = None,
    different_items: bool = False,
    labels: Sequence[Any] | None = None,
    positive: Any = None,
    zero_division: float = 0.0,
    greater_is_better: bool | None = None,
    tokenize: str | None = None,
    normalize: str | Sequence[str] | None = None,
    normalize_map: str | os.PathLike[str] | Mapping[str, str] | None = None,
    bins: int = 15,
    ties: str = "half",
    scheme: str = "conll",
    threads: int | None = None,
    memory: int | str = MEMORY,
    engine: Any = None,
    progress: Callable[[int, int], None] | None = None,
) -> Scorecard | Scorecards:
    """Score each system on its own, with an interval.

    0/1 scores have Wilson's interval unless `method` names another. Whether the intervals of two
    systems overlap says nothing about their difference: for that, `compare`.

    Parameters
    ----------
    *sources, references, metric, ...
        As for `deadheat.compare`.

    Returns
    -------
    Scorecard or Scorecards
        Scorecards where several metrics are named.

    Raises
    ------
    DeadheatError
        If options cannot be meant or inputs cannot be read.

    Examples
    --------
    >>> import deadheat
    >>> card = deadheat.score([1] * 70 + [0] * 30)
    >>> [round(end, 4) for end in (card.systems[0].interval.low, card.systems[0].interval.high)]
    [0.6042, 0.7811]
    """
    options = call_of(locals(), normalize_map)
    work = engine_of(engine)
    settings = Settings(
        method=method,
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        seed=rng,
        threads=threads,
        engine=work,
        progress=progress,
    )
    measures = metrics_of(metric, **chosen(options, MEASURING))
    parts = measured(
        sources,
        chosen(options, READING),
        measures,
        lambda systems: [(system,) for system in systems],
        missing=missing,
        unparseable=unparseable,
        strata=strata,
        weighting=weighting,
        memory=memory,
        engine=work,
        runs=runs,
        progress=progress,
    )
    found: dict[int, list[between.Alone]] = {}
    for positions in together(parts):
        by_system = zip(*(parts[position].scores for position in positions), strict=True)
        alone = [
            between.alone(scores, settings)
            if parts[positions[0]].n_runs is None
            else [over_runs.alone(part, settings) for part in scores]
            for scores in by_system
        ]
        found |= zip(positions, map(list, zip(*alone, strict=True)), strict=True)
    cards = tuple(
        _card(part, found[at], settings, recipe_of("score", sources, options, part.evaluation))
        for at, part in enumerate(parts)
    )
    return cards[0] if len(cards) == 1 else Scorecards(scorecards=cards)


def _card(
    part: Measured, found: Sequence[between.Alone], settings: Settings, recipe: Recipe
) -> Scorecard:
    """Put together what one metric says of each system."""
    alignments, scored = part.alignments, part.scores
    about = about_of(part.evaluation, {}, [alignment.systems[0] for alignment in alignments])
    rows = tuple(
        Row(
            system=alignment.systems[0],
            value=value,
            standard_error=alone.standard_error,
            interval=alone.interval,
            unit=unit,
            design_effect=alone.design_effect,
            n=alignment.n,
            items_hash=alignment.hash,
            hash=alignment.hashes[0],
            unparseable=alignment.unparseable[0],
            dropped=tuple((dropped.reason, dropped.n) for dropped in alignment.dropped),
            runs=alone.runs,
            about=about[alignment.systems[0]],
        )
        for alignment, value, alone, unit in zip(
            alignments, part.values, found, part.units, strict=True
        )
    )
    bound = scored[0].metrics[0]
    said = [
        *part.evaluation.notes,
        *(note for alignment in alignments for note in alignment.notes),
        *(note for scores in scored for note in scores.notes),
        *cluster_hints(part.alignments, part.scores),
        *(
            note
            for row in rows
            if bound.bounds is not None
            for note in range_notes(row.interval, *bound.bounds, row.system)
        ),
        *interval_notes({row.system: row.interval for row in rows}),
        *(note for alone in found for note in alone.notes),
    ]
    widest = max((row.interval.high - row.interval.low for row in rows), default=float("nan"))
    scale = scale_for(max(row.n for row in rows), bound.bounds, widest / 4.0)
    said += (note for row in rows for note in run_notes(row.runs, (row.system,), scale))
    return Scorecard(
        metric=bound.name,
        metric_signature=bound.signature,
        greater_is_better=bound.greater_is_better,
        systems=rows,
        scale=scale,
        settings=settings.without_engine(),
        recipe=recipe,
        notes=tuple(dict.fromkeys(said)),
        part=part,
    )
