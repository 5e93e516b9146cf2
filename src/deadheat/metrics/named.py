"""Metrics by name: the name says the family, the average and the beta."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, get_args

from deadheat import registry
from deadheat.errors import UsageError, known
from deadheat.metrics.metric import Average, Metric, Settings

PACKAGE = "deadheat.metrics"

ALIASES = {"kappa": "cohen_kappa", "f": "f1"}
AVERAGES: tuple[Average, ...] = get_args(Average)
AVERAGED = ("precision", "recall", "f1", "f0.5", "f2")

_BETA = re.compile(r"f([0-9]+(?:\.[0-9]+)?)")


def metric(
    name: str,
    *,
    labels: Sequence[Any] | None = None,
    positive: Any = None,
    zero_division: float = 0.0,
    greater_is_better: bool | None = None,
) -> Metric:
    """Make a metric.

    Parameters
    ----------
    name : str
        "accuracy", "mean", "balanced_accuracy", "mcc", "cohen_kappa", or "precision", "recall",
        "f1" or another F such as "f0.5", with "micro_", "macro_" or "weighted_" before it where
        it is taken over labels.
    labels : sequence, optional
        Labels that an average is taken over; by default those that occur in the references or in
        a system's own outputs.
    positive : object, optional
        The positive label of precision, recall and F without an average; by default 1 among 0/1
        labels.
    zero_division : {0.0, 1.0, nan}
        What 0/0 is set to. NaN leaves such a label out of an average.
    greater_is_better : bool, optional
        Only a mean can be told False.

    Raises
    ------
    UsageError
        If there is no such metric, or a setting that it does not have was given.

    Examples
    --------
    >>> metric("macro_f1").signature
    'macro_f1|labels:0|zd:0|v:1'
    >>> metric("f").name, metric("weighted_f0.50").name
    ('f1', 'weighted_f0.5')
    """
    if not (zero_division in (0.0, 1.0) or zero_division != zero_division):
        raise UsageError(f"zero_division is {zero_division!r}.", fix="Give 0, 1 or nan.")
    family, average, beta = _parsed(name)
    settings = Settings(
        name=name,
        average=average,
        beta=beta,
        labels=None if labels is None else tuple(labels),
        positive=positive,
        zero_division=float(zero_division),
        greater_is_better=greater_is_better,
    )
    made: Metric = registry.load(PACKAGE, family).metric(settings)
    return made


def metric_of(
    choice: str | Metric | None,
    *,
    labels: Sequence[Any] | None = None,
    positive: Any = None,
    zero_division: float = 0.0,
    greater_is_better: bool | None = None,
) -> Metric | None:
    """Return the metric that a name and options mean, or a metric as it was given.

    Without a choice there is no metric yet (the scores decide), unless lower is better, which
    makes it a mean.

    Raises
    ------
    UsageError
        As `metric`; also if settings are given beside no name or a metric already made.
    """
    if isinstance(choice, str):
        return metric(
            choice,
            labels=labels,
            positive=positive,
            zero_division=zero_division,
            greater_is_better=greater_is_better,
        )
    if isinstance(zero_division, str) and zero_division in ("0", "1", "nan"):
        zero_division = float(zero_division)
    if choice is not None and not isinstance(choice, Metric):
        raise UsageError(
            f"the metric is {choice!r}.", fix=f"Give the name of one. {known(names())}"
        )
    settings = labels is not None or positive is not None or zero_division != 0.0
    if choice is not None and (settings or greater_is_better is not None):
        raise UsageError(
            f"{choice.name} was given already made, and settings beside it.",
            fix="Make it with these settings, or give its name.",
        )
    if settings:
        raise UsageError(
            "settings of a metric were given without the name of one.",
            fix="Name it with --metric, such as --metric macro_f1.",
        )
    if choice is None and greater_is_better is False:
        return metric("mean", greater_is_better=False)
    return choice


def names() -> tuple[str, ...]:
    """Return the names of the metrics, each F and each average among them, sorted.

    Examples
    --------
    >>> [name for name in names() if "recall" in name]
    ['macro_recall', 'micro_recall', 'recall', 'weighted_recall']
    """
    averaged = (f"{a}_{name}" for a in AVERAGES if a != "binary" for name in AVERAGED)
    single = set(registry.names(PACKAGE)) - {"f"}
    return tuple(sorted({*single, *AVERAGED, *averaged}))


def _parsed(name: str) -> tuple[str, Average, float | None]:
    """Split a name into the module, the average and the beta."""
    whole = ALIASES.get(name, name)
    if whole in registry.names(PACKAGE):
        return whole, "binary", None
    average: Average = "binary"
    bare = whole
    for prefix in AVERAGES:
        if prefix != "binary" and whole.startswith(f"{prefix}_"):
            average, bare = prefix, whole.removeprefix(f"{prefix}_")
    bare = ALIASES.get(bare, bare)
    written = _BETA.fullmatch(bare)
    if written:
        return "f", average, float(written[1])
    if bare not in registry.names(PACKAGE):
        raise UsageError(f"there is no metric {name!r}.", fix=known(names(), name))
    return bare, average, None
