"""Two systems: the difference of macro-F1, with its interval."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import inputs
import numpy as np
from inputs import Ints
from pairs import shown, told
from ways import RESAMPLES, Call, Way, interval


def cases() -> Iterator[Way]:
    """Yield every way of every case."""
    for n_labels in (3, 10, 100):
        yield from _of_classes(f"macro-F1, {n_labels} classes, 10,000 items", n_labels, 1_000)


def _of_classes(case: str, n_labels: int, few: int) -> Iterator[Way]:
    data = partial(inputs.labels, 10_000, n_labels)
    yield Way(case=case, name="compare", package="deadheat", make=partial(_our_f1, data))
    yield Way(
        case=case,
        name="IIDBootstrap of label codes, percentile",
        package="arch",
        make=partial(_arch_f1, data, few),
        scale=RESAMPLES / few,
    )
    yield Way(
        case=case,
        name="macro_f1, difference",
        package="CompStats",
        make=partial(_compstats_f1, data, 200),
        scale=RESAMPLES / 200,
        note="standard errors and p-values",
    )


def _our_f1(data: Any) -> Call:
    import deadheat

    references, baseline, candidate = data()

    def call() -> str:
        found = deadheat.compare(
            baseline, candidate, references=references, metric="macro_f1", n_resamples=RESAMPLES
        )
        return shown(found)

    return call


def _f1_of(confusion: Ints) -> float:
    """Macro-F1 of a (reference, output) table in which every label occurs."""
    hits = np.diagonal(confusion)
    return float(np.mean(2.0 * hits / (confusion.sum(axis=0) + confusion.sum(axis=1))))


def _f1_gap(codes: Ints, n_labels: int) -> float:
    references, pairs = np.divmod(codes, n_labels * n_labels)
    sides = np.divmod(pairs, n_labels)
    tables = [np.bincount(references * n_labels + side, minlength=n_labels**2) for side in sides]
    first, second = (_f1_of(table.reshape(n_labels, n_labels)) for table in tables)
    return second - first


def _arch_f1(data: Any, n_resamples: int) -> Call:
    """Code (reference, baseline, candidate) as one number, so that a resample is one gather."""
    from arch.bootstrap import IIDBootstrap

    references, baseline, candidate = data()
    n_labels = int(references.max()) + 1
    codes = (references * n_labels + baseline) * n_labels + candidate
    statistic = partial(_f1_gap, n_labels=n_labels)

    def call() -> str:
        bootstrap = IIDBootstrap(codes, seed=0)
        found = bootstrap.conf_int(statistic, reps=n_resamples, method="percentile")
        return interval(*found.ravel())

    return call


def _compstats_f1(data: Any, n_resamples: int) -> Call:
    from CompStats.metrics import macro_f1

    references, baseline, candidate = data()

    def call() -> str:
        board = macro_f1(
            references, baseline, candidate, num_samples=n_resamples, n_jobs=1, use_tqdm=False
        )
        return told(board.difference())

    return call
