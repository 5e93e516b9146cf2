"""Classes with statistics and value, or rows and value_of, against scikit-learn and algebra."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as judge

from deadheat.errors import ItemError, MetricError
from deadheat.metrics.own import adapted
from deadheat.metrics.own.calls import Call, at_once, by_row


class F1:
    """F1 of the label "yes"."""

    def statistics(self, references, outputs):
        wanted, given = references == "yes", outputs == "yes"
        return np.stack([wanted & given, wanted, given], axis=-1)

    def value(self, totals):
        return 2 * totals[..., 0] / (totals[..., 1] + totals[..., 2])


class Scalar(F1):
    """The same, written for one row of totals."""

    def value(self, totals):
        both, wanted, given = totals
        if wanted + given == 0:
            return float("nan")
        return 2 * both / (wanted + given)


class Stack(F1):
    """The same, written for a table of totals."""

    def value(self, totals):
        return 2 * totals[:, 0] / (totals[:, 1] + totals[:, 2])


class Rows(F1):
    """The same as lists and floats, one row at a time."""

    def statistics(self, references, outputs):
        return [
            (int(r == o == "yes"), r == "yes", Fraction(int(o == "yes")))
            for r, o in zip(references, outputs, strict=True)
        ]

    def value(self, totals):
        return math.fsum([2 * float(totals[0])]) / (totals[1] + totals[2])


yes_or_no = st.lists(
    st.tuples(st.sampled_from(["yes", "no", "?"]), st.sampled_from(["yes", "no", ""])),
    min_size=2,
    max_size=10,
)


@pytest.mark.parametrize("kind", [F1, Scalar, Stack, Rows])
@settings(max_examples=15)
@given(pairs=yes_or_no, seed=st.integers(0, 99))
def test_f1_on_repeated_items(kind, pairs, seed):
    references, outputs = map(list, zip(*pairs, strict=True))
    metric = adapted(kind)
    rows = metric.statistics(references, outputs)
    weights = np.random.default_rng(seed).integers(0, 3, (2, 3, len(pairs)))
    got = metric.value(weights @ rows)
    assert got.shape == (2, 3)
    for found, w in zip(got.ravel(), weights.reshape(6, -1), strict=True):
        wanted = np.array(references)[np.repeat(np.arange(len(w)), w)]
        given = np.array(outputs)[np.repeat(np.arange(len(w)), w)]
        expected = math.nan
        if wanted.size and ((wanted == "yes") | (given == "yes")).any():
            expected = judge.f1_score(wanted == "yes", given == "yes", zero_division=0.0)
        np.testing.assert_allclose(found, expected, rtol=1e-12)
        assert metric.undefined(w @ rows) == math.isnan(expected)


def test_a_value_of_one_row_at_a_time_is_remarked():
    references, outputs = ["yes", "no", "yes"], ["yes", "yes", "no"]
    assert adapted(F1).remarks("a", references, outputs) == ()
    assert adapted(Stack).remarks("a", references, outputs) == ()
    for kind in (Scalar, Rows):
        (note,) = adapted(kind).remarks("a", references, outputs)
        assert note.code == "value_one_by_one"
        assert f"{kind.__name__}.value" in note.message


# Whether a function takes many rows at once

ONE_ROW = [
    lambda t: t[0] / t[1],
    lambda t: t.sum(),
    lambda t: float(t[0]),
    lambda t: max(t),
    lambda t: t[0] if t[1] > 0 else 0.0,
    lambda t: t[0],
    lambda t: t[-1],
    lambda t: t @ np.arange(len(t)),
    lambda t: t.mean(axis=0),
    lambda t: np.median(t),
    lambda t: t.sum(axis=-1) / t.max(),
    lambda t: math.sqrt(abs(t[0])),
    lambda t: t.tolist()[1],
    lambda t: (t == t.max()).argmax(),
    lambda t: 0.0 if (t == 0).any() else 1.0,
    lambda t: np.asarray(t[0] - t[1]),
]


@pytest.mark.parametrize("function", ONE_ROW)
@pytest.mark.parametrize("n_rows", [1, 2, 3, 4, 5, 7])
@pytest.mark.parametrize("seed", [0, 1])
def test_many_rows_are_worth_what_each_is_worth(function, n_rows, seed):
    # Among others there are as many rows as columns, where a row can pass for a column.
    stack = np.random.default_rng(seed).integers(0, 5, (n_rows, 4)).astype(float)
    with np.errstate(all="ignore"):
        expected = [float(function(row)) for row in stack]
    if np.isinf(expected).any():
        with pytest.raises(MetricError, match="returned inf"):
            by_row(Call(function=function, name="f"), stack)
        return
    np.testing.assert_array_equal(by_row(Call(function=function, name="f"), stack), expected)


MANY_ROWS = [
    lambda t: t[..., 0] / t[..., 1],
    lambda t: t[..., 0] - 2 * t[..., 3],
    lambda t: np.where(t[..., 1] > 0, t[..., 0], -1.0),
    lambda t: t.sum(axis=-1),
    lambda t: t.T[0] + t.T[1],
    lambda t: t[:, 0] - t[:, 1],
]


@pytest.mark.parametrize("function", MANY_ROWS)
@pytest.mark.parametrize("n_rows", [2, 4, 256])
def test_functions_of_many_rows_are_called_once(function, n_rows):
    stack = np.random.default_rng(0).integers(1, 9, (n_rows, 4)).astype(float)
    sizes = []

    def counted(totals):
        sizes.append(np.shape(totals))
        return function(totals)

    got = at_once(Call(function=counted, name="f"), stack)
    np.testing.assert_array_equal(got, function(stack))
    assert sizes.count((n_rows, 4)) == 1
    assert len(sizes) <= 2 * 9


def test_a_value_may_change_its_totals():
    class Worn(F1):
        def value(self, totals):
            totals *= 2
            return totals[..., 0]

    totals = np.ones((3, 3))
    assert adapted(Worn).value(totals).tolist() == [2.0, 2.0, 2.0]
    assert adapted(Worn).value(totals[0]) == 2.0
    assert (totals == 1.0).all()


# What statistics may return


def made(**methods):
    return adapted(type("Odd", (), {"value": lambda self, t: t[..., 0], **methods}))


WRONG = [
    (None, "Odd.statistics returned None for 4 items, where a row for each item is needed"),
    ([1, 2, 3, 4], r"returned \[1, 2, 3, 4\] \(list\) for 4 items.*shape \(item, k\)"),
    ([[1, 2]], r"returned \[\[1, 2\]\] \(list\) for 4 items"),
    (np.ones((5, 2)), r"an array of shape \(5, 2\)"),
    (np.ones((4, 0)), r"an array of shape \(4, 0\)"),
    (np.ones((4, 1, 1)), r"an array of shape \(4, 1, 1\)"),
    ([[1], [1, 2], [1], [1]], r"\(list\) for 4 items"),
    ([["1"]] * 4, "returned an array of <U1, where real numbers are needed"),
    ([[None]] * 4, "returned an array of object, where real numbers"),
    ([["a", 1.0, None]] * 4, "returned an array of object, where real numbers"),
    (np.ones((4, 1), dtype=complex), "array of complex128"),
    ({"a": 1}, r"returned \{'a': 1\} \(dict\)"),
]


@pytest.mark.parametrize(("returned", "message"), WRONG)
def test_wrong_statistics(returned, message):
    with pytest.raises(MetricError, match=message) as caught:
        made(statistics=lambda self, r, o: returned).statistics(None, [1, 2, 3, 4])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_statistics_have_to_be_finite(bad):
    metric = made(statistics=lambda self, r, o: [[1.0, bad if x == 3 else 0.0] for x in o])
    with pytest.raises(ItemError, match=f"returned {bad} in column 2, and sums need") as caught:
        metric.statistics(None, [1, 2, 3, 4])
    assert caught.value.row == 2


def test_statistics_may_not_depend_on_other_items():
    by_label = made(statistics=lambda self, r, o: [[x == label for label in sorted(set(o))]
                                                   for x in o])  # fmt: skip
    with pytest.raises(MetricError, match="5 columns for 6 items and 3 for the first 3 alone"):
        by_label.statistics(None, [1, 2, 3, 4, 5, 1])
    centred = made(statistics=lambda self, r, o: (o - o.mean())[:, None])
    with pytest.raises(MetricError, match=r"other numbers for the first items.*must not depend"):
        centred.statistics(None, [1, 2, 3, 4])
    assert made(statistics=lambda self, r, o: o[:, None]).statistics(None, [7.0]).tolist() == [[7]]


def test_errors_in_methods():
    def broken(self, *given):
        raise KeyError("x")

    with pytest.raises(MetricError, match=r"Odd\.statistics raised KeyError: 'x' \(line \d+ of"):
        made(statistics=broken).statistics(None, [1, 2])
    metric = made(statistics=lambda self, r, o: o[:, None], value=broken)
    with pytest.raises(MetricError, match=r"Odd\.value raised KeyError"):
        metric.value(np.ones((4, 1)))


@pytest.mark.parametrize("at", ["one", "many"])
def test_value_is_a_number_within_the_bounds(at):
    totals = np.array([1.0]) if at == "one" else np.arange(20.0)[:, None]
    share = made(statistics=lambda self, r, o: o[:, None], bounds=(-1, 0))
    with pytest.raises(
        MetricError, match=r"Odd\.value returned \d+\.0 on totals, .* outside of its bounds -1 to 0"
    ):
        share.value(totals)
    endless = made(value=lambda self, t: 1 / (t[..., 0] - 1), statistics=lambda *a: 1)
    with pytest.raises(MetricError, match=r"returned inf on totals"):
        endless.value(totals)


def test_undefined_as_the_class_says():
    metric = made(
        statistics=lambda self, r, o: o[:, None],
        undefined=lambda self, totals: totals[..., 0] == 0,
    )
    assert metric.undefined(np.array([[0.0], [1.0]])).tolist() == [True, False]
    assert metric.value(np.array([0.0])) == 0.0


# Means


def mean_of(rows, **more):
    return adapted(type("Mean", (), {"statistics": lambda self, r, o: rows(o), "is_mean": True,
                                     **more}))  # fmt: skip


def test_a_mean_needs_no_value():
    metric = mean_of(lambda o: np.stack([o, np.ones(len(o))], axis=-1))
    rows = metric.statistics(None, [0.0, 0.5, 1.0, 0.5])
    assert metric.is_mean
    assert float(metric.value(rows.sum(axis=0))) == 0.5


def test_what_says_is_mean_and_is_none():
    with pytest.raises(MetricError, match="says is_mean, and its statistics are not a score and 1"):
        mean_of(lambda o: o[:, None]).statistics(None, [1.0, 2.0])
    with pytest.raises(MetricError, match="are not a score and 1"):
        mean_of(lambda o: np.stack([o, o], axis=-1)).statistics(None, [1.0, 2.0])
    rooted = mean_of(
        lambda o: np.stack([o, np.ones(len(o))], axis=-1),
        value=lambda self, t: (t[..., 0] / t[..., 1]) ** 0.5,
    )
    with pytest.raises(MetricError, match="says is_mean, and its value is 2 where the mean is 4"):
        rooted.statistics(None, [4.0, 4.0])


# What items are given as


@pytest.mark.parametrize("takes", ["values", "texts", "numbers"])
def test_what_is_taken(takes):
    seen = []
    metric = made(
        statistics=lambda self, r, o: seen.append((r, o)) or [[1.0]] * len(o), takes=takes
    )
    assert metric.takes == takes
    given = {
        "values": (["a", "b"], ["a", "b"]),
        "texts": ([("a", "A"), ("b",)], ["a", ""]),
        "numbers": (np.array([1, 0]), np.array([0.5, 0.25])),
    }[takes]
    metric.statistics(*given)
    expected = {"values": np.ndarray, "texts": list, "numbers": np.ndarray}[takes]
    assert all(type(side) is expected for side in seen[0])
    assert [list(side) for side in seen[0]] == [list(side) for side in given]


# Functions of weights


class Auroc:
    """As scikit-learn has it, with the weights it takes."""

    takes = "numbers"
    bounds = (0, 1)

    def rows(self, references, outputs):
        return np.stack([references, outputs], axis=-1)

    def value_of(self, rows):
        return lambda weights: judge.roc_auc_score(rows[:, 0], rows[:, 1], sample_weight=weights)


class Total:
    def rows(self, references, outputs):
        return [[x] for x in outputs]

    def value_of(self, rows):
        return lambda weights: weights @ rows[:, 0] / weights.sum(axis=-1)


def test_functions_of_one_vector_of_weights():
    rng = np.random.default_rng(1)
    truth, scores = rng.integers(0, 2, 40), rng.random(40).round(1)
    metric = adapted(Auroc)
    weights = rng.multinomial(40, np.full(40, 1 / 40), size=(2, 3)).astype(float)
    got = metric.value_of(metric.rows(truth, scores))(weights)
    for found, w in zip(got.ravel(), weights.reshape(6, -1).astype(int), strict=True):
        expected = judge.roc_auc_score(np.repeat(truth, w), np.repeat(scores, w))
        assert found == pytest.approx(expected, rel=1e-12)
    (note,) = metric.remarks("a", truth, scores)
    assert note.code == "value_one_by_one"


def test_functions_of_many_vectors_of_weights():
    metric = adapted(Total)
    value = metric.value_of(metric.rows(None, [1.0, 3.0]))
    np.testing.assert_array_equal(
        value(np.array([[1.0, 1.0], [0.0, 0.0], [0.0, 2.0]])), [2, np.nan, 3]
    )
    assert value(np.array([3.0, 1.0])) == 1.5
    assert metric.remarks("a", None, [1.0, 3.0]) == ()


def test_no_items_have_no_value_by_weights():
    def counted(weights):
        assert weights.any()
        return weights.sum()

    metric = adapted(type("Strict", (Total,), {"value_of": lambda self, rows: counted}))
    got = metric.value_of(np.ones((2, 1)))(np.array([[0.0, 0.0], [1.0, 1.0]]))
    np.testing.assert_array_equal(got, [np.nan, 2.0])


def test_value_of_may_change_its_rows():
    def value_of(self, rows):
        rows *= 0
        return lambda weights: 1.0

    rows = np.ones((2, 1))
    adapted(type("Worn", (Total,), {"value_of": value_of})).value_of(rows)
    assert (rows == 1.0).all()


def test_hostile_functions_of_weights():
    none = adapted(type("None_", (Total,), {"value_of": lambda self, rows: 3}))
    with pytest.raises(
        MetricError, match=r"None_\.value_of returned 3, where a function of weights"
    ):
        none.value_of(np.ones((2, 1)))
    text = adapted(type("Text", (Total,), {"value_of": lambda self, rows: lambda w: "x"}))
    with pytest.raises(MetricError, match=r"Text\.value_of\(rows\) returned 'x' \(str\)"):
        text.value_of(np.ones((2, 1)))(np.ones(2))
