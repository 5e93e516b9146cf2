"""Exchange within items against brute force, SciPy and exact enumeration."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from deadheat.errors import InferenceError
from deadheat.resampling import exchange as module
from deadheat.resampling.exchange import exchange, flipped_totals
from deadheat.resampling.types import collapse
from vectors import close, vectors

Floats = NDArray[np.float64]


def f1(totals: Floats) -> Floats:
    right, wrong, missed = np.moveaxis(totals, -1, 0)
    return np.asarray(2 * right / (2 * right + wrong + missed))


def mean(totals: Floats) -> Floats:
    return np.asarray(totals[..., 0] / totals[..., -1])


def with_ones(scores: Floats) -> Floats:
    return np.stack([scores, np.ones_like(scores)], axis=-1)


def two_sided(null: Any, observed: float) -> float:
    return float(null.at_most(-abs(observed)) + null.at_least(abs(observed)))


SWAPS = [*vectors("pvalues.randomization", "swap_test_exact"), *vectors("collapse.signflip")]


@pytest.mark.parametrize("collapsed", [False, True], ids=["items", "types"])
@pytest.mark.parametrize("vector", SWAPS, ids=lambda vector: vector["name"])
def test_vectors(vector: dict[str, Any], collapsed: bool) -> None:
    baseline, candidate = (np.array(vector["input"][f"stats_{s}"], dtype=float) for s in "ab")
    observed = float(f1(candidate.sum(axis=0)) - f1(baseline.sum(axis=0)))
    units = np.ones(len(baseline), dtype=np.int64)
    if collapsed:
        types = collapse(np.concatenate([baseline, candidate], axis=1))
        baseline, candidate, units = types.rows[:, :3], types.rows[:, 3:], types.multiplicities
    null = exchange(baseline, candidate, units, f1, seed=0)
    assert null.n_resamples is None
    if "observed" in vector["expected"]:
        assert close(vector, "observed", observed)
    assert close(vector, "p_value", two_sided(null, observed))


@pytest.mark.parametrize("seed", range(4))
def test_enumeration_is_every_exchange_of_items(seed: int) -> None:
    rng = np.random.default_rng(seed)
    units = rng.integers(1, 4, 4)
    sides = rng.integers(1, 4, (2, 4, 3)).astype(float)
    null = exchange(sides[0], sides[1], units, f1, seed=0)
    items = np.repeat(sides, units, axis=1)
    brute = []
    for coins in product((False, True), repeat=items.shape[1]):
        swap = np.array(coins)[:, None]
        first, second = np.where(swap, items[1], items[0]), np.where(swap, items[0], items[1])
        brute.append(float(f1(second.sum(axis=0)) - f1(first.sum(axis=0))))
    for x in {round(value, 12) for value in brute}:
        share = np.mean([value <= x + 1e-9 for value in brute])
        assert null.at_most(x + 1e-9) == pytest.approx(share, abs=1e-12)


def test_mean_against_scipy() -> None:
    rng = np.random.default_rng(8)
    baseline, candidate = rng.random((2, 11))
    theirs = stats.permutation_test(
        (baseline, candidate),
        lambda x, y, axis: np.mean(y - x, axis=axis),
        permutation_type="samples",
        n_resamples=np.inf,
    )
    null = exchange(
        with_ones(baseline), with_ones(candidate), np.ones(11, dtype=np.int64), mean, seed=0
    )
    assert two_sided(null, theirs.statistic) == pytest.approx(theirs.pvalue, abs=1e-12)


@pytest.mark.parametrize("threads", [1, 2])
def test_draws_have_the_enumerated_law(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    units = np.array([1, 1, 2, 3, 5, 8, 60])
    baseline, candidate = rng.integers(0, 9, (2, 7, 2)) + np.array([0.5, 1.0])
    exact = exchange(baseline, candidate, units, mean, seed=0)
    assert exact.n_resamples is None
    monkeypatch.setattr(module, "MOST_OUTCOMES", 1)
    drawn = exchange(baseline, candidate, units, mean, seed=0, threads=threads)
    assert drawn.n_resamples == 9_999
    for x in np.linspace(exact.lower(0.001), exact.upper(0.001), 23):
        share = exact.at_most(float(x))
        spread = math.sqrt(share * (1.0 - share) / 9_999)
        assert abs(drawn.at_most(float(x)) - share) < 4.5 * spread + 1e-9


def test_threads_and_chunks_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    baseline, candidate = rng.normal(size=(2, 300, 2)) + 5.0
    units = np.ones(300, dtype=np.int64)
    straight = exchange(baseline, candidate, units, mean, seed=0, n_resamples=700)
    monkeypatch.setattr(module, "CHUNK_CELLS", 2_000)
    chunked = exchange(baseline, candidate, units, mean, seed=0, n_resamples=700, threads=3)
    assert np.array_equal(straight.values, chunked.values)  # type: ignore[attr-defined]


def test_swapping_the_systems_mirrors_the_law() -> None:
    rng = np.random.default_rng(2)
    baseline, candidate = rng.integers(1, 5, (2, 6, 3)).astype(float)
    units = np.array([1, 1, 1, 2, 2, 3])
    null = exchange(baseline, candidate, units, f1, seed=0)
    mirrored = exchange(candidate, baseline, units, f1, seed=0)
    for x in (-0.2, -0.05, 0.0, 0.03, 0.1):
        assert null.at_most(x) == pytest.approx(mirrored.at_least(-x), abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_swapping_every_item_is_exactly_the_mirror(seed: int) -> None:
    """Sums of changes reach twice the largest total and still have to be exact."""
    rng = np.random.default_rng(seed)
    side = rng.uniform(0.9, 1.0, (8, 1))
    null = exchange(-side, side * 0.99, np.array([3] * 8), lambda t: t[..., 0], seed=0)
    values = null.values  # type: ignore[attr-defined]
    assert np.array_equal(values, -values[::-1])


def test_outcomes_of_many_items_of_one_type() -> None:
    null = exchange(np.array([[0.0, 1.0]]), np.array([[1.0, 1.0]]), np.array([5_000]), mean, seed=0)
    for heads in (2_300, 2_500, 2_550):
        share = stats.binom.cdf(heads, 5_000, 0.5)
        assert null.at_most((2 * heads - 5_000) / 5_000) == pytest.approx(share, rel=1e-9)


def test_identical_systems_have_one_outcome() -> None:
    side = np.ones((3, 3))
    null = exchange(side, side, np.array([10, 20, 30]), f1, seed=0)
    assert null.n_resamples is None
    assert null.at_most(-1e-9) == 0.0
    assert null.at_most(0.0) == 1.0


def test_each_system_may_have_its_own_metric() -> None:
    side = np.array([[2.0, 1.0]])
    null = exchange(side, side, np.array([4]), (mean, lambda t: 3.0 * mean(t)), seed=0)
    assert null.mean == pytest.approx(4.0)


def test_undefined_outcomes_are_left_out() -> None:
    """One swap in two leaves the candidate without anything to divide by."""
    baseline, candidate = np.array([[0.0, 0.0, 0.0]]), np.array([[1.0, 0.0, 0.0]])

    def careful(totals: Floats) -> Floats:
        with np.errstate(invalid="ignore"):
            return f1(totals)

    null = exchange(baseline, candidate, np.array([3]), careful, seed=0)
    assert null.at_most(0.0) == pytest.approx(1.0)
    assert null.undefined == pytest.approx(0.25)  # type: ignore[attr-defined]


FLIPS = vectors("pvalues.randomization", "sign_flip_exact")


@pytest.mark.parametrize("vector", FLIPS, ids=lambda vector: vector["name"])
def test_flipped_totals_against_exact_p_values(vector: dict[str, Any]) -> None:
    values, units = np.unique(vector["input"]["diffs"], return_counts=True)
    totals = flipped_totals(values, units, seed=3, n_resamples=40_000)
    hits = np.abs(totals) >= abs(float(values @ units)) - 1e-9
    p_value = vector["expected"]["p_value"]
    assert abs(hits.mean() - p_value) < 4 * math.sqrt(p_value * (1 - p_value) / 40_000)


def test_flipped_totals_are_a_rademacher_sum() -> None:
    """Of m equal differences, (total / d + m) / 2 is Binomial(m, 1/2)."""
    m = 30_000
    totals = flipped_totals(np.array([0.25]), np.array([m]), seed=0, n_resamples=4_000)
    heads = (totals / 0.25 + m) / 2.0
    uniform = stats.binom.cdf(heads - 1, m, 0.5) + stats.binom.pmf(
        heads, m, 0.5
    ) * np.random.default_rng(0).random(heads.size)
    assert stats.kstest(uniform, "uniform").pvalue > 0.001


def test_flipped_totals_of_real_differences() -> None:
    """Variance sum m d^2, mean zero, and the same bits for any threads and order of types."""
    rng = np.random.default_rng(3)
    values, units = rng.normal(size=400), rng.integers(1, 5, 400)
    totals = flipped_totals(values, units, seed=0, n_resamples=9_999)
    variance = float(units @ values**2)
    assert abs(totals.mean()) < 4 * math.sqrt(variance / 9_999)
    assert totals.var() == pytest.approx(variance, rel=4 * math.sqrt(2 / 9_999))
    assert np.array_equal(
        totals, flipped_totals(values, units, seed=0, n_resamples=9_999, threads=2)
    )


def test_nothing_to_flip() -> None:
    totals = flipped_totals(np.array([0.0]), np.array([5]), seed=0, n_resamples=3)
    assert totals.tolist() == [0.0] * 3


@pytest.mark.parametrize("shape", [(2, 3), (3, 2)])
def test_what_does_not_fit(shape: tuple[int, int]) -> None:
    with pytest.raises(InferenceError, match="do not fit 3 multiplicities"):
        exchange(np.ones((3, 3)), np.ones(shape), np.ones(3, dtype=np.int64), f1, seed=0)
    with pytest.raises(InferenceError, match="do not fit 3 multiplicities"):
        flipped_totals(np.ones(2), np.ones(3, dtype=np.int64), seed=0, n_resamples=5)
