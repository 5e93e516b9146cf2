"""Rows 57 and 61 of class G: undefined metrics, and labels that only one side has."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest
from sklearn import metrics as judge

import deadheat
from cases.data import Answer, Write, codes, csv, said

NOTHING = [0] * 40
"""No item is positive, and none is put out as positive."""


@pytest.mark.parametrize("metric", ["f1", "precision", "recall", "f2"])
@pytest.mark.parametrize("zero_division", [0.0, 1.0, math.nan])
def test_a_ratio_of_nothing_is_what_was_asked_for(metric: str, zero_division: float) -> None:
    """Row 57: F1 without any positive is 0, 1 or undefined, as zero_division says, and is noted."""
    card = deadheat.score(
        NOTHING,
        references=NOTHING,
        metric=metric,
        positive=1,
        zero_division=zero_division,
        n_resamples=99,
        method="percentile",
    ).to_dict()
    value = card["systems"][0]["value"]
    assert value == (None if math.isnan(zero_division) else zero_division)
    assert "undefined_metric" in codes(card)
    assert "0/0" in said(card)


@pytest.mark.parametrize("metric", ["f1", "precision", "recall"])
@pytest.mark.parametrize("zero_division", ["0", "1", "nan"])
def test_the_choice_is_in_the_signature(metric: str, zero_division: str) -> None:
    """Row 57: two numbers under different conventions cannot be taken for one another."""
    y, p = [0, 1] * 20, [0, 1, 1, 1] * 10
    card = deadheat.score(
        p,
        references=y,
        metric=metric,
        positive=1,
        zero_division=float(zero_division),
        n_resamples=99,
    )
    assert f"zd:{zero_division}" in card.signature


@pytest.mark.parametrize("average", ["macro", "weighted", "micro"])
@pytest.mark.parametrize("zero_division", [0.0, 1.0, math.nan])
@pytest.mark.parametrize("labels", [None, ("a", "b"), ("a", "b", "c")], ids=["all", "two", "three"])
@pytest.mark.parametrize("metric", ["f1", "precision", "recall"])
def test_averages_over_labels_are_those_of_scikit_learn(
    average: str, zero_division: float, labels: tuple[str, ...] | None, metric: str
) -> None:
    """Row 57: labels only put out, labels never put out, labels that occur nowhere."""
    y, p = list("aabbcabacb") * 3, ["a", "b", "b", "zz", "a", "a", "b", "a", "zz", "b"] * 3
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        function = getattr(judge, f"{metric}_score")
        right = function(y, p, average=average, labels=labels, zero_division=zero_division)
    got = deadheat.score(
        p,
        references=y,
        metric=f"{average}_{metric}",
        labels=labels,
        zero_division=zero_division,
        n_resamples=99,
        method="percentile",
    )
    assert got.systems[0].value == pytest.approx(right, rel=1e-12, nan_ok=True)


def test_labels_seen_only_in_outputs_lower_a_macro_average_and_are_named() -> None:
    """Row 57: y = a a b b, p = a b b zz: .388889 over all labels, .583333 over the true ones."""
    y, p = list("aabb"), ["a", "b", "b", "zz"]
    options: dict[str, Any] = {
        "references": y,
        "metric": "macro_f1",
        "n_resamples": 99,
        "method": "percentile",
    }
    everything = deadheat.score(p, **options).to_dict()
    assert everything["systems"][0]["value"] == pytest.approx(0.388889, abs=5e-7)
    assert "labels_only_in_outputs" in codes(everything)
    assert "'zz'" in said(everything)
    true = deadheat.score(p, labels=("a", "b"), **options).to_dict()
    assert true["systems"][0]["value"] == pytest.approx(0.583333, abs=5e-7)
    assert everything["metric"]["signature"] != true["metric"]["signature"]


def test_a_foreign_label_of_one_system_does_not_lower_the_other() -> None:
    """Row 57: each system's average is over the references' labels and its own."""
    y = list("aabb") * 10
    found = deadheat.compare(
        y,
        ["a", "b", "b", "zz"] * 10,
        references=y,
        metric="macro_f1",
        n_resamples=99,
        method="percentile",
    )
    assert found.baseline.value == 1.0


def test_resamples_without_a_positive_are_counted() -> None:
    """Row 57: one positive in 60 items is absent from a third of the resamples; this is said."""
    y = [1] + [0] * 59
    found = deadheat.compare(
        y,
        [1, 1] + [0] * 58,
        references=y,
        metric="f1",
        positive=1,
        n_resamples=999,
        method="percentile",
    ).to_dict()
    assert found["resampling"]["undefined"] == pytest.approx(999 * (1 - 1 / 60) ** 60, rel=0.2)


AGREED: list[tuple[str, list[Any]]] = [
    ("zeros", [0] * 30),
    ("texts", ["x"] * 30),
    ("two", ["x"] * 2),
]


@pytest.mark.parametrize(("name", "labels"), AGREED, ids=[name for name, _ in AGREED])
def test_kappa_of_one_label_is_undefined_with_the_agreement_beside_it(
    name: str, labels: list[Any]
) -> None:
    """Row 61: neither NaN without a word nor 1: null, and 100% agreement in the note."""
    card = deadheat.score(labels, references=labels, metric="cohen_kappa", n_resamples=99).to_dict()
    assert card["systems"][0]["value"] is None
    assert "undefined" in said(card)
    assert "100%" in said(card)


@pytest.mark.parametrize(("name", "labels"), AGREED, ids=[name for name, _ in AGREED])
def test_comparing_undefined_kappas_is_undefined_and_no_error(name: str, labels: list[Any]) -> None:
    """Row 61: the difference of two undefined values is null with its reason, exit 0."""
    found = deadheat.compare(
        labels, labels, references=labels, metric="cohen_kappa", n_resamples=99
    ).to_dict()
    assert found["difference"]["estimate"] is None
    assert found["difference"]["interval"]["low"] is None
    assert found["difference"]["p_value"] is None
    assert found["reading"]["code"] == "degenerate"
    assert "100%" in said(found)


def test_undefined_kappa_at_the_command_line(run: Any, answer: Answer, write: Write) -> None:
    """Row 61: the same from a file."""
    table = write("t.csv", csv("item,reference,a,b", *((i, "x", "x", "x") for i in range(12))))
    options = ("--metric", "cohen_kappa", "--system", "a,b")
    assert answer("score", table, *options)["systems"][0]["value"] is None
    done = run("score", table, *options)
    assert done.returncode == 0
    assert "undefined" in done.stdout


def test_kappa_where_it_is_defined_is_that_of_scikit_learn() -> None:
    """Row 61: total disagreement is negative, not undefined."""
    rng = np.random.default_rng(61)
    y = rng.integers(0, 3, 60)
    for p in ((y + 1) % 3, rng.integers(0, 3, 60), np.zeros(60, dtype=int)):
        got = deadheat.score(
            p, references=y, metric="cohen_kappa", n_resamples=99, method="percentile"
        )
        assert got.systems[0].value == pytest.approx(judge.cohen_kappa_score(y, p), abs=1e-12)


def test_labels_that_are_never_a_reference_are_said_of_accuracy_too() -> None:
    """Row 57: three labels against two references, and the map that was forgotten."""
    references = ["entailment", "non-entailment"] * 20
    outputs = ["entailment", "neutral"] * 20
    found = deadheat.compare(outputs, references, references=references, metric="accuracy")
    said = {note.code: note.message for note in found.notes}
    assert "20 of baseline: 'neutral'" in said["labels_only_in_outputs"]
    assert "--label-map" in said["labels_only_in_outputs"]


def test_free_text_is_not_said_to_be_a_foreign_label() -> None:
    """Row 57: with many references, an output that is none of them is simply wrong."""
    references = [f"answer {i}" for i in range(40)]
    found = deadheat.compare(references, ["no"] * 40, references=references)
    assert "labels_only_in_outputs" not in {note.code for note in found.notes}
