"""Published sets, and statistics of theirs by code of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

import deadheat

DOCS = Path(__file__).parents[2] / "docs" / "checks"
Floats = np.ndarray[Any, np.dtype[np.float64]]


def page(name: str) -> str:
    return re.sub(r"\s+", " ", (DOCS / f"{name}.md").read_text(encoding="utf-8"))


def alpha(scores: Floats) -> float:
    k = len(scores)
    items = scores.var(axis=1, ddof=1).sum()
    return float(k / (k - 1) * (1 - items / scores.sum(axis=0).var(ddof=1)))


def ratio(scores: Floats) -> float:
    """Standard deviation of the means over the median paired standard error."""
    pairs = combinations(range(scores.shape[1]), 2)
    errors = [stats.sem(scores[:, i] - scores[:, j]) for i, j in pairs]
    return float(scores.mean(axis=0).std(ddof=1) / np.median(errors))


def by_halves(scores: Floats, n: int = 300) -> tuple[float, float]:
    """Mean correlation and mean tau-b of random halves, by numpy's own generator."""
    k = len(scores) // 2
    first = np.tile(np.arange(len(scores)) < k, (n, 1))
    half = np.random.default_rng(0).permuted(first, axis=1)
    a, b = half @ scores / k, ~half @ scores / (len(scores) - k)
    r = (stats.zscore(a, axis=1) * stats.zscore(b, axis=1)).mean(axis=1)
    i, j = np.triu_indices(scores.shape[1], 1)
    up, also = (np.sign((means[:, i] - means[:, j]).round(9)) for means in (a, b))
    tau = (up * also).sum(axis=1) / np.sqrt((up**2).sum(axis=1) * (also**2).sum(axis=1))
    return float(r.mean()), float(tau.mean())


def severities(result: deadheat.Benchmark) -> dict[str, str]:
    return {finding.code: finding.severity for finding in result.findings}


def points(*values: float) -> list[str]:
    return [f"{100 * value:.1f}" for value in values]


def shown(text: str, figures: Sequence[str]) -> None:
    for figure in figures:
        assert figure in text, figure
