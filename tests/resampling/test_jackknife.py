"""The jackknife against leaving units out one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from deadheat.resampling.jackknife import jackknife
from deadheat.resampling.types import collapse

Floats = NDArray[np.float64]


def ratio(totals: Floats) -> Floats:
    return np.asarray(totals[..., 0] / (1.0 + totals[..., 1]))


@given(st.lists(st.tuples(*[st.integers(0, 3)] * 4), min_size=2, max_size=12))
def test_each_type_stands_for_its_units(rows: list[tuple[int, ...]]) -> None:
    units = np.array(rows, dtype=float)
    types = collapse(units)
    got = jackknife(types.rows.reshape(-1, 2, 2), types.multiplicities, ratio)
    brute = [
        [ratio(np.delete(units, i, axis=0).sum(axis=0).reshape(2, 2)[s]) for s in (0, 1)]
        for i in range(len(units))
    ]
    assert np.repeat(got, types.multiplicities, axis=0) == pytest.approx(
        np.array(brute)[np.lexsort(units.T[::-1])]
    )


def test_each_system_may_have_its_own_metric() -> None:
    statistics = np.arange(8.0).reshape(2, 2, 2)
    got = jackknife(statistics, np.array([1, 2]), (ratio, lambda t: t[..., 0]))
    assert got[:, 1].tolist() == [12.0, 8.0]


def test_one_unit_leaves_nothing() -> None:
    assert np.isnan(jackknife(np.ones((1, 2, 3)), np.array([1]), ratio)).all()
