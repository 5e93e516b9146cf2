"""An output that is not usable is wrong, and is put out for no label."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics as judge

from metrics.measured import same, undefined, value

REFERENCES = ["a", "a", "a", "b", "b", "c"]
OUTPUTS = ["a", None, "b", "b", None, "c"]
AS_A_LABEL = [output or "none" for output in OUTPUTS]


def test_accuracy_counts_it_wrong():
    assert value("accuracy", REFERENCES, OUTPUTS) == 3 / 6


def test_recall_loses_and_precision_does_not():
    # a: 1 of 3 found, 1 of 1 right; b: 1 of 2, 1 of 2; c: 1 of 1, 1 of 1.
    assert same(value("macro_recall", REFERENCES, OUTPUTS), (1 / 3 + 1 / 2 + 1) / 3)
    assert same(value("macro_precision", REFERENCES, OUTPUTS), (1 + 1 / 2 + 1) / 3)
    assert same(value("micro_recall", REFERENCES, OUTPUTS), 3 / 6)
    assert same(value("micro_precision", REFERENCES, OUTPUTS), 3 / 4)
    assert same(value("recall", REFERENCES, OUTPUTS, positive="a"), 1 / 3)


@pytest.mark.parametrize("average", ["macro", "weighted", "micro"])
@pytest.mark.parametrize("family", ["precision", "recall", "f1"])
def test_as_one_more_label_that_does_not_count(average, family):
    judgement = getattr(judge, f"{family}_score")
    expected = judgement(REFERENCES, AS_A_LABEL, labels=["a", "b", "c"], average=average)
    assert same(value(f"{average}_{family}", REFERENCES, OUTPUTS), expected)


def test_of_the_confusion_table_as_one_more_label():
    for name, judgement in (
        ("mcc", judge.matthews_corrcoef),
        ("cohen_kappa", judge.cohen_kappa_score),
    ):
        assert same(value(name, REFERENCES, OUTPUTS), judgement(REFERENCES, AS_A_LABEL)), name
    # Recalls of the references' labels: 1/3, 1/2, 1.
    assert same(value("balanced_accuracy", REFERENCES, OUTPUTS), (1 / 3 + 1 / 2 + 1) / 3)


def test_no_usable_output_at_all():
    nothing = [None] * 4
    assert value("accuracy", list("aabb"), nothing) == 0.0
    assert value("macro_f1", list("aabb"), nothing) == 0.0
    assert value("mcc", list("aabb"), nothing) == 0.0
    assert value("cohen_kappa", list("aabb"), nothing) == 0.0
    assert np.isnan(value("micro_precision", list("aabb"), nothing, zero_division=np.nan))


def test_correlation_with_outputs_that_are_all_unusable_is_undefined():
    assert undefined("mcc", list("aabb"), [None] * 4)
    assert not undefined("mcc", list("aabb"), ["a", None, None, None])
