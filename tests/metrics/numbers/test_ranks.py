"""What every metric of weights holds, whatever it measures."""

from __future__ import annotations

import numpy as np
import pytest

from deadheat.metrics.numbers import ranks
from metrics.of_numbers import made

NAMES = ("auroc", "average_precision", "spearman", "kendall")


def sample(name: str, n: int = 120, levels: int = 12) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(7)
    quality = rng.normal(size=n)
    outputs = np.round(quality + rng.normal(size=n), 1)
    if name in ("auroc", "average_precision"):
        return (quality > 0).astype(np.int64), outputs
    return np.round(levels * quality).astype(np.int64), outputs


def weights(n: int, *shape: int) -> np.ndarray:
    return np.random.default_rng(8).poisson(1.0, (*shape, n)).astype(np.float64)


@pytest.mark.parametrize("name", NAMES)
def test_order_of_rows_changes_no_bit(name):
    metric = made(name)
    rows, w = metric.rows(*sample(name)), weights(120, 50)
    order = np.random.default_rng(9).permutation(120)
    found = metric.value_of(rows)(w)
    assert np.isfinite(found).all()
    assert (metric.value_of(rows[order])(w[:, order]) == found).all()


@pytest.mark.parametrize("name", NAMES)
def test_many_items_beyond_exact_sums(name):
    """300,000 items: cubes of their number are no longer exact, and still no bit may depend on
    what stands beside a resample."""
    metric = made(name)
    rows = metric.rows(*sample(name, n=3_000, levels=1_000))
    w = 100.0 * weights(3_000, 11)
    value_of = metric.value_of(rows)
    assert (value_of(w) == [value_of(line) for line in w]).all()


@pytest.mark.parametrize("name", NAMES)
def test_type_shape_and_blocks_of_weights_change_no_bit(name, monkeypatch):
    metric = made(name)
    rows, w = metric.rows(*sample(name)), weights(120, 5, 7)
    value_of = metric.value_of(rows)
    found = value_of(w)
    assert found.shape == (5, 7)
    assert found.dtype == np.float64
    assert (value_of(w.astype(np.float32)) == found).all()
    assert value_of(w[2, 3]).shape == ()
    assert value_of(w[2, 3]) == found[2, 3]
    assert (value_of(np.asfortranarray(w)) == found).all()
    assert value_of(w[:0]).shape == (0, 7)
    for width in (1, 2, 3, 8, 9, 30):
        monkeypatch.setattr(ranks, "FEWEST", width)
        monkeypatch.setattr(ranks, "MOST", width)
        assert (value_of(w) == found).all()


@pytest.mark.parametrize("name", NAMES)
def test_rows_of_one_value_merge(name):
    """Types: rows that are alike may be one with the sum of their weights."""
    metric = made(name)
    rows, w = metric.rows(*sample(name, levels=1)), weights(120, 20)
    distinct, which = np.unique(rows, axis=0, return_inverse=True)
    assert len(distinct) < 120
    merged = np.stack([np.bincount(which, line, len(distinct)) for line in w])
    found, expected = metric.value_of(distinct)(merged), metric.value_of(rows)(w)
    assert np.allclose(found, expected, rtol=1e-14, atol=0)


@pytest.mark.parametrize("name", NAMES)
def test_exchange_does_not_depend_on_the_scale_of_a_system(name):
    """Two systems exchange ranks: a rising function of the outputs of one changes nothing."""
    metric = made(name)
    references, first = sample(name)
    second = np.random.default_rng(4).permutation(first)
    rescaled = 1e6 + np.exp(second)
    w = weights(240, 10)
    found = [
        metric.value_of(np.concatenate([metric.rows(references, x) for x in (first, y)]))(w)
        for y in (second, rescaled)
    ]
    assert (found[0] == found[1]).all()


@pytest.mark.parametrize("name", NAMES)
def test_no_weight_at_all_is_undefined(name):
    metric = made(name)
    value_of = metric.value_of(metric.rows(*sample(name)))
    assert np.isnan(value_of(np.zeros((2, 120)))).all()


@pytest.mark.parametrize("name", NAMES)
def test_large_weights(name):
    """A million copies of every item: the same value as one of each."""
    metric = made(name)
    value_of = metric.value_of(metric.rows(*sample(name)))
    once = value_of(np.ones(120))
    assert value_of(np.full(120, 1e6)) == pytest.approx(once, rel=1e-14)
