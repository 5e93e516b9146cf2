"""What a check returns."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

import polars as pl

from deadheat._version import __version__
from deadheat.benchmark.findings import Finding
from deadheat.benchmark.item_parts import (
    Discrimination,
    Duplicates,
    Items,
    Reliability,
    TrainingOverlap,
    Upsets,
)
from deadheat.benchmark.parts import (
    Baselines,
    Ceiling,
    DesignEffect,
    LabelNoise,
    Resolution,
    Spread,
    System,
)
from deadheat.dependence import Unit
from deadheat.notes import Note
from deadheat.recipe import Recipe
from deadheat.rendering import Rendered, plain_dict
from deadheat.scale import Scale
from deadheat.settings import Settings

SCHEMA = "deadheat/check/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark(Rendered):
    """What a benchmark can tell of these systems.

    Parts that cannot be computed, or were not asked for, are None, and a note says why.

    Attributes
    ----------
    metric, metric_signature : str
    greater_is_better : bool
    systems : tuple of System
        From best to worst, trivial ones last.
    items : Items
    unit : Unit
    design_effect : DesignEffect or None
        What clusters cost, where there are some.
    ceiling : Ceiling or None
    baselines : Baselines or None
    spread : Spread or None
    resolution : Resolution or None
    discrimination : Discrimination or None
    upsets : Upsets or None
    reliability : Reliability or None
    duplicates : Duplicates or None
    overlap : TrainingOverlap or None
    label_noise : LabelNoise or None
    findings : tuple of Finding
        The worst first.
    exact : bool
        Whether nothing was drawn for pairs of systems.
    scale : Scale
    settings : Settings
    recipe : Recipe
    notes : tuple of Note
    """

    metric: str
    metric_signature: str
    greater_is_better: bool
    systems: tuple[System, ...]
    items: Items
    unit: Unit
    design_effect: DesignEffect | None
    ceiling: Ceiling | None
    baselines: Baselines | None
    spread: Spread | None
    resolution: Resolution | None
    discrimination: Discrimination | None
    upsets: Upsets | None
    reliability: Reliability | None
    duplicates: Duplicates | None
    overlap: TrainingOverlap | None
    label_noise: LabelNoise | None
    findings: tuple[Finding, ...]
    exact: bool
    scale: Scale
    settings: Settings
    recipe: Recipe
    notes: tuple[Note, ...]
    table: pl.DataFrame | None = field(default=None, repr=False, compare=False)
    version: str = __version__

    def items_frame(self) -> pl.DataFrame:
        """Return what is known of each item, a row each.

        Returns
        -------
        polars.DataFrame
            ``item``, ``n_right`` (null unless scores are 0/1), ``difficulty`` (mean score over
            the systems), ``r_total`` and ``r_rest`` (null for items that do not vary, and
            throughout where systems are fewer than ten) and ``flags``, parted by ";" (null where
            there are none): all_right, all_wrong, constant, negative, weak, upset, duplicate,
            in_training. Empty where the metric has no score for each item.
        """
        if self.table is not None:
            return self.table
        return pl.DataFrame(
            schema={
                "item": pl.String,
                "n_right": pl.Int64,
                "difficulty": pl.Float64,
                "r_total": pl.Float64,
                "r_rest": pl.Float64,
                "flags": pl.String,
            }
        )

    @property
    def signature(self) -> str:
        """The settings in one line."""
        asked, settings = self.recipe.options, self.settings
        parts = {
            "metric": self.metric_signature,
            "n": self.items.n,
            "unit": str(self.unit),
            "systems": sum(not system.trivial for system in self.systems),
            "trivial": ",".join(sorted(s.system for s in self.systems if s.trivial)) or "none",
            "options": "none" if asked["options"] is None else asked["options"],
            "label-error": "none" if asked["label_error"] is None else f"{asked['label_error']:g}",
            "confidence": f"{settings.confidence_level:g}",
            "resamples": f"{settings.n_resamples}/seed:{settings.seed}",
            "missing": asked["missing"],
            "unparseable": asked["unparseable"],
            "rows": self.items.hash[:24],
            "deadheat": self.version,
        }
        return "|".join(f"{name}:{value}" for name, value in parts.items())

    def to_dict(self) -> dict[str, Any]:
        """Return plain data of schema deadheat/check/1."""
        effect = self.design_effect
        return plain_dict(
            {
                "schema": SCHEMA,
                "version": self.version,
                "metric": {
                    "name": self.metric,
                    "greater_is_better": self.greater_is_better,
                    "signature": self.metric_signature,
                },
                "systems": [system.to_dict() for system in self.systems],
                "items": {
                    **asdict(self.items),
                    "dropped": [{"reason": why, "n": n} for why, n in self.items.dropped],
                },
                "unit": {
                    "kind": self.unit.kind,
                    "n": self.unit.n,
                    "design_effect": _plain(effect),
                    "effective_items": None
                    if effect is None
                    else min(float(self.items.n), self.items.n / effect.median),
                    "n_strata": self.unit.n_strata,
                    "strata": self.unit.strata if self.unit.n_strata else None,
                    "weighting": self.unit.weighting if self.unit.n_strata else None,
                },
                "ceiling": _plain(self.ceiling),
                "baselines": _plain(self.baselines),
                "spread": _plain(self.spread),
                "resolution": _plain(self.resolution),
                "discrimination": _discrimination(self.discrimination),
                "upsets": _plain(self.upsets),
                "reliability": _plain(self.reliability),
                "duplicates": _plain(self.duplicates),
                "overlap": _plain(self.overlap),
                "label_noise": _plain(self.label_noise),
                "resampling": {
                    "n_resamples": self.settings.n_resamples,
                    "seed": self.settings.seed,
                    "exact": self.exact,
                },
                "findings": [asdict(finding) for finding in self.findings],
                "signature": self.signature,
                "notes": [note.to_dict() for note in self.notes],
            }
        )


def _plain(part: Any) -> dict[str, Any] | None:
    return None if part is None else asdict(part)


def _discrimination(part: Discrimination | None) -> dict[str, Any] | None:
    if part is None:
        return None
    found = asdict(part)
    found["items"] = found.pop("suspects")
    return found
