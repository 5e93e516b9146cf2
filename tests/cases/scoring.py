"""One system, one metric: the scorecard as whoever reads its JSON has it."""

from __future__ import annotations

from typing import Any

import deadheat
from calls import strict

TEXTS = (
    *("bleu", "chrf", "chrf++", "ter", "wer", "cer"),
    *("rouge1", "rouge2", "rougeL", "exact_match", "squad_em", "squad_f1"),
)
"""Metrics of texts."""

PERFECT = {"chrf": 100.0, "chrf++": 100.0, "ter": 0.0, "wer": 0.0, "cer": 0.0}
"""What they give to outputs that are right, where that is not 1."""


def scored(outputs: Any, references: Any, metric: Any, **options: Any) -> dict[str, Any]:
    """Score one system by one metric, as strict JSON."""
    given = {"n_resamples": 99, **options}
    card = deadheat.score({"s": outputs}, references=references, metric=metric, **given)
    found: dict[str, Any] = strict(card.to_json())
    return found


def value(outputs: Any, references: Any, metric: Any, **options: Any) -> Any:
    return scored(outputs, references, metric, **options)["systems"][0]["value"]
