"""Class G of the faults of other tools: conventions of metrics, for every metric they can meet."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jiwer
import numpy as np
import pytest
import sacrebleu
from scipy import stats
from seqeval.metrics import f1_score
from sklearn import metrics as judge

import deadheat
from calls import call, strict
from cases.data import Write, codes, said
from cases.scoring import PERFECT, TEXTS, scored, value

# --- 53: identical short texts --------------------------------------------------------------------

SHORT = ["Zhongjian Plaza"]


@pytest.mark.parametrize("metric", TEXTS)
def test_two_words_that_are_right(metric: str) -> None:
    """Row 53: BLEU of identical texts is 0 where there are no four words; no other metric is."""
    found = scored(SHORT, SHORT, metric)
    assert found["systems"][0]["value"] == (0.0 if metric == "bleu" else PERFECT.get(metric, 1.0))
    assert ("undefined_metric" in codes(found)) == (metric == "bleu")


def test_bleu_of_short_texts_is_that_of_the_corpus() -> None:
    """Row 53: no effective order, and the signature says so."""
    found = scored(SHORT, SHORT, "bleu")
    assert found["systems"][0]["value"] == sacrebleu.corpus_bleu(SHORT, [SHORT]).score
    assert "|eff:no|" in found["metric"]["signature"]
    longer = [*SHORT, "one two three four"]
    assert value(longer, longer, "bleu") == pytest.approx(100.0, rel=1e-12)


# --- 54: the same data under other settings -------------------------------------------------------

ZH = ["猫坐在垫子上。", "我喜欢机器学习", "Hello, wörld!"]
ZH_OUT = ["猫 坐在 垫子上。", "我喜欢 学习 机器", "hello world"]
SPLIT = [["B-A", "I-A", "O", "B-B"]]
JOINED = [["I-A", "I-A", "O", "B-B"]]
SETTINGS: list[tuple[str, str, list[Any], Any, Any]] = [
    ("bleu", "tokenize", ["13a", "zh", "char", "none", "intl"], ZH_OUT, ZH),
    ("wer", "normalize", ["lower", "punctuation", "lower,punctuation"], ZH_OUT, ZH),
    ("cer", "normalize", ["whitespace", "accents", "accents,lower"], ZH_OUT, ZH),
    ("chrf", "normalize", ["lower", "accents"], ZH_OUT, ZH),
    ("exact_match", "normalize", ["lower", "lower,accents,punctuation"], ZH_OUT, ZH),
    ("span_f1", "scheme", ["conll", "bio", "bioes", "iob1"], JOINED, SPLIT),
    ("ece", "bins", [1, 2, 15], [0.1, 0.6, 0.7, 0.9], [0, 1, 0, 1]),
    ("win_rate", "ties", ["half", "win", "loss", "drop"], [1, 1, 0.5, 0, 0.5], None),
    ("f1", "positive", ["x", "y"], list("xxyxy"), list("xyyyy")),
    ("macro_f1", "labels", [("x", "y"), ("x",), ("x", "y", "z")], list("xxyx"), list("xyyy")),
    ("macro_precision", "zero_division", [0.0, 1.0, math.nan], list("xxzz"), list("xxyy")),
]


@pytest.mark.parametrize(
    ("metric", "option", "choices", "outputs", "references"),
    SETTINGS,
    ids=[f"{metric} {option}" for metric, option, *_ in SETTINGS],
)
def test_no_two_numbers_share_a_signature(
    metric: str, option: str, choices: list[Any], outputs: Any, references: Any
) -> None:
    """Row 54: what changes the value changes the signature."""
    found = [
        scored(outputs, references, metric, **{option: choice, "method": "percentile"})
        for choice in choices
    ]
    assert len({card["metric"]["signature"] for card in found}) == len(choices)
    assert len({card["systems"][0]["value"] for card in found}) > 1
    assert all(card["metric"]["signature"] in card["signature"] for card in found)


@pytest.mark.parametrize("tokenize", ["13a", "zh", "char", "none", "intl"])
def test_tokenisers_are_those_of_sacrebleu(tokenize: str) -> None:
    """Row 54: and the version of sacrebleu is in the signature."""
    right = sacrebleu.corpus_bleu(ZH_OUT, [ZH], tokenize=tokenize).score
    found = scored(ZH_OUT, ZH, "bleu", tokenize=tokenize)
    assert found["systems"][0]["value"] == right
    assert f"|version:{sacrebleu.__version__}|" in found["metric"]["signature"]


def test_maps_of_words_are_told_apart() -> None:
    """Row 54: two maps under the same steps."""
    maps = ({"a": "b"}, {"a": "c"})
    cards = [scored(["a"], ["b"], "wer", normalize="map", normalize_map=m) for m in maps]
    assert [card["systems"][0]["value"] for card in cards] == [0.0, 1.0]
    assert cards[0]["metric"]["signature"] != cards[1]["metric"]["signature"]


def test_settings_that_changed_are_not_the_same_record(
    write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Row 54: a record made with another tokeniser does not pass for this one."""
    for name, texts in (("a.txt", ZH_OUT), ("r.txt", ZH)):
        write(name, "".join(f"{text}\n" for text in texts))
    files = ("score", tmp_path / "a.txt", "--reference", tmp_path / "r.txt", "--metric", "bleu")
    record = tmp_path / "r.json"
    assert call(capsys, *files, "--tokenize", "zh", "--record", record).code == 0
    assert call(capsys, "verify", record).code == 0
    text = record.read_text(encoding="utf-8")
    record.write_text(text.replace('"tokenize": "zh"', '"tokenize": "13a"'), encoding="utf-8")
    done = call(capsys, "verify", record, "--format", "json")
    assert done.code == 1
    assert "settings" in done.json["changed"]


# --- 55: the value is that of the data ------------------------------------------------------------

WORDS = ["the cat sat", "on the mat", "and then it", "ran off", "to the sea"] * 4
GIVEN = ["the cat sat", "on a mat", "and it ran", "off", "to see the sea"] * 4
LABELS = list("xyxyzxxyyx") * 2
PUT_OUT = list("xyyyzxxxyz") * 2
TRUTHS = [0, 1, 1, 0, 1] * 4
CONFIDENCES = [0.1, 0.4, 0.9, 0.6, 0.7, 0.2, 0.8, 0.5, 0.3, 0.35] * 2

OF_ALL: list[tuple[str, Any, Any, Callable[[], float]]] = [
    ("rouge1", GIVEN, WORDS, lambda: np.mean([1, 2 / 3, 2 / 3, 2 / 3, 6 / 7])),
    ("wer", GIVEN, WORDS, lambda: jiwer.wer(WORDS, GIVEN)),
    ("bleu", GIVEN, WORDS, lambda: sacrebleu.corpus_bleu(GIVEN, [WORDS]).score),
    ("macro_f1", PUT_OUT, LABELS, lambda: judge.f1_score(LABELS, PUT_OUT, average="macro")),
    ("auroc", CONFIDENCES, TRUTHS, lambda: judge.roc_auc_score(TRUTHS, CONFIDENCES)),
    ("spearman", CONFIDENCES, TRUTHS, lambda: stats.spearmanr(TRUTHS, CONFIDENCES)[0]),
]


@pytest.mark.parametrize(
    ("metric", "outputs", "references", "right"), OF_ALL, ids=[case[0] for case in OF_ALL]
)
def test_the_value_is_no_aggregate_of_resamples(
    metric: str, outputs: Any, references: Any, right: Callable[[], float]
) -> None:
    """Row 55: the same for every seed and number of resamples, and what the judge says."""
    found = {
        value(outputs, references, metric, rng=seed, n_resamples=n, method=method)
        for seed, n, method in ((0, 99, "auto"), (1, 99, "percentile"), (2, 499, "basic"))
    }
    assert len(found) == 1
    assert found.pop() == pytest.approx(float(right()), rel=1e-12)


# --- 56: texts without a word ---------------------------------------------------------------------

HINDI = ["नमस्ते दुनिया", "hello world"]


@pytest.mark.parametrize("metric", ["rouge1", "rouge2", "rougeL"])
def test_rouge_says_where_it_sees_no_word(metric: str) -> None:
    """Row 56: identical text of another script scores 0, which is said with counts."""
    found = scored(HINDI, HINDI, metric)
    assert found["systems"][0]["value"] == 0.5
    assert "1 of 2 outputs" in said(found)
    assert "no_tokens" in codes(found)
    assert "no_tokens" not in codes(scored(HINDI[1:], HINDI[1:], metric))


@pytest.mark.parametrize("metric", sorted({*TEXTS} - {"rouge1", "rouge2", "rougeL", "bleu"}))
def test_other_metrics_see_words_of_every_script(metric: str) -> None:
    """Row 56: the same text is perfect."""
    assert value(HINDI, HINDI, metric) == PERFECT.get(metric, 1.0)


def test_rouge_strips_what_is_not_ascii() -> None:
    """Row 56: "café" and "caf" are one word to it, as to the judge."""
    assert value(["el caf"], ["el café"], "rouge1") == 1.0


# --- 57, 58: spans --------------------------------------------------------------------------------

GOLD = [["B-PER", "I-PER", "O"]]
INSIDE = [["I-PER", "I-PER", "O"]]
OUTSIDE = [["O", "O"]] * 6


def test_default_and_strict_reading_of_tags() -> None:
    """Row 58: a span that begins with I- counts, or under strict BIO does not; both are said."""
    assert value(INSIDE, GOLD, "span_f1") == f1_score(GOLD, INSIDE) == 1.0
    strictly = scored(INSIDE, GOLD, "span_f1", scheme="bio")
    assert strictly["systems"][0]["value"] == 0.0
    assert "tags_in_no_span" in codes(strictly)
    assert "scheme:bio" in strictly["signature"]


@pytest.mark.parametrize("zero_division", [0.0, 1.0, math.nan])
@pytest.mark.parametrize("metric", ["span_f1", "span_precision", "span_recall"])
def test_nothing_to_find_and_nothing_found(metric: str, zero_division: float) -> None:
    """Row 58: 0 by default, else what zero division says, and noted."""
    found = scored(OUTSIDE, OUTSIDE, metric, zero_division=zero_division, method="percentile")
    right = None if math.isnan(zero_division) else zero_division
    assert found["systems"][0]["value"] == right
    assert "undefined_metric" in codes(found)


def test_resamples_without_a_span_are_counted() -> None:
    """Row 58: one item of ten has spans, so that about 0.9^10 of the resamples have none."""
    gold = [["B-X"], *[["O"]] * 9]
    found = deadheat.compare(
        gold, gold, references=gold, metric="span_f1", n_resamples=4_999, method="percentile"
    ).to_dict()
    share = found["resampling"]["undefined"] / 4_999
    assert share == pytest.approx(0.9**10, abs=5 * math.sqrt(0.35 * 0.65 / 4_999))
    assert "undefined_resamples" in codes(found)


def test_types_only_put_out_count_in_a_macro_average() -> None:
    """Row 57: as in seqeval, unless --labels names the types that count."""
    gold, given = [["B-A", "O", "B-B"]] * 4, [["B-A", "B-C", "B-B"]] * 4
    right = f1_score(gold, given, average="macro")
    assert right == pytest.approx(2 / 3)
    assert value(given, gold, "macro_span_f1") == pytest.approx(right, rel=1e-12)
    assert value(given, gold, "macro_span_f1", labels=("A", "B")) == 1.0


# --- 59: rates above 1 ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metric", "right"), [("wer", 2.0), ("cer", 6 / 5), ("ter", 200.0)], ids=["wer", "cer", "ter"]
)
def test_rates_above_one_are_not_cut(metric: str, right: float) -> None:
    """Row 59: "no fry" for "fries" is two edits of one word."""
    assert value(["no fry"], ["fries"], metric) == pytest.approx(right)


def test_an_interval_of_an_error_rate_may_pass_one() -> None:
    """Row 59: neither cut nor called out of range."""
    references, outputs = ["a"] * 12, ["x y z", "a", "x y", "a"] * 3
    found = scored(outputs, references, "wer", n_resamples=999)
    row = found["systems"][0]
    assert row["value"] == jiwer.wer(references, outputs) == 1.25
    assert row["interval"]["high"] > 1.5
    assert "out_of_range" not in codes(found)


# --- 60: what is said twice -----------------------------------------------------------------------

TWICE: list[tuple[str, Any, Any, float]] = [
    ("squad_em", ["td td"], ["td"], 0.0),
    ("squad_f1", ["td td"], ["td"], 2 / 3),
    ("rouge1", ["td td"], ["td"], 2 / 3),
    ("wer", ["td td"], ["td"], 1.0),
    ("span_f1", [[[0, 2, "P"], [0, 2, "P"]]], [[[0, 2, "P"]]], 2 / 3),
    ("span_f1", [[[0, 4, "P"]]], [[[0, 2, "P"], [2, 4, "P"]]], 0.0),
    ("span_recall", [[[0, 2, "P"], [0, 2, "P"]]], [[[0, 2, "P"], [4, 6, "P"]]], 0.5),
]


@pytest.mark.parametrize(("metric", "outputs", "references", "right"), TWICE)
def test_repeating_oneself_does_not_pay(
    metric: str, outputs: Any, references: Any, right: float
) -> None:
    """Row 60: each word and each span is matched once."""
    assert value(outputs, references, metric) == pytest.approx(right, rel=1e-12)


def test_words_said_again_are_clipped() -> None:
    """Row 60: "the" seven times has the one match of each "the" of the reference."""
    output, reference = ["the the the the the the the"], ["the cat is on the mat today"]
    for metric, make in (("bleu", sacrebleu.BLEU), ("chrf", sacrebleu.CHRF)):
        assert value(output, reference, metric) == make().corpus_score(output, [reference]).score


@pytest.mark.parametrize("metric", ["ndcg@3", "mrr", "recall@3"])
def test_a_document_retrieved_twice_is_refused(metric: str) -> None:
    """Row 60: a recall of 2 of 1 is none."""
    with pytest.raises(deadheat.DeadheatError, match="named twice"):
        value([["d1", "d1"]], [["d1"]], metric)


# --- 61: undefined is not a number ----------------------------------------------------------------

SAME = [0.5] * 6
RISING = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
UNDEFINED: list[tuple[str, Any, Any, dict[str, Any]]] = [
    ("auroc", CONFIDENCES, [0] * 20, {"positive": 1}),
    ("auroc", CONFIDENCES, [1] * 20, {}),
    ("average_precision", CONFIDENCES, [0] * 20, {"positive": 1}),
    *((name, SAME, RISING, {}) for name in ("pearson", "spearman", "kendall")),
    *((name, RISING, SAME, {}) for name in ("pearson", "spearman", "kendall")),
    ("wer", ["a"] * 3, [""] * 3, {}),
    ("cer", [""] * 3, [""] * 3, {}),
    ("win_rate", [0.5] * 4, None, {"ties": "drop"}),
    ("cohen_kappa", [0] * 4, [0] * 4, {}),
    ("span_f1", OUTSIDE, OUTSIDE, {"zero_division": math.nan}),
]


@pytest.mark.parametrize(
    ("metric", "outputs", "references", "options"),
    UNDEFINED,
    ids=[f"{case[0]}-{number}" for number, case in enumerate(UNDEFINED)],
)
def test_undefined_is_null_with_a_reason(
    metric: str, outputs: Any, references: Any, options: dict[str, Any]
) -> None:
    """Row 61: no NaN, no 0 and no 1 by accident, no interval and no p-value."""
    row = scored(outputs, references, metric, **options)["systems"][0]
    assert (row["value"], row["standard_error"]) == (None, None)
    assert (row["interval"]["low"], row["interval"]["high"]) == (None, None)
    given = {"n_resamples": 99, **options}
    found = deadheat.compare(outputs, outputs, references=references, metric=metric, **given)
    told = strict(found.to_json())
    assert told["difference"]["estimate"] is None
    assert told["difference"]["p_value"] is None
    assert all(test["p_value"] is None for test in told["tests"])
    assert "undefined_metric" in codes(told)
    assert told["reading"]["code"] == "degenerate"
    assert "nan" not in re.sub(r"\|zd:nan", "", found.to_text()).lower().split()
