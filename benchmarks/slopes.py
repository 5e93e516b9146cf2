"""How cost grows: seconds at several sizes, and the exponent that they follow.

All in one process, on one thread, the least CPU seconds of several calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import inputs
import numpy as np
from timing import call_seconds
from ways import RESAMPLES

import deadheat
from tables import seconds_of, table


@dataclass(frozen=True, slots=True, kw_only=True)
class Slope:
    """The same work at several sizes.

    Attributes
    ----------
    work : str
    against : str
        What grows.
    sizes : sequence of int
    call : callable
        Maps a size to what is timed.
    """

    work: str
    against: str
    sizes: Sequence[int]
    call: Callable[[int], Callable[[], object]]


def slopes(quick: bool) -> Iterator[Slope]:
    """Yield what is measured."""
    items = (1_000, 10_000, 100_000) if quick else (1_000, 10_000, 100_000, 1_000_000)
    types = (2_000, 4_000, 8_000) if quick else (2_000, 4_000, 8_000, 16_000)
    yield Slope(work="accuracy: exact interval of counts", against="N", sizes=items, call=_exact)
    yield Slope(
        work="macro-F1, 3 classes: draws of its 27 types", against="N", sizes=items, call=_typed
    )
    yield Slope(work="accuracy: `compare`, all of it", against="N", sizes=items, call=_accuracy)
    yield Slope(work="mean of real scores: `compare`", against="N", sizes=items[:3], call=_mean)
    yield Slope(
        work="BLEU statistics, all different: draws and BLEU",
        against="G (types)",
        sizes=types,
        call=_bleu,
    )
    classes = (5, 10, 20, 40)
    yield Slope(
        work="macro-F1, 10,000 items: `compare`", against="classes", sizes=classes, call=_classes
    )
    systems = (25, 50, 100) if quick else (25, 50, 100, 200)
    yield Slope(
        work="board of 2,000 items: `rank`, all pairs",
        against="systems",
        sizes=systems,
        call=lambda n: _ranked(n, 2_000, RESAMPLES),
    )
    yield Slope(
        work="board of 2,000 items: draws and sums", against="systems", sizes=systems, call=_sums
    )
    yield Slope(
        work="board of 50 systems: `rank`, all pairs",
        against="N",
        sizes=types,
        call=lambda n: _ranked(50, n, RESAMPLES),
    )
    yield Slope(
        work="board of 50 x 2,000: `rank`, all pairs",
        against="resamples",
        sizes=(2_500, 5_000, 10_000, 20_000),
        call=lambda n: _ranked(50, 2_000, n),
    )
    yield Slope(
        work="BLEU statistics, 2,000 types: draws and BLEU",
        against="resamples",
        sizes=(2_500, 5_000, 10_000, 20_000),
        call=lambda n: _bleu(2_000, n),
    )


def _exact(n: int) -> Callable[[], object]:
    from deadheat.resampling import exact

    baseline, candidate = inputs.right_or_wrong(n)
    only = [int(np.sum(baseline > candidate)), int(np.sum(candidate > baseline))]
    return partial(exact.paired_counts, *only, n)


def _typed(n: int) -> Callable[[], object]:
    from deadheat.alignment import align
    from deadheat.metrics import metric
    from deadheat.readers import read
    from deadheat.resampling.bootstrap import bootstrap
    from deadheat.scores import score_items

    references, *pair = inputs.labels(n, 3)
    evaluation = read(*pair, references=references)
    scores: Any = score_items(align(evaluation, evaluation.systems), metric("macro_f1"))
    types, multiplicities = scores.types()
    value = scores.weighing.metrics[0].value
    return lambda: bootstrap(types, multiplicities, value, n_resamples=RESAMPLES, seed=0, threads=1)


def _accuracy(n: int) -> Callable[[], object]:
    pair = inputs.right_or_wrong(n)
    return lambda: deadheat.compare(*pair, metric="accuracy", threads=1)


def _mean(n: int) -> Callable[[], object]:
    pair = inputs.real_scores(n)
    return lambda: deadheat.compare(*pair, metric="mean", threads=1)


def _bleu(n: int, n_resamples: int = RESAMPLES) -> Callable[[], object]:
    from corpora import sentences
    from translation import drawn, scored

    scores = scored(sentences(n, errors=0.3, seed=1))
    return lambda: drawn(scores, n_resamples)


def _classes(n: int) -> Callable[[], object]:
    references, *pair = inputs.labels(10_000, n)
    return lambda: deadheat.compare(*pair, references=references, metric="macro_f1", threads=1)


def _ranked(n_systems: int, n_items: int, n_resamples: int) -> Callable[[], object]:
    scores = inputs.named(inputs.board(n_systems, n_items))
    return lambda: deadheat.rank(scores, n_resamples=n_resamples, threads=1)


def _sums(n_systems: int) -> Callable[[], object]:
    from deadheat.resampling.bootstrap import bootstrap

    scores = inputs.board(n_systems, 2_000).T.astype(np.float64)[..., None]
    units = np.ones(len(scores), dtype=np.int64)

    def value(totals: Any) -> Any:
        return totals[..., 0]

    return lambda: bootstrap(scores, units, value, n_resamples=RESAMPLES, seed=0, threads=1)


def exponent(sizes: Sequence[int], seconds: Sequence[float]) -> float:
    """Return the slope of log seconds against log size, by least squares."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def show(*, quick: bool) -> None:
    """Print the table."""
    rows: list[tuple[object, ...]] = []
    for slope in slopes(quick):
        seconds = []
        for size in slope.sizes:
            call = slope.call(size)
            call()
            seconds.append(call_seconds(call, repeats=3 if quick else 5))
        shown = ", ".join(
            f"{size:,}: {seconds_of(spent)}"
            for size, spent in zip(slope.sizes, seconds, strict=True)
        )
        last = exponent(slope.sizes[-2:], seconds[-2:])
        found = f"{exponent(slope.sizes, seconds):.2f}"
        rows.append((slope.work, slope.against, shown, found, f"{last:.2f}"))
    table("work | against | CPU s | exponent | of the last two", rows)
