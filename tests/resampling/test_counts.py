"""The multinomial engine against exact laws, its documented word order and every chunking."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from deadheat.errors import InferenceError
from deadheat.resampling import counts as engine
from deadheat.resampling.counts import Multinomial, counts
from deadheat.rng import BLOCK, Purpose, Stream

COMPLETIONS = [1.0, 2.0, 3.0, None]
Ints = NDArray[np.int64]

MANY = [[2, 3, 2, 0, 1, 0, 0, 2, 2, 0, 0, 0], [1, 1, 3, 0, 0, 1, 2, 0, 2, 0, 1, 1]]
FEW = [[2, 21, 415, 9562], [1, 22, 385, 9592]]


@pytest.fixture
def completed_by(monkeypatch: pytest.MonkeyPatch) -> Callable[[float | None], None]:
    """Choose the completion whatever it costs: the c of a top-up, or None for the remainder."""
    return lambda slack: monkeypatch.setattr(engine, "_slack", lambda ascending, n: slack)


def draws(multiplicities: list[int], n_blocks: int, seed: int = 0) -> Ints:
    given = np.array(multiplicities)
    return np.concatenate(
        [
            counts(Stream(seed, Purpose.BOOTSTRAP, j), given, int(given.sum()), BLOCK)
            for j in range(n_blocks)
        ]
    )


@pytest.mark.parametrize("slack", COMPLETIONS)
@pytest.mark.parametrize(
    "multiplicities",
    [[1, 1, 1], [2, 3], [1, 4, 0, 1], [3, 1, 2], [9, 1], [1, 1, 1, 1, 1]],
    ids=str,
)
def test_tiny_counts_are_multinomial(
    multiplicities: list[int], slack: float | None, completed_by: Callable[[float | None], None]
) -> None:
    """Chi-square over all outcomes against the exact probabilities."""
    completed_by(slack)
    n = sum(multiplicities)
    drawn = draws(multiplicities, 80)
    outcomes = [c for c in product(range(n + 1), repeat=len(multiplicities)) if sum(c) == n]
    share = stats.multinomial(n, np.array(multiplicities) / n).pmf(outcomes) * len(drawn)
    code = drawn @ (n + 1) ** np.arange(drawn.shape[1])
    seen = np.array([np.sum(code == np.dot(c, (n + 1) ** np.arange(len(c)))) for c in outcomes])
    assert seen.sum() == len(drawn)
    assert np.all(seen[share == 0.0] == 0)
    rare = share < 5.0
    observed = np.append(seen[~rare], seen[rare].sum())
    expected = np.append(share[~rare], share[rare].sum())
    chi_square = float(((observed - expected) ** 2 / np.maximum(expected, 0.5)).sum())
    assert stats.chi2.sf(chi_square, len(observed) - 1) > 0.001


@pytest.mark.parametrize("slack", COMPLETIONS)
@pytest.mark.parametrize(
    "multiplicities",
    [
        [1] * 400,
        [1] * 50 + [2] * 20 + [7] * 10 + [240],
        [3, 50, 400, 3_500, 6_047],
        [20_000, 30_000, 50_000],
    ],
    ids=["ones", "mixed", "wide", "few"],
)
def test_parts_are_binomial(
    multiplicities: list[int], slack: float | None, completed_by: Callable[[float | None], None]
) -> None:
    """The count of any set of types is binomial; variance and covariance are the multinomial's."""
    if slack is None and len(multiplicities) == 400:
        slack = 0.5  # one acceptance in twenty would only be slow
    completed_by(slack)
    given = np.array(multiplicities)
    n, n_types = int(given.sum()), given.size
    drawn = draws(multiplicities, 16)
    assert np.array_equal(drawn.sum(axis=1), np.full(len(drawn), n))
    for part in (
        slice(0, 1),
        slice(n_types - 1, n_types),
        slice(0, n_types // 2),
        slice(0, None, 2),
    ):
        total, share = drawn[:, part].sum(axis=1), given[part].sum() / n
        # Randomised probability transform: uniform when the law is the binomial.
        below, at = stats.binom.cdf(total - 1, n, share), stats.binom.pmf(total, n, share)
        uniform = below + at * np.random.default_rng(1).random(total.size)
        assert stats.kstest(uniform, "uniform").pvalue > 0.001
    first, last = drawn[:, 0], drawn[:, -1]
    expected = -given[0] * given[-1] / n
    spread = math.sqrt(given[0] * given[-1] * (1 + 1 / n) / len(drawn))
    assert abs(float(np.cov(first, last)[0, 1]) - expected) < 4.5 * spread


def slow_counts(
    multiplicities: list[int], slack: float | None, rows: int, stream: Stream
) -> list[list[int]]:
    """Resamples as the documented word order says, one unit and one attempt at a time."""
    n, last = sum(multiplicities), multiplicities[-1]
    cells = multiplicities[:-1] if slack is None else multiplicities
    rate = 1.0 if slack is None else max(0.0, 1.0 - slack / math.sqrt(n))
    independent = engine.IndependentCounts(
        np.array(cells, dtype=np.int64), lambda m: engine.poisson(m * rate)
    )
    more, halves = stream.branch(0), stream.branch(1)
    pending: list[int] = []
    found: list[list[int]] = []
    while len(found) < rows:
        row = np.empty((1, len(cells)))
        independent.fill(row, stream.words(independent.n_words)[None, :], more)
        counted = [int(c) for c in row[0]]
        total = sum(counted)
        if slack is None:
            word = int(stream.words(1)[0])
            if word < 2**64 * ratio(total, n, last) and total <= n:
                found.append([*counted, n - total])
            continue
        if total > n:
            continue
        while total < n:
            if not pending:
                word = int(halves.words(1)[0])
                pending = [word & 0xFFFFFFFF, word >> 32]
            half = pending.pop(0)
            if (half * n) % 2**32 >= 2**32 % n:
                unit = (half * n) >> 32
                counted[int(np.searchsorted(np.cumsum(multiplicities), unit, side="right"))] += 1
                total += 1
        found.append(counted)
    return found


def ratio(total: int, n: int, last: int) -> float:
    """Binomial(total; n, 1 - last/n) / Poisson(total; n - last), 1 at its greatest."""

    def log_ratio(t: int) -> float:
        mean = n - last
        binomial = float(stats.binom.logpmf(t, n, mean / n))
        return binomial - (float(stats.poisson.logpmf(t, mean)) if mean else 0.0)

    return math.exp(log_ratio(total) - log_ratio(n - last)) if total <= n else 0.0


@pytest.mark.parametrize("slack", COMPLETIONS)
@pytest.mark.parametrize(
    "multiplicities",
    [[1] * 11, [1, 1, 2, 3, 5], [1, 2, 30, 4_000, 9_000], [7], [3] * 33],
    ids=["ones", "few", "wide", "single", "threes"],
)
def test_word_order(
    multiplicities: list[int], slack: float | None, completed_by: Callable[[float | None], None]
) -> None:
    completed_by(slack)
    n, rows = sum(multiplicities), 12
    got = counts(Stream(5, Purpose.BOOTSTRAP, 2), np.array(multiplicities), n, rows)
    slow = slow_counts(multiplicities, slack, rows, Stream(5, Purpose.BOOTSTRAP, 2))
    assert got.tolist() == slow


@pytest.mark.parametrize("slack", COMPLETIONS)
def test_chunks_change_no_bit(
    slack: float | None,
    completed_by: Callable[[float | None], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    completed_by(slack)
    multiplicities = [1] * 30 + [2] * 9 + [50, 900]
    found = []
    for cells in (1, 1_000, 1 << 22):
        monkeypatch.setattr(engine, "CHUNK_CELLS", cells)
        found.append(draws(multiplicities, 1))
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])


@pytest.mark.parametrize("slack", COMPLETIONS)
def test_fewer_resamples_are_the_first_of_more(
    slack: float | None, completed_by: Callable[[float | None], None]
) -> None:
    completed_by(slack)
    given = np.array([1, 1, 2, 60])
    few, more = (counts(Stream(0, Purpose.BOOTSTRAP, 0), given, 64, rows) for rows in (7, 200))
    assert np.array_equal(few, more[:7])


def test_types_in_another_order_are_the_same_draws() -> None:
    given = np.array([1, 2, 3, 400])
    turned = np.array([3, 0, 2, 1])
    straight = counts(Stream(0, Purpose.BOOTSTRAP, 0), given, 406, 50)
    assert np.array_equal(
        counts(Stream(0, Purpose.BOOTSTRAP, 0), given[turned], 406, 50), straight[:, turned]
    )


def test_draws_are_frozen() -> None:
    """As recorded; if they change, no recorded result can be recomputed."""
    many = counts(Stream(0, Purpose.BOOTSTRAP, 0), np.ones(12, dtype=np.int64), 12, 2)
    few = counts(Stream(0, Purpose.BOOTSTRAP, 0), np.array([1, 20, 400, 9_579]), 10_000, 2)
    assert many.tolist() == MANY
    assert few.tolist() == FEW


@pytest.mark.parametrize(
    ("multiplicities", "remainder"),
    [
        ([1] * 10_000, False),
        ([25] * 400, False),
        ([10, 90], True),
        ([10**5] * 9, True),
        ([5], True),
    ],
    ids=["items", "types", "two", "large", "one"],
)
def test_the_cheaper_completion(multiplicities: list[int], remainder: bool) -> None:
    given = np.array(multiplicities)
    assert (engine._slack(given, int(given.sum())) is None) is remainder


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_counts_of_either_type_are_equal(dtype: type) -> None:
    given = np.array([1, 2, 3, 100])
    chunks = Multinomial(given).chunks(Stream(1, Purpose.BOOTSTRAP, 0), 20, dtype)
    drawn = np.concatenate([chunk.copy() for chunk in chunks])
    assert drawn.dtype == dtype
    assert np.array_equal(drawn, counts(Stream(1, Purpose.BOOTSTRAP, 0), given, 106, 20))


@pytest.mark.parametrize(
    ("multiplicities", "n", "found"),
    [
        ([1, 2], 4, "add up to 3, not to n = 4"),
        ([1, -1, 5], 5, "do not count units"),
        ([1.0, 2.0], 3, "do not count units"),
        ([[1, 2]], 3, "do not count units"),
        ([0, 0], 0, "0 units"),
        ([2**31, 2**31], 2**32, "4,294,967,296 units"),
    ],
    ids=["sum", "negative", "float", "shape", "none", "too_many"],
)
def test_what_cannot_be_drawn(multiplicities: list[int], n: int, found: str) -> None:
    with pytest.raises(InferenceError, match=found):
        counts(Stream(0, Purpose.BOOTSTRAP, 0), np.array(multiplicities), n, 1)
