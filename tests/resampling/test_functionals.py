"""What is computed of resamples: the same metric written as sums and as weights, and its pieces."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from deadheat.errors import InferenceError
from deadheat.resampling.bootstrap import bootstrap, bootstrap_together
from deadheat.resampling.exchange import exchange, exchange_of_weights
from deadheat.resampling.functionals import Sums, Weighted, metrics_for
from deadheat.resampling.jackknife import jackknife, jackknife_of_weights

Floats = NDArray[np.float64]


def ratio(totals: Floats) -> Floats:
    return np.divide(
        totals[..., 0],
        totals[..., 1],
        out=np.full(totals.shape[:-1], np.nan),
        where=totals[..., 1] != 0.0,
    )


def f1(totals: Floats) -> Floats:
    hits, given_, wanted = np.moveaxis(totals, -1, 0)
    return ratio(np.stack([2.0 * hits, given_ + wanted], axis=-1))


def weighted(value: Callable[[Floats], Floats]) -> Callable[[Floats], Callable[[Any], Floats]]:
    """Write a metric of sums as one of weights: it sums the rows itself."""

    def value_of(rows: Floats) -> Callable[[Any], Floats]:
        return lambda weights: value(weights.astype(np.float64) @ rows)

    return value_of


def both(statistics: Floats, value: Callable[[Floats], Floats]) -> tuple[Sums, Weighted]:
    n_systems = statistics.shape[1]
    return (
        Sums.of(statistics, value),
        Weighted(rows=statistics, values_of=(weighted(value),) * n_systems),
    )


@st.composite
def accuracies(draw: st.DrawFn) -> tuple[Floats, NDArray[np.int64]]:
    """Types of right and wrong of two systems, each with 1, in any order."""
    cells = [[[a, 1.0], [b, 1.0]] for a in (0.0, 1.0) for b in (0.0, 1.0)]
    statistics = np.array(draw(st.permutations(cells)))
    sizes = st.one_of(st.integers(1, 4), st.integers(1, 4_000))
    return statistics, np.array(draw(st.lists(sizes, min_size=4, max_size=4)))


def counts_of(kind: str, seed: int = 0, n_types: int = 40) -> tuple[Floats, NDArray[np.int64]]:
    """Hits, outputs and references of two systems: few of each, or one item a type."""
    rng = np.random.default_rng(seed)
    wanted = rng.integers(0, 4, (n_types, 1))
    given_ = rng.integers(0, 4, (n_types, 2))
    hits = np.minimum(given_, wanted) - rng.integers(0, 2, (n_types, 2))
    statistics = np.stack(
        [np.maximum(hits, 0), given_, np.broadcast_to(wanted, (n_types, 2))], axis=-1
    ).astype(float)
    units = {"items": np.ones(n_types, dtype=np.int64), "types": rng.integers(1, 30, n_types)}
    return statistics, units[kind]


# -- sums and weights -----------------------------------------------------------------------------


@settings(max_examples=25)
@given(accuracies(), st.integers(0, 5))
def test_accuracy_by_sums_and_by_weights_is_the_same_to_the_bit(
    case: tuple[Floats, NDArray[np.int64]], seed: int
) -> None:
    statistics, units = case
    sums, weights = (
        bootstrap_together([functional], units, n_resamples=300, seed=seed, threads=1)
        for functional in both(statistics, ratio)
    )
    assert np.array_equal(sums, weights)


@pytest.mark.parametrize("kind", ["items", "types"])
def test_sums_and_weights_side_by_side(kind: str) -> None:
    """One call computes both of the same draws; alone each of them has these draws too."""
    statistics, units = counts_of(kind)
    pair = both(statistics, f1)
    together = bootstrap_together(pair, units, n_resamples=600, seed=3, threads=1)
    assert together.shape == (600, 4)
    assert np.unique(together).size > 100
    assert np.array_equal(together[:, :2], together[:, 2:])
    for functional in pair:
        alone = bootstrap_together([functional], units, n_resamples=600, seed=3, threads=1)
        assert np.array_equal(alone, together[:, :2])
    plain = bootstrap(statistics, units, f1, n_resamples=600, seed=3)
    assert np.array_equal(plain, together[:, :2])


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("serial", [False, True])
def test_threads_change_no_bit(threads: int, serial: bool) -> None:
    statistics, units = counts_of("items")
    sums, weights = both(statistics, f1)
    functionals = [sums, Weighted(rows=weights.rows, values_of=weights.values_of, serial=serial)]
    one, more = (
        bootstrap_together(functionals, units, n_resamples=900, seed=1, threads=count)
        for count in (1, threads)
    )
    assert np.array_equal(one, more)


def test_order_of_types_of_one_size_is_the_order_of_draws() -> None:
    """The rows that a metric of weights is given stand as the weights that it is given do."""
    statistics, units = counts_of("types")
    for functional in both(statistics, f1):
        order = np.argsort(units, kind="stable")
        prepared = functional.prepared(order, int(units.sum()))
        counts = units[order].astype(np.float64)[None, :]
        found = prepared.whole(prepared.part(counts))
        expected = f1(np.einsum("gsk,g->sk", statistics, units))
        assert np.array_equal(found, expected[None, :])


@pytest.mark.parametrize("kind", ["items", "types"])
def test_jackknife_by_sums_and_by_weights(kind: str) -> None:
    statistics, units = counts_of(kind)
    sums = jackknife(statistics, units, f1)
    weights = jackknife_of_weights(statistics, units, [weighted(f1)] * 2)
    assert np.array_equal(sums, weights)
    left_out = np.repeat(statistics, units, axis=0)[1:].sum(axis=0)
    assert np.array_equal(sums[0], f1(left_out))


def test_exchange_by_sums_and_by_weights() -> None:
    """Both enumerate the 2^9 exchanges; the probabilities are whole multiples of 2^-9."""
    statistics, units = counts_of("items", n_types=9)
    a, b = statistics[:, 0], statistics[:, 1]
    sums = exchange(a, b, units, f1, seed=0)
    weights = exchange_of_weights(a, b, units, weighted(f1), seed=0, n_resamples=9_999)
    assert sums.n_resamples is None
    assert weights.n_resamples is None
    for x in np.linspace(-0.4, 0.4, 17):
        assert sums.at_most(float(x)) == weights.at_most(float(x))
        assert (sums.at_most(float(x)) * 2**9).is_integer()


@pytest.mark.parametrize("kind", ["items", "types"])
def test_drawn_exchanges_by_sums_and_by_weights(kind: str) -> None:
    """The coins of both are the same coins."""
    statistics, units = counts_of(kind)
    a, b = statistics[:, 0], statistics[:, 1]
    sums = exchange(a, b, units, f1, seed=5, n_resamples=500)
    weights = exchange_of_weights(a, b, units, weighted(f1), seed=5, n_resamples=500)
    assert sums.n_resamples == weights.n_resamples == 500
    assert np.array_equal(sums.values, weights.values)  # type: ignore[attr-defined]


@given(st.lists(st.integers(1, 6), min_size=1, max_size=4), st.integers(0, 9))
@settings(max_examples=25)
def test_exchanging_the_sides_mirrors_enumerated_probabilities_to_the_bit(
    sizes: list[int], seed: int
) -> None:
    statistics, _ = counts_of("items", seed, n_types=len(sizes))
    units = np.array(sizes)
    there = exchange(statistics[:, 0], statistics[:, 1], units, f1, seed=0)
    back = exchange(statistics[:, 1], statistics[:, 0], units, f1, seed=0)
    for x in (-0.3, -0.1, 0.0, 0.05, 0.2):
        assert there.at_most(x) == back.at_least(-x)


# -- several values of one system -----------------------------------------------------------------


def test_several_functions_of_the_same_totals() -> None:
    """Such as the value and whether it rests on 0/0; by the position of the system."""
    statistics, units = counts_of("types")
    functional = Sums(
        statistics=statistics,
        values=((1, f1), (0, f1), (1, lambda totals: totals[..., 2]), (1, f1)),
    )
    assert functional.shape == (40, 4)
    found = bootstrap_together([functional], units, n_resamples=50, seed=2)
    plain = bootstrap(statistics, units, f1, n_resamples=50, seed=2)
    assert np.array_equal(found[:, [1, 0]], plain)
    assert np.array_equal(found[:, 3], plain[:, 1])
    assert found[:, 2].mean() == pytest.approx(float(units @ statistics[:, 1, 2]), rel=0.1)


def test_a_metric_sees_one_system_laid_out_as_if_alone() -> None:
    statistics, units = counts_of("items")
    seen: list[bool] = []

    def watching(totals: Floats) -> Floats:
        seen.append(bool(totals.flags.c_contiguous))
        return f1(totals)

    bootstrap(statistics, units, watching, n_resamples=20, seed=0)
    assert set(seen) == {True}


def test_undefined_values_stay_where_they_are() -> None:
    """A resample without the one type that counts has no ratio, by sums and by weights."""
    statistics = np.array([[[1.0, 1.0]], [[0.0, 0.0]]])
    units = np.array([1, 5])
    sums, weights = (
        bootstrap_together([functional], units, n_resamples=4_000, seed=0)
        for functional in both(statistics, ratio)
    )
    assert np.array_equal(sums, weights, equal_nan=True)
    chance = (5 / 6) ** 6
    spread = (chance * (1.0 - chance) / 4_000) ** 0.5
    assert abs(np.isnan(sums).mean() - chance) < 4.5 * spread
    assert set(sums[~np.isnan(sums)]) == {1.0}


# -- what fits ------------------------------------------------------------------------------------


def test_one_metric_for_all_or_one_for_each() -> None:
    assert metrics_for(f1, 3) == (f1, f1, f1)
    assert metrics_for([f1, ratio], 2) == (f1, ratio)
    with pytest.raises(InferenceError, match="2 metrics were given for 3 systems"):
        metrics_for([f1, ratio], 3)
    with pytest.raises(InferenceError, match="1 metrics were given for 2 systems"):
        Sums.of(np.ones((4, 2, 3)), [f1])


def test_shapes_and_threads_that_functionals_state() -> None:
    statistics, _ = counts_of("items")
    sums, weights = both(statistics, f1)
    assert sums.shape == weights.shape == (40, 2)
    assert (sums.serial, weights.serial) == (False, False)


def test_serial_metrics_are_called_from_one_thread_only() -> None:
    statistics, units = counts_of("items")
    callers: set[int] = set()

    def value_of(rows: Floats) -> Callable[[Any], Floats]:
        def value(weights: Any) -> Floats:
            callers.add(threading.get_ident())
            return weights.sum(axis=-1, dtype=np.float64)

        return value

    functional = Weighted(rows=statistics[:, :1], values_of=(value_of,), serial=True)
    found = bootstrap_together([functional], units, n_resamples=2_000, seed=0, threads=4)
    assert callers == {threading.get_ident()}
    assert set(found[:, 0]) == {40.0}
