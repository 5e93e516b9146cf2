"""DeLong's test against pROC, the definition and scikit-learn."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import roc_auc_score

from deadheat.errors import InferenceError, UsageError
from deadheat.significance.delong import auroc_covariance, delong
from vectors import close, vectors


@pytest.mark.parametrize("vector", vectors("metrics.ranking", "delong"), ids=lambda v: v["name"])
def test_vector(vector):
    given_ = vector["input"]
    found = delong(given_["y"], given_["s1"], given_["s2"])
    assert close(vector, "p_value", found.p_value)
    assert close(vector, "auc1", found.detail["auroc_baseline"])
    assert close(vector, "auc2", found.detail["auroc_candidate"])
    truths, outputs = np.array(given_["y"]) == 1, np.array([given_["s1"], given_["s2"]])
    _, covariance = auroc_covariance(truths, outputs, np.ones(len(truths)))
    assert close(vector, "se1", math.sqrt(covariance[0, 0]))


def by_definition(truths, outputs):
    """Areas and covariance from the full table of pairs (DeLong et al. 1988, equations 4 to 6)."""
    wins = np.stack([(np.sign(x[truths][:, None] - x[~truths][None, :]) + 1) / 2 for x in outputs])
    positives, negatives = wins.mean(axis=2), wins.mean(axis=1)
    m, n = positives.shape[1], negatives.shape[1]
    return wins.mean(axis=(1, 2)), np.cov(positives) / m + np.cov(negatives) / n


@given(st.integers(0, 10_000))
@settings(max_examples=60, deadline=None)
def test_multiplicities_and_ties_by_definition(seed):
    rng = np.random.default_rng(seed)
    g = int(rng.integers(6, 30))
    truths = np.arange(g) % 2 == 0
    outputs = rng.integers(0, int(rng.integers(2, 12)), (2, g)).astype(float)
    counts = rng.integers(1, 4, g)
    expanded = truths.repeat(counts), outputs.repeat(counts, axis=1)
    areas, covariance = by_definition(*expanded)
    for area, x in zip(areas, expanded[1], strict=True):
        assert area == pytest.approx(roc_auc_score(expanded[0], x), abs=1e-13)
    got = auroc_covariance(truths, outputs, counts)
    assert np.allclose(got[0], areas, atol=1e-13)
    assert np.allclose(got[1], covariance, atol=1e-13)
    error = math.sqrt(max(0.0, covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]))
    found = delong(truths, *outputs, counts)
    if error > 1e-9:
        expected = 2 * stats.norm.sf(abs(areas[1] - areas[0]) / error)
        assert found.p_value == pytest.approx(expected, rel=1e-8)
        assert found.detail["standard_error"] == pytest.approx(error, rel=1e-8)
        assert delong(expanded[0], *expanded[1]).p_value == pytest.approx(expected, rel=1e-8)


def test_sides():
    rng = np.random.default_rng(1)
    truths = rng.random(200) < 0.4
    weak, strong = truths + rng.normal(0, 2, 200), truths + rng.normal(0, 1, 200)
    two, less, greater = (
        delong(truths, weak, strong, alternative=side) for side in ("two-sided", "less", "greater")
    )
    assert two.statistic > 0
    assert two.p_value == pytest.approx(2 * greater.p_value)
    assert less.p_value + greater.p_value == pytest.approx(1.0)
    swapped = delong(truths, strong, weak)
    assert swapped.statistic == -two.statistic
    assert swapped.p_value == two.p_value
    with pytest.raises(UsageError, match="Known"):
        delong(truths, weak, strong, alternative="more")


def test_one_order_is_no_difference():
    truths, x = [0, 0, 1, 1, 0], np.array([0.1, 0.4, 0.35, 0.8, 0.2])
    found = delong(truths, x, np.exp(10 * x))
    assert (found.statistic, found.p_value) == (0.0, 1.0)
    assert "one order" in found.note


def test_separated_classes_have_no_standard_error():
    """AUROC 1 against 0: every item says the same, and the formula has nothing to measure by."""
    found = delong([0, 0, 1, 1], [1, 2, 3, 4], [4, 3, 2, 1])
    assert math.isnan(found.p_value)
    assert "no standard error" in found.note
    assert found.detail["auroc_candidate"] == 0.0


@pytest.mark.parametrize("truths", [[1, 1, 1, 1], [0, 1, 1, 1], [0, 0, 0, 1]])
def test_classes_too_small(truths):
    found = delong(truths, [1, 2, 3, 4], [2, 1, 3, 4])
    assert math.isnan(found.p_value)
    assert "two positives and two negatives" in found.note
    # One type of two items is two items.
    counts = np.where(np.array(truths) == 1, 2, 3)
    assert math.isnan(delong(truths, [1, 2, 3, 4], [2, 1, 3, 4], counts).p_value) == (
        0 not in truths
    )


def test_underflow_is_a_bound():
    truths = np.arange(4_000) % 2 == 0
    rng = np.random.default_rng(0)
    good, bad = truths + rng.normal(0, 0.2, 4_000), rng.normal(size=4_000)
    found = delong(truths, bad, good)
    assert found.p_value == found.p_value_bound
    assert found.p_value > 0.0


def test_level_under_the_null():
    """Two equally good systems: the share of p <= 0.05 lies within 3 standard errors of 5%."""
    rng = np.random.default_rng(2)
    rejected = 0
    for _ in range(1_000):
        truths = np.arange(200) < 80
        shared = truths + rng.normal(size=200)
        first, second = (shared + rng.normal(size=200) for _ in range(2))
        rejected += delong(truths, first, second).p_value <= 0.05
    assert abs(rejected - 50) <= 3 * math.sqrt(1_000 * 0.05 * 0.95)


def test_refusals():
    with pytest.raises(InferenceError, match="shapes"):
        delong([0, 1, 1], [1, 2, 3], [1, 2])
    with pytest.raises(InferenceError, match="not finite"):
        delong([0, 1], [1, math.nan], [1, 2])
