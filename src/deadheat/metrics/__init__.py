"""One metric a file: what an item contributes and what a total is worth.

The name of a file is the name of a metric, apart from those in `SUPPORT`. Its function
``metric(settings)`` makes the metric.
"""

from __future__ import annotations

from deadheat.metrics.metric import Metric
from deadheat.metrics.named import metric, metrics_of, names

SUPPORT = (
    "applicable",
    "labels",
    "metric",
    "named",
    "numbers",
    "own",
    "passes",
    "retrieval",
    "spans",
    "texts",
)
"""Modules and packages of this folder that are no metric."""

__all__ = ["Metric", "metric", "metrics_of", "names"]
