"""Texts that may be empty, and lines that are nothing but text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from deadheat.errors import FormatError
from deadheat.evaluation import Evaluation
from deadheat.readers import read


def outputs(evaluation: Evaluation) -> list[object]:
    found = evaluation.answers[0].outputs
    assert found is not None
    return found.to_list()


def file(tmp_path: Path, data: str, name: str = "hyp.txt") -> Path:
    path = tmp_path / name
    path.write_bytes(data.encode())
    return path


PIECES = st.sampled_from(["a", "Ä", " ", "\u2028", "\x85", ",", ", ", ";", '"', "[", "1", ".", "#"])
LINES = st.lists(st.lists(PIECES, max_size=6).map("".join), min_size=1, max_size=5)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=LINES, end=st.sampled_from(["\n", "\r\n"]), last=st.booleans())
def test_every_line_is_the_text_it_was(
    tmp_path: Path, lines: list[str], end: str, last: bool
) -> None:
    assume("".join(lines).strip())
    assume(not lines[0].lstrip().startswith("[") and "\n" + lines[-1] + end * last != "\n")
    path = file(tmp_path, end.join(lines) + end * last)
    found = read(path, references=["x"], empty_texts=True)
    assert outputs(found) == lines
    assert found.answers[0].source.format == "lines"
    assert found.answers[0].rows is not None
    assert found.answers[0].rows.name(0) == "line 1"


@pytest.mark.parametrize(
    "lines",
    [
        ["Yes, it is.", "No, no."],  # a comma in every line
        ["answer", "two", "three"],  # the name of a column
        ["Reference, he said.", "No."],
        ["[Applause]", "Thank you."],
        ["[1] As was shown", "[2] elsewhere"],
        ["{laughs}", "So."],
        ['"Quoted," he said', '"so, there"'],
        ["trailing ", "  leading", "", ""],
    ],
)
def test_sentences_are_no_tables(tmp_path: Path, lines: list[str]) -> None:
    path = file(tmp_path, "\n".join(lines) + "\n")
    found = read(path, references=path, empty_texts=True)
    assert outputs(found) == lines
    assert found.references is not None
    assert found.references.values.to_list() == lines


@pytest.mark.parametrize(
    ("name", "text", "options"),
    [
        ("a.txt", "id\toutput\n1\tx\n2\t\n", {}),
        ("a.txt", "text,said\na,x\nb,\n", {"output_column": "said"}),
        ("a.csv", 'id,output\n1,x\n2,""\n', {}),
        ("a.txt", "1;x\n2;\n", {"output_column": 2}),
        ("a.txt", "said\nx\n\n", {"output_column": "said"}),
        ("a.txt", '{"id": 1, "output": "x"}\n{"id": 2, "output": ""}', {}),
        ("a.txt", '[{"id": 1, "output": "x"},\n{"id": 2, "output": ""}]', {}),
        ("a.txt", '["x", ""]', {}),
        ("a.json", '[\n"x",\n""]', {}),
        ("a.csv", "output\nx\n\n", {}),
    ],
)
def test_tables_are_tables_and_blanks_in_them_are_texts(
    tmp_path: Path, name: str, text: str, options: dict[str, str | int]
) -> None:
    found = read(file(tmp_path, text, name), empty_texts=True, **options)  # type: ignore[arg-type]
    assert outputs(found) == ["x", ""]


def test_quoted_or_not_a_blank_is_the_same(tmp_path: Path) -> None:
    text = 'id,output,reference\n1,,""\n2,"",\n3,x,y\n'
    found = read(file(tmp_path, text), empty_texts=True)
    assert outputs(found) == ["", "", "x"]
    assert found.answers[0].references is not None
    assert found.answers[0].references.to_list() == ["", "", "y"]
    assert outputs(read(file(tmp_path, text))) == [None, None, "x"]


def test_a_null_stays_missing(tmp_path: Path) -> None:
    text = '{"id": 1, "output": null, "reference": ""}\n{"id": 2, "output": "", "reference": "x"}'
    found = read(file(tmp_path, text), empty_texts=True)
    assert outputs(found) == [None, ""]


def test_nothing_but_outputs_and_references_is_affected(tmp_path: Path) -> None:
    text = "id,output,score,run,stratum\n1,,,,a\n2,x,1,r,\n"
    (answers,) = read(file(tmp_path, text), empty_texts=True).answers
    assert answers.outputs is not None
    assert answers.scores is not None
    assert answers.runs is not None
    assert answers.strata is not None
    assert answers.outputs.to_list() == ["", "x"]
    assert answers.scores.to_list() == [None, 1.0]
    assert answers.runs.to_list() == [None, "r"]
    assert answers.strata.to_list() == ["a", None]


@pytest.mark.parametrize("empty_texts", [True, False])
def test_references_in_another_encoding_are_named_with_their_line(
    tmp_path: Path, empty_texts: bool
) -> None:
    hypotheses = file(tmp_path, "oui\ncafé\n")
    references = tmp_path / "ref.fr"
    references.write_bytes("oui\ncafé\n".encode("latin-1"))
    with pytest.raises(FormatError, match=r"ref\.fr: line 2 holds byte 0xe9.*iconv -f WINDOWS"):
        read(hypotheses, references=references, empty_texts=empty_texts)
    references.write_bytes("oui\ncafé\n".encode("utf-16"))
    with pytest.raises(FormatError, match=r"ref\.fr: the file is in UTF-16"):
        read(hypotheses, references=references, empty_texts=empty_texts)
