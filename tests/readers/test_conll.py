"""CoNLL files: sentences with their tags."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import polars as pl
import pytest

from deadheat.errors import FormatError, InputError
from deadheat.evaluation import Answers
from deadheat.readers import read

TWO = "EU\tB-ORG\nrejects\tO\n\nPeter\tB-PER\nBlackburn\tI-PER\n"
TAGS = [["B-ORG", "O"], ["B-PER", "I-PER"]]


def file(tmp_path: Path, data: str | bytes, name: str = "a.conll") -> Path:
    path = tmp_path / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def lists(column: pl.Series | None) -> list[Any]:
    assert column is not None
    assert column.dtype == pl.Binary
    return [msgspec.json.decode(value) for value in column.to_list()]


def answers(path: Path, **options: Any) -> Answers:
    (found,) = read(path, **options).answers
    return found


def test_a_sentence_a_row(tmp_path: Path) -> None:
    found = answers(file(tmp_path, TWO))
    assert lists(found.outputs) == TAGS
    assert (found.system, found.source.format, found.items) == ("a", "conll", None)
    assert found.rows is not None
    assert [found.rows.name(k) for k in (0, 1)] == ["line 1", "line 4"]


@pytest.mark.parametrize("name", ["a.conll", "a.bio", "a.txt", "a", "a.tsv"])
@pytest.mark.parametrize(
    "data",
    [
        TWO,
        TWO.replace("\t", " "),
        TWO.replace("\t", "   "),
        TWO.replace("\n", "\r\n"),
        "\ufeff" + TWO,
        "\n\n" + TWO + "\n\n \n\t\n",
        TWO.replace("\n\n", "\n\t \n\n"),
        TWO.removesuffix("\n"),
        "-DOCSTART- -X- -X- O\n\n" + TWO,
        "-DOCSTART-\tO\n" + TWO,
        "# sent_id = 1\n# text = EU\n" + TWO,
        "# id 7\tdomain=train\n" + TWO.replace("\t", "\t_\t_\t"),
        TWO.replace("\t", "\tNN\tI\t").replace(" ", "\t"),
    ],
)
def test_ways_of_writing_them(tmp_path: Path, name: str, data: str) -> None:
    path = file(tmp_path, data, name)
    options = {} if "\tI\t" not in data else {"output_column": "4"}
    assert lists(answers(path, **options).outputs) == TAGS


def test_tokens_may_be_what_marks_other_things(tmp_path: Path) -> None:
    # Blanks inside a token, blanks that only Unicode knows, brackets, braces and hashes.
    tokens = ["[", "{", "#", "#tag", "10 000", "a\u00a0b", "x\u2028y", "\u3000", '"', ","]
    text = "".join(f"{token}\tB-X\n" for token in tokens) + "\nx\tO\n"
    for name in ("a.conll", "a.txt"):
        found = answers(file(tmp_path, text, name))
        assert lists(found.outputs) == [["B-X"] * len(tokens), ["O"]]
    table = answers(file(tmp_path, text), output_column="tokens")
    assert lists(table.outputs) == [tokens, ["x"]]
    blanks = answers(file(tmp_path, "#\tB-X\na\u00a0b O\n\nx O\n".replace("\t", " "), "b.txt"))
    assert lists(blanks.outputs) == [["B-X", "O"], ["O"]]


def test_a_hash_inside_a_sentence_is_no_comment(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"a.conll, line 2: the line has 4 fields"):
        read(file(tmp_path, "EU B-ORG\n# a comment here\n"))


def test_types_of_any_writing(tmp_path: Path) -> None:
    text = "a\tB-Ünïcode\nb\tI-work of art\nc\tS-A-B\nd\tL-人名\ne\tU-x\nf\tE-x\n"
    assert lists(answers(file(tmp_path, text)).outputs) == [
        ["B-Ünïcode", "I-work of art", "S-A-B", "L-人名", "U-x", "E-x"]
    ]


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("a.tsv", "item\toutput\n1\tB\n2\tO\n", "csv"),
        ("a.tsv", "1\tB-PER\n2\tO\n", "csv"),
        ("a.csv", "item,output\n1,O\n2,B-PER\n", "csv"),
        ("a.txt", "O\n\nB-PER\nO\n", "lines"),
        ("a.txt", "He had vitamin B\n\nHe was in group O\nand he left\n", "lines"),
        ("a.txt", "name O\n\nname A\nname B\nname AB\n", "lines"),
        ("a.conll", '{"output": "O"}\n{"output": "B"}\n', "jsonl"),
        ("a.conll", '[{"output": "O"}]', "json"),
    ],
)
def test_other_formats_stay_what_they_are(tmp_path: Path, name: str, text: str, kind: str) -> None:
    path = file(tmp_path, text, name)
    asked = {"output_column": "2"} if text.startswith("1") else {}
    assert answers(path, **asked).source.format == kind


def test_documents_are_there_where_they_are_asked_for(tmp_path: Path) -> None:
    text = "-DOCSTART- O\n\na B-X\n\nb O\n\n-DOCSTART- O\n\n-DOCSTART- O\nc O\n"
    path = file(tmp_path, text, "out.conll")
    evaluation = read(path, references=file(tmp_path, text, "gold.conll"))
    assert evaluation.answers[0].clusters is None
    (note,) = evaluation.notes
    assert note.code == "cluster_hint"
    assert "3 sentences into 2 documents" in note.message
    by_document = read(path, references=file(tmp_path, text, "gold.conll"), cluster="document")
    assert by_document.references is not None
    for clusters in (by_document.references.clusters, by_document.answers[0].clusters):
        assert clusters is not None
        assert clusters[0] == clusters[1] != clusters[2]
    assert by_document.notes == ()
    # Only the references say where documents begin.
    plain = file(tmp_path, "a B-X\n\nb O\n\nc O\n", "plain.conll")
    beside = read(plain, references=tmp_path / "gold.conll", cluster="document")
    assert beside.references is not None
    assert beside.references.clusters is not None
    with pytest.raises(InputError, match="no column 'document'"):
        read(plain, cluster="document")


def test_sentences_before_the_first_mark_are_a_document(tmp_path: Path) -> None:
    text = "a B-X\n\nb O\n-DOCSTART- O\nc O\n"
    clusters = answers(file(tmp_path, text), cluster="document").clusters
    assert clusters is not None
    assert clusters.to_list() == [1, 1, 2]


def test_columns_of_tags_by_number(tmp_path: Path) -> None:
    both = "EU B-ORG O\nsays O O\n\nPeter B-PER S-PER\n"
    path = file(tmp_path, both)
    with pytest.raises(InputError) as caught:
        read(path)
    message = str(caught.value)
    assert "columns 2 and 3 hold tags" in message
    assert "--reference-column 2 --output-column 3" in message
    found = answers(path, reference_column="2", output_column=3)
    assert lists(found.references) == [["B-ORG", "O"], ["B-PER"]]
    assert lists(found.outputs) == [["O", "O"], ["S-PER"]]
    # What is left is not a guess.
    found = answers(path, reference_column="2")
    assert lists(found.outputs) == [["O", "O"], ["S-PER"]]
    with pytest.raises(InputError, match="there is no column 4; there are 3"):
        read(path, output_column="4", reference_column="2")


def test_a_column_of_chunks_before_that_of_entities(tmp_path: Path) -> None:
    gold = file(tmp_path, "EU NNP B-NP B-ORG\nsays VBZ B-VP O\n\nhe PRP B-NP O\n", "gold.conll")
    out = file(tmp_path, "EU B-ORG\nsays O\n\nhe O\n", "out.conll")
    with pytest.raises(InputError, match=r"gold.conll: columns 3 and 4 hold tags"):
        read(out, references=gold)
    for column in ("4", "tags"):
        evaluation = read(out, references=gold, reference_column=column)
        assert evaluation.references is not None
        assert lists(evaluation.references.values) == [["B-ORG", "O"], ["O"]]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "EU B-ORG\nsays VB O\n",
            r"line 2: the line has 3 fields, and the first token \(line 1\) 2",
        ),
        ("EU B-ORG\n\nsays\n", r"line 3: the line has 1 fields"),
        ("EU\n", r"line 1: the line has one field; a token and its tag"),
        ("EU B-ORG\n\n\nsays X-PER\n", r"line 4: 'X-PER' in column 2 is not a tag"),
        ("EU B-ORG\nsays o\n", r"line 2: 'o' in column 2 is not a tag"),
        ("EU B-\n", r"line 1: 'B-' in column 2 is not a tag"),
        ("EU\tB-ORG \n", r"line 1: 'B-ORG ' in column 2 is not a tag"),
        ("EU\tB-ORG\nsays\t\n", r"line 2: '' in column 2 is not a tag"),
        ("word tag\nEU B-ORG\n", r"line 1: 'tag' in column 2 is not a tag"),
        ("-DOCSTART- O\n\n# nothing\n", r"there is no token"),
        ("EU B-ORG\rsays O\r", r"carriage returns alone"),
    ],
)
def test_bad_files(tmp_path: Path, text: str, found: str) -> None:
    with pytest.raises(FormatError, match=f"a.conll.*{found}"):
        read(file(tmp_path, text))


def test_a_column_that_holds_no_tags(tmp_path: Path) -> None:
    path = file(tmp_path, "EU NNP B-ORG\nsays VBZ O\n")
    with pytest.raises(FormatError, match=r"line 1: 'NNP' in column 2 is not a tag"):
        read(path, output_column="2")


def test_other_encodings(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="line 3 holds byte 0xfc"):
        read(file(tmp_path, "EU\tO\n\nfür\tB-X\n".encode("latin-1")))


def test_conll_2003(shared: Path) -> None:
    # Numbers of sentences, tokens and files from the README of the data set.
    folder = shared / "data" / "conll2003_ner"
    evaluation = read(
        f"elmo={folder}/conll2003-elmo.masked.conll",
        f"flair={folder}/conll2003-flair.masked.conll",
        references=folder / "conll2003-gold.masked.conll",
    )
    assert evaluation.systems == ("elmo", "flair")
    assert evaluation.references is not None
    for column in (evaluation.references.values, *(a.outputs for a in evaluation.answers)):
        tags = lists(column)
        assert (len(tags), sum(map(len, tags))) == (3_453, 46_435)
    gold = lists(evaluation.references.values)
    assert sum(tag.startswith("B-") for tags in gold for tag in tags) == 5_648
