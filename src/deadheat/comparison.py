"""What a comparison of two systems is, by one metric or by several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from deadheat._version import __version__
from deadheat.dependence import Unit
from deadheat.flips import Kind, flips_of
from deadheat.inference.result import Inference
from deadheat.measuring import Measured
from deadheat.notes import Note
from deadheat.reading import Reading
from deadheat.recipe import Recipe
from deadheat.rendering import Rendered, Several, plain_dict
from deadheat.scale import Scale
from deadheat.settings import Settings
from deadheat.sides import Items, Side
from deadheat.tabular import as_frame

SCHEMA = "deadheat/comparison/1"
SEVERAL = "deadheat/comparisons/1"


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
    units : tuple of Unit
        What was resampled; two where the sides are unpaired.
    n_comparisons : int
        Made in the same call, one for each metric.
    part : Measured or None
        What was read and scored, to be drawn and listed; no part of any record.
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
    units: tuple[Unit, ...]
    n_comparisons: int = 1
    version: str = __version__
    part: Measured | None = field(default=None, repr=False, compare=False)

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
            "unit": str(self.units[0]),
            **_of_runs(self.difference),
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
            "comparisons": f"{self.n_comparisons}",
            "deadheat": self.version,
        }
        return "|".join(f"{name}:{value}" for name, value in parts.items())

    def _runs(self) -> dict[str, Any] | None:
        """Return what a claim about other runs rests on; None where it is about these."""
        over = self.difference.runs
        if over is None:
            return None
        sides = (system.to_dict() for system in over.systems)
        return {
            **over.to_dict(),
            **dict(zip(("baseline", "candidate"), sides, strict=True)),
            "pairs": None if over.pairs is None else over.pairs.to_dict(),
        }

    def flips(self, kind: Kind | None = None) -> Any:
        """Return the items on which the systems differ, in the kind of frame that came in.

        Parameters
        ----------
        kind : {"gained", "lost"}, optional
            One of the two alone: where the candidate is better, or worse.

        Returns
        -------
        data frame
            A row an item, what was lost first and the largest differences first within a kind;
            the columns are those of `deadheat.flips.FLIPS`.

        Raises
        ------
        UsageError
            If the systems have items of their own, or if the metric has no scores of items.

        Examples
        --------
        >>> import deadheat
        >>> gap = deadheat.compare({"old": [1, 0, 1, 1], "new": [1, 1, 0, 1]})
        >>> gap.flips()["kind"].to_list()
        ['lost', 'gained']
        """
        return as_frame(self.flipped(kind), self.recipe.frame)

    def flipped(self, kind: Kind | None = None) -> pl.DataFrame:
        """Return `flips` as a frame of polars, whatever came in."""
        return flips_of(self.part, greater_is_better=self.greater_is_better, kind=kind)

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
                "unit": {
                    "kind": self.units[0].kind,
                    "n": sum(unit.n for unit in self.units),
                    "design_effect": found.design_effect,
                    "n_strata": self.units[0].n_strata,
                    "strata": self.units[0].strata if self.units[0].n_strata else None,
                    "weighting": self.units[0].weighting if self.units[0].n_strata else None,
                },
                "runs": self._runs(),
                "pairing": self.pairing,
                "resampling": {
                    "n_resamples": self.settings.n_resamples if self.drawn else None,
                    "seed": self.settings.seed if self.drawn else None,
                    "exact": found.exact,
                    "undefined": found.n_undefined,
                },
                "comparisons": {"n": self.n_comparisons, "correction": "none"},
                "planning": {
                    "items_to_resolve": None if found.resolving is None else [*found.resolving],
                    "smallest_gap": found.detectable,
                },
                "reading": {"code": self.reading.code, "text": self.reading.text},
                "signature": self.signature,
                "notes": [note.to_dict() for note in self.notes],
            }
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparisons(Several[Comparison]):
    """The same two systems compared by several metrics, on the same resamples.

    Attributes
    ----------
    comparisons : tuple of Comparison
        One for each metric, in the order in which they were named.
    notes : tuple of Note
        About all of them.
    """

    comparisons: tuple[Comparison, ...]
    notes: tuple[Note, ...]
    version: str = __version__

    @property
    def parts(self) -> tuple[Comparison, ...]:
        """The results, one for each metric."""
        return self.comparisons

    def flips(self, kind: Kind | None = None) -> Any:
        """Return `Comparison.flips` of every metric, which the first column names."""
        return as_frame(self.flipped(kind), self.recipe.frame)

    def flipped(self, kind: Kind | None = None) -> pl.DataFrame:
        """Return `flips` as a frame of polars, whatever came in."""
        frames = (
            part.flipped(kind).select(pl.lit(part.metric).alias("metric"), pl.all())
            for part in self.comparisons
        )
        return pl.concat(frames, how="diagonal")

    def to_dict(self) -> dict[str, Any]:
        """Return plain data of schema deadheat/comparisons/1."""
        return {
            "schema": SEVERAL,
            "version": self.version,
            "comparisons": [comparison.to_dict() for comparison in self.comparisons],
            "notes": [note.to_dict() for note in self.notes],
        }


def _of_runs(found: Inference) -> dict[str, str]:
    """Return the runs as a part of a signature, where the claim is about others."""
    if found.runs is None:
        return {}
    counts = "x".join(str(len(system.values)) for system in found.runs.systems)
    return {"runs": f"random-{counts}"}


def _mapped(label_map: Mapping[str, str] | None) -> dict[str, str]:
    """Return the renamed labels as a part of a signature."""
    if not label_map:
        return {}
    return {"label_map": ",".join(f"{old}>{new}" for old, new in label_map.items())}


def several_metrics(comparisons: Sequence[Comparison]) -> tuple[Note, ...]:
    """Count the comparisons, and say where metrics put different systems ahead."""
    notes = [
        Note(
            code="several_comparisons",
            message=f"{len(comparisons)} comparisons were made of the same two systems, one for "
            "each metric. Their p-values and intervals are not corrected for that; "
            "`deadheat adjust` corrects p-values.",
        )
    ]
    ahead: dict[str, list[str]] = {}
    for found in comparisons:
        gain = found.difference.estimate if found.greater_is_better else -found.difference.estimate
        if gain:
            side = found.candidate if gain > 0.0 else found.baseline
            ahead.setdefault(side.system, []).append(f"{found.metric} ({found.reading.code})")
    if len(ahead) > 1:
        listed = "; ".join(f"{system} by {', '.join(by)}" for system, by in ahead.items())
        notes.append(
            Note(
                code="metrics_disagree",
                message=f"The metrics do not put the same system ahead: {listed}.",
            )
        )
    return tuple(notes)
