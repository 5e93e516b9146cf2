"""Options of each command as a record holds them: every one, of a type that is checked."""

from __future__ import annotations

from typing import Literal

import msgspec

from deadheat.alignment import Missing, Unparseable
from deadheat.inference.pairs import Correction
from deadheat.scores.runs import Claim
from deadheat.scores.units import Strata, Weighting
from deadheat.settings import Alternative

Label = str | int | float | bool


class SharedOptions(msgspec.Struct, forbid_unknown_fields=True):
    """What every command that reads and scores takes."""

    metric: str | list[str] | None
    confidence_level: float
    n_resamples: int
    rng: int
    strata: Strata
    weighting: Weighting
    missing: Missing
    unparseable: Unparseable
    item: str | int | None
    system_column: str | int | None
    systems: list[str] | None
    score: str | int | None
    output_column: str | int | None
    reference_column: str | int | None
    cluster: str | int | None
    stratum: str | int | None
    run: str | int | None
    label_map: dict[str, str] | None
    names: list[str] | None
    different_items: bool
    labels: list[Label] | None
    positive: Label | None
    zero_division: float | Literal["nan"]
    greater_is_better: bool | None
    tokenize: str | None
    normalize: str | list[str] | None
    normalize_map: dict[str, str] | None
    bins: int
    ties: str
    scheme: str
    threads: int | None


class ScoreOptions(SharedOptions, forbid_unknown_fields=True):
    """Of `score`."""

    method: str
    runs: Claim
    memory: int | str


class RankOptions(SharedOptions, forbid_unknown_fields=True):
    """Of `rank`."""

    baseline: str | None
    correction: Correction
    cost: str | None
    descriptive: bool
    confidence_set: bool
    arena: bool
    memory: int | str


class CompareOptions(ScoreOptions, forbid_unknown_fields=True):
    """Of `compare`."""

    baseline: str | None
    candidate: str | None
    alternative: Alternative
    test: str
    margin: float | None
    paired: bool
    about: dict[str, dict[str, str]] | None


class CheckOptions(SharedOptions, forbid_unknown_fields=True):
    """Of `check`."""

    options: int | str | None
    trivial: list[str] | None
    text_column: str | int | None
    texts: str | list[str] | None
    training: str | list[str] | None
    training_column: str | int | None
    label_error: float | None
    suspects: int
    memory: int | str


OPTIONS = {
    "check": CheckOptions,
    "compare": CompareOptions,
    "rank": RankOptions,
    "score": ScoreOptions,
}
