"""One metric a file: what an item contributes and what a total is worth.

The name of a file is the name of a metric, apart from those in `SUPPORT`. Its function
``metric(settings)`` makes the metric.
"""

from __future__ import annotations

from deadheat.metrics.metric import Metric
from deadheat.metrics.named import metric, metrics_of, names

SUPPORT = (
    "applicable",
    "averaged_ratio",
    "edits",
    "encoding",
    "label_choice",
    "label_counts",
    "margins",
    "metric",
    "named",
    "ngram_matches",
    "normalization",
    "number_checks",
    "own",
    "own_adapters",
    "own_calls",
    "own_classes",
    "own_find",
    "own_functions",
    "own_items",
    "own_source",
    "own_traits",
    "passes",
    "prepared",
    "rankings",
    "ranks",
    "rouge",
    "span_counts",
    "span_tags",
    "spans",
    "squad",
    "tokenization",
    "translation",
    "truths",
    "variation",
    "workers",
)
"""Modules of this folder that are no metric."""

__all__ = ["Metric", "metric", "metrics_of", "names"]
