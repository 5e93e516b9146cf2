"""Two systems, the same items, one answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deadheat._version import __version__
from deadheat.alignment import Missing, Unparseable, align
from deadheat.inference import between
from deadheat.inference.result import Inference
from deadheat.metrics import Metric, metric_of
from deadheat.notes import Note
from deadheat.readers import read
from deadheat.reading import Named, Reading, read_inference
from deadheat.recipe import MEASURING, READING, Recipe, chosen, recipe_of
from deadheat.remarks import (
    About,
    check_about,
    discarded_pairing,
    interval_notes,
    not_stated,
    range_notes,
    units_said,
)
from deadheat.rendering import Rendered, plain_dict
from deadheat.scale import Scale, scale_for
from deadheat.scores import score_apart
from deadheat.settings import Alternative, Settings
from deadheat.sides import Items, Side, account_of, chosen_pair, shared_items

SCHEMA = "deadheat/comparison/1"

NOT_COVERED = Note(
    code="not_covered",
    message="The interval does not cover contamination, label errors or distribution shift: it "
    "says how far these items pin the difference down, not whether they test the right thing.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison(Rendered):
    """The difference between two systems, candidate - baseline, and how it was found.

    Attributes
    ----------
    metric, metric_signature : str
        Name of the metric, and its settings in one word.
    greater_is_better : bool
        Which way the metric points.
    baseline, candidate : Side
    difference : Inference
        Estimate, interval, p-value and tests of the difference.
    items : Items
        The account of the rows.
    pairing : {"paired", "unpaired"}
    reading : Reading
        What the interval shows and does not show.
    scale : Scale
        How numbers of this metric are shown.
    settings : Settings
    recipe : Recipe
        What to run to get the same numbers.
    notes : tuple of Note
    """

    metric: str
    metric_signature: str
    greater_is_better: bool
    baseline: Side
    candidate: Side
    difference: Inference
    items: Items
    pairing: str
    reading: Reading
    scale: Scale
    settings: Settings
    recipe: Recipe
    notes: tuple[Note, ...]
    version: str = __version__

    @property
    def drawn(self) -> bool:
        """Whether anything was drawn: the interval, that of a side, or a test."""
        intervals = (self.difference.interval, self.baseline.interval, self.candidate.interval)
        return any(interval.monte_carlo_error is not None for interval in intervals) or any(
            test.n_resamples is not None for test in self.difference.tests
        )

    @property
    def signature(self) -> str:
        """The settings in one line, enough to recompute the numbers beside it."""
        interval = self.difference.interval
        draws = f"{self.settings.n_resamples}/seed:{self.settings.seed}"
        companion = self.difference.tests[0] if self.difference.tests else None
        parts = {
            "metric": self.metric_signature,
            "n": self.items.n,
            "unit": "item",
            "pairing": self.pairing,
            "difference": "candidate-baseline",
            "method": interval.method,
            "confidence": f"{self.settings.confidence_level:g}",
            "alternative": self.settings.alternative,
            "resamples": draws if self.drawn else "exact",
            "test": f"{companion.name}-{companion.variant}" if companion else "none",
            "margin": "none" if self.settings.margin is None else f"{self.settings.margin:g}",
            **_mapped(self.recipe.options["label_map"]),
            "missing": self.recipe.options["missing"],
            "unparseable": self.recipe.options["unparseable"],
            "rows": self.items.hash[:24],
            "comparisons": "1",
            "deadheat": self.version,
        }
        return "|".join(f"{name}:{value}" for name, value in parts.items())

    def to_dict(self) -> dict[str, Any]:
        """Return plain data of schema deadheat/comparison/1; undefined is None with a note."""
        found = self.difference
        counts = found.counts
        return plain_dict(
            {
                "schema": SCHEMA,
                "version": self.version,
                "metric": {
                    "name": self.metric,
                    "greater_is_better": self.greater_is_better,
                    "signature": self.metric_signature,
                },
                "baseline": self.baseline.to_dict(),
                "candidate": self.candidate.to_dict(),
                "difference": {
                    "estimate": found.estimate,
                    "standard_error": found.standard_error,
                    "interval": found.interval.to_dict(),
                    "p_value": found.p_value,
                    "p_value_bound": found.p_value_bound,
                    "p_value_monte_carlo_error": found.p_value_error,
                    "alternative": self.settings.alternative,
                },
                "tests": [test.to_dict() for test in found.tests],
                "counts": None
                if counts is None
                else {
                    "both": counts.both,
                    "only_baseline": counts.only_baseline,
                    "only_candidate": counts.only_candidate,
                    "neither": counts.neither,
                },
                "items": {
                    "n": self.items.n,
                    "hash": self.items.hash,
                    "matched": self.items.matched,
                    "only_baseline": self.items.only_baseline,
                    "only_candidate": self.items.only_candidate,
                    "duplicated": self.items.duplicated,
                    "dropped": [{"reason": why, "n": n} for why, n in self.items.dropped],
                },
                "unit": {"kind": "item", "n": self.items.n, "design_effect": 1.0},
                "pairing": self.pairing,
                "resampling": {
                    "n_resamples": self.settings.n_resamples if self.drawn else None,
                    "seed": self.settings.seed if self.drawn else None,
                    "exact": found.exact,
                    "undefined": found.n_undefined,
                },
                "comparisons": {"n": 1, "correction": "none"},
                "planning": {
                    "items_to_resolve": None if found.resolving is None else [*found.resolving],
                    "smallest_gap": found.detectable,
                },
                "reading": {"code": self.reading.code, "text": self.reading.text},
                "signature": self.signature,
                "notes": [{"code": note.code, "message": note.message} for note in self.notes],
            }
        )


def _mapped(label_map: Mapping[str, str] | None) -> dict[str, str]:
    """Return the renamed labels as a part of a signature."""
    if not label_map:
        return {}
    return {"label_map": ",".join(f"{old}>{new}" for old, new in label_map.items())}


def compare(
    *sources: Any,
    references: Any = None,
    metric: str | Metric | None = None,
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
    labels: Sequence[Any] | None = None,
    positive: Any = None,
    zero_division: float = 0.0,
    greater_is_better: bool | None = None,
    about: About | None = None,
    threads: int | None = None,
) -> Comparison:
    """Compare two systems on the same items; the difference is candidate - baseline.

    Parameters
    ----------
    *sources : path, "NAME=PATH", data frame, mapping of name to array, or array
        One table with both systems, or one source a system. Arrays hold scores, or outputs where
        `references` are given; items are then paired by position.
    references : path, data frame or array, optional
        Right answers, where they are not in the sources.
    metric : str or Metric, optional
        Such as "accuracy", "mean", "macro_f1". Default: accuracy where there are outputs with
        references or all scores are 0/1, else the mean.
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
    labels, positive, zero_division, greater_is_better
        Settings of the metric.
    about : mapping, optional
        {system: {field: value}} of what the data do not know, such as the checkpoint.
    threads : int, optional
        Threads for drawing; never changes a number.

    Returns
    -------
    Comparison

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
    options = {name: value for name, value in locals().items() if name != "sources"}
    settings = Settings(
        method=method,
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        seed=rng,
        alternative=alternative,
        test=test,
        margin=margin,
        threads=threads,
    )
    evaluation = read(*sources, **chosen(options, READING))
    pair = chosen_pair(evaluation.systems, baseline, candidate)
    check_about(about or {}, pair)
    measure = metric_of(metric, **chosen(options, MEASURING))
    groups = [pair] if paired else [(system,) for system in pair]
    alignments = [
        align(evaluation, systems_together, missing=missing, unparseable=unparseable)
        for systems_together in groups
    ]
    scores = score_apart(alignments, measure)
    found = (
        between.paired(scores[0], settings)
        if paired
        else between.unpaired(scores[0], scores[1], settings)
    )
    values = [float(value) for part in scores for value in part.values]
    metric_used = scores[0].metrics[0]
    n = sum(alignment.n for alignment in alignments)
    scale = scale_for(n, metric_used.bounds, found.difference.standard_error)
    named = Named(
        baseline=pair[0],
        candidate=pair[1],
        metric=metric_used.name,
        greater_is_better=metric_used.greater_is_better,
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
            about=dict((about or {}).get(pair[index], {})),
        )
        for index, interval in enumerate((found.baseline, found.candidate))
    ]
    shared = None if paired else shared_items(evaluation, pair)
    bounds = metric_used.bounds
    span = None if bounds is None else bounds[1] - bounds[0]
    said = (
        *evaluation.notes,
        *(note for alignment in alignments for note in alignment.notes),
        *(note for part in scores for note in part.notes),
        *units_said(alignments),
        *(() if span is None else range_notes(found.difference.interval, -span, span, "the gap")),
        *interval_notes({side.system: side.interval for side in sides}),
        *found.difference.notes,
        *(() if shared is None else discarded_pairing(shared, measure, settings, scale)),
        *not_stated(about or {}, pair),
        NOT_COVERED,
    )
    return Comparison(
        metric=metric_used.name,
        metric_signature=metric_used.signature,
        greater_is_better=metric_used.greater_is_better,
        baseline=sides[0],
        candidate=sides[1],
        difference=found.difference,
        items=account_of(alignments, shared),
        pairing="paired" if paired else "unpaired",
        reading=read_inference(found.difference, named, settings, scale),
        scale=scale,
        settings=settings,
        recipe=recipe_of("compare", sources, options, evaluation),
        notes=tuple(dict.fromkeys(said)),
    )
