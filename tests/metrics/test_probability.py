"""Brier score, log-loss and calibration error."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss, log_loss

from deadheat.errors import ItemError, MetricError, UsageError
from metrics.of_numbers import made, value
from vectors import close, vectors

TOPIC = "metrics.probability"
MEANS = ("brier", "log_loss")

samples = st.lists(
    st.tuples(
        st.integers(0, 1),
        st.one_of(st.floats(1e-12, 1 - 1e-12), st.sampled_from([0.25, 0.5])),
        st.integers(0, 3),
    ),
    min_size=1,
    max_size=12,
)


@pytest.mark.parametrize(("name", "function"), [("brier", "brier"), ("log_loss", "logloss")])
def test_vector_of_means(name, function):
    for vector in vectors(TOPIC, function):
        got = value(made(name), vector["input"]["y"], vector["input"]["prob"])
        assert close(vector, "value", got)


def test_vector_of_calibration():
    for vector in vectors(TOPIC, "ece"):
        given_ = vector["input"]
        ece = made("ece", bins=given_["bins"])
        assert close(vector, "ece", value(ece, given_["correct"], given_["conf"]))


def test_every_vector_is_used():
    assert {v["function"] for v in vectors(TOPIC)} == {"brier", "logloss", "ece"}


@given(samples)
@settings(max_examples=100, deadline=None)
def test_means_equal_scikit_learn(sample):
    truths, outputs, weights = (np.array(column) for column in zip(*sample, strict=True))
    expanded = truths.repeat(weights), outputs.repeat(weights)
    for name, judge in (("brier", brier_score_loss), ("log_loss", log_loss)):
        got = value(made(name, positive=1), truths, outputs, weights)
        if expanded[0].size:
            assert got == pytest.approx(judge(*expanded, labels=[0, 1]), rel=1e-9, abs=1e-12)
        else:
            assert math.isnan(got)


@pytest.mark.parametrize("name", [*MEANS, "ece"])
def test_less_is_better_and_the_contract_of_means(name):
    metric = made(name)
    assert metric.greater_is_better is False
    assert metric.is_mean is (name in MEANS)
    statistics = metric.statistics(np.array([0, 1]), np.array([0.5, 0.5]))
    assert (statistics[:, -1] == 1.0).all()
    assert metric.undefined(np.zeros(statistics.shape[1]))
    assert not metric.undefined(statistics.sum(axis=0))


@pytest.mark.parametrize("name", [*MEANS, "ece"])
@pytest.mark.parametrize("wrong", [1.5, -1e-9, 100.0])
def test_outputs_that_are_no_probabilities(name, wrong):
    with pytest.raises(ItemError, match="is not a probability") as caught:
        made(name).statistics(np.array([0, 1, 1]), np.array([0.5, 1.0, wrong]))
    assert (caught.value.row, caught.value.side) == (2, "output")


@pytest.mark.parametrize("name", [*MEANS, "ece"])
def test_positive_label(name):
    references, outputs = np.array(["no", "yes"], dtype=object), [0.25, 0.75]
    right = value(made(name), [0, 1], outputs)
    assert value(made(name, positive="yes"), references, outputs) == right
    with pytest.raises(MetricError, match=r"labels found: 'no', 'yes'\. Name it with --positive"):
        value(made(name), references, outputs)
    # Frozen from all items, a part of them is read alike.
    frozen = made(name).with_references(np.array(["0", "1"], dtype=object))
    part = frozen.statistics(np.array(["0"], dtype=object), np.array([0.25]))
    whole = frozen.statistics(np.array(["0", "1"], dtype=object), np.array([0.25, 0.75]))
    assert (part[0] == whole[0]).all()
    assert "|positive:1|" in frozen.signature


def test_log_loss_clips_and_says_so():
    metric = made("log_loss")
    references, outputs = np.array([1, 0, 1, 0]), np.array([0.0, 1.0, 1.0, 1e-20])
    losses = metric.statistics(references, outputs)[:, 0]
    assert losses[:2] == pytest.approx(15 * math.log(10), rel=1e-15)
    assert losses[2:].tolist() == [0.0, 0.0]
    (note,) = metric.remarks("a", references, outputs)
    assert note.code == "log_loss_clipped"
    assert "2 of 4 outputs of a" in note.message
    assert "34.54" in note.message
    assert not metric.remarks("a", references, np.array([0.1, 0.9, 0.5, 0.5]))
    assert "|clip:1e-15|" in metric.signature


def loop(confidences: list[Fraction], right: list[int], bins: int) -> Fraction:
    """Calibration error from the definition, in exact arithmetic."""
    total = Fraction(0)
    for b in range(bins):
        inside = [
            i
            for i, p in enumerate(confidences)
            if Fraction(b, bins) < p <= Fraction(b + 1, bins) or (b == 0 and p == 0)
        ]
        if inside:
            share = Fraction(sum(right[i] for i in inside), len(inside))
            mean = sum(confidences[i] for i in inside) / len(inside)
            total += Fraction(len(inside), len(right)) * abs(share - mean)
    return total


@given(st.lists(st.tuples(st.integers(0, 100), st.integers(0, 1)), min_size=1), st.integers(1, 30))
@settings(max_examples=100, deadline=None)
def test_calibration_equals_the_definition(sample, bins):
    """Confidences of two decimals, many of them on the edge of a bin."""
    hundredths, right = (list(column) for column in zip(*sample, strict=True))
    got = value(made("ece", bins=bins, positive=1), right, [h / 100 for h in hundredths])
    exact = loop([Fraction(h, 100) for h in hundredths], right, bins)
    assert got == pytest.approx(float(exact), abs=1e-14)


@pytest.mark.parametrize("bins", [1, 3, 10, 15, 20, 49, 100])
def test_edges_belong_to_the_bin_below(bins):
    ece = made("ece", bins=bins)
    edges = np.arange(bins + 1) / bins
    # Right where it is unlikely: no item is as right as it says, so that its column shows.
    rows = ece.statistics(edges < 0.5, edges)
    items, columns = np.nonzero(rows[:, :-1])
    assert items.tolist() == list(range(bins + 1))
    assert columns.tolist() == [0, *range(bins)]


def test_calibration_of_right_and_wrong():
    outputs = np.array([0.9, 0.9, 0.2])
    right = np.array([True, True, False])
    assert value(made("ece"), right, outputs) == pytest.approx(0.4 / 3)
    assert value(made("ece"), right.astype(int), outputs) == pytest.approx(0.4 / 3)


def test_bias_is_that_of_simulated_calibrated_systems():
    """The mean over 4,000 systems that are right as often as they say (standard error 0.3%)."""
    rng = np.random.default_rng(0)
    confidences = rng.beta(4, 1.5, 400)
    ece = made("ece")
    found = [value(ece, rng.random(400) < confidences, confidences) for _ in range(4_000)]
    assert ece.of_calibrated(confidences) == pytest.approx(np.mean(found), rel=0.02)


def test_bias_is_said_with_its_number():
    outputs = np.full(100, 0.5)
    (note,) = made("ece").remarks("a", np.ones(100, dtype=bool), outputs)
    assert note.code == "ece_bias"
    # One bin of 100 fair coins: sqrt(2 / pi) * sqrt(100 / 4) / 100.
    assert f"{math.sqrt(2 / math.pi) * 5 / 100:.4f}" in note.message
    assert "100 confidences of a" in note.message


def test_bins_have_to_be():
    with pytest.raises(UsageError, match="bins is 0"):
        made("ece", bins=0)
    assert "|bins:7|" in made("ece", bins=7).signature
