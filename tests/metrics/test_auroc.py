"""AUROC against scikit-learn, and what every metric of weights has to hold."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.metrics import roc_auc_score

from deadheat.errors import ItemError, MetricError
from metrics.of_numbers import made, tied_samples, value
from vectors import close, vectors


def judge(truths: np.ndarray, outputs: np.ndarray) -> float:
    if len(set(truths.tolist())) < 2:
        return np.nan
    return float(roc_auc_score(truths, outputs))


@pytest.mark.parametrize("vector", vectors("metrics.ranking", "auroc"), ids=lambda v: v["name"])
def test_vector(vector):
    given_ = vector["input"]
    got = value(made("auroc"), given_["y"], given_["score"], given_.get("weight"))
    assert close(vector, "value", got)


@given(tied_samples())
@settings(max_examples=200, deadline=None)
def test_weights_are_the_expanded_sample(sample):
    numbers, outputs, weights = sample
    truths = (numbers > 0).astype(int)
    truths[0] = 0
    got = value(made("auroc", positive=1), truths, outputs, weights)
    expected = judge(truths.repeat(weights), outputs.repeat(weights))
    assert got == pytest.approx(expected, abs=1e-13, nan_ok=True)


def test_whole_sums_are_exact():
    """Every win counted by hand in fractions; the float is the nearest to it."""
    rng = np.random.default_rng(3)
    truths, outputs = rng.integers(0, 2, 60), rng.integers(0, 9, 60)
    weights = rng.integers(0, 4, 60)
    won = whole = Fraction(0)
    for i in np.flatnonzero(truths):
        for j in np.flatnonzero(truths == 0):
            pairs = int(weights[i] * weights[j])
            whole += pairs
            won += Fraction(pairs * int(np.sign(outputs[i] - outputs[j]) + 1), 2)
    assert value(made("auroc"), truths, outputs, weights) == float(won / whole)


@pytest.mark.parametrize("truths", [[0, 0, 0], [1, 1, 1]])
def test_a_class_missing_is_undefined_and_said(truths):
    auroc = made("auroc")
    references, outputs = np.array(truths), np.array([0.1, 0.5, 0.5])
    assert np.isnan(value(auroc, references, outputs))
    (note,) = auroc.remarks("a", references, outputs)
    assert note.code == "one_class"
    assert f"of 3 references {sum(truths)} are positive" in note.message
    assert not auroc.remarks("a", np.array([0, 1, 1]), outputs)


def test_a_class_missing_in_a_resample():
    auroc = made("auroc")
    rows = auroc.rows(np.array([0, 1, 1]), np.array([0.5, 0.4, 0.6]))
    found = auroc.value_of(rows)(np.array([[1.0, 1, 1], [3.0, 0, 0], [0.0, 1, 2], [0.0, 0, 0]]))
    assert found[0] == 0.5
    assert np.isnan(found[1:]).all()


def test_positive_label():
    outputs = [0.2, 0.9, 0.4]
    no_yes = np.array(["no", "yes", "yes"], dtype=object)
    assert value(made("auroc", positive="yes"), no_yes, outputs) == 1.0
    assert value(made("auroc", positive="no"), no_yes, outputs) == 0.0
    assert value(made("auroc"), np.array(["0", "1", "1"], dtype=object), outputs) == 1.0
    assert value(made("auroc"), np.array([False, True, True]), outputs) == 1.0
    # One against the rest.
    assert value(made("auroc", positive="2"), np.array([1, 2, 3]), outputs) == 1.0
    with pytest.raises(MetricError, match=r"'no', 'yes'\. Name it with --positive\.$"):
        value(made("auroc"), no_yes, outputs)
    with pytest.raises(MetricError, match="'maybe' does not occur"):
        value(made("auroc", positive="maybe"), no_yes, outputs)
    with pytest.raises(MetricError, match="'yes', and the references are true or false"):
        value(made("auroc", positive="yes"), np.array([True, True, True]), outputs)
    with pytest.raises(MetricError, match=r"several types: 1, 'yes'"):
        value(made("auroc"), np.array([1, "yes", 1], dtype=object), outputs)


def test_bound_label_is_in_the_signature_and_stays():
    auroc = made("auroc").with_references(np.array(["0", "1"], dtype=object))
    assert auroc.signature == "auroc|positive:1|ties:half|v:1"
    assert made("auroc", positive="yes").signature == "auroc|positive:yes|ties:half|v:1"
    # A part of the items without any positive means the same label.
    assert auroc.rows(np.array(["0", "0"], dtype=object), np.array([1.0, 2.0]))[:, 0].sum() == 0
    falsy = made("auroc", positive=0).with_references(np.array([0, 1]))
    assert falsy.rows(np.array([0, 1]), np.array([1.0, 2.0]))[:, 0].tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    "references", [np.array(["1", None, "0"], dtype=object), np.array([1.0, np.nan, 0.0])]
)
def test_reference_missing(references):
    for auroc in (made("auroc"), made("auroc").with_references(np.array([0.0, 1.0]))):
        with pytest.raises(ItemError, match="no reference") as caught:
            auroc.rows(references, np.zeros(3))
        assert (caught.value.row, caught.value.side) == (1, "reference")


def test_no_items():
    with pytest.raises(MetricError, match="no items"):
        made("auroc").rows(np.zeros(0, dtype=object), np.zeros(0))
