"""Check a benchmark: read, score, compute every part, judge."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from deadheat.alignment import Missing, Unparseable
from deadheat.benchmark import item_checks, levels, separation, text_checks
from deadheat.benchmark.asked import Asked, asked
from deadheat.benchmark.columns import column_of, option_counts
from deadheat.benchmark.item_checks import names_of
from deadheat.benchmark.item_parts import Duplicates, TrainingOverlap
from deadheat.benchmark.judged import judged
from deadheat.benchmark.parts import Baseline, DesignEffect, Resolution, Spread
from deadheat.benchmark.reliability import reliability_of
from deadheat.benchmark.result import Benchmark
from deadheat.benchmark.scored import Scored, scored, typical_error
from deadheat.benchmark.texts import as_texts, sha256_of, texts_of_file
from deadheat.benchmark.training import Training
from deadheat.errors import UsageError
from deadheat.hints import cluster_hints
from deadheat.measuring import Measured, measured
from deadheat.metrics import Metric, metrics_of
from deadheat.notes import Note
from deadheat.recipe import MEASURING, READING, Recipe, call_of, chosen, recipe_of
from deadheat.remarks import NOT_COVERED, interval_notes
from deadheat.scale import scale_for
from deadheat.scores.units import Strata, Weighting, codes
from deadheat.settings import MEMORY, Settings
from deadheat.similarity import normal

Flags = NDArray[np.bool_]
Part = TypeVar("Part")


def check(
    *sources: Any,
    references: Any = None,
    metric: str | Metric | Callable[..., Any] | None = None,
    options: int | str | None = None,
    trivial: Sequence[str] | None = None,
    text_column: str | int | None = None,
    texts: Any = None,
    training: Any = None,
    training_column: str | int | None = None,
    label_error: float | None = None,
    suspects: int = 10,
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
    threads: int | None = None,
    memory: int | str = MEMORY,
    progress: Callable[[int, int], None] | None = None,
) -> Benchmark:
    """Check whether a benchmark can tell systems apart.

    Parameters
    ----------
    *sources, references, metric, ...
        As for `deadheat.rank`; one metric.
    options : int or str, optional
        How many answers an item offers, for random choice as a baseline; or the column that holds
        their number, or a list of them.
    trivial : sequence of str, optional
        Systems that are baselines and no candidates: they are in no other part of the check.
    text_column : str or int, optional
        Column of the texts of items, in the sources, the references or `texts`.
    texts : path, data frame or sequence of str, optional
        Texts of the items apart from the outputs.
    training : path, data frame or sequence of str, optional
        Texts in which those of the items are looked for.
    training_column : str or int, optional
        Column, or field of JSON lines, of the texts in `training`.
    label_error : float, optional
        Share of the references that are wrong.
    suspects : int
        How many items, or groups of items, of each kind are listed.
    memory : int or str
        Bytes that tables may take, such as "500MB"; what needs more is refused.

    Returns
    -------
    Benchmark

    Raises
    ------
    DeadheatError
        If options cannot be meant, inputs cannot be read or systems do not pair.

    Examples
    --------
    >>> import deadheat
    >>> found = deadheat.check({"a": [1] * 97 + [0] * 3, "b": [0] * 4 + [1] * 96}, options=4)
    >>> [(finding.severity, finding.code) for finding in found.findings][:3]
    [('problem', 'resolution'), ('warning', 'ceiling'), ('warning', 'spread')]
    """
    call = call_of(locals(), normalize_map)
    settings = Settings(
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        seed=rng,
        threads=threads,
        progress=progress,
    )
    wanted = asked(
        options=options,
        trivial=trivial,
        text_column=text_column,
        texts=texts,
        training=training,
        training_column=training_column,
        label_error=label_error,
        suspects=suspects,
    )
    measures = metrics_of(metric, **chosen(call, MEASURING))
    if len(measures) != 1:
        raise UsageError(
            f"a benchmark is checked by one metric, and {len(measures)} are named.",
            fix="Run it once for each.",
        )
    (part,) = measured(
        sources,
        chosen(call, READING),
        measures,
        lambda found: [found],
        missing=missing,
        unparseable=unparseable,
        strata=strata,
        weighting=weighting,
        memory=memory,
        kinds=False,
        progress=progress,
    )
    wanted.check_systems(part.evaluation.systems)
    made = _Run(
        sources=sources,
        call=call,
        wanted=wanted,
        settings=settings,
        measure=measures[0],
        part=part,
        scored=scored(part, measures[0], wanted.trivial, settings, call),
        notes=[],
    )
    result = _computed(made, _texts(made))
    return replace(result, findings=judged(result))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Run:
    """One call of `check`: what was given, what was read, and notes on what is left out."""

    sources: tuple[Any, ...]
    call: dict[str, Any]
    wanted: Asked
    settings: Settings
    measure: Metric | None
    part: Measured
    scored: Scored
    notes: list[Note]

    def kept(self, name: str, found: Part | str) -> Part | None:
        """Return a part; what is a reason instead becomes a note, unless it is empty."""
        if not isinstance(found, str):
            return found
        if found:
            self.notes.append(Note(code="not_computed", message=f"{name}: {found}."))
        return None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Texts:
    """What the texts of the items say, where they are given.

    Attributes
    ----------
    duplicates : Duplicates or None
    overlap : TrainingOverlap or None
    flags : dict of str to ndarray of bool, shape (item,)
        What is to be flagged of each item.
    files : dict of str to str
        SHA-256 of each file that was read for it, by its path.
    """

    duplicates: Duplicates | None = None
    overlap: TrainingOverlap | None = None
    flags: dict[str, Flags] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)


def _computed(run: _Run, texts: _Texts) -> Benchmark:
    """Compute every part and put them together, not yet judged."""
    found, wanted, settings = run.scored, run.wanted, run.settings
    scores, table, best = found.scores, found.table, found.systems[0]
    spread, resolution, effect = _separation(run)
    rows = tuple(_baselines(run))
    result = Benchmark(
        metric=found.metric.name,
        metric_signature=found.metric.signature,
        greater_is_better=found.greater,
        systems=(*found.systems, *found.trivial),
        items=item_checks.items_of(found.alignment, table, wanted.suspects),
        unit=found.unit,
        design_effect=effect,
        ceiling=run.kept("ceiling", levels.ceiling_of(best, scores, found.bounds, resolution)),
        baselines=levels.baselines_of(rows, found.systems, best, found.bounds, scores)
        if rows
        else None,
        spread=spread,
        resolution=resolution,
        discrimination=run.kept(
            "discrimination",
            item_checks.discrimination_of(table, found.metric.name, wanted.suspects),
        ),
        upsets=run.kept("upsets", item_checks.upsets_of(table, wanted.suspects)),
        reliability=run.kept(
            "reliability",
            reliability_of(table, found.halved, found.metric.name, settings),
        ),
        duplicates=texts.duplicates,
        overlap=texts.overlap,
        label_noise=None
        if wanted.label_error is None
        else levels.label_noise_of(wanted.label_error, found.systems, best, scores),
        findings=(),
        exact=isinstance(found.board, str) or found.board.draws is None,
        scale=scale_for(found.alignment.n, found.metric.bounds, typical_error(found)),
        settings=settings,
        recipe=_recipe(run, texts.files),
        notes=(),
        table=None if table is None else item_checks.frame_of(table, texts.flags),
    )
    return replace(result, notes=_said(run, result))


def _separation(run: _Run) -> tuple[Spread | None, Resolution | None, DesignEffect | None]:
    """Return how far apart the systems are, what the items resolve, and what clusters cost."""
    found = run.scored
    if isinstance(found.board, str) or found.errors is None:
        run.kept("spread and resolution", str(found.board))
        return None, None, None
    scores, pairs = found.scores, found.board.pairs
    return (
        separation.spread_of(scores, pairs, found.errors),
        run.kept("resolution", separation.resolution_of(scores, pairs, found.errors, run.settings)),
        separation.design_effect(scores, pairs, found.errors),
    )


def _baselines(run: _Run) -> Iterator[Baseline]:
    """Yield what is known to need no ability."""
    found, call, options = run.scored, run.call, run.wanted.options
    constant = run.kept(
        "majority class",
        levels.constant_answers(found.alignment, run.measure, call["strata"], call["weighting"]),
    )
    yield from constant or ()
    if options is not None:
        choices: int | NDArray[np.float64]
        if isinstance(options, int):
            choices = options
        else:
            column = column_of(
                run.sources, call["references"], chosen(call, READING), options,
                found.alignment, "--options",
            )  # fmt: skip
            choices = option_counts(column, found.alignment)
        strata = found.alignment.strata
        averaged = strata is not None and call["weighting"] == "macro"
        yield levels.random_choice(
            choices, found.scores, codes(strata) if averaged and strata is not None else None
        )
    for system in found.trivial:
        yield Baseline(kind="trivial", name=system.system, value=system.value)


def _texts(run: _Run) -> _Texts:
    """Read the texts of the items and look for them among each other and in a training file."""
    wanted, found, call = run.wanted, run.scored, run.call
    if not wanted.wants_texts:
        return _Texts()
    alignment, table = found.alignment, found.table
    if wanted.texts is not None:
        column = texts_of_file(wanted.texts, wanted.text_column, call["item"], alignment)
    else:
        assert wanted.text_column is not None
        column = column_of(
            run.sources, call["references"], chosen(call, READING), wanted.text_column,
            alignment, "--text-column",
        )  # fmt: skip
    texts = [normal(text) for text in as_texts(column)]
    names = names_of(alignment)
    duplicates, twice = text_checks.duplicates_of(texts, alignment, names, wanted.suspects)
    flags, files = {"duplicate": twice}, sha256_of(wanted.texts)
    if wanted.training is None:
        return _Texts(duplicates=duplicates, flags=flags, files=files)
    training = Training(source=wanted.training, column=wanted.training_column)
    overlap, inside = text_checks.overlap_of(texts, training, names, table, wanted.suspects)
    if isinstance(wanted.training, (str, os.PathLike)):
        files |= {os.fspath(wanted.training): training.sha256}
    return _Texts(
        duplicates=duplicates, overlap=overlap, flags=flags | {"in_training": inside}, files=files
    )


def _recipe(run: _Run, files: dict[str, str]) -> Recipe:
    """Write down the call; texts are read from files of their own."""
    recipe = recipe_of("check", run.sources, run.call, run.part.evaluation)
    return replace(recipe, files=recipe.files | files)


def _said(run: _Run, result: Benchmark) -> tuple[Note, ...]:
    """Return all that there is to say besides, each once."""
    found, wanted = run.scored, run.wanted
    absent = [
        what
        for what, asked_for in (
            ("duplicates (--text-column or --texts)", wanted.wants_texts),
            ("overlap with training texts (--training)", wanted.training is not None),
            ("label noise (--label-error)", wanted.label_error is not None),
        )
        if not asked_for
    ]
    said = (
        *run.part.evaluation.notes,
        *found.alignment.notes,
        *found.scores.notes,
        *cluster_hints(run.part.alignments, run.part.scores),
        *interval_notes({system.system: system.interval for system in result.systems}),
        *(() if isinstance(found.board, str) else found.board.notes),
        *run.notes,
        *(
            (
                Note(
                    code="not_asked", message=f"Parts that were not asked for: {', '.join(absent)}."
                ),
            )
            if absent
            else ()
        ),
        NOT_COVERED,
    )
    return tuple(dict.fromkeys(said))
