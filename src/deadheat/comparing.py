"""Two systems, the same items, one answer."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from deadheat.alignment import Alignment, Missing, Unparseable
from deadheat.comparison import Comparison, Comparisons, several_metrics
from deadheat.dependence import in_units, strata_disagree
from deadheat.engine import engine_of
from deadheat.hints import cluster_hints
from deadheat.inference import between
from deadheat.inference import runs as over_runs
from deadheat.measuring import Measured, measured, together
from deadheat.metrics import Metric, metrics_of
from deadheat.missing import missing_bounds
from deadheat.reading import Named, read_inference, settled_by_runs
from deadheat.recipe import MEASURING, READING, Recipe, call_of, chosen, recipe_of
from deadheat.remarks import (
    NOT_COVERED,
    About,
    about_of,
    check_about,
    discarded_pairing,
    interval_notes,
    not_stated,
    range_notes,
    run_notes,
    settings_differ,
)
from deadheat.scale import scale_for
from deadheat.scores import Scores, score_items
from deadheat.scores.runs import Claim
from deadheat.scores.units import Strata, Weighting
from deadheat.settings import MEMORY, Alternative, Settings
from deadheat.sides import Side, account_of, chosen_pair, shared_items


def compare(
    *sources: Any,
    references: Any = None,
    metric: str | Metric | Sequence[Any] | Callable[..., Any] | None = None,
    baseline: str | None = None,
    candidate: str | None = None,
    method: str = "auto",
    confidence_level: float = 0.95,
    n_resamples: int = 9_999,
    rng: int = 0,
    alternative: Alternative = "two-sided",
    test: str = "auto",
    margin: float | None = None,
    paired: bool = True,
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
    about: About | None = None,
    threads: int | None = None,
    memory: int | str = MEMORY,
    engine: Any = None,
    progress: Callable[[int, int], None] | None = None,
) -> Comparison | Comparisons:
    """Compare two systems on the same items; the difference is candidate - baseline.

    Parameters
    ----------
    *sources : path, "NAME=PATH", data frame, mapping of name to array, or array
        One table with both systems, or one source a system. Arrays hold scores, or outputs where
        `references` are given; items are then paired by position.
    references : path, data frame or array, optional
        Right answers, where they are not in the sources.
    metric : str, Metric, callable, class or a sequence of these, optional
        Such as "accuracy", "mean", "macro_f1", "bleu", "wer"; several in one text have commas
        between them. "package.module:name", a callable or a class is a metric of one's own.
        Default: accuracy where there are outputs with references or all scores are 0/1, else
        the mean.
    baseline, candidate : str, optional
        Names of the two sides; by default the first system is the baseline.
    method : str
        Interval method, such as "percentile", "bca_t", "tango"; "auto" chooses and says so.
    confidence_level : float
        Nominal coverage of the interval.
    n_resamples : int
        Draws, where the distribution cannot be computed.
    rng : int
        Seed of the draws. A generator is refused: a record has to be able to state it.
    alternative : {"two-sided", "less", "greater"}
        About candidate - baseline.
    test : str
        Companion test of the reading, such as "exact", "midp", "sign_flip", "t", "swap".
    margin : float, optional
        Smallest difference that matters, on the metric's own scale.
    paired : bool
        False treats the two sets of items as independent, and says what that throws away.
    strata : {"fixed", "random"}
        Whether the claim is about these strata (items are drawn within them), or about new ones
        (strata are drawn).
    weighting : {"pooled", "macro"}
        Whether every item counts alike, or every stratum.
    runs : {"fixed", "random"}
        Whether the claim is about these runs of each system ("these checkpoints": scores are
        averaged within items), or about others of which these are a sample ("this recipe").
    missing : {"error", "drop", "wrong"}
        What to do with items that a system lacks and with scores that are not finite.
    unparseable : {"wrong", "missing"}
        What to do with null outputs.
    item, system_column, systems, score, output_column, reference_column, cluster, stratum, run
        Columns, where their names are not among those known.
    label_map : mapping, optional
        Old label to new label, in outputs and references.
    names : sequence of str, optional
        Names of systems given as arrays.
    labels, positive, zero_division, greater_is_better, tokenize, normalize, normalize_map, \
    bins, ties, scheme
        Settings of the metrics; see `deadheat.metrics.metric.Settings`. `normalize_map` may be
        the path of a file.
    about : mapping, optional
        {system: {field: value}} of what the data do not know, such as the checkpoint.
    threads : int, optional
        Threads for drawing; never changes a number.
    memory : int or str
        Bytes that a table may take, such as "500MB": a wide one that would take more is counted
        in passing, kind of item by kind of item.
    engine : str, distributed.Client or concurrent.futures.Executor, optional
        Where the parts of a table are counted and blocks of resamples are drawn, such as
        "dask://HOST:PORT"; never changes a number.
    progress : callable, optional
        Told how many resamples are done, of how many.

    Returns
    -------
    Comparison or Comparisons
        Comparisons where several metrics are named.

    Raises
    ------
    DeadheatError
        If options cannot be meant, inputs cannot be read or systems do not pair.

    Examples
    --------
    >>> import deadheat
    >>> found = deadheat.compare([1, 1, 0, 1, 0, 1, 1, 0], [1, 1, 1, 1, 0, 1, 1, 1])
    >>> found.difference.estimate, found.reading.code
    (0.25, 'unresolved')
    """
    options = call_of(locals(), normalize_map)
    work = engine_of(engine)
    settings = Settings(
        method=method,
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        seed=rng,
        alternative=alternative,
        test=test,
        margin=margin,
        threads=threads,
        engine=work,
        progress=progress,
    )
    measures = metrics_of(metric, **chosen(options, MEASURING))

    def groups(systems: tuple[str, ...]) -> list[tuple[str, ...]]:
        pair = chosen_pair(systems, baseline, candidate)
        check_about(about or {}, pair)
        return [pair] if paired else [(system,) for system in pair]

    parts = measured(
        sources,
        chosen(options, READING),
        measures,
        groups,
        missing=missing,
        unparseable=unparseable,
        strata=strata,
        weighting=weighting,
        memory=memory,
        engine=work,
        runs=runs,
        progress=progress,
    )
    inferred: dict[int, between.Between] = {}
    for positions in together(parts):
        if parts[positions[0]].n_runs is not None:
            inferred |= {position: _of_recipes(parts[position], settings) for position in positions}
            continue
        by_group = zip(*(parts[position].scores for position in positions), strict=True)
        inferred |= zip(positions, _inferred([*by_group], settings), strict=True)
    comparisons = tuple(
        _concluded(
            part,
            measure,
            inferred[position],
            settings,
            recipe_of("compare", sources, options, part.evaluation),
            len(parts),
        )
        for position, (part, measure) in enumerate(zip(parts, measures, strict=True))
    )
    if len(comparisons) == 1:
        return comparisons[0]
    return Comparisons(comparisons=comparisons, notes=several_metrics(comparisons))


def _inferred(
    by_group: Sequence[Sequence[Scores]], settings: Settings
) -> Sequence[between.Between]:
    """Infer from the scores of the pair, or of the two sides apart, by every metric."""
    if len(by_group) == 1:
        return between.paired(by_group[0], settings)
    return between.unpaired(by_group[0], by_group[1], settings)


def _of_recipes(part: Measured, settings: Settings) -> between.Between:
    """Infer for other runs of the pair, on the same items or on items of their own."""
    assert part.n_runs is not None
    if len(part.scores) == 1:
        return over_runs.paired(part.scores[0], part.n_runs[0], settings)
    return over_runs.unpaired(part.scores[0], part.scores[1], settings)


def _scored(measure: Metric | None, recipe: Recipe) -> Callable[[Alignment], Scores]:
    """Return what scores other items as these were scored."""
    strata, weighting = recipe.options["strata"], recipe.options["weighting"]
    return lambda other: in_units(score_items(other, measure), other, strata, weighting)[0]


def _concluded(
    part: Measured,
    measure: Metric | None,
    found: between.Between,
    settings: Settings,
    recipe: Recipe,
    n_comparisons: int,
) -> Comparison:
    """Put together what one metric says of the two systems."""
    alignments, scores = part.alignments, part.scores
    first, second = (system for alignment in alignments for system in alignment.systems)
    pair = (first, second)
    about = about_of(part.evaluation, recipe.options["about"] or {}, pair)
    values = part.values
    used = scores[0].metrics[0]
    n = sum(alignment.n for alignment in alignments)
    scale = scale_for(n, used.bounds, found.difference.standard_error)
    named = Named(
        baseline=pair[0],
        candidate=pair[1],
        metric=used.name,
        greater_is_better=used.greater_is_better,
        n=n,
    )
    hashes = [digest for alignment in alignments for digest in alignment.hashes]
    wrong = [count for alignment in alignments for count in alignment.unparseable]
    sides = [
        Side(
            system=pair[index],
            value=values[index],
            interval=interval,
            hash=hashes[index],
            unparseable=wrong[index],
            about=dict(about[pair[index]]),
        )
        for index, interval in enumerate((found.baseline, found.candidate))
    ]
    paired = len(alignments) == 1
    shared = None if paired else shared_items(part.evaluation, pair, alignments[0].runs)
    span = None if used.bounds is None else used.bounds[1] - used.bounds[0]
    bounds = None
    if paired and part.n_runs is None:
        bounds = missing_bounds(alignments, _scored(measure, recipe))
    said = (
        *settings_differ(about),
        *part.evaluation.notes,
        *(note for alignment in alignments for note in alignment.notes),
        *(note for group in scores for note in group.notes),
        *cluster_hints(part.alignments, part.scores),
        *(() if span is None else range_notes(found.difference.interval, -span, span, "the gap")),
        *(
            note
            for side in sides
            if used.bounds is not None
            for note in range_notes(side.interval, *used.bounds, side.system)
        ),
        *interval_notes({side.system: side.interval for side in sides}),
        *found.difference.notes,
        *run_notes(found.difference.runs, pair, scale),
        *(() if bounds is None else (bounds.note(used.name, scale),)),
        *(() if part.by_stratum is None else strata_disagree(part.by_stratum, used.name, pair)),
        *(
            ()
            if shared is None
            else discarded_pairing(
                shared, measure, settings, scale, recipes=part.n_runs is not None
            )
        ),
        *not_stated(about, pair),
        NOT_COVERED,
    )
    return Comparison(
        metric=used.name,
        metric_signature=used.signature,
        greater_is_better=used.greater_is_better,
        baseline=sides[0],
        candidate=sides[1],
        difference=found.difference,
        items=account_of(alignments, shared),
        pairing="paired" if paired else "unpaired",
        reading=settled_by_runs(
            read_inference(found.difference, named, settings, scale), found.difference, named
        ),
        scale=scale,
        settings=settings.without_engine(),
        recipe=recipe,
        notes=tuple(dict.fromkeys(said)),
        n_comparisons=n_comparisons,
        units=part.units,
        part=part,
    )
