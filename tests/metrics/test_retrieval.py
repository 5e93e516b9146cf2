"""nDCG, MRR and recall at k of ranked documents."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import ndcg_score

from deadheat.errors import ItemError, UsageError
from metrics.of_numbers import made

NAMES = {"ndcg": {}, "mrr": {}, "recall_at": {"k": 10}}

queries = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=2, max_size=6).flatmap(
    lambda pairs: st.tuples(st.just(pairs), st.integers(1, 7))
)


def score(name: str, reference, output, k: int | None = None) -> float:
    ((found, one),) = made(name, k=k).statistics([reference], [output])
    assert one == 1.0
    return float(found)


def named(numbers) -> dict[str, float]:
    return {f"d{position}": number for position, number in enumerate(numbers)}


@given(queries)
@settings(max_examples=150, deadline=None)
def test_ndcg_equals_scikit_learn(query):
    """Few scores, so that most are tied; every document is ranked, as scikit-learn takes it."""
    pairs, k = query
    relevances, scores = zip(*pairs, strict=True)
    for depth in (k, None):
        got = score("ndcg", named(relevances), named(scores), depth)
        assert got == pytest.approx(ndcg_score([relevances], [scores], k=depth), abs=1e-12)


def test_ndcg_published_example():
    """Six documents with relevances 3 2 3 0 1 2, and a 3 and a 2 that were not retrieved.

    The example of "Discounted cumulative gain" in Wikipedia: DCG 6.861, ideal 8.740, 0.785.
    """
    reference = named([3, 2, 3, 0, 1, 2, 3, 2])
    got = score("ndcg", reference, [f"d{rank}" for rank in range(6)], k=6)
    assert got == pytest.approx(0.785, abs=5e-4)


@pytest.mark.parametrize("name", ["mrr", "recall_at", "ndcg"])
@given(query=queries)
@settings(max_examples=60, deadline=None)
def test_ties_are_the_mean_over_all_orders(name, query):
    """Every order of the documents that the scores allow, one by one."""
    pairs, k = query
    relevances, scores = zip(*pairs, strict=True)
    if not any(relevances):
        return
    found = []
    for order in permutations(range(len(pairs))):
        ordered = [scores[position] for position in order]
        if ordered == sorted(ordered, reverse=True):
            found.append(score(name, named(relevances), [f"d{p}" for p in order], k))
    got = score(name, named(relevances), named(scores), k)
    assert got == pytest.approx(np.mean(found), abs=1e-12)


def plain(name: str, relevant: set[str], ranking: list[str], k: int) -> float:
    hits = [document in relevant for document in ranking[:k]]
    if name == "mrr":
        return 1 / (1 + hits.index(True)) if any(hits) else 0.0
    return sum(hits) / len(relevant)


@given(st.permutations(list("abcdefgh")), st.integers(0, 8), st.integers(1, 9), st.data())
@settings(max_examples=100, deadline=None)
def test_mrr_and_recall_equal_their_definition(documents, length, k, data):
    relevant = set(data.draw(st.lists(st.sampled_from("abcdefghxy"), min_size=1)))
    for name in ("mrr", "recall_at"):
        got = score(name, sorted(relevant), documents[:length], k)
        assert got == pytest.approx(plain(name, relevant, documents[:length], k), abs=1e-15)


def test_forms_of_the_same_ranking():
    for name, options in NAMES.items():
        k = options.get("k")
        expected = score(name, ["b", "c"], ["a", "b", "c"], k)
        assert expected > 0.0
        assert score(name, {"b": 1, "c": 1.0, "a": 0}, ["a", "b", "c"], k) == expected
        assert score(name, ["b", "c"], {"c": -3, "a": 2.5, "b": 0}, k) == expected
        assert score(name, {"b": True, "c": True}, ("a", "b", "c"), k) == expected


@pytest.mark.parametrize("name", NAMES)
def test_nothing_relevant_nothing_retrieved(name):
    metric = made(name, k=2)
    references = [[], {"a": 0}, ["a"], ["a"], ["a"], ["a"]]
    outputs = [["a"], {"a": 1.0}, None, [], {}, ["b", "c", "a"]]
    assert (metric.statistics(references, outputs) == [[0.0, 1.0]] * 6).all()
    empty, short = metric.remarks("s", references, outputs)
    assert empty.code == "no_relevant_documents"
    assert "2 of 6 queries" in empty.message
    assert short.code == "short_rankings"
    assert "5 of 6 rankings of s have fewer than 2" in short.message
    assert metric.statistics([], []).shape == (0, 2)
    assert not metric.remarks("s", [["a"]], [["a", "b"]])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("reference", "output", "side", "message"),
    [
        (["a"], ["a", "b", "a"], "output", "'a' is named twice"),
        (["a", "a"], ["a"], "reference", "'a' is named twice"),
        (["a"], [1, 2], "output", "id 1 is not text"),
        ([7], ["7"], "reference", "id 7 is not text"),
        (["a"], ["a", None], "output", "id None is not text"),
        (["a"], "a b c", "output", "'a b c' is not a ranking"),
        ("a", ["a"], "reference", "'a' is not a set of relevant documents"),
        (None, ["a"], "reference", "None is not a set of relevant documents"),
        (["a"], 3.5, "output", "3.5 is not a ranking"),
        ({"a": -1}, ["a"], "reference", "relevance of 'a' is -1"),
        ({"a": "2"}, ["a"], "reference", "relevance of 'a' is '2'"),
        ({"a": float("nan")}, ["a"], "reference", "relevance of 'a' is nan"),
        (["a"], {"a": None}, "output", "score of 'a' is None"),
        (["a"], {"a": float("inf")}, "output", "score of 'a' is inf"),
    ],
)
def test_what_is_no_ranking(name, reference, output, side, message):
    with pytest.raises(ItemError, match=message) as caught:
        made(name, k=3).statistics([["a"], reference], [["a"], output])
    assert (caught.value.row, caught.value.side) == (1, side)


def test_long_output_is_not_shown_whole():
    with pytest.raises(ItemError, match=r"x\.\.\. is not a ranking"):
        score("mrr", ["a"], "x" * 10_000)


def test_names_and_signatures():
    assert made("ndcg").name == "ndcg"
    assert made("ndcg", k=10).signature == "ndcg@10|gain:linear|ties:mean|no_relevant:0|v:1"
    assert made("mrr").signature == "mrr|ties:mean|no_relevant:0|v:1"
    assert made("mrr", k=5).name == "mrr@5"
    assert made("recall_at", k=100).name == "recall@100"
    assert made("ndcg").is_mean
    assert made("ndcg").bounds == (0.0, 1.0)


@pytest.mark.parametrize(("name", "k"), [("recall_at", None), ("ndcg", 0), ("mrr", -1)])
def test_depth_has_to_be_a_number_of_documents(name, k):
    with pytest.raises(UsageError, match="whole number of 1 or more"):
        made(name, k=k)


def test_unequal_lengths():
    with pytest.raises(ValueError, match="zip"):
        made("mrr").statistics([["a"]], [["a"], ["b"]])
