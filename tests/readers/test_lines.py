"""One value a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from deadheat.errors import FormatError, InputError
from deadheat.readers import read


def file(tmp_path: Path, data: str, name: str = "a.txt") -> Path:
    path = tmp_path / name
    path.write_bytes(data.encode())
    return path


def test_lines_end_in_line_feeds_only(tmp_path: Path) -> None:
    # CASES 64: "a\u2028b\nc\x85d\ne" is three lines; CASES 65: \r before \n is no text.
    path = file(tmp_path, "a\u2028b\nc\x85d\r\ne\r\n")
    (answers,) = read(path, references=["x", "y", "z"]).answers
    assert answers.outputs is not None
    assert answers.outputs.to_list() == ["a\u2028b", "c\x85d", "e"]
    assert answers.items is None
    assert (answers.system, answers.source.format) == ("a", "lines")


def test_sentences_with_commas_are_lines(tmp_path: Path) -> None:
    text = "Yes, it is.\nNo.\nWell, no, perhaps.\n"
    (answers,) = read(file(tmp_path, text), references=["x", "y", "z"]).answers
    assert answers.outputs is not None
    assert answers.outputs.to_list() == text.splitlines()


def test_an_empty_line_is_no_output(tmp_path: Path) -> None:
    (answers,) = read(file(tmp_path, "yes\n\nno\n"), references=["yes", "no", "no"]).answers
    assert answers.outputs is not None
    assert answers.outputs.to_list() == ["yes", None, "no"]


def test_numbers_are_scores_unless_there_are_references(tmp_path: Path) -> None:
    path = file(tmp_path, "1\n0\nNA\n0,5\n")
    (answers,) = read(path).answers
    assert answers.outputs is None
    assert answers.scores is not None
    assert answers.scores.to_list() == [1.0, 0.0, None, 0.5]
    (answers,) = read(path, references=["1", "1", "0", "0"]).answers
    assert answers.scores is None
    assert answers.outputs is not None
    assert answers.outputs.to_list() == ["1", "0", "NA", "0,5"]
    (answers,) = read(path, output_column=1).answers
    assert answers.scores is None


def test_a_word_among_numbers_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a.txt, line 3: 'x' is not a number"):
        read(file(tmp_path, "1\n0\nx\n1\n"))


def test_the_name_of_a_column_is_a_header_unless_it_is_a_label(tmp_path: Path) -> None:
    (answers,) = read(file(tmp_path, "score\n1\n0\n")).answers
    assert answers.scores is not None
    assert answers.scores.to_list() == [1.0, 0.0]
    labels = ["target", "no", "target"]
    (answers,) = read(file(tmp_path, "target\nno\ntarget\n"), references=labels).answers
    assert answers.outputs is not None
    assert answers.outputs.to_list() == labels
    with pytest.raises(FormatError, match=r"a header \(score\) and no row"):
        read(file(tmp_path, "score\n"))
