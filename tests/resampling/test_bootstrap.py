"""The bootstrap against SciPy, ideal distributions and every way to order the work."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from deadheat.errors import InferenceError
from deadheat.resampling import counts
from deadheat.resampling.bootstrap import bootstrap
from deadheat.resampling.types import collapse
from deadheat.rng import Purpose

Floats = NDArray[np.float64]


def mean(totals: Floats) -> Floats:
    return np.asarray(totals[..., 0] / totals[..., -1])


def f1(totals: Floats) -> Floats:
    right, wrong, missed = np.moveaxis(totals, -1, 0)
    return np.asarray(2 * right / (2 * right + wrong + missed))


def with_ones(values: Floats) -> Floats:
    """Statistics of a mean, shape (item, system, 2), from scores (item, system)."""
    return np.stack([values, np.ones_like(values)], axis=-1)


@pytest.fixture(scope="module")
def decisions() -> Floats:
    """Statistics (true positive, false positive, false negative) of 300 items and two systems."""
    rng = np.random.default_rng(11)
    truth = rng.random(300) < 0.4
    said = [np.where(rng.random(300) < share, truth, ~truth) for share in (0.7, 0.8)]
    return np.stack(
        [np.stack([s & truth, s & ~truth, ~s & truth], axis=-1) for s in said], axis=1
    ).astype(float)


@pytest.mark.parametrize("k", [3, 40, 97])
def test_accuracy_has_its_ideal_distribution(k: int) -> None:
    n = 100
    draws = bootstrap(with_ones(np.array([[0.0], [1.0]])), np.array([n - k, k]), mean, seed=4)
    right = np.rint(draws[:, 0] * n)
    assert np.array_equal(right / n, draws[:, 0])
    uniform = stats.binom.cdf(right - 1, n, k / n) + stats.binom.pmf(
        right, n, k / n
    ) * np.random.default_rng(0).random(right.size)
    assert stats.kstest(uniform, "uniform").pvalue > 0.001


def test_difference_of_f1_against_scipy(decisions: Floats) -> None:
    """Same law as drawing items: quantiles within Monte Carlo error of each other."""
    types = collapse(decisions.reshape(300, -1))
    assert len(types.rows) < 10
    draws = bootstrap(types.rows.reshape(-1, 2, 3), types.multiplicities, f1, seed=1)
    ours = draws[:, 1] - draws[:, 0]

    def difference(index: NDArray[np.intp], axis: int) -> Floats:
        totals = decisions[index].sum(axis=axis)
        return f1(totals[..., 1, :]) - f1(totals[..., 0, :])

    theirs = stats.bootstrap(
        (np.arange(300),),
        lambda index, axis=-1: difference(index, index.ndim - 1),
        n_resamples=4_000,
        batch=500,
        rng=np.random.default_rng(2),
    ).bootstrap_distribution
    assert stats.ks_2samp(ours, theirs).pvalue > 0.001


def test_types_and_items_have_the_same_law(decisions: Floats) -> None:
    types = collapse(decisions.reshape(300, -1))
    grouped = bootstrap(types.rows.reshape(-1, 2, 3), types.multiplicities, f1, seed=1)
    single = bootstrap(decisions, np.ones(300, dtype=np.int64), f1, seed=2)
    for s in (0, 1):
        assert stats.ks_2samp(grouped[:, s], single[:, s]).pvalue > 0.001
    paired = [draws[:, 1] - draws[:, 0] for draws in (grouped, single)]
    assert stats.ks_2samp(*paired).pvalue > 0.001


def test_standard_error_of_a_mean_of_real_scores() -> None:
    scores = np.random.default_rng(3).gamma(2.0, size=2_000)
    draws = bootstrap(with_ones(scores[:, None]), np.ones(2_000, dtype=np.int64), mean, seed=0)
    expected = scores.std() / math.sqrt(2_000)
    assert draws.mean() == pytest.approx(scores.mean(), abs=4 * expected / math.sqrt(9_999))
    assert draws.std() == pytest.approx(expected, rel=4 / math.sqrt(2 * 9_999))


def tuples(kind: str) -> tuple[Floats, NDArray[np.int64]]:
    """Statistics (type, system, k) and multiplicities of one kind of numbers."""
    rng = np.random.default_rng(5)
    units = rng.integers(1, 4, 120)
    if kind == "whole":
        return rng.integers(0, 50, (120, 2, 3)).astype(float), units
    if kind == "large":
        return rng.integers(0, 2**40, (120, 2, 3)).astype(float), units
    return rng.normal(size=(120, 2, 3)) * [1e-3, 1.0, 1e5], units


@pytest.mark.parametrize("kind", ["whole", "large", "real"])
def test_the_order_of_work_changes_no_bit(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    statistics, units = tuples(kind)
    straight = bootstrap(statistics, units, mean, n_resamples=1_000, seed=0)
    threaded = bootstrap(statistics, units, mean, n_resamples=1_000, seed=0, threads=3)
    monkeypatch.setattr(counts, "CHUNK_CELLS", 500)
    chunked = bootstrap(statistics, units, mean, n_resamples=1_000, seed=0, threads=2)
    few = bootstrap(statistics, units, mean, n_resamples=300, seed=0)
    assert np.array_equal(straight, threaded)
    assert np.array_equal(straight, chunked)
    assert np.array_equal(straight[:300], few)


def test_a_system_does_not_see_its_neighbours() -> None:
    statistics, units = tuples("real")
    both = bootstrap(statistics, units, mean, n_resamples=300, seed=0)
    second = bootstrap(statistics[:, 1:], units, mean, n_resamples=300, seed=0)
    assert np.array_equal(both[:, 1:], second)


def test_scores_and_decimals_agree_with_fresh_sums() -> None:
    """Values recomputed from the counts in float64 agree within the documented rounding."""
    from deadheat.rng import Stream

    statistics, units = tuples("real")
    n = int(units.sum())
    drawn = counts.counts(Stream(0, Purpose.BOOTSTRAP, 0), units, n, 100)
    got = bootstrap(statistics, units, lambda t: t[..., 2], n_resamples=100, seed=0)
    bound = n**2 * np.abs(statistics[..., 2]).max() * 2.0**-53 * 4
    assert np.abs(got - drawn @ statistics[..., 2]).max() < bound


def test_each_system_may_have_its_own_metric(decisions: Floats) -> None:
    units = np.ones(300, dtype=np.int64)
    shared = bootstrap(decisions, units, f1, n_resamples=50, seed=0)
    mixed = bootstrap(decisions, units, (f1, lambda t: -f1(t)), n_resamples=50, seed=0)
    assert np.array_equal(mixed, shared * [1.0, -1.0])


def test_undefined_resamples_are_nan() -> None:
    statistics = np.array([[[0.0, 0.0]], [[1.0, 1.0]]])

    def share(totals: Floats) -> Floats:
        with np.errstate(invalid="ignore"):
            return mean(totals)

    draws = bootstrap(statistics, np.array([3, 1]), share, seed=0)
    undefined = np.isnan(draws[:, 0])
    assert np.all(draws[~undefined] == 1.0)
    expected = 0.75**4
    spread = math.sqrt(expected * (1 - expected) / 9_999)
    assert abs(undefined.mean() - expected) < 4 * spread


def test_one_unit_never_varies() -> None:
    draws = bootstrap(np.array([[[3.0, 1.0]]]), np.array([1]), mean, n_resamples=10, seed=0)
    assert np.all(draws == 3.0)


def test_purposes_and_seeds_draw_differently() -> None:
    statistics, units = tuples("whole")
    found = [
        bootstrap(statistics, units, mean, n_resamples=20, seed=seed, purpose=purpose)
        for seed, purpose in [
            (0, Purpose.BOOTSTRAP), (1, Purpose.BOOTSTRAP), (0, Purpose.FIRST_ALONE)
        ]
    ]  # fmt: skip
    assert not np.array_equal(found[0], found[1])
    assert not np.array_equal(found[0], found[2])


def test_memory_does_not_grow_with_resamples() -> None:
    """Only the result does: 8 bytes for a resample and system."""
    statistics, units = np.ones((3_000, 1, 2)), np.ones(3_000, dtype=np.int64)

    def peak(n_resamples: int) -> int:
        tracemalloc.start()
        try:
            bootstrap(statistics, units, mean, n_resamples=n_resamples, seed=0)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    few, many = peak(256), peak(2_560)
    assert many < few + 200_000
    assert many < 16e6


@pytest.mark.parametrize(
    ("statistics", "value", "found"),
    [
        (np.ones((3, 2)), mean, "do not fit 2 multiplicities"),
        (np.ones((3, 1, 2)), mean, "do not fit 2 multiplicities"),
        (np.ones((2, 3, 2)), (mean, mean), "2 metrics were given for 3 systems"),
    ],
    ids=["dimensions", "types", "metrics"],
)
def test_what_does_not_fit(statistics: Floats, value: object, found: str) -> None:
    with pytest.raises(InferenceError, match=found):
        bootstrap(statistics, np.array([1, 1]), value, seed=0)  # type: ignore[arg-type]
