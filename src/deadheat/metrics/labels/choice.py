"""Labels that an option names, among the labels that occur."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from deadheat.errors import MetricError, UsageError

SHOWN = 8


def listed(labels: Sequence[Any]) -> str:
    """List labels, and how many more there are.

    Examples
    --------
    >>> listed(["no", "yes"])
    "'no', 'yes'"
    """
    more = f" and {len(labels) - SHOWN:,} more" if len(labels) > SHOWN else ""
    return ", ".join(repr(label) for label in labels[:SHOWN]) + more


def matching(wanted: Any, labels: Sequence[Any]) -> Any:
    """Return the label that is equal to `wanted`, or that `wanted` writes as text, or `wanted`.

    The command line has only text, so "1" names the label 1 where no label is "1".

    Examples
    --------
    >>> matching("1", [0, 1]), matching("1", ["0", "1"]), matching("true", [False, True])
    (1, '1', True)
    """
    for label in labels:
        if label == wanted:
            return label
    if isinstance(wanted, str):
        for label in labels:
            text = str(label)
            if text == wanted or (isinstance(label, bool) and text.lower() == wanted.lower()):
                return label
    return wanted


def asked_labels(wanted: Sequence[Any], labels: Sequence[Any]) -> tuple[Any, ...]:
    """Return the labels that an average is asked for; some of them may not occur.

    Raises
    ------
    MetricError
        If none of them occurs.
    UsageError
        If one is named twice.
    """
    found = tuple(matching(label, labels) for label in wanted)
    for position, label in enumerate(found):
        if label in found[:position]:
            raise UsageError(f"the label {label!r} is given twice.", fix="Give every label once.")
    if not any(label in labels for label in found):
        raise MetricError(
            f"none of the labels {listed(wanted)} occurs.", fix=f"Labels found: {listed(labels)}."
        )
    return found


def positive_label(wanted: Any, labels: Sequence[Any], metric: str) -> Any:
    """Return the positive label: the one asked for, or 1, True or "1" among 0/1 labels.

    Raises
    ------
    MetricError
        If it has to be named, or the one named does not occur beside two others or more.
    """
    if wanted is not None:
        label = matching(wanted, labels)
        if label not in labels and len(labels) > 1:
            raise MetricError(
                f"the positive label {wanted!r} does not occur.",
                fix=f"Labels found: {listed(labels)}.",
            )
        return label
    for zero, one in ((0, 1), ("0", "1")):
        if all(label in (zero, one) for label in labels):
            return True if isinstance(labels[0], bool) else one
    raise MetricError(
        f"{metric} needs to know which label is positive; labels found: {listed(labels)}.",
        fix=f"Name it with --positive, or take an average over labels: macro_{metric}.",
    )
