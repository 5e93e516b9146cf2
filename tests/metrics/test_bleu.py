"""What BLEU does beside scoring: tokenisers, words tokenised one by one, remarks."""

from __future__ import annotations

import importlib.util
import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from deadheat.errors import UsageError
from deadheat.metrics import metric
from deadheat.metrics.bleu import Bleu
from deadheat.metrics.texts import tokenization
from deadheat.metrics.texts.tokenization import Tokens
from metrics.translations import added, bleu, corpora, judged, parted, texts


@given(st.lists(texts(), max_size=4))
@example(["-<skipped>\nb", "a -\n b", "x-\n", "-\n"])
@example(["<skip ped>", "<skipped>", "a<skipped>.5", "&amp;quot;", "&amp ;"])
@example([".5 5. a.5 5.a 1.2.3 ... .,., -5 5- 5--5 a-b", "\t.5\t", "5.\x1c.5", ".\xa0.", "\x85,1,"])
@settings(max_examples=300)
def test_word_by_word_is_the_same_as_whole_texts(several):
    judge = bleu().tokenizer
    tokens = Tokens.named("13a").knowing(several)
    for text in several:
        assert tokens(text) == judge(text.rstrip()).split()


@pytest.mark.parametrize("free", [range(0xE000, 0xE001), range(0)])
def test_words_are_kept_apart_by_a_character_that_none_of_them_holds(free, monkeypatch):
    monkeypatch.setattr(tokenization, "PRIVATE", (free,))
    several = ["one, two", "\ue000 \ue000,three", "(a\ue000b)"]
    tokens = Tokens.named("13a").knowing(several)
    assert [tokens(text) for text in several] == [
        ["one", ",", "two"],
        ["\ue000", "\ue000", ",", "three"],
        ["(", "a\ue000b", ")"],
    ]


@pytest.mark.parametrize("tokenize", ["none", "char", "zh", "intl"])
@given(items=corpora(most=2))
@settings(max_examples=40)
def test_other_tokenizers(tokenize, items):
    made = metric("bleu", tokenize=tokenize)
    got = float(made.value(added(made.statistics(*parted(items)))))
    assert got == judged(bleu(tokenize), items)


def test_the_default_is_13a():
    assert metric("bleu") == metric("bleu", tokenize="13a")
    assert "tok:13a" in metric("bleu").signature.split("|")


def test_an_unknown_tokenizer():
    with pytest.raises(UsageError, match=r"no tokeniser '13b'.*Did you mean 13a"):
        metric("bleu", tokenize="13b")


@pytest.mark.parametrize("tokenize", ["spm", "flores101", "flores200", "spBLEU-1K"])
def test_nothing_is_fetched(tokenize, monkeypatch, tmp_path):
    monkeypatch.setattr("sacrebleu.utils.SACREBLEU_DIR", str(tmp_path))
    monkeypatch.setattr("sacrebleu.tokenizers.tokenizer_spm.download_file", pytest.fail)
    with pytest.raises(UsageError, match="nothing is fetched") as raised:
        metric("bleu", tokenize=tokenize)
    assert str(tmp_path) in str(raised.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("tokenize", "package"), [("ja-mecab", "MeCab"), ("ko-mecab", "mecab_ko")])
def test_a_tokenizer_whose_package_is_not_installed(tokenize, package):
    if importlib.util.find_spec(package):
        pytest.skip(f"{package} is installed")
    with pytest.raises(UsageError, match=f"{tokenize} does not work here.*pip install"):
        metric("bleu", tokenize=tokenize)


def test_smoothing_and_penalty_by_hand():
    # 6 tokens for 8; 5, 2, 0 and 0 matches of 6, 5, 4 and 3: halved once, then twice.
    totals = np.array([6, 8, 5, 2, 0, 0, 6, 5, 4, 3], dtype=float)
    product = (5 / 6) * (2 / 5) * (1 / 2 / 4) * (1 / 4 / 3)
    expected = 100 * math.exp(1 - 8 / 6) * product ** (1 / 4)
    assert float(Bleu().value(totals)) == pytest.approx(expected, rel=1e-14)


def test_the_closest_reference_sets_the_length():
    # Of lengths 2 and 6, both 2 away from 4, the shorter one counts; then 5 is closer.
    made = Bleu()
    references = [("a b", "a b c d e f"), ("a b", "a b c d e")]
    rows = made.statistics(references, ["a b c d", "a b c d"])
    assert rows[:, :2].tolist() == [[4, 2], [4, 5]]


def test_an_n_gram_counts_as_often_as_in_the_reference_that_has_it_most():
    row = Bleu().statistics([("a a b", "a b b", "a")], ["a a a b b b"])[0]
    assert row[2] == 2 + 2


def test_outputs_that_look_tokenized_are_remarked():
    outputs = ["It ends here ."] * 100
    references = [("It ends here.",)] * 100
    (note,) = metric("bleu").remarks("x", references, outputs)
    assert note.code == "tokenized_outputs"
    assert "100 outputs of x" in note.message
    assert metric("bleu").remarks("x", references[:99], outputs[:99]) == ()
    assert metric("bleu", tokenize="none").remarks("x", references, outputs) == ()
