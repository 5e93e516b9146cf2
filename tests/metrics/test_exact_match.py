"""Exact match by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deadheat.metrics import exact_match
from deadheat.metrics.metric import OfSums, Settings

texts = st.text(alphabet="aA. \r\t", max_size=4)
items = st.lists(
    st.tuples(st.lists(texts, min_size=1, max_size=3).map(tuple), texts), min_size=1, max_size=6
)


def made(*steps):
    return exact_match.metric(Settings(name="exact_match", normalize=steps))


@pytest.mark.parametrize(
    ("steps", "references", "output", "right"),
    [
        ((), ("4",), "4", 1),
        ((), ("4",), "4\r", 0),
        (("whitespace",), ("4",), "4\r", 1),
        ((), ("Paris", "paris"), "paris", 1),
        ((), ("Paris",), "paris", 0),
        (("lower",), ("Paris",), "PARIS", 1),
        (("lower", "punctuation"), ("Paris, France",), "paris france.", 1),
        ((), ("",), "", 1),
        ((), ("a", ""), "", 1),
        ((), ("é",), "e\u0301", 0),
        (("nfc",), ("é",), "e\u0301", 1),
    ],
)
def test_by_hand(steps, references, output, right):
    assert made(*steps).statistics([references], [output]).tolist() == [[right, 1]]


def test_what_it_is():
    metric = made()
    assert isinstance(metric, OfSums)
    assert (metric.name, metric.takes, metric.is_mean) == ("exact_match", "texts", True)
    assert (metric.bounds, metric.greater_is_better) == ((0.0, 1.0), True)
    assert metric.signature == "exact_match|norm:none|v:1"
    assert made("casefold").signature == "exact_match|norm:casefold|v:1"
    assert np.isnan(metric.value(np.zeros(2)))
    assert metric.statistics([], []).shape == (0, 2)


@given(items=items)
@settings(max_examples=100)
def test_it_is_equality_with_any_reference(items):
    references, outputs = map(list, zip(*items, strict=True))
    right = [any(output == reference for reference in given) for given, output in items]
    assert made().statistics(references, outputs)[:, 0].tolist() == right


def test_white_space_at_the_ends_is_said():
    # CASES row 65: a carriage return at the end of every output.
    references, outputs = [("4",), ("5",), ("6",), ("7",)], ["4\r", " 5", "6", "8\r"]
    (note,) = made().remarks("x", references, outputs)
    assert note.code == "white_space_at_ends"
    assert note.message.startswith("2 of 4 outputs of x would match")
    assert not made("whitespace").remarks("x", references, outputs)
