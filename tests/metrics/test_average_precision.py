"""Average precision against scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.metrics import average_precision_score

from metrics.of_numbers import made, tied_samples, value
from vectors import close, vectors


@pytest.mark.parametrize(
    "vector", vectors("metrics.ranking", "average_precision"), ids=lambda v: v["name"]
)
def test_vector(vector):
    given_ = vector["input"]
    got = value(made("average_precision"), given_["y"], given_["score"], given_.get("weight"))
    assert close(vector, "value", got)


@given(tied_samples())
@settings(max_examples=200, deadline=None)
def test_weights_are_the_expanded_sample(sample):
    numbers, outputs, weights = sample
    truths = (numbers > 0).astype(int)
    truths[0] = 0
    got = value(made("average_precision", positive=1), truths, outputs, weights)
    expanded = truths.repeat(weights), outputs.repeat(weights)
    if expanded[0].any():
        assert got == pytest.approx(average_precision_score(*expanded), abs=1e-13)
    else:
        assert np.isnan(got)


def test_classes_missing():
    precision = made("average_precision")
    outputs = np.array([0.1, 0.5])
    assert value(precision, [1, 1], outputs) == average_precision_score([1, 1], outputs) == 1.0
    assert not precision.remarks("a", np.array([1, 1]), outputs)
    (note,) = precision.remarks("a", np.array([0, 0]), outputs)
    assert note.code == "one_class"
    assert "takes positives, and of 2 references 0 are positive" in note.message


def test_signature():
    assert made("average_precision").signature == "average_precision|positive:None|v:1"
    bound = made("average_precision").with_references(np.array([0, 1]))
    assert bound.signature == "average_precision|positive:1|v:1"
