"""Labels that options name."""

from __future__ import annotations

import pytest

from deadheat.errors import MetricError, UsageError
from deadheat.metrics.labels.choice import asked_labels, listed, matching, positive_label
from metrics.measured import bound


@pytest.mark.parametrize(
    ("labels", "positive"),
    [([0, 1], 1), ([False, True], True), (["0", "1"], "1"), ([0], 1), ([1], 1), (["0"], "1")],
)
def test_positive_by_custom(labels, positive):
    found = positive_label(None, labels, "f1")
    assert found == positive
    assert type(found) is type(positive)


@pytest.mark.parametrize("labels", [["no", "yes"], [1, 2], [0, 1, 2], ["0", "1", "2"], ["1", "2"]])
def test_positive_has_to_be_named(labels):
    with pytest.raises(MetricError, match=r"--positive.*macro_f1") as caught:
        positive_label(None, labels, "f1")
    assert listed(labels) in str(caught.value)


def test_positive_that_does_not_occur():
    with pytest.raises(MetricError, match=r"'Yes' does not occur.*'no', 'yes'"):
        positive_label("Yes", ["no", "yes"], "f1")
    # Beside one label it may be the other one, as in a set without any positive.
    assert positive_label("yes", ["no"], "f1") == "yes"


def test_text_of_the_command_line_names_a_label():
    assert matching("2", [1, 2]) == 2
    assert matching("2", ["1", "2"]) == "2"
    assert matching("2", [1, "2"]) == "2"
    assert matching("TRUE", [False, True]) is True
    assert matching("Yes", ["yes"]) == "Yes"


def test_labels_asked_for():
    assert asked_labels(["2", "7"], [1, 2]) == (2, "7")
    with pytest.raises(MetricError, match=r"none of the labels 'x', 'y' occurs.*'a', 'b'"):
        asked_labels(["x", "y"], ["a", "b"])
    with pytest.raises(UsageError, match="given twice"):
        asked_labels(["1", 1], [1, 2])


def test_many_labels_are_not_all_listed():
    assert listed(range(11)) == "0, 1, 2, 3, 4, 5, 6, 7 and 3 more"


def test_binding_refuses_what_cannot_be_meant():
    with pytest.raises(MetricError, match="which label is positive"):
        bound("f1", ["a", "b"], ["a", "a"])
    with pytest.raises(MetricError, match="none of the labels"):
        bound("macro_f1", ["a", "b"], ["a", "a"], labels=["c"])
