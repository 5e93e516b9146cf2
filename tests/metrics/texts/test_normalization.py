"""Steps of normalisation: right values by hand, by jiwer's list of punctuation and by algebra."""

from __future__ import annotations

import json
import pickle
import string
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jiwer.transforms import _get_punctuation_characters

from deadheat.errors import FormatError, InputError, UsageError
from deadheat.metrics.metric import Settings
from deadheat.metrics.texts.normalization import STEPS, Normalizer, normalizer, read_map

texts = st.text(
    alphabet=st.characters() | st.sampled_from("aAnthe tTsSéİßς'’.-–$ \t\n\r\x85\u3000़")
)
changing = st.lists(st.sampled_from([step for step in STEPS if step != "map"]), max_size=4)


def normalized(text, *steps, mapping=None):
    return normalizer(Settings(name="wer", normalize=steps, normalize_map=mapping))(text)


@pytest.mark.parametrize(
    ("step", "text", "right"),
    [
        ("lower", "ÀB ẞ ΑΣ", "àb ß ας"),
        ("casefold", "Straße ΑΣ", "strasse ασ"),
        ("punctuation", "Life-saving, at $5.50 (or 40%)!", "life saving at 5 50 or 40"),
        ("punctuation", "don't the years' 'twas", "don't the years' 'twas"),
        ("punctuation", "don’t — ‘never’", "don't never"),
        ("punctuation", "snake_case a+b <i>", "snake case a b i"),
        ("punctuation", "नमस्ते, दुनिया।", "नमस्ते दुनिया"),
        ("punctuation", "¿Qué? «oui» 「はい」。", "qué oui はい"),
        ("whitespace", " a\t b\n\nc\u3000\u00a0d\x85 ", "a b c d"),
        ("nfc", "e\u0301", "\u00e9"),
        ("nfd", "\u00e9", "e\u0301"),
        ("nfkc", "ﬁ ①", "fi 1"),
        ("nfkd", "\u1e9b\u0323", "s\u0323\u0307"),
        ("accents", "Crème brûlée, Ångström, São, ñ", "Creme brulee, Angstrom, Sao, n"),
        ("accents", "नमस्ते 각", "नमस्ते 각"),
        ("articles", "The cat and an apple, a theme", "cat and apple, theme"),
        ("articles", "a", ""),
    ],
)
def test_what_a_step_does(step, text, right):
    if step == "punctuation":
        text = text.lower()
    assert normalized(text, step) == right


def test_punctuation_is_that_of_jiwer_and_of_ascii_but_for_apostrophes():
    marks = (set(_get_punctuation_characters()) | set(string.punctuation)) - {"'", "’"}
    assert len(marks) > 800
    kept = {mark for mark in marks if normalized(f"x{mark}y", "punctuation") != "x y"}
    assert not kept


def test_steps_apply_in_their_order():
    assert normalized("The U.S.", "articles", "lower", "punctuation") == "u s"
    # Upper-case sharp s: lower case keeps one letter, folding first makes it two.
    assert normalized("ẞ", "lower", "casefold") == "ss"
    assert normalized("e\u0301", "nfc", "nfd") == "e\u0301"
    assert normalized("e\u0301", "nfd", "nfc") == "\u00e9"


@pytest.mark.parametrize("step", [step for step in STEPS if step != "map"])
@given(text=texts)
@settings(max_examples=60)
def test_a_step_twice_is_a_step(step, text):
    once = normalized(text, step)
    assert normalized(once, step) == once


@given(text=texts, steps=changing)
@settings(max_examples=100)
def test_any_text_survives(text, steps):
    assert isinstance(normalized(text + "\ud800", *steps), str)


@given(text=texts)
@settings(max_examples=100)
def test_forms_are_those_of_unicode(text):
    for form in ("nfc", "nfd", "nfkc", "nfkd"):
        assert normalized(text, form) == unicodedata.normalize(form.upper(), text)


@given(text=texts)
@settings(max_examples=100)
def test_without_steps_nothing_changes(text):
    assert normalized(text) == text


def test_a_map_replaces_whole_words_all_at_once():
    mapping = {"can't": "can not", "not": "can't", "uh": "", "a": "b", "b": "a"}
    assert normalized("uh i can't knot a b uh", mapping=mapping) == "i can not knot b a"


def test_a_map_alone_is_applied_last():
    made = normalizer(Settings(name="wer", normalize=("lower",), normalize_map={"ok": "okay"}))
    assert made.steps == ("lower", "map")
    assert made("OK ok") == "okay okay"
    first = ("map", "lower")
    assert normalized("OK ok", *first, mapping={"ok": "okay"}) == "ok okay"


def test_signature():
    def signature(*steps, mapping=None):
        return normalizer(Settings(name="wer", normalize=steps, normalize_map=mapping)).signature

    assert signature() == ""
    assert signature("lower", "punctuation") == "norm:lower+punctuation"
    one = signature("lower", mapping={"mr": "mister", "é": "e"})
    assert one.startswith("norm:lower+map-")
    assert one == signature("lower", "map", mapping={"é": "e", "mr": "mister"})
    assert one != signature("lower", mapping={"mr": "mister", "é": "a"})
    assert one != signature("lower", mapping={"mr": "mister"})
    assert signature(mapping={"\ud800": "x"}) != signature(mapping={"\ud801": "x"})


def test_it_goes_to_other_processes_and_does_not_change_with_what_it_was_made_of():
    mapping = {"mr": "mister"}
    made = normalizer(Settings(name="wer", normalize=("lower",), normalize_map=mapping))
    mapping["mr"] = "master"
    again = pickle.loads(pickle.dumps(made))
    assert again == made
    assert hash(again) == hash(made)
    assert Normalizer(steps=("map",), mapping={"a": "b"}) != Normalizer(steps=("map",))
    assert again("MR") == made("MR") == "mister"


@pytest.mark.parametrize(
    ("steps", "mapping", "said"),
    [
        (("lowre",), None, "no normalisation step 'lowre'. Did you mean lower?"),
        (("lower", "map"), None, "has no mapping"),
        ((), {}, "is empty"),
        ((), {"New York": "NY"}, "'New York', which is not one word"),
        ((), {"": "x"}, "'', which is not one word"),
        (("lower",), {"Mr": "mister"}, "'Mr', which no text holds after lower: it is 'mr' by then"),
        (("punctuation",), {"U.S.": "us"}, "it is 'U S' by then"),
        (("articles",), {"the": "teh"}, "it is '' by then"),
    ],
)
def test_what_cannot_be_meant_is_refused(steps, mapping, said):
    with pytest.raises(UsageError, match=r"Known|Give|Leave|Name|Write") as caught:
        normalizer(Settings(name="wer", normalize=steps, normalize_map=mapping))
    assert said in str(caught.value)


def test_a_map_before_the_step_is_allowed():
    assert normalized("Mr X", "map", "lower", mapping={"Mr": "mister"}) == "mister x"


def test_unknown_steps_name_the_known_ones():
    with pytest.raises(UsageError) as caught:
        normalizer(Settings(name="wer", normalize=("stem",)))
    for step in STEPS:
        assert step in str(caught.value)


@pytest.mark.parametrize(
    "data",
    [
        json.dumps({"mr": "mister", "can't": "can not", "uh": "", "naïve": "x\u2028y"}).encode(),
        "mr\tmister\ncan't\tcan not\nuh\t\n\nnaïve\tx\u2028y".encode(),
        "mr\tmister\r\ncan't\tcan not\r\nuh\t\r\nnaïve\tx\u2028y\r\n".encode("utf-8-sig"),
        b"\n "
        + json.dumps({"mr": "mister", "can't": "can not"}).encode()[:-1]
        + ', "uh": "", "naïve": "x\u2028y"}\n'.encode(),
    ],
    ids=["json", "columns", "mark and carriage returns", "json in white space"],
)
def test_a_map_is_read(tmp_path, data):
    path = tmp_path / "words"
    path.write_bytes(data)
    right = {"mr": "mister", "can't": "can not", "uh": "", "naïve": "x\u2028y"}
    assert read_map(path) == read_map(str(path)) == right


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty"),
        (b"{}", "is empty"),
        (b"mr\tmister\nmrs missus\n", "line 2: 1 columns parted by tabs"),
        (b"mr\tmister\tmaster\n", "line 1: 3 columns parted by tabs"),
        (b"mr\tmister\n\nmr\tmaster\n", "line 3: the word 'mr' is replaced twice"),
        (b"new york\tny", "line 1: 'new york' is not one word"),
        (b"\tny", "line 1: '' is not one word"),
        ("mr\tmister\nna\u00efve\tx".encode("latin-1"), "line 2: byte 0xef is not UTF-8"),
        (b'{"mr": "mister",\n "mrs" "missus"}', "line 2 column 8"),
        (b'{"mr": "mister", "mr": "master"}', "the word 'mr' is replaced twice"),
        (b'{"mr": {"a": "b"}}', "'mr' is replaced by what is not text"),
        (b'{"mr": 1}', "'mr' is replaced by what is not text"),
        (b'{"a": ' + b"[" * 100_000, "starts as JSON but is none"),
    ],
)
def test_what_is_no_map_is_refused_with_its_place(tmp_path, data, said):
    path = tmp_path / "words.txt"
    path.write_bytes(data)
    with pytest.raises(FormatError) as caught:
        read_map(path)
    assert str(caught.value).startswith(str(path))
    assert said in str(caught.value)
    assert caught.value.fix


def test_a_map_that_is_not_there(tmp_path):
    for path in (tmp_path / "nothing", tmp_path, "\0"):
        with pytest.raises(InputError) as caught:
            read_map(path)
        assert str(path) in str(caught.value)


def test_steps_of_the_class_are_those_of_the_settings():
    assert Normalizer(steps=("lower",))("A") == normalized("A", "lower")
