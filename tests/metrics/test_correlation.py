"""Pearson, Spearman and Kendall against scipy."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import stats

from deadheat.errors import ItemError
from metrics.of_numbers import made, tied_samples, value
from vectors import close, vectors

TOPIC = "metrics.correlation"
JUDGES = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}


def judge(name: str, y: np.ndarray, x: np.ndarray) -> float:
    if len(np.unique(y)) < 2 or len(np.unique(x)) < 2:
        return np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(JUDGES[name](y, x).statistic)


@pytest.mark.parametrize("vector", vectors(TOPIC), ids=lambda v: v["name"])
def test_vector(vector):
    given_ = vector["input"]
    got = value(made(given_["kind"]), given_["y"], given_["x"], given_["w"])
    assert close(vector, "value", got)


def test_every_kind_has_a_vector():
    assert {v["input"]["kind"] for v in vectors(TOPIC)} == set(JUDGES)


@pytest.mark.parametrize("name", ["spearman", "kendall"])
@given(sample=tied_samples())
@settings(max_examples=150, deadline=None)
def test_rank_correlations_of_the_expanded_sample(name, sample):
    y, x, weights = sample
    got = value(made(name), y, x, weights)
    expected = judge(name, y.repeat(weights), x.repeat(weights))
    assert got == pytest.approx(expected, abs=1e-12, nan_ok=True)


@given(sample=tied_samples())
@settings(max_examples=150, deadline=None)
def test_pearson_of_the_expanded_sample(sample):
    """Few levels, so that what varies does so by more than rounding."""
    y, x, weights = sample
    x = np.round(x / 100)
    got = value(made("pearson"), y, x, weights)
    expected = judge("pearson", y.repeat(weights), x.repeat(weights))
    assert got == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("name", JUDGES)
@pytest.mark.parametrize("n", [2, 3, 50, 1000, 3001])
def test_larger_samples_without_ties(name, n):
    rng = np.random.default_rng(n)
    y = rng.normal(size=n)
    x = y + rng.normal(size=n)
    weights = rng.poisson(1.0, n)
    assert value(made(name), y, x) == pytest.approx(judge(name, y, x), abs=1e-12)
    expected = judge(name, y.repeat(weights), x.repeat(weights))
    assert value(made(name), y, x, weights) == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("levels", [(2, 2), (2, 1000), (7, 3), (1000, 4)])
def test_kendall_with_few_levels_on_either_side(levels):
    rng = np.random.default_rng(1)
    y, x = (rng.integers(0, level, 700) for level in levels)
    assert value(made("kendall"), y, x) == pytest.approx(judge("kendall", y, x), abs=1e-13)


@pytest.mark.parametrize("scale", [1e-200, 1e-9, 1.0, 1e200])
@pytest.mark.parametrize("shift", [0.0, 1e9])
def test_pearson_far_from_zero(scale, shift):
    rng = np.random.default_rng(5)
    noise = rng.normal(size=500)
    x, y = scale * (shift + noise), shift + np.round(noise + rng.normal(size=500), 3)
    # What is left of the noise after rounding, near zero, is what scipy is asked about.
    expected = judge("pearson", y - shift, (x / scale) - shift)
    assert value(made("pearson"), y, x) == pytest.approx(expected, abs=1e-7 if shift else 1e-12)
    if 1e-100 < scale < 1e100:
        assert value(made("pearson"), y, x) == pytest.approx(judge("pearson", y, x), abs=1e-12)


def test_pearson_of_whole_numbers_far_from_zero():
    """Nothing is rounded away, so that the shift changes no digit that counts."""
    rng = np.random.default_rng(6)
    y, x = rng.integers(0, 50, 300), rng.integers(0, 50, 300)
    expected = judge("pearson", y, x)
    for shift in (10**6, 10**9, 10**12):
        assert value(made("pearson"), y + shift, x - shift) == pytest.approx(expected, abs=1e-12)


def test_pearson_constants_change_no_value():
    """Resamples of one system are right whatever data its constants came from."""
    rng = np.random.default_rng(2)
    y, x = rng.normal(size=80), rng.normal(3, 2, size=80)
    weights = rng.poisson(1.0, (5, 80)).astype(float)
    whole = made("pearson")
    frozen = whole.with_references(y[:40]).for_system(x + rng.normal(size=80))
    for line in weights:
        totals = line @ frozen.statistics(y, x)
        assert whole.value(totals) == pytest.approx(value(whole, y, x, line), abs=1e-13)


def test_pearson_exchange_is_of_standardised_outputs():
    rng = np.random.default_rng(3)
    y, first, second = rng.normal(size=(3, 60))
    second = 1e9 + 1e3 * second
    common = made("pearson").with_references(y)
    sides = [common.for_system(x).statistics(y, x) for x in (first, second)]
    swapped = rng.random(60) < 0.5
    mixed = np.where(swapped, stats.zscore(second), stats.zscore(first))
    totals = (~swapped) @ sides[0] + swapped @ sides[1]
    assert common.value(totals) == pytest.approx(judge("pearson", y, mixed), abs=1e-9)


@pytest.mark.parametrize("name", JUDGES)
def test_nothing_varies(name):
    metric = made(name)
    same, other = np.full(3, 0.1), np.array([0.1, 0.2, 0.4])
    for y, x, which in ((same, other, "the references"), (other, same, "its outputs")):
        assert np.isnan(value(metric, y, x))
        (note,) = metric.remarks("a", y, x)
        assert note.code == "no_variation"
        assert f"{name} of a is undefined: {which} are all 0.1" in note.message
    assert not metric.remarks("a", other, other)
    # A resample of one item alone, or of items that agree on one side.
    for weights in ([0, 7, 0], [0, 0, 3], [5, 0, 0], [0, 0, 0]):
        assert np.isnan(value(metric, other, other[::-1], weights))
        assert np.isnan(value(metric, [0.1, 0.3, 0.3], other, [0, weights[1], weights[2]]))


def test_pearson_of_a_nearly_constant_resample_is_undefined():
    """Items that all hold one value but for a few; a resample may leave those out."""
    y = np.concatenate([np.full(997, 0.3), [0.1, 0.7, 0.9]])
    x = np.concatenate([np.full(997, 0.7), [11.0, -1e3, 1e5]])
    weights = np.ones(1000)
    weights[-3:] = 0
    assert np.isnan(value(made("pearson"), y, x, weights))
    weights[-3:] = [1, 0, 0]
    assert value(made("pearson"), y, x, weights) == pytest.approx(-1.0, abs=1e-6)


@pytest.mark.parametrize("name", JUDGES)
def test_perfect_agreement_is_never_more_than_one(name):
    rng = np.random.default_rng(0)
    for _ in range(50):
        y = rng.normal(size=7)
        assert value(made(name), y, 3.0 * y + 1.0) == pytest.approx(1.0, abs=1e-15)
        assert abs(value(made(name), y, -y)) <= 1.0


@pytest.mark.parametrize("name", JUDGES)
def test_references_as_text(name):
    texts = np.array(["4", "3.5", "-1e2", "0"], dtype=object)
    outputs = np.array([1.0, 2.0, 0.0, 0.5])
    assert value(made(name), texts, outputs) == value(made(name), [4, 3.5, -100, 0], outputs)


@pytest.mark.parametrize("name", JUDGES)
@pytest.mark.parametrize("wrong", ["high", "", "nan", "inf", "1_000", " 3", "٣", "0x10", None])
def test_references_that_are_no_numbers(name, wrong):
    metric = made(name)
    references = np.array(["4", wrong, "2"], dtype=object)
    with pytest.raises(ItemError, match="no reference" if wrong is None else "finite") as caught:
        value(metric, references, [1.0, 2.0, 3.0])
    assert (caught.value.row, caught.value.side) == (1, "reference")
    with pytest.raises(ItemError, match="reference nan"):
        value(metric, [1.0, np.nan], [1.0, 2.0])


@pytest.mark.parametrize(
    ("name", "signature"),
    [
        ("pearson", "pearson|v:1"),
        ("spearman", "spearman|ties:mid-rank|v:1"),
        ("kendall", "kendall|variant:b|v:1"),
    ],
)
def test_signature(name, signature):
    assert made(name).signature == signature
    assert made(name).greater_is_better
