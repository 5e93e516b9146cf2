"""Functions of all items or of one, against scikit-learn, NumPy and algebra."""

from __future__ import annotations

import functools
import math
import statistics
import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as judge

from deadheat.errors import ItemError, MetricError
from deadheat.metrics.own import per_item, whole_set

counts = st.lists(st.integers(0, 3), min_size=1, max_size=9)
labels = st.sampled_from(["a", "b", "", "ü"])


def values(metric, references, outputs, weights):
    """Values of a function of all items for many weights."""
    held = metric.holding(references, outputs)
    return held.value_of(held.rows(references, outputs))(np.asarray(weights, dtype=np.float64))


def value(metric, references, outputs):
    return float(values(metric, references, outputs, np.ones(len(outputs))))


# All items at once


@settings(max_examples=40)
@given(st.data())
def test_accuracy_of_repeated_items_is_a_ratio_of_weights(data):
    weights = np.array(data.draw(counts), dtype=float)
    references, outputs = (
        data.draw(st.lists(labels, min_size=weights.size, max_size=weights.size)) for _ in range(2)
    )
    accuracy = whole_set(lambda references, outputs: (references == outputs).mean())
    right = np.array(references) == np.array(outputs)
    expected = (weights @ right) / weights.sum() if weights.any() else math.nan
    found = values(accuracy, references, outputs, weights)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@settings(max_examples=20)
@given(
    pairs=st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=2, max_size=12),
    seed=st.integers(0, 9),
)
def test_scikit_learn_with_weights(pairs, seed):
    references, outputs = map(list, zip(*pairs, strict=True))
    f1 = whole_set(functools.partial(judge.f1_score, average="macro", zero_division=0.0))
    weights = np.random.default_rng(seed).integers(0, 3, (2, 3, len(pairs)))
    weights[..., 0] += 1
    wanted = np.repeat(references, weights[1, 2]), np.repeat(outputs, weights[1, 2])
    got = values(f1, references, outputs, weights)
    assert got.shape == (2, 3)
    assert got[1, 2] == pytest.approx(judge.f1_score(*wanted, average="macro", zero_division=0.0))


def test_auroc_of_scikit_learn_as_a_plain_callable():
    rng = np.random.default_rng(0)
    truth = (rng.random(50) < 0.4).tolist()
    scores = rng.random(50).round(1).tolist()
    weights = rng.multinomial(50, np.full(50, 1 / 50), size=4)
    got = values(whole_set(judge.roc_auc_score), truth, scores, weights)
    for found, w in zip(got, weights, strict=True):
        assert found == pytest.approx(
            judge.roc_auc_score(truth, scores, sample_weight=w), rel=1e-12
        )


def test_rows_of_many_systems_are_positions_in_the_data_of_all():
    references, first, second = [1.0, 2.0, 3.0], [1.0, 2.0, 4.0], [3.0, 2.0, 1.0]
    pearson = whole_set(statistics.correlation).holding(references * 2, first + second)
    one = pearson.value_of(pearson.rows(references, first))
    other = pearson.value_of(pearson.rows(references, second, start=3))
    assert float(one(np.ones(3))) == pytest.approx(np.corrcoef(references, first)[0, 1])
    assert float(other(np.ones(3))) == pytest.approx(-1.0)
    mixed = pearson.value_of(np.array([[4.0], [0.0], [5.0]]))
    assert float(mixed(np.ones(3))) == pytest.approx(np.corrcoef([2, 1, 3], [2, 1, 1])[0, 1])


def test_items_come_in_the_order_of_the_data_however_rows_are_ordered():
    seen = []
    kept = whole_set(lambda references, outputs: seen.append(outputs.tolist()) or 0.0)
    held = kept.holding(None, ["a", "b", "c"])
    held.value_of(np.array([[2.0], [0.0], [1.0]]))(np.array([3.0, 1.0, 0.0]))
    assert seen == [["a", "c", "c", "c"]]


def test_no_items_have_no_value():
    called = []
    counting = whole_set(lambda references, outputs: called.append(1) or 1.0)
    got = values(counting, None, [1, 2], [[0, 0], [1, 0]])
    np.testing.assert_array_equal(got, [math.nan, 1.0])
    assert called == [1]


def test_weights_that_are_no_counts_are_refused():
    with pytest.raises(MetricError, match=r"a whole number of times.*statistics and value"):
        values(whole_set(lambda references, outputs: 1.0), None, [1, 2], [0.5, 1.5])


# What functions get

FORMS = [
    ([1, 2], np.dtype(np.int64)),
    ([1.5, 2.0], np.dtype(np.float64)),
    ([1, 2.5], np.dtype(np.float64)),
    ([np.float64(0.5), np.float64(1.0)], np.dtype(np.float64)),
    ([True, False], np.dtype(bool)),
    ([True, 2], np.dtype(np.float64)),
    (["a", "b"], np.dtype(object)),
    (["a", None], list),
    ([1, None], list),
    ([1, "a"], list),
    ([[1], [2]], list),
    ([{"a": 1}, {}], list),
    ([2**70, 1], np.dtype(object)),
    ([2**63, 1], np.dtype(object)),
]


@pytest.mark.parametrize(("column", "form"), FORMS)
def test_forms(column, form):
    seen = []
    value(whole_set(lambda references, outputs: seen.append((references, outputs)) or 1.0),
          column, column)  # fmt: skip
    for got in seen[0]:
        assert list(got) == column
        assert type(got) is list if form is list else got.dtype == form
    value(whole_set(lambda references, outputs: seen.append((references, outputs)) or 1.0),
          None, column)  # fmt: skip
    assert seen[1][0] is None


@pytest.mark.parametrize(("column", "form"), FORMS)
def test_one_item_is_as_it_was_read(column, form):
    seen = []
    per_item(lambda reference, output: seen.append((reference, output)) or 1.0).statistics(
        column, column
    )
    assert seen == [(value, value) for value in column]
    python = [value.item() if isinstance(value, np.generic) else value for value in column]
    assert [type(got) for _, got in seen] == [type(value) for value in python]


def test_a_function_may_change_what_it_gets():
    def spoil(references, outputs):
        total = float(sum(sum(x) for x in outputs)) + float(sum(references))
        for x in outputs:
            x.append(100)
        outputs.clear()
        references[:] = 0
        return total

    references, outputs = [1, 2, 3], [[1], [2], [3]]
    weights = [[1, 1, 1], [0, 0, 2], [1, 1, 1]]
    got = values(whole_set(spoil), references, outputs, weights)
    np.testing.assert_array_equal(got, [12.0, 12.0, 12.0])
    assert (references, outputs) == ([1, 2, 3], [[1], [2], [3]])

    wears = per_item(lambda reference, output: output.append(1) or len(output))
    assert wears.statistics(None, outputs)[:, 0].tolist() == [2.0, 2.0, 2.0]
    assert outputs == [[1], [2], [3]]


# One item at a time


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20))
def test_the_mean_of_a_function_of_one_item(scores):
    metric = per_item(lambda reference, output: abs(output), greater_is_better=False)
    statistics_ = metric.statistics(None, scores)
    got = metric.value(statistics_.sum(axis=0))
    assert float(got) == pytest.approx(np.abs(scores).mean(), rel=1e-12, abs=1e-12)
    assert metric.is_mean
    assert (statistics_[:, 1] == 1.0).all()
    assert not metric.undefined(statistics_.sum(axis=0))


def test_what_counts_as_a_number():
    numbers = [1, 0.5, True, np.float32(0.25), np.int8(3), np.bool_(True), np.array(2.0)]
    got = per_item(lambda reference, output: numbers[output]).statistics(None, list(range(7)))
    assert got[:, 0].tolist() == [1.0, 0.5, 1.0, 0.25, 3.0, 1.0, 2.0]


# Hostile functions


def fails(references, outputs):
    raise ValueError("bad\n  thing.")


WRONG = [
    (fails, r"fails raised ValueError: bad thing \(line \d+ of test_functions\.py\), on 2"),
    (lambda references, outputs: None, "lambda returned None on 2 items, where one finite number"),
    (lambda references, outputs: "0.5", r"returned '0\.5' \(str\)"),
    (lambda references, outputs: np.ones(2), r"returned an array of shape \(2,\)"),
    (lambda references, outputs: np.ones(1), r"returned an array of shape \(1,\)"),
    (lambda references, outputs: [0.5], r"returned \[0\.5\] \(list\)"),
    (lambda references, outputs: {"f1": 0.5}, r"returned \{'f1': 0\.5\} \(dict\)"),
    (lambda references, outputs: 1 + 2j, r"returned \(1\+2j\) \(complex\)"),
    (lambda references, outputs: np.complex128(1), r"\(complex128\)"),
    (lambda references, outputs: math.inf, "returned inf on 2 items"),
    (lambda references, outputs: 10**400, r"returned 1000"),
    (lambda references, outputs: (x for x in ()), r"\(generator\)"),
    (lambda references, outputs: np.float64(1) / 0, "returned inf"),
    (lambda references, outputs: exit(3), "raised SystemExit: 3"),
    (lambda references, outputs: fails, r"\(function\)"),
]


@pytest.mark.parametrize(("function", "message"), WRONG)
def test_hostile_functions_of_all_items(function, message):
    with pytest.raises(MetricError, match=message) as caught:
        value(whole_set(function), ["a", "b"], ["a", "b"])
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("function", [function for function, _ in WRONG])
def test_hostile_functions_of_one_item(function):
    metric = per_item(lambda reference, output: function(0, 0) if output == "b" else 0.5)
    with pytest.raises(ItemError, match=r"^lambda (returned|raised) ") as caught:
        metric.statistics(None, ["a", "b", "b"])
    assert (caught.value.row, caught.value.side) == (1, "output")
    assert "\n" not in str(caught.value)


def test_the_error_of_a_user_is_kept():
    with pytest.raises(MetricError) as caught:
        value(whole_set(fails), [1], [1])
    assert isinstance(caught.value.__cause__, ValueError)
    with pytest.raises(ItemError) as caught:
        per_item(fails).statistics([1], [1])
    assert isinstance(caught.value.__cause__, ValueError)


def test_an_error_of_deadheat_s_own_passes():
    def particular(reference, output):
        raise ItemError("no tag", row=7, side="reference")

    with pytest.raises(ItemError, match="no tag") as caught:
        per_item(particular).statistics([1], [1])
    assert (caught.value.row, caught.value.side) == (7, "reference")


def test_nan_is_undefined_for_a_set_and_an_error_for_an_item():
    undefined = lambda references, outputs: math.nan  # noqa: E731
    assert math.isnan(value(whole_set(undefined), [1], [1]))
    with pytest.raises(ItemError, match=r"returned nan, where one finite .* or leave the item out"):
        per_item(undefined).statistics([1], [1])


def test_0_of_0_is_undefined_without_a_warning():
    ratio = whole_set(lambda references, outputs: outputs.sum() / references.sum())
    assert math.isnan(value(ratio, [0, 0], [0, 0]))


def test_outputs_that_are_not_usable_are_told_of():
    gap = per_item(lambda reference, output: abs(reference - output))
    with pytest.raises(ItemError, match=r"TypeError.*not usable is None.*--unparseable missing"):
        gap.statistics([1, 2], [1, None])
    forgiving = per_item(lambda reference, output: 0 if output is None else 1)
    assert forgiving.statistics([1, 2], [1, None])[:, 0].tolist() == [1.0, 0.0]


def test_texts_are_told_of_where_numbers_were_expected():
    advice = "What is read from CSV is text"
    with pytest.raises(ItemError, match=advice):
        per_item(lambda reference, output: abs(reference - output)).statistics(["1"], ["2"])
    with pytest.raises(MetricError, match=advice):
        value(whole_set(lambda references, outputs: (references - outputs).mean()), ["1"], ["2"])
    with pytest.raises(MetricError) as caught:
        value(whole_set(lambda references, outputs: fails(references, outputs)), ["1"], ["2"])
    assert advice not in str(caught.value)


@pytest.mark.parametrize("wrong", [1.01, -0.01])
def test_bounds_are_kept(wrong):
    message = rf"returned {wrong} on 1 items, which lies outside of its bounds 0 to 1\."
    with pytest.raises(MetricError, match=message):
        value(whole_set(lambda references, outputs: wrong, bounds=(0, 1)), [1], [1])
    with pytest.raises(ItemError, match="outside of its bounds"):
        per_item(lambda reference, output: wrong, bounds=(0, 1)).statistics([1], [1])
    just = whole_set(lambda references, outputs: 1 + 1e-12, bounds=(0, 1))
    assert value(just, [1], [1]) == 1 + 1e-12


def test_one_thread_at_a_time():
    inside, most = [], []

    def slow(references, outputs):
        inside.append(1)
        most.append(len(inside))
        time.sleep(0.001)
        inside.pop()
        return 1.0

    metric = whole_set(slow).holding(None, [1, 2])
    work = metric.value_of(metric.rows(None, [1, 2]))
    threads = [threading.Thread(target=work, args=(np.ones((5, 2)),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(most) == 1
    assert len(most) == 20


# Remarks


def codes(metric, references, outputs):
    return [note.code for note in metric.remarks("a", references, outputs)]


def test_remarks():
    mean = whole_set(lambda references, outputs: outputs.mean())
    assert codes(mean, None, [0.1, 0.2, 0.7]) == ["recomputed"]
    first = whole_set(lambda references, outputs: outputs[0])
    assert codes(first, None, [1, 2]) == ["recomputed", "depends_on_order"]
    assert codes(first, None, [1, 1]) == ["recomputed"]
    ticks = iter(range(100))
    assert codes(whole_set(lambda references, outputs: next(ticks)), None, [1, 2]) == [
        "recomputed",
        "not_repeatable",
    ]
    assert codes(whole_set(lambda references, outputs: math.nan), None, [1, 2]) == ["recomputed"]
