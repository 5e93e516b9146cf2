"""Difficulty and discrimination, judged by R's psych, numpy and pairs of pearsonr."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from deadheat.health import item_statistics
from vectors import close, vectors

BITS = arrays(
    np.int8,
    st.tuples(st.integers(1, 12), st.integers(1, 9)),
    elements=st.integers(0, 1),
)


def judged(scores: np.ndarray, item: int, *, rest: bool) -> float:
    """Correlation by scipy of an item with the total of all, or of all other items."""
    others = np.delete(scores, item, axis=0) if rest else scores
    total = others.sum(axis=0)
    if np.ptp(scores[item]) == 0 or np.ptp(total) == 0:
        return math.nan
    return float(stats.pearsonr(scores[item], total).statistic)


@pytest.mark.parametrize("vector", vectors("items", "item_stats"), ids=lambda v: v["name"])
def test_vectors_of_psych(vector: dict) -> None:
    found = item_statistics(np.array(vector["input"]["matrix"], float).T)
    tolerance = vector["tolerance"]["abs"]
    for name in ("difficulty", "r_total", "r_rest"):
        assert getattr(found, name) == pytest.approx(vector["expected"][name], abs=tolerance)


@given(BITS)
def test_zero_one_items_against_scipy(bits: np.ndarray) -> None:
    scores = bits.astype(float)
    if scores.shape[1] < 2:
        return
    found = item_statistics(scores)
    for at in range(len(scores)):
        for name, rest in (("r_total", False), ("r_rest", True)):
            wanted = judged(scores, at, rest=rest)
            assert getattr(found, name)[at] == pytest.approx(wanted, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize(("offset", "size"), [(0.0, 1.0), (1e6, 1.0), (-3.0, 1e-6), (0.0, 1e6)])
def test_real_scores_against_numpy(offset: float, size: float) -> None:
    """Far from zero, tiny or large: correlations do not depend on the scale."""
    rng = np.random.default_rng(5)
    scores = offset + size * (rng.normal(size=(40, 12)) + rng.normal(size=12))
    found = item_statistics(scores)
    totals = scores.sum(axis=0)
    for at, row in enumerate(scores):
        assert found.r_total[at] == pytest.approx(np.corrcoef(row, totals)[0, 1], abs=1e-8)
        assert found.r_rest[at] == pytest.approx(np.corrcoef(row, totals - row)[0, 1], abs=1e-8)


def test_more_items_than_a_block() -> None:
    rng = np.random.default_rng(8)
    scores = (rng.random((5_000, 11)) < rng.random(11)).astype(float)
    found = item_statistics(scores)
    for at in (0, 4_095, 4_096, 4_999):
        wanted = judged(scores, at, rest=True)
        assert found.r_rest[at] == pytest.approx(wanted, abs=1e-12, nan_ok=True)


def test_constant_items_and_totals_have_no_correlation() -> None:
    scores = np.array([[1.0, 1, 1], [0, 1, 0], [1, 0, 1]])
    found = item_statistics(scores)
    # Items 2 and 3 vary and cancel in the total, and the rest of each is the other.
    assert math.isnan(found.r_total[0])
    assert np.isnan(found.r_total[1:]).all()
    assert found.r_rest[1:].tolist() == pytest.approx([-1.0, -1.0])
    assert found.difficulty.tolist() == pytest.approx([1.0, 1 / 3, 2 / 3])


def test_equal_real_scores_are_constant_however_they_round() -> None:
    scores = np.full((30, 7), 0.1)
    scores[0] = np.arange(7)
    found = item_statistics(scores)
    assert np.isnan(found.r_rest[1:]).all()
    assert np.isnan(found.r_total[1:]).all()
    # The rest of the only item that varies does not vary.
    assert math.isnan(found.r_rest[0])
    assert found.r_total[0] == pytest.approx(1.0)


def test_turning_the_scale_around_changes_no_correlation() -> None:
    rng = np.random.default_rng(2)
    scores = rng.normal(size=(9, 15))
    one, other = item_statistics(scores), item_statistics(-scores)
    assert one.r_rest == pytest.approx(other.r_rest, abs=1e-12)
    assert one.difficulty == pytest.approx(-other.difficulty)


def test_vectors_are_read() -> None:
    (vector,) = vectors("items", "item_stats")
    assert close({**vector, "expected": {"x": 0.875}}, "x", 7 / 8)
