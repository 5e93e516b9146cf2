"""ROUGE against rouge-score, to the last digit."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from deadheat.errors import UsageError
from deadheat.metrics import rouge1, rouge2, rougel
from deadheat.metrics.metric import OfSums, Settings
from vectors import close, vectors

MODULES = {"rouge1": rouge1, "rouge2": rouge2, "rougeL": rougel}
JUDGE = RougeScorer(list(MODULES), use_stemmer=False)

words = st.sampled_from(
    ["a", "b", "C", "a1", "é", "É", "İ", "K", "it's", "नमस्ते", "...", "_", "x\u2028y"]
)
texts = st.one_of(
    st.lists(words, max_size=14).map(" ".join),
    st.lists(words, max_size=6).map("\n".join),
    st.text(),
)
items = st.lists(
    st.tuples(st.lists(texts, min_size=1, max_size=3).map(tuple), texts), min_size=1, max_size=4
)


def made(name, *steps):
    return MODULES[name].metric(Settings(name=name, normalize=steps))


def judged(name, references, outputs):
    return [
        JUDGE.score_multi(list(given), output)[name].fmeasure
        for given, output in zip(references, outputs, strict=True)
    ]


def agree(references, outputs):
    for name in MODULES:
        rows = made(name).statistics(references, outputs)
        assert rows[:, 0].tolist() == judged(name, references, outputs)
        assert (rows[:, 1] == 1).all()


@given(items=items)
@example(items=[(("",), ""), (("a", ""), "a"), (("a b", "b a"), "b a b"), (("a",), "")])
@settings(max_examples=200)
def test_scores_are_those_of_rouge_score(items):
    agree(*map(list, zip(*items, strict=True)))


@pytest.mark.parametrize("vocabulary", [2, 50, 3000])
def test_thousands_of_tokens(vocabulary):
    rng = np.random.default_rng(vocabulary)
    long, short = (" ".join(map(str, rng.integers(0, vocabulary, n))) for n in (1500, 400))
    agree([(long,), (short, long)], [short, short[::-1]])


@pytest.mark.parametrize(
    "vector", vectors("metrics.summarisation"), ids=lambda vector: vector["name"]
)
def test_vectors(vector):
    given = vector["input"]
    metric = made(given["kind"])
    rows = metric.statistics([(given["ref"],)], [given["hyp"]])
    assert close(vector, "fmeasure", float(metric.value(rows.sum(axis=0))))


def test_summaries(shared):
    folder = shared / "data" / "compare_mt"

    def lines(name):
        return (folder / name).read_text(encoding="utf-8").split("\n")[:400]

    references = [(line,) for line in lines("sum.ref.eng")]
    for system in ("sum.sys1.eng", "sum.sys2.eng"):
        agree(references, lines(system))


def test_the_value_is_the_mean():
    # CASES row 55: not the median of resamples, the mean of the items.
    rng = np.random.default_rng(55)
    texts = [" ".join(map(str, rng.integers(0, 9, n))) for n in rng.integers(1, 12, 40)]
    references, outputs = [(text,) for text in texts[:20]], texts[20:]
    for name in MODULES:
        metric = made(name)
        got = float(metric.value(metric.statistics(references, outputs).sum(axis=0)))
        assert got == pytest.approx(np.mean(judged(name, references, outputs)), abs=1e-15)


def test_texts_without_words_are_said():
    # CASES row 56: 0 for two equal texts, 1 for two that differ in a letter with an accent.
    references, outputs = [("नमस्ते दुनिया",), ("el café", "...")], ["नमस्ते दुनिया", "el caf"]
    metric = made("rouge1")
    assert metric.statistics(references, outputs)[:, 0].tolist() == [0.0, 1.0]
    (note,) = metric.remarks("x", references, outputs)
    assert note.code == "no_tokens"
    assert "1 of 2 outputs of x and 2 of 3 references" in note.message
    assert not metric.remarks("x", [("a", ""), (" ",)], ["b", ""])


def test_steps_come_before_the_words_are_parted():
    given, output = [("el café",)], ["el cafe"]
    assert made("rouge1").statistics(given, output)[0, 0] == 0.5
    plain = made("rouge1", "accents")
    assert plain.statistics(given, output)[0, 0] == 1.0
    assert plain.signature == "rouge1|norm:accents|v:1"


@pytest.mark.parametrize("name", MODULES)
def test_what_it_is(name):
    metric = made(name)
    assert isinstance(metric, OfSums)
    assert (metric.name, metric.takes, metric.is_mean) == (name, "texts", True)
    assert (metric.bounds, metric.greater_is_better) == ((0.0, 1.0), True)
    assert metric.signature == f"{name}|v:1"
    assert metric.statistics([], []).shape == (0, 2)


def test_without_rapidfuzz(monkeypatch):
    monkeypatch.setitem(sys.modules, "rapidfuzz.distance", None)
    assert made("rouge2").statistics([("a b",)], ["a b"])[0, 0] == 1.0
    with pytest.raises(UsageError, match=r"needs rapidfuzz.*'deadheat\[text\]'"):
        made("rougeL").statistics([("a",)], ["a"])
