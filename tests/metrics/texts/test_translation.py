"""BLEU, chrF, chrF++ and TER against sacrebleu, to the last digit."""

from __future__ import annotations

import sys

import numpy as np
import pytest
import sacrebleu
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from deadheat.errors import ItemError, MetricError, UsageError
from deadheat.metrics import metric
from deadheat.metrics.texts.ngram_matches import BLOCK
from metrics.translations import added, bleu, corpora, judged, lines, parted
from vectors import close, vectors

JUDGES = {
    "bleu": bleu,
    "chrf": sacrebleu.CHRF,
    "chrf++": lambda: sacrebleu.CHRF(word_order=2),
    "ter": sacrebleu.TER,
}
TOPIC = "metrics.mt"

every_metric = pytest.mark.parametrize("name", JUDGES)


def score(name, references, outputs, **options):
    made = metric(name, **options)
    return float(made.value(added(made.statistics(references, outputs))))


@every_metric
@given(items=corpora(most=3))
@example(items=[(("",), "")])
@example(items=[(("",), "one two three four five"), (("a b",), "")])
@example(items=[(("a b c d e",), "a b c d e f g")])  # a longer output; no penalty
@example(items=[(("a b c d e f g",), "a b c d e")])  # a shorter one
@example(items=[(("a b", "b a", "a"), "a b a b"), (("b",), "a")])
@settings(max_examples=100)
def test_corpus_score_is_that_of_sacrebleu_to_the_last_digit(name, items):
    assert score(name, *parted(items)) == judged(JUDGES[name](), items)


@every_metric
@given(items=corpora(most=3))
@settings(max_examples=40)
def test_statistics_are_those_of_sacrebleu(name, items):
    references, outputs = parted(items)
    judge = JUDGES[name]()
    for row, texts, output in zip(
        metric(name).statistics(references, outputs), references, outputs, strict=True
    ):
        (expected,) = judge._extract_corpus_statistics([output], [[text] for text in texts])
        assert row.tolist() == expected


@every_metric
@given(
    items=corpora(most=2),  # means of two numbers are exact, so those of TER are summed exactly
    weights=st.lists(st.integers(0, 3), min_size=5, max_size=5),
)
@settings(max_examples=40)
def test_weights_are_repeated_items(name, items, weights):
    weights = np.array(weights[: len(items)])
    assume(weights.any())
    references, outputs = parted(items)
    made = metric(name)
    totals = weights @ made.statistics(references, outputs)
    expanded = [items[i] for i in np.repeat(np.arange(len(items)), weights)]
    assert float(made.value(totals)) == judged(JUDGES[name](), expanded)


@every_metric
@given(corpora(most=2), corpora(most=2))
@settings(max_examples=20)
def test_values_do_not_depend_on_the_shape_of_totals(name, first, second):
    made = metric(name)
    totals = np.array([added(made.statistics(*parted(items))) for items in (first, second)] * 2)
    values = made.value(totals.reshape(2, 1, 2, -1))
    assert values.shape == (2, 1, 2)
    assert values.ravel().tolist() == [float(made.value(row)) for row in totals]
    assert made.undefined(totals.reshape(2, 1, 2, -1)).shape == (2, 1, 2)


@every_metric
def test_references_are_tokenized_once_for_all_systems(name):
    references = [("The cat sat.", "A cat sat there."), ("No.",)]
    systems = (["A cat sat.", "No!"], ["the cat", ""])
    made = metric(name)
    ready = made.with_references(references)
    assert ready == made
    for outputs in systems:
        expected = made.statistics(references, outputs)
        assert np.array_equal(ready.statistics(references, outputs), expected)
    # Other references than those it was prepared with are not taken for them.
    others = [("Yes.",), ("No.", "Never.")]
    expected = made.statistics(others, systems[0])
    assert np.array_equal(ready.statistics(others, systems[0]), expected)


@every_metric
def test_thousands_of_tokens(name):
    size = 25 if name == "ter" else 5_000
    rng = np.random.default_rng(1)
    one, two = (" ".join(rng.choice(list("abcdefghij"), size)) for _ in range(2))
    items = [((one,), two), (("a",), "b"), (("a", two), one)]
    assert score(name, *parted(items)) == judged(JUDGES[name](), items)


@pytest.mark.parametrize("name", ["bleu", "chrf", "chrf++"])
def test_more_texts_than_are_sorted_together(name):
    rng = np.random.default_rng(2)
    texts = [" ".join(rng.choice(list("abc."), rng.integers(0, 40))) for _ in range(2_400)]
    items = [((texts[i], texts[i + 1])[: 1 + i % 2], texts[i + 2]) for i in range(0, 2_400, 3)]
    assert sum(len(text.split()) for wanted, _ in items for text in wanted) > 1.2 * BLOCK
    assert score(name, *parted(items)) == judged(JUDGES[name](), items)


def test_vectors():
    from deadheat.metrics.bleu import Bleu
    from deadheat.metrics.chrf import ChrF
    from deadheat.metrics.ter import Ter

    for made, function in ((Bleu(), "corpus_bleu_stats"), (ChrF(), "chrf_from_stats")):
        for vector in vectors(TOPIC, function):
            got = made.value(np.sum(vector["input"]["stats"], axis=0, dtype=float))
            assert close(vector, "score", float(got)), vector["name"]
    for vector in vectors(TOPIC, "metric_ratio"):
        rows = np.column_stack((vector["input"]["numerators"], vector["input"]["denominators"]))
        assert close(vector, "score", float(Ter().value(rows.sum(axis=0))))


def test_every_vector_is_used():
    used = {"corpus_bleu_stats", "chrf_from_stats", "metric_ratio"}
    assert {v["function"] for v in vectors(TOPIC)} == used


@every_metric
@pytest.mark.parametrize(
    ("references", "shown"),
    [
        ([("a b",), ("c",)], "nrefs:1"),
        ([("a b", "b"), ("c", "c")], "nrefs:2"),
        ([("a b", "b"), ("c",)], "nrefs:var"),
    ],
)
def test_signature_holds_that_of_sacrebleu(name, references, shown):
    judge = JUDGES[name]()
    judged(judge, [(texts, "a") for texts in references])
    ready = metric(name, normalize="lower,punctuation").with_references(references)
    parts = ready.signature.split("|")
    assert parts[0] == name
    assert "|".join(parts[1:-2]) == str(judge.get_signature())
    assert shown in parts
    assert parts[-2:] == ["norm:lower+punctuation", "v:1"]


@every_metric
def test_signature_before_there_are_references(name):
    made = metric(name)
    ready = made.with_references([("a",)])
    assert made.signature == ready.signature.replace("nrefs:1|", "")


@every_metric
def test_normalization_comes_before_sacrebleu(name):
    references, outputs = [("Ein  Hund, GROSS!",), ("So",)], ["ein hund gross", "SO so"]
    plain = [
        " ".join("".join(c for c in t if c not in ",!").lower().split()) for (t,) in references
    ]
    items = [((text,), output.lower()) for text, output in zip(plain, outputs, strict=True)]
    got = score(name, references, outputs, normalize="lower,punctuation")
    assert got == judged(JUDGES[name](), items)
    mapped = score(
        name, [("okay now then here",)], ["ok now then here"], normalize_map={"ok": "okay"}
    )
    assert mapped == judged(JUDGES[name](), [(("okay now then here",), "okay now then here")])


def test_direction_and_bounds():
    directions = {name: metric(name).greater_is_better for name in JUDGES}
    assert directions == {"bleu": True, "chrf": True, "chrf++": True, "ter": False}
    bounds = {name: metric(name).bounds for name in JUDGES}
    assert bounds == dict.fromkeys(("bleu", "chrf", "chrf++"), (0.0, 100.0)) | {"ter": None}
    assert score("ter", [("a",)], ["b c d"]) == 300.0
    assert {metric(name).name for name in JUDGES} == set(JUDGES)


@pytest.mark.parametrize(
    ("name", "items", "undefined"),
    [
        ("bleu", [(("a",), "")], True),  # no n-gram at all
        ("bleu", [(("a b c",), "a b c")], True),  # none of order 4
        ("bleu", [(("a b c d",), "e f g h")], False),  # no match is a 0 of its own right
        ("bleu", [(("",), "e f g h")], False),
        ("chrf", [(("a",), "")], True),
        ("chrf", [(("",), "a")], True),
        ("chrf", [(("a",), "b")], False),
        ("chrf++", [(("",), "")], True),
        ("ter", [(("",), "a")], True),
        ("ter", [(("",), "")], True),
        ("ter", [(("a",), "")], False),
    ],
)
def test_what_rests_on_0_over_0(name, items, undefined):
    made = metric(name)
    totals = added(made.statistics(*parted(items)))
    assert bool(made.undefined(totals)) is undefined


def test_case_15_unequal_numbers():
    for name in JUDGES:
        for references, outputs in (([("a",)], ["a", "b"]), ([("a",), ("b",)], ["a"])):
            with pytest.raises(MetricError) as raised:
                metric(name).statistics(references, outputs)
            assert f"{len(references)} items and {len(outputs)} outputs" in str(raised.value)


def test_case_53_identical_short_texts():
    # A BLEU of the set leaves no order out, as one of a sentence would; chrF does.
    references, outputs = [("Zhongjian Plaza",)], ["Zhongjian Plaza"]
    assert score("bleu", references, outputs) == 0.0
    assert score("chrf", references, outputs) == 100.0
    assert score("ter", references, outputs) == 0.0


def test_case_54_tokenizers_are_in_the_signature():
    # Of one set, three values far apart; no two of them have one signature.
    items = [
        (("他们昨天在北京见面。",), "昨天他们在北京见面。"),
        (("这个城市有 300 万人口。",), "这城市有 300 万人口。"),
        (("猫坐在垫子上,很安静。",), "猫坐在垫子上,很安静。"),
    ]
    values, signatures = set(), set()
    for tokenize in ("13a", "zh", "char", "intl", "none"):
        got = score("bleu", *parted(items), tokenize=tokenize)
        assert got == judged(bleu(tokenize), items)
        values.add(round(got, 1))
        signatures.add(metric("bleu", tokenize=tokenize).signature)
    assert len(values) >= 3
    assert len(signatures) == 5


@every_metric
@pytest.mark.parametrize(
    ("references", "outputs", "row", "side"),
    [
        ([("a",), ()], ["a", "b"], 1, "reference"),
        ([("a",), "text"], ["a", "b"], 1, "reference"),
        ([("a", "b"), ("c", None)], ["a", "b"], 1, "reference"),
        ([("a",), ("b",)], ["a", None], 1, "output"),
        ([("a",), ("b",)], [1.5, "b"], 0, "output"),
    ],
)
def test_an_item_that_holds_no_text_is_named(name, references, outputs, row, side):
    with pytest.raises(ItemError) as raised:
        metric(name).statistics(references, outputs)
    assert (raised.value.row, raised.value.side) == (row, side)


@every_metric
def test_without_sacrebleu(name, monkeypatch):
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    with pytest.raises(UsageError, match=r"needs sacrebleu.*deadheat\[text\]"):
        metric(name)


@every_metric
def test_no_items(name):
    made = metric(name)
    rows = made.statistics([], [])
    assert rows.shape == (0, len(made.statistics([("a",)], ["a"])[0]))


WMT17 = {
    "uedin-nmt.4722": 28.30,
    "LMU-nmt-reranked.4934": 27.11,
    "SYSTRAN.4847": 26.71,
    "xmu.4910": 26.69,
    "online-B.0": 26.65,
    "LIUM-NMT.4900": 26.60,
    "LMU-nmt-single.4893": 26.56,
    "KIT.4950": 26.08,
    "C-3MA.4959": 22.67,
}
"""BLEU as the README of the data set states it."""


def test_nine_systems_of_wmt17(shared):
    folder = shared / "data" / "wmt17_ende"
    references = [(text,) for text in lines(folder / "newstest2017-ende-ref.de")]
    ready = metric("bleu").with_references(references)
    got = {}
    for system in WMT17:
        outputs = lines(folder / f"newstest2017.{system}.en-de")
        got[system] = float(ready.value(ready.statistics(references, outputs).sum(axis=0)))
    assert {system: round(value, 2) for system, value in got.items()} == WMT17
    outputs = lines(folder / "newstest2017.KIT.4950.en-de")
    items = list(zip(references, outputs, strict=True))
    assert got["KIT.4950"] == judged(bleu(), items)


@pytest.mark.parametrize("name", ["chrf", "chrf++", "ter"])
def test_a_system_of_wmt17(name, shared):
    folder = shared / "data" / "wmt17_ende"
    texts = (
        lines(folder / "newstest2017-ende-ref.de"),
        lines(folder / "newstest2017.C-3MA.4959.en-de"),
    )
    size = 200 if name == "ter" else 3_004
    items = [((reference,), output) for reference, output in zip(*texts, strict=True)][:size]
    assert score(name, *parted(items)) == judged(JUDGES[name](), items)


@pytest.mark.parametrize(
    ("name", "kind", "options", "published"),
    [
        ("bleu", "", {"tokenize": "none"}, (22.44, 24.04)),
        ("bleu", ".detok", {}, (21.71, 23.05)),
        ("chrf", ".detok", {}, (48.34, 45.58)),
    ],
)
def test_compare_mt_where_bleu_and_chrf_disagree(name, kind, options, published, shared):
    folder = shared / "data" / "compare_mt"
    references = [(text,) for text in lines(folder / f"ted.ref{kind}.eng")]
    got = [
        score(name, references, lines(folder / f"ted.{system}{kind}.eng"), **options)
        for system in ("sys1", "sys2")
    ]
    assert tuple(round(value, 2) for value in got) == published
