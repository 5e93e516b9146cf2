"""Metrics on labels written out in a test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from deadheat.metrics import Metric, metric
from deadheat.metrics.labels.encoding import encoded


def bound(
    name: str, references: Sequence[Any], outputs: Sequence[Any], **options: Any
) -> tuple[Metric, np.ndarray]:
    """Return a metric bound to the labels and the statistics of the items."""
    labels, (wanted, given) = encoded([pl.Series(references), pl.Series(outputs)])
    present = np.isin(np.arange(len(labels)), np.concatenate([wanted, given]))
    made = metric(name, **options).bind(labels, present)
    return made, made.statistics(wanted, given)


def value(name: str, references: Sequence[Any], outputs: Sequence[Any], **options: Any) -> float:
    made, statistics = bound(name, references, outputs, **options)
    return float(made.value(statistics.sum(axis=0)))


def undefined(name: str, references: Sequence[Any], outputs: Sequence[Any], **options: Any) -> bool:
    made, statistics = bound(name, references, outputs, **options)
    return bool(made.undefined(statistics.sum(axis=0)))


def same(got: float, expected: float) -> bool:
    """Whether two values agree to 12 digits; NaN agrees with NaN."""
    return bool(np.isclose(got, expected, rtol=1e-12, atol=1e-12, equal_nan=True))
