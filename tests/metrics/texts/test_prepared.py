"""References taken apart once serve several systems, and only those references."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deadheat.errors import ItemError
from deadheat.metrics import cer, exact_match, rouge1, rouge2, rougel, squad_em, squad_f1, wer
from deadheat.metrics.metric import Settings

SINGLE = [wer, cer]
SEVERAL = [exact_match, squad_em, squad_f1, rouge1, rouge2, rougel]

texts = st.lists(st.sampled_from(["a", "B", "the", "é.", "c-d"]), max_size=4).map(" ".join)
sets = st.lists(st.tuples(texts, texts, texts), min_size=1, max_size=5)


def made(module):
    name = module.__name__.rpartition(".")[2]
    return module.metric(Settings(name=name, normalize=("lower", "accents")))


every = pytest.mark.parametrize(
    "module", SINGLE + SEVERAL, ids=lambda module: module.__name__.rpartition(".")[2]
)


@every
@given(rows=sets)
@settings(max_examples=40)
def test_statistics_are_the_same(module, rows):
    plain = made(module)
    references = [(first,) if module in SINGLE else (first, second) for first, second, _ in rows]
    ready = plain.with_references(references)
    for position in (1, 2):
        outputs = [row[position] for row in rows]
        wanted = plain.statistics(references, outputs)
        assert np.array_equal(ready.statistics(references, outputs), wanted)
        again = pickle.loads(pickle.dumps(ready))
        assert np.array_equal(again.statistics(references, outputs), wanted)
        assert ready.remarks("x", references, outputs) == plain.remarks("x", references, outputs)
    assert ready == plain
    assert ready.signature == plain.signature


@every
def test_references_are_taken_apart_once(module):
    seen = []

    def normalize(text):
        seen.append(text)
        return text

    references = [("one",), ("two",)]
    plain = made(module)
    ready = replace(plain, normalize=normalize).with_references(references)
    ready.statistics(references, ["three", "four"])
    ready.statistics(references, ["five", "six"])
    assert seen == ["one", "two", "three", "four", "five", "six"]


@every
def test_other_references_are_not_mistaken_for_them(module):
    plain = made(module)
    ready = plain.with_references([("a b",), ("c",)])
    other = [("c d",), ("b",)]
    outputs = ["c d", "b"]
    assert np.array_equal(ready.statistics(other, outputs), plain.statistics(other, outputs))


@pytest.mark.parametrize("several", SEVERAL, ids=lambda module: module.__name__)
def test_an_item_without_reference_is_refused(several):
    metric = made(several)
    references = [("a",), ()]
    for call in (metric.with_references, lambda given: metric.statistics(given, ["a", "a"])):
        with pytest.raises(ItemError, match="has no reference") as caught:
            call(references)
        assert (caught.value.row, caught.value.side) == (1, "reference")


@every
def test_as_many_outputs_as_references(module):
    with pytest.raises(ValueError, match="zip"):
        made(module).statistics([("a",), ("b",)], ["a"])
