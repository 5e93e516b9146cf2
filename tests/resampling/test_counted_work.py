"""How much is drawn and held: a guard against slower code that no clock is needed for.

Words and bytes are counted, not seconds, so that it says the same on every machine.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from deadheat.resampling import kernel
from deadheat.resampling.bootstrap import bootstrap
from deadheat.resampling.counts import CHUNK_CELLS, Multinomial
from deadheat.rng import Purpose, Stream

ROWS = 256
BLOCK = 8 * CHUNK_CELLS
"""Bytes of a block of counts."""

COMPILED = pytest.mark.skipif(kernel.compiled is None, reason="the kernel was not built")


@pytest.fixture
def words(monkeypatch: pytest.MonkeyPatch) -> Callable[[list[int]], float]:
    """Return how many raw words one resample takes, by the NumPy twin, which asks for each."""
    monkeypatch.setenv(kernel.VARIABLE, "numpy")
    taken = []
    plain = Stream.words

    def counted(stream: Stream, n: int) -> NDArray[np.uint64]:
        taken.append(n)
        return plain(stream, n)

    monkeypatch.setattr(Stream, "words", counted)

    def of(units: list[int]) -> float:
        taken.clear()
        for _ in Multinomial(np.array(units)).chunks(Stream(0, Purpose.BOOTSTRAP, 0), ROWS):
            pass
        return sum(taken) / ROWS

    return of


@pytest.mark.parametrize("n", [500, 10_000, 1_000_000, 1_000_000_000])
def test_a_few_types_take_a_few_words_whatever_the_items(
    n: int, words: Callable[[list[int]], float]
) -> None:
    """The four types of two 0/1 systems: three counts, an acceptance, and attempts in vain."""
    assert words([n * share // 100 for share in (7, 9, 24, 60)]) < 8.0


@pytest.mark.parametrize("n", [1_000, 10_000, 100_000])
def test_as_many_types_as_items_take_a_third_of_a_word_each(
    n: int, words: Callable[[list[int]], float]
) -> None:
    """Four counts to a word, one attempt in six in vain, and what is topped up."""
    assert words([1] * n) < 0.36 * n


@pytest.mark.parametrize(("n_types", "each"), [(1_000, 20), (10_000, 20)])
def test_work_grows_with_types_and_not_with_their_items(
    n_types: int, each: int, words: Callable[[list[int]], float]
) -> None:
    assert words([each] * n_types) < 0.45 * n_types


@pytest.mark.parametrize("n_resamples", [512, 4_096])
@pytest.mark.parametrize("n", [2_000, 20_000])
@pytest.mark.parametrize(
    ("name", "fixed"),
    [pytest.param("c", 2 * BLOCK, marks=COMPILED), pytest.param("numpy", 6 * BLOCK)],
)
def test_memory_does_not_grow_with_resamples_times_items(
    name: str, fixed: int, n: int, n_resamples: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A block of counts is 2 MB, whatever the items and resamples; the values are the result.

    The NumPy twin holds some five blocks: words, counts, those that are kept, and what it computes.
    """
    monkeypatch.setenv(kernel.VARIABLE, name)
    statistics = np.random.default_rng(0).normal(size=(n, 3, 2))
    tracemalloc.start()
    bootstrap(
        statistics,
        np.ones(n, dtype=np.int64),
        lambda totals: totals[..., 0] / (2.0 + np.abs(totals[..., 1])),
        n_resamples=n_resamples,
        seed=0,
    )
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    values = 8 * 3 * n_resamples
    given = 8 * 6 * n
    assert peak < fixed + 3 * values + 4 * given
    assert peak < 0.5 * 8 * n * n_resamples or n * n_resamples < 5e6
