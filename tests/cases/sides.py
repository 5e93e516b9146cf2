"""Comparisons of which several classes of faults ask about the p-values."""

from __future__ import annotations

from typing import Any

import numpy as np

import deadheat
from cases.data import discordant

LABELS = list("abcab") * 12


def labels_of(share: float, n: int = 60, shift: int = 0) -> list[str]:
    """Return outputs of which about `share` equal the first n of LABELS."""
    other = {"a": "b", "b": "c", "c": "a"}
    right = round(share * n)
    return [
        label if (i * 7 + shift) % n < right else other[label] for i, label in enumerate(LABELS[:n])
    ]


def compared(case: dict[str, Any], **options: Any) -> dict[str, Any]:
    rest = {key: value for key, value in case.items() if key != "sources"}
    return deadheat.compare(*case["sources"], **{"n_resamples": 999, **rest, **options}).to_dict()


F1: dict[str, Any] = {"references": LABELS, "metric": "macro_f1"}
GRADED = np.random.default_rng(26).normal(size=(2, 40)).round(1)

SIDED: list[tuple[str, dict[str, Any]]] = [
    ("accuracy", {"sources": discordant(14, 23, 100)}),
    ("graded", {"sources": (GRADED[0], GRADED[1] + 0.4)}),
    ("f1", {"sources": (labels_of(0.6), labels_of(0.75, shift=11)), **F1}),
]
