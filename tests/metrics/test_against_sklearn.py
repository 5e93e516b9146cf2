"""scikit-learn as judge, on labels that hypothesis makes up."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as judge

from metrics.measured import bound, same, undefined, value

AVERAGES = ("micro", "macro", "weighted")
FAMILIES = ("precision", "recall", "f")

zero_divisions = st.sampled_from([0.0, 1.0, math.nan])
betas = st.sampled_from([0.5, 1.0, 2.0, 0.25])


@st.composite
def labelled(draw, n_labels=5, min_size=1):
    """References and outputs from ranges that overlap, as whole numbers or as text."""
    n = draw(st.integers(min_size, 12))
    first, last = draw(st.integers(0, 2)), draw(st.integers(2, n_labels - 1))
    references = draw(st.lists(st.integers(first, n_labels - 1), min_size=n, max_size=n))
    outputs = draw(st.lists(st.integers(0, last), min_size=n, max_size=n))
    if draw(st.booleans()):
        words = ["no", "yes", "maybe", "", "Ünknown"]
        return [words[i] for i in references], [words[i] for i in outputs]
    return references, outputs


def quiet(judgement, *data, **options):
    """Ask the judge, which warns of what it sets by convention."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return judgement(*data, **options)


def judged(references, outputs, **options):
    return quiet(judge.precision_recall_fscore_support, references, outputs, **options)


def name_of(average, family, beta):
    return f"{average}_{f'f{beta:g}' if family == 'f' else family}"


@settings(max_examples=60)
@given(labelled(), st.sampled_from(AVERAGES), betas, zero_divisions)
def test_averages(data, average, beta, zero_division):
    expected = judged(*data, average=average, beta=beta, zero_division=zero_division)
    for family, wanted in zip(FAMILIES, expected, strict=False):
        got = value(name_of(average, family, beta), *data, zero_division=zero_division)
        assert same(got, wanted), (family, got, wanted)


@settings(max_examples=60)
@given(labelled(), st.sampled_from(AVERAGES), betas, zero_divisions, st.data())
def test_averages_over_some_labels(data, average, beta, zero_division, draw):
    occurring = sorted({*data[0], *data[1]})
    absent = [99] if isinstance(occurring[0], int) else ["absent"]
    chosen = draw.draw(st.lists(st.sampled_from(occurring), min_size=1, unique=True))
    labels = chosen + draw.draw(st.sampled_from([[], absent]))
    expected = judged(*data, labels=labels, average=average, beta=beta, zero_division=zero_division)
    for family, wanted in zip(FAMILIES, expected, strict=False):
        got = value(
            name_of(average, family, beta), *data, labels=labels, zero_division=zero_division
        )
        assert same(got, wanted), (family, labels, got, wanted)


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=10),
    st.sampled_from([0, 1]),
    st.sampled_from([int, bool, str]),
    betas,
    zero_divisions,
)
def test_binary(pairs, positive, kind, beta, zero_division):
    references, outputs = ([kind(x) for x in column] for column in zip(*pairs, strict=True))
    expected = judged(
        references,
        outputs,
        average="binary",
        pos_label=kind(positive),
        beta=beta,
        zero_division=zero_division,
    )
    by_custom = [None] if positive else []
    for asked in (kind(positive), *by_custom):
        for family, wanted in zip((*FAMILIES[:2], f"f{beta:g}"), expected, strict=False):
            got = value(family, references, outputs, positive=asked, zero_division=zero_division)
            assert same(got, wanted), (family, asked, got, wanted)


@pytest.mark.parametrize("zero_division", [0.0, 1.0, math.nan])
def test_weighted_average_over_labels_without_support(zero_division):
    # b is put out but never a reference: its weight is 0, and the judge takes the plain mean.
    data, labels = (["a", "a"], ["a", "b"]), ["b", "c"]
    expected = judged(*data, labels=labels, average="weighted", zero_division=zero_division)
    for family, wanted in zip(("precision", "recall", "f1"), expected, strict=False):
        options = {"labels": labels, "zero_division": zero_division}
        assert same(value(f"weighted_{family}", *data, **options), wanted)
        assert undefined(f"weighted_{family}", *data, **options)


@settings(max_examples=60)
@given(labelled(), st.sampled_from(FAMILIES), st.sampled_from(AVERAGES))
def test_undefined_is_where_a_ratio_that_counts_is_0_of_0(data, family, average):
    field = FAMILIES.index(family)
    name = name_of(average, family, 1.0)
    if average == "micro":
        expected = math.isnan(judged(*data, average="micro", zero_division=math.nan)[field])
    else:
        by_label = judged(*data, average=None, zero_division=math.nan)
        counts = by_label[3] > 0 if average == "weighted" else np.ones(len(by_label[3]), bool)
        expected = bool(np.isnan(by_label[field][counts]).any())
    for zero_division in (0.0, 1.0, math.nan):
        assert undefined(name, *data, zero_division=zero_division) == expected


@settings(max_examples=40)
@given(labelled())
def test_mcc(data):
    assert same(value("mcc", *data), quiet(judge.matthews_corrcoef, *data))
    constant = len(set(data[0])) == 1 or len(set(data[1])) == 1
    assert undefined("mcc", *data) == constant


@settings(max_examples=40)
@given(labelled())
def test_cohen_kappa(data):
    expected = quiet(judge.cohen_kappa_score, *data)
    assert same(value("cohen_kappa", *data), expected)
    assert undefined("cohen_kappa", *data) == math.isnan(expected)


@settings(max_examples=40)
@given(labelled())
def test_balanced_accuracy(data):
    expected = quiet(judge.balanced_accuracy_score, *data)
    assert same(value("balanced_accuracy", *data), expected)
    assert not undefined("balanced_accuracy", *data)


@settings(max_examples=40)
@given(labelled())
def test_accuracy(data):
    assert same(value("accuracy", *data), judge.accuracy_score(*data))


WEIGHED = {
    "macro_f1": lambda t, p, w, labels: judge.f1_score(
        t, p, labels=labels, average="macro", sample_weight=w, zero_division=0.0
    ),
    "weighted_precision": lambda t, p, w, labels: judge.precision_score(
        t, p, labels=labels, average="weighted", sample_weight=w, zero_division=1.0
    ),
    "micro_recall": lambda t, p, w, labels: judge.recall_score(
        t, p, labels=labels, average="micro", sample_weight=w, zero_division=0.0
    ),
    "mcc": lambda t, p, w, labels: judge.matthews_corrcoef(t, p, sample_weight=w),
    "accuracy": lambda t, p, w, labels: judge.accuracy_score(t, p, sample_weight=w),
    "balanced_accuracy": lambda t, p, w, labels: judge.balanced_accuracy_score(
        np.repeat(t, w), np.repeat(p, w)
    ),
    "cohen_kappa": lambda t, p, w, labels: judge.cohen_kappa_score(t, p, sample_weight=w),
}


@pytest.mark.parametrize("name", WEIGHED)
@settings(max_examples=40)
@given(data=labelled(min_size=2), draw=st.data())
def test_weights_are_multiplicities(name, data, draw):
    """Label sets stay as they were on the whole data, whatever a resample leaves out."""
    n = len(data[0])
    weights = draw.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n).filter(any))
    zero_division = {"zero_division": 1.0} if name == "weighted_precision" else {}
    metric, statistics = bound(name, *data, **zero_division)
    got = float(metric.value(np.array(weights) @ statistics))
    expanded = float(metric.value(np.repeat(statistics, weights, axis=0).sum(axis=0)))
    expected = quiet(WEIGHED[name], *data, weights, sorted({*data[0], *data[1]}))
    assert same(got, expanded)
    assert same(got, expected)


@settings(max_examples=40)
@given(labelled(min_size=2), st.sampled_from([*WEIGHED, "f1", "weighted_f2"]))
def test_many_totals_at_once(data, name):
    options = {"positive": data[0][0]} if name == "f1" else {}
    metric, statistics = bound(name, *data, **options)
    weights = np.arange(2 * 3 * len(data[0])).reshape(2, 3, -1) % 3
    totals = weights @ statistics
    for got, function in ((metric.value(totals), metric.value),
                          (metric.undefined(totals), metric.undefined)):  # fmt: skip
        assert got.shape == (2, 3)
        one_by_one = [[function(totals[i, j]) for j in range(3)] for i in range(2)]
        np.testing.assert_array_equal(got, one_by_one)
