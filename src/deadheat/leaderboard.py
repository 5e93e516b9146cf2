"""What a leaderboard is: systems in order, with what the items say about the order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from deadheat._version import __version__
from deadheat.dependence import Unit
from deadheat.inference.pairs import Pairs
from deadheat.intervals.interval import Interval
from deadheat.measuring import Measured
from deadheat.missing import MissingBounds
from deadheat.notes import Note
from deadheat.policies import PolicyRanks
from deadheat.recipe import Recipe
from deadheat.rendering import Rendered, Several, plain_dict
from deadheat.scale import Scale
from deadheat.settings import Settings

SCHEMA = "deadheat/leaderboard/1"
SEVERAL = "deadheat/leaderboards/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """One system of a leaderboard.

    Attributes
    ----------
    system : str
    value : float
    interval : Interval
        Of its own value, on its own.
    rank : int
        By value; equal values share a rank.
    rank_interval : tuple of int
        Ranks that it may have, best and worst; all systems' hold together.
    band : str
        Letters; systems that share one are not put in order by these items.
    top : bool
        Whether it is in the band at the top (Hsu's comparison with the best).
    best_share : float or None
        Share of resamples in which it comes first; descriptive, on request.
    rank_shares : tuple of float, or None
        Share of resamples in which it has each rank, from 1; descriptive, on request.
    in_confidence_set : bool or None
        Of the model confidence set, on request.
    arena_rank : int or None
        By separate intervals, on request.
    cost : float or None
        Mean cost an item, where a column of costs is named.
    on_front : bool or None
        Whether no other system is both better and cheaper.
    unparseable : int
        Null outputs that were scored wrong.
    hash : str
        Of its outputs or scores.
    about : mapping of str to str
        What its log knows of how its outputs were made.
    """

    system: str
    value: float
    interval: Interval
    rank: int
    rank_interval: tuple[int, int]
    band: str
    top: bool
    best_share: float | None = None
    rank_shares: tuple[float, ...] | None = None
    in_confidence_set: bool | None = None
    arena_rank: int | None = None
    cost: float | None = None
    on_front: bool | None = None
    unparseable: int = 0
    hash: str = ""
    about: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data; what was not asked for is left out."""
        always = {
            "system": self.system,
            "value": self.value,
            "interval": self.interval.to_dict(),
            "rank": self.rank,
            "rank_interval": list(self.rank_interval),
            "band": self.band,
            "top": self.top,
            "unparseable": self.unparseable,
            "hash": self.hash,
        }
        asked = {
            "best_share": self.best_share,
            "rank_shares": None if self.rank_shares is None else list(self.rank_shares),
            "in_confidence_set": self.in_confidence_set,
            "arena_rank": self.arena_rank,
            "cost": self.cost,
            "on_front": self.on_front,
            "about": dict(self.about) or None,
        }
        return always | {name: value for name, value in asked.items() if value is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaderboard(Rendered):
    """Systems on the same items, from best to worst.

    Attributes
    ----------
    metric, metric_signature : str
    greater_is_better : bool
    systems : tuple of Ranked
        From best to worst.
    names : tuple of str
        In the order of the input, which `pairs.members` refers to.
    pairs : Pairs
        All pairs, or those with the baseline.
    baseline : str or None
    best_set : tuple of str
        Systems that may have rank 1.
    correction : {"max-t", "holm", "bh", "none"}
        Of the p-values and intervals of pairs: that asked for, but "holm" for "max-t" where
        clusters are too few to be resampled.
    critical_value : float
        Of the simultaneous intervals of all pairs.
    n_items : int
    dropped : tuple of (str, int)
        What was left out, and how many items.
    items_hash : str
    unit : Unit
    optimism : float or None
        By how much the value of the first row is raised by having been chosen.
    corrected : float or None
        That value less the optimism.
    exact : bool
        Whether nothing was drawn.
    scale : Scale
    settings : Settings
    recipe : Recipe
    notes : tuple of Note
    missing : MissingBounds or None
        Worst cases over what missing answers could have been.
    policies : PolicyRanks or None
        How ranks move under other policies on what is missing.
    part : Measured or None
        What was read and scored, to be drawn and listed; no part of any record.
    """

    metric: str
    metric_signature: str
    greater_is_better: bool
    systems: tuple[Ranked, ...]
    names: tuple[str, ...]
    pairs: Pairs
    baseline: str | None
    best_set: tuple[str, ...]
    correction: str
    critical_value: float
    n_items: int
    dropped: tuple[tuple[str, int], ...]
    items_hash: str
    unit: Unit
    optimism: float | None
    corrected: float | None
    exact: bool
    scale: Scale
    settings: Settings
    recipe: Recipe
    notes: tuple[Note, ...]
    missing: MissingBounds | None = None
    policies: PolicyRanks | None = None
    version: str = __version__
    part: Measured | None = field(default=None, repr=False, compare=False)

    @property
    def signature(self) -> str:
        """The settings in one line."""
        draws = f"{self.settings.n_resamples}/seed:{self.settings.seed}"
        parts = {
            "metric": self.metric_signature,
            "n": self.n_items,
            "unit": str(self.unit),
            "systems": len(self.systems),
            "pairs": f"{len(self.pairs.members)}-{'all' if self.baseline is None else 'baseline'}",
            "correction": self.correction,
            "confidence": f"{self.settings.confidence_level:g}",
            "resamples": "exact" if self.exact else draws,
            "missing": self.recipe.options["missing"],
            "unparseable": self.recipe.options["unparseable"],
            "rows": self.items_hash[:24],
            "deadheat": self.version,
        }
        return "|".join(f"{name}:{value}" for name, value in parts.items())

    def to_dict(self) -> dict[str, Any]:
        """Return plain data of schema deadheat/leaderboard/1."""
        return plain_dict(
            {
                "schema": SCHEMA,
                "version": self.version,
                "metric": {
                    "name": self.metric,
                    "greater_is_better": self.greater_is_better,
                    "signature": self.metric_signature,
                },
                "systems": [row.to_dict() for row in self.systems],
                "pairs": list(self.listed_pairs()),
                "best_set": list(self.best_set),
                "items": {
                    "n": self.n_items,
                    "hash": self.items_hash,
                    "dropped": [{"reason": why, "n": n} for why, n in self.dropped],
                },
                "unit": {
                    "kind": self.unit.kind,
                    "n": self.unit.n,
                    "n_strata": self.unit.n_strata,
                    "strata": self.unit.strata if self.unit.n_strata else None,
                    "weighting": self.unit.weighting if self.unit.n_strata else None,
                },
                "resampling": {
                    "n_resamples": None if self.exact else self.settings.n_resamples,
                    "seed": None if self.exact else self.settings.seed,
                    "exact": self.exact,
                    "critical_value": self.critical_value,
                },
                "comparisons": {
                    "n": len(self.pairs.members),
                    "correction": self.correction,
                    "family": "all pairs" if self.baseline is None else "against the baseline",
                },
                "optimism": self.optimism,
                "corrected": self.corrected,
                "missing": None if self.missing is None else self.missing.to_dict(),
                "policies": None if self.policies is None else self.policies.to_dict(),
                "signature": self.signature,
                "notes": [note.to_dict() for note in self.notes],
            }
        )

    def listed_pairs(self) -> Iterator[dict[str, Any]]:
        """Yield every pair as plain data."""
        pairs = self.pairs
        level = self.settings.confidence_level
        columns = (
            pairs.members,
            pairs.differences,
            pairs.standard_errors,
            pairs.low,
            pairs.high,
            pairs.p_values,
            pairs.adjusted,
            pairs.by_counts,
        )
        for (first, second), gap, error, low, high, p, adjusted, counted in zip(
            *(np.asarray(column).tolist() for column in columns), strict=True
        ):
            yield {
                "baseline": self.names[first],
                "candidate": self.names[second],
                "estimate": gap,
                "standard_error": error,
                "interval": {
                    "low": low,
                    "high": high,
                    "confidence_level": level,
                    "method": "tango" if counted else self.pair_method,
                },
                "p_value": p,
                "p_adjusted": adjusted,
            }

    @property
    def pair_method(self) -> str:
        """How the intervals of pairs were made."""
        if self.exact:
            return "cr2_bonferroni" if self.correction in ("max-t", "holm") else "cr2"
        return {"max-t": "max_t", "holm": "bonferroni_t"}.get(self.correction, "t")


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaderboards(Several[Leaderboard]):
    """The same systems ranked by several metrics."""

    leaderboards: tuple[Leaderboard, ...]
    version: str = __version__

    @property
    def parts(self) -> tuple[Leaderboard, ...]:
        """The results, one for each metric."""
        return self.leaderboards

    def to_dict(self) -> dict[str, Any]:
        """Return plain data of schema deadheat/leaderboards/1."""
        return {
            "schema": SEVERAL,
            "version": self.version,
            "leaderboards": [board.to_dict() for board in self.leaderboards],
        }
