"""Intervals of differences of corpus F1, through deadheat's own scoring and resampling."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from calibration.choices import Covered, Generator, covered, generator
from calibration.designs import Draw, Drawn, labels
from calibration.ends import Ends
from calibration.studies import KNOWN
from deadheat.distributions import Replicates
from deadheat.inference import corpus
from deadheat.inference.methods import from_distribution
from deadheat.intervals.acceleration import acceleration
from deadheat.measuring import measured
from deadheat.metrics import metrics_of
from deadheat.settings import Settings

METHODS = ("percentile", "expanded", "bca", "bca_t")
N_RESAMPLES = 1_999

RATES = (1.0, 0.7)
"""How hard items are for the baseline and for the candidate."""

ERRORS = tuple(rate / 3.0 for rate in RATES)
"""Chance that an answer is wrong (or, of four labels, drawn anew): difficulty is Beta(1, 2)."""

LABEL_SHARES = np.array([0.55, 0.25, 0.15, 0.05])
POSITIVE = 0.2


def binary(rng: Generator, n: int) -> Drawn:
    """Draw 20% positives; an output is turned around with a chance that items share."""
    references = (rng.random(n) < POSITIVE).astype(np.int64)
    hard = rng.beta(1.0, 2.0, n)
    baseline, candidate = (
        np.where(rng.random(n) < rate * hard, 1 - references, references) for rate in RATES
    )
    return Drawn(references=references, baseline=baseline, candidate=candidate)


def f_of(cells: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the F1 of each label of a table of shares, reference by output."""
    shared: NDArray[np.float64] = 2.0 * np.diag(cells) / (cells.sum(axis=0) + cells.sum(axis=1))
    return shared


def _macro_f1(error: float) -> float:
    drawn_anew = np.outer(LABEL_SHARES, LABEL_SHARES)
    return float(f_of((1.0 - error) * np.diag(LABEL_SHARES) + error * drawn_anew).mean())


def _binary_f1(error: float) -> float:
    right, wrong = POSITIVE * (1.0 - error), POSITIVE * error
    cells = [[(1.0 - POSITIVE) * (1.0 - error), (1.0 - POSITIVE) * error], [wrong, right]]
    return float(f_of(np.array(cells))[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """A metric of totals on outputs whose true values are known.

    Attributes
    ----------
    draw : callable
    values : callable
        Returns the true values of baseline and candidate.
    positive : int or None
    about : str
    sizes : tuple of int
    n_sets : int
        Data sets of a cell.
    """

    draw: Draw
    values: Callable[[], tuple[float, float]]
    positive: int | None
    about: str
    sizes: tuple[int, ...] = (20, 50, 100, 200, 500, 2_000)
    n_sets: int = 2_000


CORPORA: dict[str, Corpus] = {
    "f1": Corpus(
        draw=binary,
        values=lambda: (_binary_f1(ERRORS[0]), _binary_f1(ERRORS[1])),
        positive=1,
        about="20% positives",
    ),
    "macro_f1": Corpus(
        draw=partial(labels, rates=RATES),
        values=lambda: (_macro_f1(ERRORS[0]), _macro_f1(ERRORS[1])),
        positive=None,
        about="four labels of 55, 25, 15 and 5%",
    ),
    **{
        name: Corpus(
            draw=KNOWN[name].draw,
            values=KNOWN[name].values,
            positive=None,
            about=about,
            # `docs/calibration.md` has these metrics at 200 items.
            sizes=(20, 50, 100),
            n_sets=1_000,
        )
        for name, about in (
            ("auroc", "30% positives, true areas .802 and .839"),
            ("wer", "texts of 6 to 30 words, word error rates of 10.7 and 9.2%"),
            ("span_f1", "two entities a sentence, F1 of .805 and .837"),
        )
    },
}


def data(metric: str, n: int, index: int) -> Drawn:
    return CORPORA[metric].draw(generator(metric, n, index), n)


ONE = "one system, "
"""Before the names of methods for the value of the candidate alone."""


def intervals(drawn: Drawn, metric: str, seed: int) -> dict[str, tuple[float, float]]:
    """Return the ends of every method on the same resamples, of the difference and of one value."""
    positive = CORPORA[metric].positive
    (part,) = measured(
        (drawn.baseline, drawn.candidate),
        {"references": drawn.references},
        metrics_of(metric, **({} if positive is None else {"positive": positive})),
        lambda systems: [systems],
        missing="error",
        unparseable="wrong",
    )
    settings = Settings(n_resamples=N_RESAMPLES, seed=seed, threads=1)
    (found,) = corpus.resampled(part.scores, settings)
    gap = np.array([-1.0, 1.0])
    ends = {}
    for title, weights in (("", gap), (ONE, np.array([0.0, 1.0]))):
        # What is 0/0 for one system alone must not make the other undefined.
        used = weights != 0.0
        estimate = float(found.values[used] @ weights[used])
        distribution = Replicates.of(found.draws[:, used] @ weights[used], estimate=estimate)
        curved = acceleration(found.left_out[:, used] @ weights[used], found.multiplicities)
        for method in METHODS:
            interval = from_distribution(
                method,
                distribution,
                estimate=estimate,
                n_units=found.n,
                acceleration=lambda curved=curved: curved,
                settings=settings,
            ).interval_at(settings.confidence_level)
            ends[title + method] = (interval.low, interval.high)
    return ends


def _one_by_one(metric: str, n: int, n_sets: int) -> Iterator[dict[str, Ends]]:
    """Yield the ends less the truth of what they are for."""
    baseline, candidate = CORPORA[metric].values()
    for index in range(n_sets):
        found = intervals(data(metric, n, index), metric, index)
        yield {
            name: tuple(
                np.array([end - (candidate if name.startswith(ONE) else candidate - baseline)])
                for end in ends
            )
            for name, ends in found.items()
        }


def of_corpus_cell(metric: str, n: int, n_sets: int) -> dict[str, Covered]:
    """Return what every method did for a metric: its difference, and the candidate's value."""
    return covered(_one_by_one(metric, n, n_sets), 0.0)
