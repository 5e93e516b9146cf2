"""Rank many systems from one pass over the items."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.alignment import Alignment, Missing, Unparseable
from deadheat.costs import mean_costs, on_front
from deadheat.dependence import in_units, strata_reorder
from deadheat.engine import engine_of
from deadheat.errors import InputError, known
from deadheat.hints import cluster_hints
from deadheat.inference import between, clustered
from deadheat.inference.board import Board, board
from deadheat.inference.pairs import Correction
from deadheat.leaderboard import Leaderboard, Leaderboards, Ranked
from deadheat.measuring import Measured, measured
from deadheat.metrics import Metric, metrics_of
from deadheat.missing import missing_bounds
from deadheat.notes import Note
from deadheat.policies import policy_ranks
from deadheat.ranking.confidence_set import confidence_set
from deadheat.ranking.draws import Draws
from deadheat.ranking.optimism import Optimism, best_shares, optimism, rank_shares
from deadheat.ranking.ranks import arena_rank
from deadheat.recipe import MEASURING, READING, Recipe, call_of, chosen, recipe_of
from deadheat.remarks import NOT_COVERED, about_of, interval_notes, settings_differ
from deadheat.scale import Scale, scale_for
from deadheat.scores import Scores, score_items
from deadheat.scores.units import Strata, Weighting
from deadheat.settings import MEMORY, Settings

Floats = NDArray[np.float64]


def rank(
    *sources: Any,
    references: Any = None,
    metric: str | Metric | Sequence[Any] | Callable[..., Any] | None = None,
    baseline: str | None = None,
    correction: Correction = "max-t",
    confidence_level: float = 0.95,
    n_resamples: int = 9_999,
    rng: int = 0,
    strata: Strata = "fixed",
    weighting: Weighting = "pooled",
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
    cost: str | None = None,
    descriptive: bool = False,
    confidence_set: bool = False,
    arena: bool = False,
    threads: int | None = None,
    memory: int | str = MEMORY,
    engine: Any = None,
    progress: Callable[[int, int], None] | None = None,
) -> Leaderboard | Leaderboards:
    """Rank systems on the same items, with what these items say about the order.

    Parameters
    ----------
    *sources, references, metric, ...
        As for `deadheat.compare`.
    baseline : str, optional
        Compare the others with this system; by default all pairs are compared.
    correction : {"max-t", "holm", "bh", "none"}
        How p-values and intervals of pairs allow for their number. Ranks and bands always hold
        together.
    cost : str, optional
        Column of costs; adds the mean cost of each system and who is on the front of value
        against cost.
    descriptive : bool
        Add the share of resamples in which each system comes first.
    confidence_set : bool
        Add the model confidence set (Hansen, Lunde & Nason 2011).
    arena : bool
        Add ranks by separate intervals, the rule of Chatbot Arena's board.

    Returns
    -------
    Leaderboard or Leaderboards
        Leaderboards where several metrics are named.

    Raises
    ------
    DeadheatError
        If options cannot be meant, inputs cannot be read or systems do not pair.

    Examples
    --------
    >>> import deadheat
    >>> found = deadheat.rank(
    ...     {"a": [1] * 70 + [0] * 30, "b": [1] * 72 + [0] * 28, "c": [1] * 30 + [0] * 70}
    ... )
    >>> [(row.system, row.rank, row.rank_interval, row.band) for row in found.systems]
    [('b', 1, (1, 2), 'a'), ('a', 2, (1, 2), 'a'), ('c', 3, (3, 3), 'b')]
    """
    options = call_of(locals(), normalize_map)
    work = engine_of(engine)
    settings = Settings(
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
        lambda found: [_several(found, baseline)],
        missing=missing,
        unparseable=unparseable,
        strata=strata,
        weighting=weighting,
        memory=memory,
        engine=work,
        progress=progress,
    )
    costs, of_costs = (None, ()) if cost is None else mean_costs(sources, options, cost)
    boards = tuple(
        _leaderboard(
            part,
            measure,
            settings,
            recipe_of("rank", sources, options, part.evaluation),
            costs,
            of_costs,
        )
        for part, measure in zip(parts, measures, strict=True)
    )
    return boards[0] if len(boards) == 1 else Leaderboards(leaderboards=boards)


def _several(systems: tuple[str, ...], baseline: str | None) -> tuple[str, ...]:
    if len(systems) < 2:
        raise InputError(
            f"only one system was found: {', '.join(systems)}.",
            fix="Give more files, a folder of them, or a table with several systems.",
        )
    if baseline is not None and baseline not in systems:
        raise InputError(
            f"there is no system {baseline!r} (baseline).", fix=known(systems, baseline)
        )
    return systems


def _leaderboard(
    part: Measured,
    measure: Metric | None,
    settings: Settings,
    recipe: Recipe,
    costs: Mapping[str, float] | None,
    of_costs: tuple[Note, ...],
) -> Leaderboard:
    """Put together what one metric says of all systems."""
    (scores,), (alignment,), options = part.scores, part.alignments, recipe.options
    name = options["baseline"]
    found = board(
        scores,
        settings,
        correction=options["correction"],
        baseline=None if name is None else scores.systems.index(name),
    )
    intervals = between.each(scores, settings, found.draws)
    used, values = scores.metrics[0], scores.values
    best = np.asarray(found.best)
    extra = _extra(scores, found, intervals, options, costs)
    about = about_of(part.evaluation, {}, scores.systems)
    rows = tuple(
        Ranked(
            system=scores.systems[at],
            value=float(values[at]),
            interval=intervals[at],
            rank=int(found.ranks[at]),
            rank_interval=(int(found.lowest[at]), int(found.highest[at])),
            band=found.bands[at],
            top=bool(found.top[at]),
            unparseable=alignment.unparseable[at],
            hash=alignment.hashes[at],
            about=about[scores.systems[at]],
            **{key: column[at] for key, column in extra.items()},
        )
        for at in found.order.tolist()
    )
    curse = None
    if found.draws is not None:
        curse = optimism(values, found.draws, greater_is_better=used.greater_is_better)
    scale = scale_for(
        alignment.n, used.bounds, float(np.median(found.pairs.standard_errors, axis=0))
    )

    def scored(other: Alignment) -> Scores:
        found = score_items(other, measure)
        return in_units(found, other, options["strata"], options["weighting"])[0]

    bounds = missing_bounds((alignment,), scored)
    policies = policy_ranks(alignment, scored)
    said = (
        *settings_differ(about),
        *part.evaluation.notes,
        *alignment.notes,
        *scores.notes,
        *cluster_hints((alignment,), (scores,)),
        *interval_notes(dict(zip(scores.systems, intervals, strict=True))),
        *of_costs,
        *found.notes,
        *_of_units(scores),
        *(() if part.by_stratum is None else strata_reorder(part.by_stratum, scores.systems)),
        *(() if bounds is None else (bounds.note(used.name, scale),)),
        *(() if policies is None else (policies.note(scale),)),
        *_family(found, scores.systems, options, scale, curse),
        NOT_COVERED,
    )
    return Leaderboard(
        metric=used.name,
        metric_signature=used.signature,
        greater_is_better=used.greater_is_better,
        systems=rows,
        names=scores.systems,
        pairs=found.pairs,
        baseline=name,
        best_set=tuple(scores.systems[at] for at in found.order.tolist() if best[at]),
        correction=_used(found, options),
        critical_value=found.critical_value,
        n_items=alignment.n,
        dropped=tuple((dropped.reason, dropped.n) for dropped in alignment.dropped),
        items_hash=alignment.hash,
        unit=part.units[0],
        optimism=None if curse is None else curse.optimism,
        corrected=None if curse is None else curse.corrected,
        exact=found.draws is None,
        scale=scale,
        settings=settings.without_engine(),
        recipe=recipe,
        notes=tuple(dict.fromkeys(said)),
        missing=bounds,
        policies=policies,
        part=part,
    )


def _extra(
    scores: Scores,
    found: Board,
    intervals: Sequence[Any],
    options: Mapping[str, Any],
    costs: Mapping[str, float] | None,
) -> dict[str, list[Any]]:
    """Return what was asked for besides, a column for each."""
    systems, values = scores.systems, scores.values
    greater = scores.metrics[0].greater_is_better
    extra: dict[str, list[Any]] = {}
    if found.draws is not None and options["descriptive"]:
        extra["best_share"] = best_shares(found.draws, greater_is_better=greater).tolist()
        shares = rank_shares(found.draws, greater_is_better=greater)
        extra["rank_shares"] = [tuple(row) for row in shares.tolist()]
    if found.draws is not None and options["confidence_set"]:
        members = confidence_set(
            Draws.of(values, found.draws, n_units=scores.n),
            confidence_level=options["confidence_level"],
            greater_is_better=greater,
        ).members
        extra["in_confidence_set"] = members.tolist()
    if options["arena"]:
        ends = np.array([[interval.low, interval.high] for interval in intervals])
        extra["arena_rank"] = arena_rank(ends[:, 0], ends[:, 1], greater_is_better=greater).tolist()
    if costs is not None:
        paid = np.array([costs[system] for system in systems])
        extra["cost"] = paid.tolist()
        extra["on_front"] = on_front(values if greater else -values, paid)
    return extra


def _of_units(scores: Scores) -> tuple[Note, ...]:
    """Say the design effects of means over clusters."""
    if scores.units is None or scores.per_item is None or scores.units.strata is not None:
        return ()
    return clustered.effects_noted(scores.per_item, scores.units)


def _used(found: Board, options: Mapping[str, Any]) -> str:
    """Return the correction that was made; few clusters are not drawn, as max-t would need."""
    correction = str(options["correction"])
    return "holm" if correction == "max-t" and found.draws is None else correction


def _family(
    found: Board,
    systems: Sequence[str],
    options: Mapping[str, Any],
    scale: Scale,
    curse: Optimism | None,
) -> tuple[Note, ...]:
    """Say how many comparisons were made, how, and what being first is worth."""
    n = len(found.pairs.members)
    counted = "1 comparison" if n == 1 else f"{n:,} comparisons"
    which = "all pairs" if options["baseline"] is None else f"the others with {options['baseline']}"
    rule = {
        "max-t": "adjusted by step-down max-t, with simultaneous intervals",
        "holm": "adjusted by Holm's method, with Bonferroni intervals",
        "bh": "adjusted by Benjamini and Hochberg's method (the share of false findings), with "
        "intervals for each pair alone",
        "none": "not adjusted, with intervals for each pair alone",
    }[_used(found, options)]
    notes = [
        Note(
            code="family",
            message=f"{counted} ({which}), {rule}. Ranks and bands hold for all "
            f"{len(systems):,} systems together.",
        )
    ]
    if found.draws is None and (options["descriptive"] or options["confidence_set"]):
        notes.append(
            Note(
                code="not_drawn",
                message="Shares of first places and the model confidence set rest on draws, and "
                "nothing is drawn from so few clusters: they are left out.",
            )
        )
    if curse is not None and len(systems) > 1:
        first = systems[int(found.order[0])]
        notes.append(
            Note(
                code="winners_curse",
                message=f"{first} is first on these items, and being picked for that flatters "
                f"it by about {scale.size(curse.optimism)} (bootstrap estimate): corrected, its "
                f"value is about {scale.value(curse.corrected)}. Fresh items are the cure.",
            )
        )
    if found.letters_by != "insert_absorb":
        notes.append(
            Note(
                code="letters",
                message="There are more groups of systems that are not separated than can be "
                "lettered: fewer were taken. Systems share a letter exactly where they are not "
                "separated, but not every group is as large as it could be.",
            )
        )
    return tuple(notes)
