"""Systems on items of their own, scored by one metric."""

from __future__ import annotations

from collections.abc import Sequence

from deadheat.alignment import Alignment
from deadheat.metrics import Metric
from deadheat.metrics import metric as metric_named
from deadheat.scores.scores import Scores
from deadheat.scores.scoring import score_items


def score_apart(alignments: Sequence[Alignment], metric: Metric | None) -> list[Scores]:
    """Score each alignment; without a metric, one that fits them all.

    Raises
    ------
    MetricError
        If the metric cannot score what is there.
    """
    found = [score_items(alignment, metric) for alignment in alignments]
    if len({scores.metrics[0].name for scores in found}) > 1:
        # Some have 0/1 scores and some have others: accuracy is not a metric of them all.
        return [score_items(alignment, metric_named("mean")) for alignment in alignments]
    return found
