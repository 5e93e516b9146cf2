"""Inverse tables against SciPy and exact integers, and counts by lanes against whole words."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from deadheat.resampling import tables
from deadheat.resampling.tables import GUIDE_BITS, IndependentCounts, fair_binomial, poisson
from deadheat.rng import Purpose, Stream

LAST = 2**64 - 1


@pytest.mark.parametrize("mean", [0.0, 1e-9, 0.3, 0.96, 1.0, 7.5, 120.0, 2_999.2])
def test_poisson_thresholds(mean: float) -> None:
    table = poisson(mean)
    at = table.first + np.arange(table.thresholds.size)
    shares = table.thresholds / 2.0**64
    assert np.all(table.thresholds[1:] >= table.thresholds[:-1])
    assert shares == pytest.approx(stats.poisson.cdf(at, mean), rel=1e-9, abs=1e-19)
    rest = (np.uint64(0) - table.thresholds) / 2.0**64
    assert rest == pytest.approx(stats.poisson.sf(at, mean), rel=1e-9, abs=1e-19)


@pytest.mark.parametrize("mean", [1e6, 4e8])
def test_poisson_cumulants(mean: float) -> None:
    """Mean, variance and third central moment are equal; SciPy's own tails jump at 4.5 sd here."""
    table = poisson(mean)
    below = np.concatenate([[0.0], table.thresholds / 2.0**64, [1.0]])
    at = table.first + np.arange(below.size - 1) - mean
    mass = np.diff(below)
    assert abs(float(mass @ at)) < 1e-9 * math.sqrt(mean)
    assert float(mass @ at**2) == pytest.approx(mean, rel=1e-9)
    assert float(mass @ at**3) == pytest.approx(mean, abs=1e-9 * mean**1.5)


@pytest.mark.parametrize("mean", [0.3, 0.96, 120.0])
def test_poisson_tails_reach_as_far_as_a_word(mean: float) -> None:
    table = poisson(mean)
    last = int(table.counts(np.array([LAST], dtype=np.uint64))[0])
    assert stats.poisson.sf(last - 1, mean) > 2.0**-65 > stats.poisson.sf(last, mean)


@pytest.mark.parametrize("coins", [0, 1, 2, 3, 16, 51, 52])
def test_few_fair_coins_are_exact(coins: int) -> None:
    below = np.cumsum([math.comb(coins, k) for k in range(coins)], dtype=object)
    table = fair_binomial(coins)
    assert table.first == 0
    assert [int(t) for t in table.thresholds] == [int(b) << (64 - coins) for b in below]


@pytest.mark.parametrize("coins", [53, 64, 401])
def test_many_fair_coins_against_exact_integers(coins: int) -> None:
    table = fair_binomial(coins)
    for i, threshold in enumerate(table.thresholds.tolist()):
        below = sum(math.comb(coins, k) for k in range(table.first + i + 1))
        share = Fraction(below, 2**coins)
        error = abs(Fraction(threshold, 2**64) - share)
        assert error <= Fraction(1, 2**64) + min(share, 1 - share) / 10**13


@pytest.mark.parametrize("coins", [10_000, 1_000_001])
def test_very_many_fair_coins(coins: int) -> None:
    table = fair_binomial(coins)
    at = table.first + np.arange(table.thresholds.size)
    assert table.thresholds / 2.0**64 == pytest.approx(
        stats.binom.cdf(at, coins, 0.5), rel=1e-8, abs=1e-19
    )


@pytest.mark.parametrize("mean", [0.0, 0.96, 30.0, 2_500.0])
def test_a_guide_says_what_all_words_of_a_cell_have_in_common(mean: float) -> None:
    table = poisson(mean)
    guide = table.guide()
    cells = np.arange(1 << GUIDE_BITS, dtype=np.uint64)
    shift = np.uint64(64 - GUIDE_BITS)
    low = table.counts(cells << shift)
    high = table.counts((cells << shift) | ((np.uint64(1) << shift) - np.uint64(1)))
    assert np.array_equal(guide, np.where(low == high, low, ~low))


def lanes_of(words: list[int]) -> list[int]:
    return [(word >> shift) & 0xFFFF for word in words for shift in (0, 16, 32, 48)]


def slow_fill(
    multiplicities: list[int], table_of: object, words: list[int], more: Stream
) -> list[int]:
    """Counts of one row as the documented word order says, one at a time."""
    found = []
    made = [table_of(m) for m in multiplicities]  # type: ignore[operator]
    n_lanes = sum(table.thresholds.size <= tables.MOST_THRESHOLDS for table in made)
    n_packed = -(-n_lanes // 4)
    lanes = lanes_of(words[:n_packed])
    for i, table in enumerate(made):
        thresholds = table.thresholds.tolist()
        if i >= n_lanes:
            word = words[n_packed + i - n_lanes]
        else:
            lane = lanes[i]
            low = (lane >> (16 - GUIDE_BITS)) << (64 - GUIDE_BITS)
            high = low + (1 << (64 - GUIDE_BITS)) - 1
            undecided = any(low < t <= high for t in thresholds)
            word = (lane << 48) | ((int(more.words(1)[0]) >> 16) if undecided else 0)
        found.append(table.first + sum(t <= word for t in thresholds))
    return found


@pytest.mark.parametrize(
    ("multiplicities", "table_of"),
    [
        ([1] * 9, poisson),
        ([1, 1, 2, 5, 5, 40, 900], poisson),
        ([2, 3, 5_000, 5_000, 80_000], poisson),
        ([7_000, 8_000], poisson),
        ([1, 1, 1, 2, 60, 20_000], fair_binomial),
    ],
    ids=["ones", "lanes", "mixed", "words", "coins"],
)
def test_word_order(multiplicities: list[int], table_of: object) -> None:
    rows = 60
    engine = IndependentCounts(np.array(multiplicities), table_of)  # type: ignore[arg-type]
    words = Stream(3, Purpose.BOOTSTRAP, 0).words(rows * engine.n_words).reshape(rows, -1)
    got = np.empty((rows, len(multiplicities)))
    engine.fill(got, words, Stream(3, Purpose.BOOTSTRAP, 1))
    more = Stream(3, Purpose.BOOTSTRAP, 1)
    expected = [slow_fill(multiplicities, table_of, row, more) for row in words.tolist()]
    assert got.tolist() == expected


class Given:
    """A stream of words that were chosen."""

    def __init__(self, words: list[int]) -> None:
        self._words = np.array(words, dtype=np.uint64)

    def words(self, n: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
        taken, self._words = self._words[:n], self._words[n:]
        return taken


@pytest.mark.parametrize("below", [0, 1])
@pytest.mark.parametrize("mean", [0.96, 30.0])
def test_a_count_changes_exactly_at_its_threshold(mean: float, below: int) -> None:
    """The lane and the further word together make the threshold, or the word just below it."""
    table = poisson(mean)
    thresholds = [t for t in table.thresholds.tolist() if t % 2**48]
    words = [t - below for t in thresholds]
    engine = IndependentCounts(np.ones(len(words), dtype=np.int64), lambda _: table)
    lanes = np.zeros(engine.n_words * 4, dtype="<u2")
    lanes[: len(words)] = [word >> 48 for word in words]
    got = np.empty((1, len(words)))
    more = Given([((word << 16) & LAST) | 0xFFFF for word in words])
    engine.fill(got, lanes.view("<u8").astype(np.uint64)[None], more)  # type: ignore[arg-type]
    expected = [table.first + sum(t <= word for t in table.thresholds.tolist()) for word in words]
    assert got[0].tolist() == expected


def test_no_types_take_no_words() -> None:
    engine = IndependentCounts(np.empty(0, dtype=np.int64), poisson)
    assert engine.n_words == 0
    engine.fill(np.empty((3, 0)), np.empty((3, 0), dtype=np.uint64), Stream(0, Purpose.EXCHANGE, 0))
