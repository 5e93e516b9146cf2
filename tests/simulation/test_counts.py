"""Intervals from counts: those of `compare`, and drawn ones by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from deadheat.distributions import Replicates
from deadheat.errors import InferenceError
from deadheat.inference import binary, methods
from deadheat.inference.result import Counts
from deadheat.intervals import percentile
from deadheat.replays.counts import interval_of, of_discordant, redrawn
from deadheat.replays.outcomes import outcome_of
from deadheat.resampling import exact
from deadheat.rng import Purpose, Stream
from deadheat.settings import Settings

TABLES = [(289, 67, 85, 59), (40, 3, 9, 8), (50, 0, 12, 2), (30, 8, 8, 14), (60, 0, 0, 4)]

WORDS = (7, Purpose.SIMULATION, 3)


def counts(table: tuple[int, ...]) -> Counts:
    both, only_baseline, only_candidate, neither = table
    return Counts(
        both=both, only_baseline=only_baseline, only_candidate=only_candidate, neither=neither
    )


def scores(table: tuple[int, ...]) -> np.ndarray:
    return np.repeat([[1.0, 1.0, 0.0, 0.0], [1.0, 0.0, 1.0, 0.0]], table, axis=1)


METHODS = [
    name
    for name in (*methods.offering("paired_proportions"), *methods.offering("from_distribution"))
    if name not in ("components", "crossed")
]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("method", [*METHODS, "student_t"])
def test_intervals_are_those_of_compare(table: tuple[int, ...], method: str) -> None:
    settings = Settings(method=method, confidence_level=0.9)
    found = interval_of(
        counts(table),
        method,
        lambda: exact.paired_counts(table[1], table[2], sum(table)),
        settings,
    )
    assert found == binary.paired(counts(table), settings).interval


def by_hand(table: tuple[int, ...], n_resamples: int) -> list[float]:
    """Draws of the difference, sorted: the exact distribution by repeated convolution, inverted."""
    n = sum(table)
    step = np.array([table[1], table[0] + table[3], table[2]]) / n
    pmf = np.array([1.0])
    for _ in range(n):
        pmf = np.convolve(pmf, step)
    below = np.cumsum(pmf)
    words = Stream(*WORDS, 1).words(n_resamples)
    uniform = [((int(word) >> 12) + 0.5) / 2**52 for word in words]
    return sorted((int(np.argmax(below >= u)) - n) / n for u in uniform)


@pytest.mark.parametrize("table", TABLES[:4])
@pytest.mark.parametrize("n_resamples", [999, 2_000])
def test_percentile_interval_is_two_of_the_draws(table: tuple[int, ...], n_resamples: int) -> None:
    draws = by_hand(table, n_resamples)
    k = math.floor((n_resamples + 1) * 0.025 + 1e-9)
    settings = Settings(method="percentile", n_resamples=n_resamples)
    found = redrawn(scores(table), Stream(*WORDS, 1), settings)
    assert (found.low, found.high) == pytest.approx((draws[k - 1], draws[-k]), abs=1e-12)
    assert (found.method, found.drawn) == ("percentile", True)


@pytest.mark.parametrize("method", ["basic", "bca", "bca_t", "expanded", "normal"])
def test_other_methods_read_the_same_draws(method: str) -> None:
    table, settings = TABLES[0], Settings(method=method, n_resamples=499)
    drawn = Replicates.of(np.array(by_hand(table, 499)), estimate=0.036)
    wanted = interval_of(counts(table), method, lambda: drawn, settings)
    found = redrawn(scores(table), Stream(*WORDS, 1), settings)
    assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high), abs=1e-9)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("test", ["auto", "exact", "midp", "chi2", "chi2_cc", "t", "bootstrap"])
def test_reading_is_that_of_the_interval_and_the_test(table: tuple[int, ...], test: str) -> None:
    """The reading of `compare`, with the drawn interval in the place of the computed one."""
    settings = Settings(method="percentile", test=test, n_resamples=999)
    found = redrawn(scores(table), Stream(*WORDS, 1), settings)
    whole = binary.paired(of_discordant(sum(table), table[1], table[2]), settings)
    interval = whole.interval
    if found.drawn:
        drawn = Replicates.of(np.array(by_hand(table, 999)), estimate=whole.estimate)
        interval = percentile.from_distribution(drawn, estimate=whole.estimate)
    wanted = outcome_of(replace(whole, interval=interval), sum(table), settings)
    assert found.code == wanted.code
    assert (found.test, found.estimate) == (wanted.test, wanted.estimate)
    assert found.p_value == pytest.approx(wanted.p_value, nan_ok=True)


def test_auto_draws_only_where_it_takes_the_percentile_interval() -> None:
    settings = Settings(n_resamples=499)
    few = (90, 2, 5, 3)
    found = redrawn(scores(few), Stream(*WORDS, 1), settings)
    wanted = binary.paired(counts(few), settings).interval
    assert (found.method, found.drawn) == ("tango", False)
    assert (found.low, found.high) == (wanted.low, wanted.high)


def test_equal_counts_share_no_draw() -> None:
    settings = Settings(method="percentile", n_resamples=99)
    ends = {
        (found.low, found.high)
        for replay in range(40)
        for found in [
            redrawn(scores(TABLES[0]), Stream(0, Purpose.SIMULATION, replay, 1), settings)
        ]
    }
    assert len(ends) > 10


def test_too_few_resamples_are_refused() -> None:
    with pytest.raises(InferenceError, match="at least 39"):
        redrawn(scores(TABLES[0]), Stream(*WORDS, 1), Settings(method="percentile", n_resamples=38))
