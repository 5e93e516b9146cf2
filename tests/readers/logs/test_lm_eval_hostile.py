"""Samples of lm-evaluation-harness that are cut off, broken, or not what they seem."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import deadheat
from deadheat.errors import DeadheatError, FormatError, InputError
from deadheat.readers import read
from readers.logs.builders import lm_eval as made

NAME = f"samples_t_{made.FIRST}.jsonl"
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n"


def rows(n: int = 3, **more: Any) -> list[dict[str, Any]]:
    return made.task_samples("t", {"none": {"acc": [1.0] * n}}, **more)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return made.lines(tmp_path / NAME, rows())


@pytest.mark.parametrize("cut", [3, 40, 200])
def test_a_last_line_that_is_cut_off(path: Path, cut: int) -> None:
    path.write_bytes(path.read_bytes()[:-cut])
    with pytest.raises(FormatError, match=r"line 3: the line is cut off.*still being written"):
        read(path)


def test_a_last_line_without_its_end_is_whole(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])
    (answers,) = read(path).answers
    assert answers.items is not None
    assert len(answers.items) == 3


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("doc_id", "0", "Expected `int`, got `str`"),
        ("doc_id", "0", "Write doc_id as a whole number, as the tool does."),
        ("doc_id", None, "Expected `int`, got `null`"),
        ("doc_id", 1.5, "Expected `int`"),
        ("doc_id", 2**63, "Expected `int` <= 9223372036854775807"),
        ("doc_id", 10**40, "Expected `int`"),
        ("filter", 3, "Expected `str | null`, got `int`"),
        ("doc_hash", ["a"], "Expected `str | null`, got `array`"),
    ],
)
def test_fields_of_another_type(path: Path, field: str, value: Any, said: str) -> None:
    given = rows()
    given[1][field] = value
    made.lines(path, given)
    with pytest.raises(FormatError) as caught:
        read(path)
    assert f"{NAME}, line 2: the line is not a sample of lm-evaluation-harness" in str(caught.value)
    assert said in str(caught.value)


@pytest.mark.parametrize("metrics", [None, "acc", 3, {"acc": 1}, ["acc", 3, None], []])
def test_lists_of_metrics_that_are_none(path: Path, metrics: Any) -> None:
    given = rows()
    given[1]["metrics"] = metrics
    made.lines(path, given)
    (answers,) = read(path).answers
    assert answers.scores is not None
    assert answers.scores.to_list() == [1.0] * 3


@pytest.mark.parametrize("line", ["7", "[]", '"text"', "null", "{}", "{", "\x00", "{}{}"])
def test_lines_that_are_no_samples(path: Path, line: str) -> None:
    text = path.read_text().splitlines()
    path.write_text("\n".join([*text[:2], line, text[2]]) + "\n")
    with pytest.raises(FormatError, match=f"{NAME}, line 3"):
        read(path)


def test_blank_lines_count_and_are_no_samples(path: Path) -> None:
    text = path.read_text().splitlines()
    path.write_text(f"\n{text[0]}\n   \r\n{text[1]}\r\n\n\n{text[2][:-9]}")
    with pytest.raises(FormatError, match="line 7: the line is cut off"):
        read(path)


def test_nesting_without_end(path: Path) -> None:
    deep = "[" * 100_000 + "]" * 100_000
    path.write_text(path.read_text().replace('"target": "1"', f'"target": {deep}'))
    with pytest.raises(FormatError, match=r"line 2.*(nested too deeply|maximum recursion)"):
        read(path)


def test_bytes_that_are_not_utf8(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data.replace(b"What is 1", b"What is \xff"))
    (answers,) = read(path).answers
    assert answers.items is not None
    assert len(answers.items) == 3
    path.write_bytes(data.replace(b'"filter": "none"', b'"filter": "n\xffne"'))
    with pytest.raises(FormatError, match=r"line 1.*(UTF-8|utf-8|unicode)"):
        read(path)


def test_a_byte_order_mark(path: Path) -> None:
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    (answers,) = read(path).answers
    assert answers.source.format == "lm_eval"


def test_fields_of_a_version_to_come(path: Path) -> None:
    given = [row | {"sample_len": 3, "usage": {"tokens": 5}, "version": "1.0"} for row in rows()]
    made.lines(path, given)
    evaluation = read(path)
    assert evaluation.answers[0].scores is not None
    assert evaluation.answers[0].scores.to_list() == [1.0] * 3
    assert not [note for note in evaluation.notes if note.code == "other_scores"]


def test_more_metrics_than_a_task_has(path: Path) -> None:
    given = [row | {"metrics": [f"m{k}"]} for k, row in enumerate(rows(1_200))]
    made.lines(path, given)
    with pytest.raises(FormatError, match="more than 1,000 metrics"):
        read(path)


def test_a_line_that_does_not_end(path: Path) -> None:
    long = json.dumps(rows(1)[0] | {"resps": "x" * (65 << 20)})
    with path.open("a") as file:
        file.write(long + "\n")
    with pytest.raises(FormatError, match="line 4: the line is longer than 64 MB"):
        read(path)


def test_a_first_sample_longer_than_what_is_looked_at(path: Path) -> None:
    made.lines(path, rows(2, text="x" * (3 << 20)))
    (answers,) = read(path).answers
    assert answers.source.format == "lm_eval"
    assert answers.items is not None
    assert answers.items.to_list() == [0, 1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("[]", "0 rows"),
        ("[\n]\n", "0 rows"),
        (POINTER, "Git LFS pointer"),
    ],
)
def test_files_without_samples(path: Path, text: str, said: str) -> None:
    path.write_text(text)
    with pytest.raises(InputError, match=said):
        read(path)


def test_arrays_that_are_cut_off_or_hold_something_else(tmp_path: Path) -> None:
    path = made.array(tmp_path / "m_t.jsonl", rows(era="array"))
    text = path.read_text()
    path.write_text(text[:-20])
    with pytest.raises(FormatError, match="truncated"):
        read(path)
    path.write_text(text.replace('"doc_id": 1', '"doc_id": "1"'))
    with pytest.raises(FormatError, match="sample 2: the entry is not a sample"):
        read(path)
    path.write_text(text[:-2] + ", 7]")
    with pytest.raises(FormatError, match="sample 4"):
        read(path)


@pytest.mark.parametrize(
    "content",
    [
        {},
        [],
        {"results": 3},
        {"results": {"t": 3}, "configs": 3, "versions": [], "n-shot": "a", "config": None},
        {"results": {"t": {"acc,none": "N/A"}}, "configs": {"t": {"metric_list": 3}}},
        {"results": {"t": {"acc,none": None}}, "configs": {"t": {"metric_list": [3, {}]}}},
        {"results": {"t": {}}, "model_name": ["a"], "date": "yesterday", "task_hashes": {"t": 3}},
        {"results": {"t": {"acc,none": True}}, "date": 1e300, "n-samples": {"t": 3}},
    ],
)
def test_results_of_another_shape(path: Path, content: Any) -> None:
    (path.parent / f"results_{made.FIRST}.json").write_text(json.dumps(content))
    (answers,) = read(path).answers
    assert answers.scores is not None
    assert answers.scores.to_list() == [1.0] * 3


def test_a_pointer_in_place_of_results(path: Path) -> None:
    (path.parent / f"results_{made.FIRST}.json").write_text(POINTER)
    evaluation = read(path)
    assert "results_unread" in {note.code for note in evaluation.notes}


def test_links_that_lead_in_a_circle(tmp_path: Path) -> None:
    place = made.run(tmp_path, "m", {"t": {"none": {"acc": [1.0, 0.0]}}})
    (place / "again").symlink_to(tmp_path, target_is_directory=True)
    (answers,) = read(tmp_path).answers
    assert answers.items is not None
    assert len(answers.items) == 2


def test_a_thousand_mutations_are_read_or_refused(tmp_path: Path) -> None:
    """No more than a message comes of whatever is in the file."""
    rng = random.Random(0)
    originals = [
        made.lines(tmp_path / "a.jsonl", rows()).read_bytes(),
        made.lines(tmp_path / "b.jsonl", rows(era="unlabelled")).read_bytes(),
        made.array(tmp_path / "c.jsonl", rows(era="array")).read_bytes(),
    ]
    path = tmp_path / NAME
    done = {True: 0, False: 0}
    for at in range(1_000):
        data = bytearray(originals[at % 3])
        for _ in range(rng.randint(1, 4)):
            start = rng.randrange(len(data))
            end = start + rng.choice([0, 1, 1, 5, 50])
            data[start:end] = rng.choice(
                [b"", b"[", b"}", b'"', b"\n", b"NaN", b"null", b"-1", b"\\", b"\xff", b"9" * 30]
            )
        path.write_bytes(data)
        try:
            read(path)
        except DeadheatError:
            done[False] += 1
        else:
            done[True] += 1
    assert min(done.values()) > 50


def test_two_files_of_one_model_are_two_of_a_name(path: Path, tmp_path: Path) -> None:
    other = made.lines(tmp_path / f"samples_u_{made.FIRST}.jsonl", rows())
    with pytest.raises(InputError, match=r"two systems are called.*NAME=PATH"):
        deadheat.compare(str(path), str(other))
