"""Values from scikit-learn 1.9.1 and hand counts, kept in the vectors."""

from __future__ import annotations

import pytest

from metrics.measured import value
from vectors import close, vectors

TOPIC = "metrics.classification"
NAMES = {"mcc": "mcc", "balanced_accuracy": "balanced_accuracy", "cohen_kappa": "cohen_kappa"}


def ids(vector):
    return vector["name"]


@pytest.mark.parametrize("vector", vectors(TOPIC, "prf"), ids=ids)
@pytest.mark.parametrize("field", ["precision", "recall", "f"])
def test_precision_recall_f(vector, field):
    given = vector["input"]
    binary = given["average"] == "binary"
    family = f"f{given.get('beta', 1.0):g}" if field == "f" else field
    got = value(
        family if binary else f"{given['average']}_{family}",
        given["y_true"],
        given["y_pred"],
        zero_division=given["zero_division"],
        positive=given["pos_label"] if binary else None,
    )
    assert close(vector, field, got)


@pytest.mark.parametrize("name", NAMES)
def test_of_the_confusion_table(name):
    for vector in vectors(TOPIC, name):
        first, second = list(vector["input"].values())[:2]
        assert close(vector, "value", value(name, first, second)), vector["name"]


def test_every_vector_is_used():
    assert {v["function"] for v in vectors(TOPIC)} == {"prf", *NAMES}


def test_label_seen_only_in_outputs():
    # CASES row 57: 0.388889 over all labels, 0.583333 over those of the references.
    references, outputs = list("aabb"), ["a", "b", "b", "zz"]
    assert value("macro_f1", references, outputs) == pytest.approx(7 / 18, abs=1e-15)
    over_two = value("macro_f1", references, outputs, labels=["a", "b"])
    assert over_two == pytest.approx(7 / 12, abs=1e-15)
