"""What scoring has to say: notes, and errors about what is not there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.alignment import Alignment
from deadheat.errors import MetricError
from deadheat.metrics import Metric
from deadheat.metrics.labels.choice import listed
from deadheat.notes import Note

FEW_LABELS = 20
"""With more labels than this among the references, outputs are taken to be free text."""


def nothing_to_score(alignment: Alignment, metric: Metric) -> MetricError:
    """Return the error that says what the metric takes and which system lacks it."""
    no_scores = _without(alignment.systems, alignment.scores)
    no_outputs = _without(alignment.systems, alignment.outputs)
    votes = getattr(metric, "of_outputs", False)
    if metric.takes == "scores" or (metric.takes == "runs" and not votes):
        return MetricError(
            f"{metric.name} takes scores, and there are none for {no_scores}.",
            fix="Name the column of scores with --score, or use a metric of labels "
            "such as accuracy.",
        )
    also = no_scores and metric.takes != "labels"
    scores = f" and no scores for {no_scores}" if also else ""
    if no_outputs:
        return MetricError(
            f"{metric.name} takes outputs with references, and there are no outputs for "
            f"{no_outputs}{scores}.",
            fix="Name the column of outputs with --output-column.",
        )
    return MetricError(
        f"{metric.name} takes outputs with references, and there are no references{scores}.",
        fix="Give them with --reference FILE or --reference-column COL.",
    )


def too_many_labels(metric: Metric, labels: Sequence[Any]) -> MetricError:
    """Return the error for what looks like free text."""
    return MetricError(
        f"{len(labels):,} different labels were found ({listed(labels[:3])} ...), too many for "
        f"{metric.name}.",
        fix="If the outputs are free text, score them and give the scores, or use accuracy; if "
        "they are labels, name those that count with --labels.",
    )


def scores_not_used() -> tuple[Note, ...]:
    """Accuracy was taken from outputs although there are scores."""
    return (
        Note(
            code="scores_not_used",
            message="Accuracy compares outputs with references; the scores beside them are not "
            "all 0 or 1 and were not used (--metric mean takes them).",
        ),
    )


def outputs_not_used() -> tuple[Note, ...]:
    """Accuracy was taken from scores although there are outputs with references."""
    return (
        Note(
            code="outputs_not_used",
            message="Accuracy is the mean of the 0/1 scores given; the outputs were not compared "
            "with the references.",
        ),
    )


def only_in_outputs(
    systems: Sequence[str], labels: Sequence[Any], foreign: Sequence[NDArray[np.bool_]]
) -> tuple[Note, ...]:
    """Name the labels that no reference has; `foreign` marks them for each system."""
    found = [
        f"{system}: {listed([labels[code] for code in np.flatnonzero(mask).tolist()])}"
        for system, mask in zip(systems, foreign, strict=True)
        if mask.any()
    ]
    if not found:
        return ()
    return (
        Note(
            code="labels_only_in_outputs",
            message=f"Some labels are put out but are never a reference ({'; '.join(found)}). "
            "An average over labels counts them unless --labels names those that count.",
        ),
    )


def _bare(label: Any) -> Any:
    """Return a label without what may be there by accident: text as a number where it is one."""
    if not isinstance(label, str):
        return label
    text = label.strip()
    try:
        number = float(text) if text.isascii() and "_" not in text else math.nan
    except ValueError:
        return text
    return text if math.isnan(number) else number


def written_differently(
    systems: Sequence[str],
    labels: Sequence[Any],
    references: NDArray[Any],
    outputs: Sequence[NDArray[Any]],
) -> tuple[Note, ...]:
    """Count the outputs that differ from their reference only in how they are written.

    White space at the ends, and numbers written in two ways, such as 1 and 1.0.
    """
    texts = [_bare(label) for label in labels]
    if len(set(texts)) == len(texts):
        return ()
    first: dict[Any, int] = {}
    # One more entry at the end for the code -1, no label, which is like nothing.
    alike = np.array([first.setdefault(text, code) for code, text in enumerate(texts)] + [-1])
    counts = {
        system: int(np.count_nonzero((alike[codes] == alike[references]) & (codes != references)))
        for system, codes in zip(systems, outputs, strict=True)
    }
    found = [f"{count:,} of {system}" for system, count in counts.items() if count]
    if not found:
        return ()
    return (
        Note(
            code="written_differently",
            message="Outputs that differ from their reference only by white space at the ends or "
            f"by how a number is written, and count as wrong: {', '.join(found)}. Where they are "
            "meant to be equal, map them with --label-map.",
        ),
    )


def never_right(
    systems: Sequence[str],
    labels: Sequence[Any],
    wanted: NDArray[np.bool_],
    outputs: Sequence[NDArray[Any]],
) -> tuple[Note, ...]:
    """Count the outputs with a label that no reference has, where references are few labels.

    Free text is hardly ever a reference; a label that never is one wants a map.
    """
    if not 0 < int(wanted.sum()) <= FEW_LABELS:
        return ()
    found = []
    for system, codes in zip(systems, outputs, strict=True):
        given = codes[codes >= 0]
        foreign = given[~wanted[given]]
        if foreign.size:
            names = listed([labels[code] for code in np.unique(foreign)])
            found.append(f"{foreign.size:,} of {system}: {names}")
    if not found:
        return ()
    return (
        Note(
            code="labels_only_in_outputs",
            message="Outputs with a label that no reference has count as wrong "
            f"({'; '.join(found)}); --label-map renames labels.",
        ),
    )


def undefined(
    systems: Sequence[str],
    metrics: Sequence[Metric],
    values: NDArray[np.float64],
    where: Sequence[bool],
    right: Sequence[float] | None = None,
) -> tuple[Note, ...]:
    """Say for which systems the value rests on 0/0, and how many of their outputs are right."""
    shares = [f"; {share:.0%} of its outputs equal the reference" for share in right or ()]
    return tuple(
        Note(
            code="undefined_metric",
            message=f"{metric.name} of {system} rests on a ratio 0/0 "
            f"({'undefined' if math.isnan(value) else f'the value is {value:g} by convention'}"
            f"{share}).",
        )
        for system, metric, value, is_undefined, share in zip(
            systems, metrics, values, where, shares or [""] * len(systems), strict=True
        )
        if is_undefined
    )


def _without(systems: Sequence[str], columns: Sequence[object]) -> str:
    return ", ".join(s for s, column in zip(systems, columns, strict=True) if column is None)
