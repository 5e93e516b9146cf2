"""Scores, labels and boards of seeded generators."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def right_or_wrong(n: int) -> tuple[Floats, Floats]:
    """Draw 0/1 scores, 72% and 76% right, with difficulty shared between the systems."""
    rng = np.random.default_rng(n)
    difficulty = 0.6 * rng.standard_normal(n)
    baseline, candidate = (
        (difficulty + 0.8 * rng.standard_normal(n) < threshold).astype(np.float64)
        for threshold in (0.583, 0.706)
    )
    return baseline, candidate


def real_scores(n: int) -> tuple[Floats, Floats]:
    """Draw skewed scores between 0 and 1."""
    rng = np.random.default_rng(n)
    return rng.beta(4.0, 0.9, n), rng.beta(4.0, 0.89, n)


def labels(n: int, n_labels: int) -> tuple[Ints, Ints, Ints]:
    """Draw references and the outputs of two systems that err on about a quarter of them."""
    rng = np.random.default_rng(n)
    references = rng.integers(0, n_labels, n)
    baseline, candidate = (
        np.where(rng.random(n) < share, references, rng.integers(0, n_labels, n))
        for share in (0.75, 0.77)
    )
    return references, baseline, candidate


def board(n_systems: int, n_items: int) -> NDArray[Any]:
    """Draw 0/1 scores, shape (system, item), of skills that lie closer the more there are."""
    rng = np.random.default_rng(0)
    skill = np.sort(rng.normal(0.0, 0.4, n_systems))
    noise = rng.normal(0.0, 1.0, n_items) + rng.normal(0.0, 1.0, (n_systems, n_items))
    return (skill[:, None] + noise > 0.0).astype(np.int64)


def named(table: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """Name the rows of a board."""
    return {f"s{at:03d}": scores for at, scores in enumerate(table)}
