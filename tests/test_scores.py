"""Aligned answers to scores."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as judge

from alignment.builder import evaluation, right, system
from deadheat.alignment import Alignment, align
from deadheat.errors import MetricError
from deadheat.metrics import metric
from deadheat.scores import Scores, score_apart, score_items


def aligned(references: Any = None, *, missing: str = "error", **columns: Any) -> Alignment:
    """Systems on items 1, 2, ...; columns of numbers are scores unless there are references."""
    n = len(next(iter(columns.values())))
    kind = "scores" if references is None else "outputs"
    answers = [
        system(name, list(range(1, n + 1)), **{kind: column}) for name, column in columns.items()
    ]
    known = None if references is None else right(references, list(range(1, n + 1)))
    return align(evaluation(*answers, references=known), missing=missing)


def both(scores: Any, outputs: Any, references: Any) -> Alignment:
    items = list(range(1, len(scores) + 1))
    answer = system("a", items, outputs, scores)
    return align(evaluation(answer, references=right(references, items)))


def codes(scores: Scores) -> list[str]:
    return [note.code for note in scores.notes]


def test_0_1_scores():
    scores = score_items(aligned(a=[1, 0, 1, 1], b=[0, 0, 1, 1]))
    assert [bound.name for bound in scores.metrics] == ["accuracy", "accuracy"]
    assert scores.kind == "binary"
    assert scores.values.tolist() == [0.75, 0.5]
    assert scores.per_item.tolist() == [[1, 0], [0, 0], [1, 1], [1, 1]]
    assert scores.statistics.tolist() == [
        [[1, 1], [0, 1]],
        [[0, 1], [0, 1]],
        [[1, 1], [1, 1]],
        [[1, 1], [1, 1]],
    ]
    assert scores.n == 4
    assert scores.undefined == (False, False)
    assert scores.notes == ()


def test_graded_scores():
    scores = score_items(aligned(a=[0.5, 3.0], b=[1.0, 0.0]))
    assert scores.metrics[0].name == "mean"
    assert scores.kind == "mean"
    assert scores.values.tolist() == [1.75, 0.5]


def test_mean_of_0_1_scores_is_binary_too():
    scores = score_items(aligned(a=[1, 0, 1]), metric("mean"))
    assert (scores.kind, scores.metrics[0].name) == ("binary", "mean")


def test_outputs_with_references():
    scores = score_items(aligned(list("aabb"), x=list("abbb"), y=["a", "a", None, "c"]))
    assert scores.metrics[0].name == "accuracy"
    assert scores.kind == "binary"
    assert scores.values.tolist() == [0.75, 0.5]
    assert scores.per_item.tolist() == [[1, 1], [0, 1], [1, 0], [1, 0]]


def test_columns_are_contiguous():
    for scores in (
        score_items(aligned(a=[1, 0, 1], b=[1, 1, 1])),
        score_items(aligned(list("abc"), a=list("abc"), b=list("aaa"))),
    ):
        assert all(column.flags.c_contiguous for column in scores.per_item.T)


@pytest.mark.parametrize("name", ["macro_f1", "mcc", "balanced_accuracy", "weighted_recall"])
def test_metrics_of_the_whole_set(name):
    generator = np.random.default_rng(3)
    references, x, y = generator.integers(0, 4, (3, 60)).tolist()
    scores = score_items(aligned(references, x=x, y=y), metric(name))
    judgement = {
        "macro_f1": lambda t, p: judge.f1_score(t, p, average="macro"),
        "mcc": judge.matthews_corrcoef,
        "balanced_accuracy": judge.balanced_accuracy_score,
        "weighted_recall": lambda t, p: judge.recall_score(t, p, average="weighted"),
    }[name]
    expected = [judgement(references, x), judgement(references, y)]
    np.testing.assert_allclose(scores.values, expected, rtol=1e-12)
    assert scores.kind == "corpus"
    assert scores.per_item is None
    totals = scores.statistics.sum(axis=0)
    again = [bound.value(total) for bound, total in zip(scores.metrics, totals, strict=True)]
    np.testing.assert_allclose(again, expected, rtol=1e-12)


def test_every_system_has_its_own_labels():
    # As scikit-learn does for each alone: "zz" lowers the system that puts it out, not the other.
    references, x, y = list("aabb"), ["a", "b", "b", "zz"], list("abbb")
    scores = score_items(aligned(references, x=x, y=y), metric("macro_f1"))
    expected = [judge.f1_score(references, out, average="macro", zero_division=0) for out in (x, y)]
    np.testing.assert_allclose(scores.values, expected, rtol=1e-12)
    assert codes(scores) == ["labels_only_in_outputs"]
    assert "x: 'zz'" in scores.notes[0].message
    assert "y:" not in scores.notes[0].message


columns = st.integers(1, 30).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 3), min_size=n, max_size=n), min_size=3, max_size=3)
)


@settings(max_examples=40)
@given(columns, st.sampled_from(["macro_f1", "micro_f1", "mcc", "accuracy", "mean"]))
def test_types_are_the_statistics_counted(data, name):
    references, x, y = data
    if name == "mean":
        scores = score_items(aligned(x=x, y=y), metric(name))
    else:
        scores = score_items(aligned(references, x=x, y=y), metric(name))
    statistics, multiplicities = scores.types()
    expected, counts = np.unique(
        scores.statistics.reshape(scores.n, -1), axis=0, return_counts=True
    )
    np.testing.assert_array_equal(statistics.reshape(len(expected), -1), expected)
    np.testing.assert_array_equal(multiplicities, counts)
    assert multiplicities.dtype == np.int64


def test_order_of_the_systems_changes_only_the_order_of_the_axis():
    generator = np.random.default_rng(5)
    references, x, y = generator.integers(0, 3, (3, 40)).tolist()
    there = score_items(aligned(references, x=x, y=y), metric("macro_f1"))
    back = score_items(aligned(references, y=y, x=x), metric("macro_f1"))
    (statistics, multiplicities), (turned, counts) = there.types(), back.types()
    np.testing.assert_array_equal(statistics, turned[:, ::-1])
    np.testing.assert_array_equal(multiplicities, counts)
    assert there.values.tolist() == back.values.tolist()[::-1]


def test_numbers_as_text_score_alike():
    references, x = [0, 1, 2, 2], [0, 2, 2, 1]
    for name in ("accuracy", "macro_f1", "mcc"):
        numbers = score_items(aligned(references, x=x), metric(name))
        texts = score_items(aligned([*map(str, references)], x=[*map(str, x)]), metric(name))
        assert numbers.values.tolist() == texts.values.tolist()


def test_0_1_scores_go_before_outputs():
    scores = score_items(both([1, 1, 0], ["It is a.", "b", "c"], list("abb")))
    assert scores.values.tolist() == [2 / 3]
    assert codes(scores) == ["outputs_not_used"]


def test_outputs_go_before_scores_that_are_no_verdicts():
    alignment = both([0.9, 0.8, 0.7], list("abb"), list("abc"))
    scores = score_items(alignment)
    assert scores.metrics[0].name == "accuracy"
    assert scores.values.tolist() == [2 / 3]
    assert codes(scores) == ["scores_not_used"]
    assert score_items(alignment, metric("mean")).values[0] == pytest.approx(0.8, abs=1e-15)
    assert codes(score_items(alignment, metric("mean"))) == []


def test_metrics_of_labels_never_look_at_scores():
    scores = score_items(both([7.0, 8.0], list("ab"), list("ab")), metric("macro_f1"))
    assert scores.values.tolist() == [1.0]
    assert codes(scores) == []


def test_a_score_of_1_7_is_no_accuracy():
    # CASES row 24.
    with pytest.raises(MetricError, match=r"item 2: .* b has 1\.7, and 1 more .*--metric mean"):
        score_items(aligned(a=[1, 0, 1], b=[1, 1.7, -1]), metric("accuracy"))


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_a_score_that_is_not_finite(wrong):
    alignment = aligned(a=[1.0, 0.5, 0.0])
    column = pl.Series([1.0, wrong, 0.0])
    broken = Alignment(**{
        **{name: getattr(alignment, name) for name in alignment.__dataclass_fields__},
        "scores": (column,),
    })  # fmt: skip
    with pytest.raises(MetricError, match="1 of the scores of a are not finite"):
        score_items(broken)


def test_absent_scores_are_0_where_scores_lie_from_0_to_1():
    alignment = aligned(missing="wrong", a=[1, None, 1], b=[0.5, 1, None])
    scores = score_items(alignment)
    assert scores.metrics[0].name == "mean"
    assert scores.per_item.tolist() == [[1, 0.5], [0, 1], [1, 0]]


def test_absent_scores_are_wrong_answers():
    scores = score_items(aligned(missing="wrong", a=[1, None, 1, 0]))
    assert (scores.metrics[0].name, scores.kind) == ("accuracy", "binary")
    assert scores.values.tolist() == [0.5]


@pytest.mark.parametrize(
    ("column", "greater_is_better", "said"),
    [
        ([1.0, None, 2.0], True, "from 1 to 2"),
        ([-0.5, None, 0.5], True, "from -0.5 to 0.5"),
        ([0.2, None, 0.5], False, "where less is better"),
    ],
)
def test_absent_scores_have_no_worst_value_otherwise(column, greater_is_better, said):
    mean = metric("mean", greater_is_better=greater_is_better)
    with pytest.raises(MetricError, match=f"{said}.*--missing drop"):
        score_items(aligned(missing="wrong", a=column), mean)


def test_absent_scores_leave_the_alignment_as_it_was():
    alignment = aligned(missing="wrong", a=[1, None, 0])
    score_items(alignment)
    assert alignment.scores[0].to_list() == [1.0, None, 0.0]


def test_nothing_to_score_mean_of_outputs():
    with pytest.raises(MetricError, match="mean takes scores, and there are none for x"):
        score_items(aligned(list("ab"), x=list("ab")), metric("mean"))


def test_nothing_to_score_labels_of_scores():
    with pytest.raises(MetricError, match="no outputs for a, b"):
        score_items(aligned(a=[1, 0], b=[1, 1]), metric("macro_f1"))


@pytest.mark.parametrize("name", ["accuracy", "macro_f1"])
def test_nothing_to_score_outputs_without_references(name):
    alignment = align(evaluation(system("x", [1, 2], ["a", "b"])))
    with pytest.raises(MetricError, match=r"no references.*--reference"):
        score_items(alignment, metric(name))
    with pytest.raises(MetricError, match=r"no references.*--reference"):
        score_items(alignment)


def test_nothing_to_score_free_text():
    texts = [f"answer {i}" for i in range(2_001)]
    alignment = aligned(texts, x=texts)
    assert score_items(alignment).values.tolist() == [1.0]
    with pytest.raises(MetricError, match=r"2,001 different labels .* free text"):
        score_items(alignment, metric("macro_f1"))
    few = score_items(alignment, metric("macro_f1", labels=texts[:2]))
    assert few.values.tolist() == [1.0]


def test_undefined_kappa_when_everything_is_one_label():
    # CASES row 61: undefined, with the agreement of 100% shown.
    scores = score_items(aligned([0, 0], x=[0, 0]), metric("cohen_kappa"))
    assert np.isnan(scores.values[0])
    assert scores.undefined == (True,)
    assert re.search(r"undefined; 100% of its outputs", scores.notes[0].message)


def test_undefined_f1_without_any_positive():
    # CASES row 57.
    for zero_division, shown in ((0.0, "0 by"), (1.0, "1 by"), (np.nan, "undefined")):
        made = metric("f1", positive="p", zero_division=zero_division)
        scores = score_items(aligned(["n", "n"], x=["n", "n"]), made)
        np.testing.assert_array_equal(scores.values, [zero_division])
        assert codes(scores) == ["undefined_metric"]
        assert shown in scores.notes[0].message


def test_undefined_of_one_system_only():
    scores = score_items(aligned(list("aab"), x=list("aab"), y=list("aaa")), metric("mcc"))
    assert scores.undefined == (False, True)
    assert [note.message.split(" rests")[0] for note in scores.notes] == ["mcc of y"]


def test_apart_one_metric_for_all():
    found = score_apart([aligned(a=[1, 0]), aligned(b=[0.5, 1.0])], None)
    assert [scores.metrics[0].name for scores in found] == ["mean", "mean"]


def test_apart_accuracy_where_it_fits_all():
    found = score_apart([aligned(a=[1, 0]), aligned(["u"], b=["u"])], None)
    assert [scores.metrics[0].name for scores in found] == ["accuracy", "accuracy"]


def test_statistics_that_do_not_fit(monkeypatch):
    scores = score_items(aligned(list("aabb"), x=list("abbb")), metric("macro_f1"))
    monkeypatch.setattr("deadheat.scores.scoring.MAX_VALUES", 3 * 6 - 1)
    with pytest.raises(MetricError, match=r"6 sums over 3 kinds of items.*--labels"):
        scores.types()
    monkeypatch.setattr("deadheat.scores.scoring.MAX_VALUES", 3 * 6)
    assert scores.types()[0].shape == (3, 1, 6)


def test_more_labels_than_items():
    # The confusion table has a million cells, of which 40 occur.
    labels = np.arange(1_000)
    references, x = labels[:40].tolist(), labels[-40:].tolist()
    x[:10] = references[:10]
    scores = score_items(aligned(references, x=x), metric("macro_f1"))
    expected = judge.f1_score(references, x, average="macro", zero_division=0)
    assert scores.values[0] == pytest.approx(expected, rel=1e-12)
