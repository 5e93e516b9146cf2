"""Draws that are equal but for rounding have no distribution to be drawn."""

from __future__ import annotations

import deadheat


def test_draws_that_differ_by_rounding_alone() -> None:
    result = deadheat.compare(
        {"a": [1, 0], "b": [0, 1]}, references=[0.3, 0.7], metric="spearman", n_resamples=99
    )
    assert result.reading.code == "degenerate"
    assert "degenerate" in result.to_html()


def test_a_name_that_no_encoding_has() -> None:
    """Bytes of a file name that are not UTF-8 reach Python as lone surrogates."""
    result = deadheat.score({"a\udcff": [1, 0, 1, 1], "b": [0, 0, 1, 1]})
    assert b'"a\\udcff"' in result.to_json().encode()
    assert "a\\udcff" in result.to_frame()["system"].to_list()


def test_a_paragraph_names_what_no_encoding_has() -> None:
    scores = {"a": [1, 0, 1, 1], "b": [0, 0, 1, 1]}
    text = deadheat.compare(scores, about={"a": {"checkpoint": "c\udcff"}}).to_methods()
    assert text.encode()
    assert "c\\udcff" in text
