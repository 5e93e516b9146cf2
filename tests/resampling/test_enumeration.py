from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from deadheat.resampling.enumeration import enumerate_bootstrap
from deadheat.resampling.types import collapse
from vectors import close, vectors


def f1(totals):
    twice = 2 * totals[..., 0]
    whole = twice + totals[..., 1] + totals[..., 2]
    return np.divide(twice, whole, out=np.zeros_like(whole), where=whole > 0)


def f1_difference(totals):
    return f1(totals[..., 3:]) - f1(totals[..., :3])


@pytest.mark.parametrize(
    "v", vectors("intervals.exact", "exact_boot_mean_enum"), ids=lambda v: v["name"]
)
def test_means(v):
    data = np.array(v["input"]["data"], dtype=float)
    types = collapse(data)
    d = enumerate_bootstrap(types.rows, types.multiplicities, lambda t: t[..., 0] / data.size)
    assert d.values.size == v["expected"]["n_support"]
    assert close(v, "share_le0", d.at_most(0.0))
    assert close(v, "lower", d.lower(0.025))
    assert close(v, "upper", d.upper(0.025))


def test_collapsed_f1_difference_equals_all_index_tuples():
    (v,) = vectors("collapse.plain")
    rows = np.hstack([v["input"]["stats_a"], v["input"]["stats_b"]]).astype(float)
    types = collapse(rows)
    d = enumerate_bootstrap(types.rows, types.multiplicities, f1_difference)
    assert len(types.rows) == v["expected"]["n_groups"]
    for field, got in {
        "mean": d.mean,
        "sd": d.sd,
        "share_le0": d.at_most(0.0),
        "lower": d.lower(0.025),
        "upper": d.upper(0.025),
    }.items():
        assert close(v, field, got), field


def test_undefined_resamples_are_counted():
    rows = np.array([[1.0, 1.0], [0.0, 0.0], [0.0, 1.0]])
    with np.errstate(invalid="ignore"):
        d = enumerate_bootstrap(rows, [1, 1, 1], lambda t: t[..., 0] / t[..., 1])
    ratios = [
        rows[list(index), 0].sum() / rows[list(index), 1].sum()
        for index in product(range(3), repeat=3)
        if rows[list(index), 1].sum() > 0
    ]
    assert d.undefined == pytest.approx(1 / 27)
    assert d.mean == pytest.approx(np.mean(ratios))


def test_one_type_is_a_point():
    d = enumerate_bootstrap([[0.5]], [9], lambda t: t[..., 0] / 9)
    assert (d.values.tolist(), d.weights.tolist()) == ([0.5], [1.0])


@pytest.mark.parametrize(
    ("n_types", "each", "done"), [(10, 1, True), (12, 1, False), (2, 500, True)]
)
def test_limit(n_types, each, done):
    d = enumerate_bootstrap(
        np.arange(n_types)[:, None], [each] * n_types, lambda t: t[..., 0] / (n_types * each)
    )
    assert (d is not None) is done
    if d is not None:
        assert d.mean == pytest.approx((n_types - 1) / 2)
        variance = (n_types**2 - 1) / 12
        assert d.sd == pytest.approx(np.sqrt(variance / (n_types * each)))
