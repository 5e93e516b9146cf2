"""What is measured on many simulated data sets, and the tables that say what came out.

Everything goes through `deadheat.compare`, as users call it. Data set i is drawn from its own
generator and i is the seed of the comparison, so that any single one can be looked at again.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.metadata import version
from typing import Any
from unittest import mock

import jiwer
import numpy as np
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest
from scipy import stats

import deadheat
from calibration.designs import (
    Draw,
    Drawn,
    Floats,
    area_under_curve,
    entities,
    labels,
    rankings,
    segments,
    skewed,
)

SEED = 20260
N_SETS = 2_000

POPULATION = 20_000
"""Items of which data sets are drawn with replacement, where the truth has no closed form."""

NULL_RESAMPLES = 999
"""With the +1 rule p <= 1%, 5% and 10% are then attainable levels, neither more nor less."""

INTERVAL_RESAMPLES = 1_999

DUAL = "p dual to the bca_t interval"
"""At most 5% exactly where the 95% interval leaves out zero, the true difference."""

Judge = Callable[[Drawn, int], float]
"""Another library's p-value of a data set and a seed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """How many of n independent data sets had something in common."""

    hits: int
    n: int

    @property
    def value(self) -> float:
        return self.hits / self.n

    def interval(self, confidence_level: float = 0.95) -> tuple[float, float]:
        """Return the exact binomial interval of the probability behind the share."""
        found = stats.binomtest(self.hits, self.n).proportion_ci(confidence_level, "exact")
        return float(found.low), float(found.high)

    def __str__(self) -> str:
        low, high = self.interval()
        return f"{100 * self.value:.2f}% ({100 * low:.1f} to {100 * high:.1f})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """Comparisons of two systems in many data sets.

    Attributes
    ----------
    draw : Draw
    n : int
        Items of a data set.
    metric : str or None
        None for the mean of scores.
    """

    draw: Draw
    n: int
    metric: str | None

    def data(self, index: int) -> Drawn:
        return self.draw(np.random.default_rng([SEED, index]), self.n)


@dataclass(frozen=True, slots=True, kw_only=True)
class Null(Study):
    """Systems that are exchangeable within items.

    Attributes
    ----------
    companion : str
        What the companion test is.
    judges : mapping
        Other libraries' p-values of the same data sets, by what they are.
    """

    companion: str
    judges: Mapping[str, Judge] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Known(Study):
    """Systems whose true difference is known.

    Attributes
    ----------
    values : callable
        Returns the true values of baseline and candidate.
    """

    values: Callable[[], tuple[float, float]]


def compared(drawn: Drawn, metric: str | None, seed: int, n_resamples: int) -> deadheat.Comparison:
    found = deadheat.compare(
        drawn.baseline,
        drawn.candidate,
        references=drawn.references,
        metric=metric,
        n_resamples=n_resamples,
        rng=seed,
        threads=1,
    )
    assert isinstance(found, deadheat.Comparison)
    return found


# True nulls


def p_values(null: Null, n_sets: int, *, first: int = 0) -> dict[str, Floats]:
    """Return the p-values of every test, shape (n_sets,) each, from data set `first` on."""
    names = (null.companion, DUAL, *null.judges)
    found = np.empty((n_sets, len(names)))
    for row, index in enumerate(range(first, first + n_sets)):
        drawn = null.data(index)
        ours = compared(drawn, null.metric, index, NULL_RESAMPLES).difference
        assert ours.interval.method == "bca_t"
        assert ours.interval.excludes(0.0) == (ours.p_value <= 0.05)
        theirs = (judge(drawn, index) for judge in null.judges.values())
        found[row] = (ours.tests[0].p_value, ours.p_value, *theirs)
    return dict(zip(names, found.T, strict=True))


def rejections(p: Floats, level: float = 0.05) -> Share:
    """Return how many p-values are at most a level."""
    return Share(hits=int(np.count_nonzero(p <= level + 1e-12)), n=p.size)


def _by_sacrebleu(drawn: Drawn, index: int, *, kind: str, n_samples: int) -> float:
    systems = [("baseline", drawn.baseline), ("candidate", drawn.candidate)]
    with mock.patch.dict(os.environ, SACREBLEU_SEED=str(index)):
        test = PairedTest(systems, {"BLEU": BLEU()}, [drawn.references], kind, n_samples)
    return float(test()[1]["BLEU"][1].p_value)


# Coverage


@cache
def _population(draw: Draw) -> Drawn:
    return draw(np.random.default_rng(SEED + 1), POPULATION)


def _from_population(rng: np.random.Generator, n: int, *, draw: Draw) -> Drawn:
    return _population(draw).rows(rng.integers(0, POPULATION, n).tolist())


def wer_of(drawn: Drawn, output: Any) -> float:
    """Return the word error rate by jiwer."""
    return float(jiwer.wer(drawn.references, output))


def span_f1_of(drawn: Drawn, output: Any) -> float:
    """Return the F1 of spans by arithmetic of sets."""
    wanted, given = (
        {(item, *span) for item, spans in enumerate(side) for span in spans}
        for side in (drawn.references, output)
    )
    return 2 * len(wanted & given) / (len(wanted) + len(given))


def _true_values(draw: Draw, value: Callable[[Drawn, Any], float]) -> tuple[float, float]:
    whole = _population(draw)
    return value(whole, whole.baseline), value(whole, whole.candidate)


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How many intervals held the true difference, and how many lay wholly beside it."""

    truth: float
    held: Share
    too_high: Share
    too_low: Share
    width: float


def coverage(known: Known, n_sets: int) -> Coverage:
    """Compare systems in many data sets; `width` is the mean width of the intervals."""
    baseline, candidate = known.values()
    truth = candidate - baseline
    ends = np.empty((n_sets, 2))
    for index in range(n_sets):
        ours = compared(known.data(index), known.metric, index, INTERVAL_RESAMPLES).difference
        assert ours.interval.method == "bca_t"
        ends[index] = ours.interval.low, ours.interval.high
    low, high = ends.T
    too_high, too_low = (int(np.count_nonzero(missed)) for missed in (low > truth, high < truth))
    return Coverage(
        truth=truth,
        held=Share(hits=n_sets - too_high - too_low, n=n_sets),
        too_high=Share(hits=too_high, n=n_sets),
        too_low=Share(hits=too_low, n=n_sets),
        width=float((high - low).mean()),
    )


# What is studied

NULLS: dict[str, Null] = {
    "bleu": Null(
        draw=segments,
        n=120,
        metric="bleu",
        companion="swap test",
        judges={
            "sacrebleu, paired-ar": partial(_by_sacrebleu, kind="ar", n_samples=NULL_RESAMPLES),
            "sacrebleu, paired-bs": partial(_by_sacrebleu, kind="bs", n_samples=NULL_RESAMPLES),
        },
    ),
    "macro_f1": Null(draw=labels, n=150, metric="macro_f1", companion="swap test"),
    "auroc": Null(draw=rankings, n=200, metric="auroc", companion="swap test of ranks"),
    "mean": Null(draw=skewed, n=120, metric=None, companion="sign flips"),
}

SPEECH = partial(segments, rates=(1.0, 0.85), difficulty=(1.0, 8.0))
TAGGING = partial(entities, rates=(1.0, 0.85))
APART = (1.2, 1.4)

KNOWN: dict[str, Known] = {
    "wer": Known(
        draw=partial(_from_population, draw=SPEECH),
        n=200,
        metric="wer",
        values=partial(_true_values, SPEECH, wer_of),
    ),
    "auroc": Known(
        draw=partial(rankings, apart=APART),
        n=200,
        metric="auroc",
        values=lambda: (area_under_curve(APART[0]), area_under_curve(APART[1])),
    ),
    "span_f1": Known(
        draw=partial(_from_population, draw=TAGGING),
        n=200,
        metric="span_f1",
        values=partial(_true_values, TAGGING, span_f1_of),
    ),
}


# Tables


def null_table(name: str, n: int, found: Mapping[str, Floats]) -> str:
    """Return the rows of one study of a null: metric, items, test, shares rejected."""
    return "\n".join(
        f"| {name} | {n} | {test} | {100 * rejections(p, 0.01).value:.2f}% "
        f"| {rejections(p)} | {100 * rejections(p, 0.10).value:.2f}% |"
        for test, p in found.items()
    )


def coverage_table(name: str, found: Coverage) -> str:
    """Return the row of one study of coverage."""
    return (
        f"| {name} | {KNOWN[name].n} | {found.truth:+.4f} | {found.held} "
        f"| {100 * found.too_high.value:.2f}% | {100 * found.too_low.value:.2f}% "
        f"| {found.width:.4f} |"
    )


def measured(began: float) -> str:
    """Return seconds of CPU since `began` (as of `time.process_time`), and versions."""
    packages = ("deadheat", "numpy", "scipy", "sacrebleu", "jiwer", "rapidfuzz")
    versions = ", ".join(f"{package} {version(package)}" for package in packages)
    seconds = time.process_time() - began
    return f"seed {SEED}; {seconds:.0f} s of CPU; Python {platform.python_version()}, {versions}"
