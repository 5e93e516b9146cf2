"""What counts of a text."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.similarity import normal, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("What is it?", "  what IS\n\tit?  "),
        ("Stra\N{LATIN SMALL LETTER SHARP S}e", "STRASSE"),
        ("caf\N{LATIN SMALL LETTER E WITH ACUTE}", "Cafe\N{COMBINING ACUTE ACCENT}"),
        ("a\N{NO-BREAK SPACE}b", "a b"),
        ("\N{GREEK CAPITAL LETTER SIGMA}", "\N{GREEK SMALL LETTER FINAL SIGMA}"),
    ],
    ids=["case and space", "sharp s", "composed", "no-break space", "final sigma"],
)
def test_the_same_text(one: str, other: str) -> None:
    assert normal(one) == normal(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("2 + 2", "2 - 2"), ("f(x)", "fx"), ("10\N{SUPERSCRIPT TWO}", "102"), ("1.5", "15")],
    ids=["signs", "brackets", "powers", "decimals"],
)
def test_not_the_same_text(one: str, other: str) -> None:
    assert normal(one) != normal(other)


@given(st.text())
def test_normal_texts_stay(text: str) -> None:
    once = normal(text)
    assert normal(once) == once
    assert once == once.strip()
    assert unicodedata.is_normalized("NFC", once)


@given(st.text())
def test_words_are_all_there_is_but_space(text: str) -> None:
    once = normal(text)
    assert "".join(words(once)) == "".join(once.split())


def test_scripts_without_spaces_have_words() -> None:
    assert words("\u6a21\u578b abc \u0e2a\u0e27\u0e31") == [
        "\u6a21", "\u578b", "abc", "\u0e2a", "\u0e27", "\u0e31",
    ]  # fmt: skip
    # Underscores belong to words, as in names of variables.
    assert words("a_b-c") == ["a_b", "-", "c"]
