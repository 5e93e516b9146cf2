"""A folder as a source: which of its files are systems, runs, or nothing to read."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from deadheat.errors import InputError
from deadheat.evaluation import Evaluation
from deadheat.readers import read
from deadheat.readers.listing import listing


def table(
    path: Path, items: Iterable[Any], scores: Iterable[Any], **columns: Iterable[Any]
) -> Path:
    """Write a CSV file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    names = ["item", "score", *columns]
    rows = [",".join(map(str, row)) for row in zip(items, scores, *columns.values(), strict=True)]
    path.write_text("\n".join([",".join(names), *rows]) + "\n", encoding="utf-8")
    return path


def found(evaluation: Evaluation) -> dict[str, list[Any]]:
    return {a.system: a.scores.to_list() for a in evaluation.answers if a.scores is not None}


def said(evaluation: Evaluation, code: str) -> str:
    (message,) = [note.message for note in evaluation.notes if note.code == code]
    return message


def test_files_and_folders_are_systems(tmp_path: Path) -> None:
    table(tmp_path / "b.csv", "xy", [1, 0])
    table(tmp_path / "a" / "deep" / "down.csv", "xy", [0, 0])
    rows = [{"item": "x", "model": m, "score": k} for k, m in enumerate("cd")]
    (tmp_path / "long.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    evaluation = read(tmp_path)
    assert found(evaluation) == {"a": [0, 0], "b": [1, 0], "c": [0], "d": [1]}
    assert said(evaluation, "folder") == f"4 systems in 3 files of {tmp_path}."
    assert [note.code for note in evaluation.notes] == ["folder"]


def test_what_is_no_table_of_answers_is_skipped_and_counted(tmp_path: Path) -> None:
    table(tmp_path / "a.csv", "xy", [1, 0])
    table(tmp_path / "b.csv", "xy", [1, 1])
    for name in ("README", "readme.txt", "LICENSE", "NOTICE.txt", "notes.md", "run.py", ".hidden"):
        (tmp_path / name).write_text("item,score\nx,1\n")
    table(tmp_path / ".git" / "c.csv", "xy", [0, 0])
    (tmp_path / "plot.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
    (tmp_path / "empty.json").write_bytes(b"")
    (tmp_path / "config.json").write_text('{"lr": 0.1, "n": 500}')
    (tmp_path / "pretty.json").write_text('{\n "lr": 0.1,\n "n": 500\n}')
    (tmp_path / "names.csv").write_text("item,title\nx,one\ny,two\n")
    (tmp_path / "log.txt").write_text("started\nended\n")
    evaluation = read(tmp_path)
    assert set(found(evaluation)) == {"a", "b"}
    message = said(evaluation, "files_skipped")
    assert message.startswith(f"13 files of {tmp_path} were skipped as no table of answers: ")
    assert "config.json (the file is one JSON object, not one a row)" in message
    assert "empty.json (the file is empty (0 bytes))" in message
    assert message.endswith(" and 7 more.")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("item,score\nx,1\ny,good\n", "'good' is not a number"),
        ("item,score,resolved\nx,1,1\n", "could each be the score"),
        ('[{"item": "x", "score": 1}, {"item": "y', "cut off"),
        ("version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS pointer"),
    ],
    ids=["bad cell", "two scores", "cut off", "pointer"],
)
def test_a_table_with_a_fault_is_no_reason_to_go_on_without_it(
    tmp_path: Path, text: str, what: str
) -> None:
    table(tmp_path / "a.csv", "xy", [1, 0])
    (tmp_path / "b.csv").write_text(text)
    with pytest.raises(InputError, match=what) as error:
        read(tmp_path)
    assert "b.csv" in str(error.value)


def test_nothing_to_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds no table \(no file\)"):
        read(tmp_path)
    (tmp_path / "README").write_text("hello")
    with pytest.raises(InputError, match=r"holds no table \(1 file that is not looked into\)"):
        read(tmp_path)
    (tmp_path / "names.csv").write_text("item,title\nx,one\n")
    with pytest.raises(
        InputError, match=r"no table of answers\. names\.csv: no column is known"
    ) as e:
        read(tmp_path)
    assert "--score" in str(e.value)
    assert str(e.value).count("\n") == 0


def test_files_with_the_same_items_are_runs(tmp_path: Path) -> None:
    table(tmp_path / "a" / "s1" / "results.csv", "xyz", [1, 0, 1])
    table(tmp_path / "a" / "s2" / "results.csv", "zyx", [0, 0, 1])
    table(tmp_path / "b" / "only.csv", "xyz", [1, 1, 1])
    evaluation = read(tmp_path)
    a, b = evaluation.answers
    assert (a.system, b.system) == ("a", "b")
    assert a.items is not None
    assert a.runs is not None
    assert a.scores is not None
    assert list(zip(a.items, a.runs, a.scores, strict=True)) == [
        ("x", "s1/results", 1),
        ("y", "s1/results", 0),
        ("z", "s1/results", 1),
        ("z", "s2/results", 0),
        ("y", "s2/results", 0),
        ("x", "s2/results", 1),
    ]
    assert b.runs is None
    assert said(evaluation, "files_as_runs").endswith(": a 2 files.")
    # Each row knows its file, and each file its digest.
    assert a.rows is not None
    assert [a.rows.name(k) for k in (0, 4)] == ["s1/results.csv, line 2", "s2/results.csv, line 3"]
    assert [part.path for part in a.source.files] == [
        str(tmp_path / "a" / f"s{k}" / "results.csv") for k in (1, 2)
    ]
    assert all(len(part.sha256) == 64 for part in a.source.files)
    assert b.source.files == (b.source,)


def test_files_with_items_of_their_own_are_parts(tmp_path: Path) -> None:
    for system, scores in (("a", [1, 0]), ("b", [0, 0])):
        table(tmp_path / system / "history.csv", ["h1", "h2"], scores)
        table(tmp_path / system / "biology.csv", ["b1", "b2"], scores)
    evaluation = read(tmp_path)
    assert found(evaluation) == {"a": [1, 0, 1, 0], "b": [0, 0, 0, 0]}
    assert all(a.runs is None for a in evaluation.answers)
    assert "a 2, b 2 files" in said(evaluation, "files_as_parts")
    strata = read(tmp_path, stratum="file").answers[0].strata
    assert strata is not None
    assert strata.to_list() == ["biology", "biology", "history", "history"]


def test_files_that_share_some_items_are_asked_about(tmp_path: Path) -> None:
    table(tmp_path / "a" / "r1.csv", "wxyz", [1, 0, 1, 1])
    table(tmp_path / "a" / "r2.csv", "xyz", [1, 0, 1])
    table(tmp_path / "b.csv", "wxyz", [1, 1, 1, 1])
    with pytest.raises(InputError, match=r"r1\.csv 4, r2\.csv 3, of which 3 are in every") as error:
        read(tmp_path)
    assert "--run file" in str(error.value)
    runs = read(tmp_path, run="file").answers[0].runs
    assert runs is not None
    assert runs.to_list() == ["r1"] * 4 + ["r2"] * 3


def test_runs_that_have_names_keep_them_unless_two_files_use_one(tmp_path: Path) -> None:
    table(tmp_path / "a" / "f1.csv", "xxyy", [1, 0, 1, 1], seed=[1, 2, 1, 2])
    table(tmp_path / "a" / "f2.csv", "xy", [1, 0], seed=[3, 3])
    table(tmp_path / "b" / "f1.csv", "xy", [1, 0], seed=[1, 1])
    table(tmp_path / "b" / "f2.csv", "xy", [1, 1], seed=[1, 1])
    a, b = read(tmp_path).answers
    assert a.runs is not None
    assert b.runs is not None
    assert a.runs.to_list() == ["1", "2", "1", "2", "3", "3"]
    assert b.runs.to_list() == ["f1, run 1"] * 2 + ["f2, run 1"] * 2


def test_files_of_one_system_have_to_be_alike(tmp_path: Path) -> None:
    table(tmp_path / "a" / "r1.csv", "xy", [1, 0], cluster="pq")
    table(tmp_path / "a" / "r2.csv", "xy", [1, 0])
    table(tmp_path / "b.csv", "xy", [1, 0])
    with pytest.raises(InputError, match=r"r1\.csv has clusters and r2\.csv has none"):
        read(tmp_path)


def test_files_of_one_system_need_item_ids(tmp_path: Path) -> None:
    for name in ("a/r1.txt", "a/r2.txt", "b.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("1\n0\n")
    with pytest.raises(InputError, match=r"r1\.txt is one of 2 files of a and has no item ids"):
        read(tmp_path)


def test_a_table_that_names_its_systems_is_believed(tmp_path: Path) -> None:
    for run in (1, 2):
        table(tmp_path / "day" / f"{run}.csv", "xxyy", [1, 0, 1, run - 1], system="pqpq")
    evaluation = read(tmp_path)
    assert evaluation.systems == ("p", "q")
    assert "p 2, q 2 files" in said(evaluation, "files_as_runs")


def test_one_folder_in_a_folder_may_be_a_system_or_a_board(tmp_path: Path) -> None:
    for run in (1, 2):
        table(tmp_path / "inner" / f"{run}.csv", "xy", [1, run - 1])
    with pytest.raises(InputError, match="nothing to read but the folder 'inner', with 2") as error:
        read(tmp_path)
    assert f"NAME={tmp_path}/inner" in str(error.value)
    assert read(tmp_path / "inner").systems == ("1", "2")
    one = read(f"s={tmp_path}/inner")
    assert found(one) == {"s": [1, 0, 1, 1]}
    assert found(read(f"s={tmp_path}")) == {"s": [1, 0, 1, 1]}
    (tmp_path / "inner" / "2.csv").unlink()
    assert read(tmp_path).systems == ("inner",)


def test_a_named_folder_is_one_system(tmp_path: Path) -> None:
    table(tmp_path / "t.csv", "xy", [1, 0])
    assert read(f"mine={tmp_path}").systems == ("mine",)
    table(tmp_path / "u.csv", "xx", [1, 0], system="pq")
    with pytest.raises(InputError, match="'mine' names one system"):
        read(f"mine={tmp_path}")


def test_the_file_of_references_is_no_system(tmp_path: Path) -> None:
    for name, values in (("gold", "abc"), ("s1", "abb"), ("s2", "aac")):
        (tmp_path / f"{name}.txt").write_text("\n".join(values) + "\n")
    evaluation = read(tmp_path, references=tmp_path / "gold.txt")
    assert evaluation.systems == ("s1", "s2")
    assert "gold.txt (the references)" in said(evaluation, "files_skipped")


def test_references_that_stand_beside_outputs_leave_a_system(tmp_path: Path) -> None:
    for name, outputs in (("s1", "ab"), ("s2", "bb")):
        rows = [{"id": k, "answer": "a", "pred": o} for k, o in enumerate(outputs)]
        (tmp_path / f"{name}.json").write_text(json.dumps(rows))
    options: dict[str, Any] = {"reference_column": "answer", "output_column": "pred"}
    evaluation = read(tmp_path, references=tmp_path / "s1.json", **options)
    assert evaluation.systems == ("s1", "s2")


def test_links_lead_nowhere_twice(tmp_path: Path) -> None:
    folder = tmp_path / "f"
    table(folder / "a" / "run1.csv", "xy", [1, 0])
    table(folder / "b.csv", "xy", [1, 1])
    (folder / "a" / "up").symlink_to(folder)
    (folder / "a" / "latest.csv").symlink_to("run1.csv")
    (folder / "broken.csv").symlink_to("nowhere")
    table(tmp_path / "elsewhere.csv", "xy", [0, 0])
    (folder / "c.csv").symlink_to(tmp_path / "elsewhere.csv")
    assert found(read(folder)) == {"a": [1, 0], "b": [1, 1], "c": [0, 0]}
    assert listing(str(folder)).passed_over == ("a/latest.csv", "broken.csv")
    (tmp_path / "link").symlink_to(folder)
    assert found(read(tmp_path / "link")) == found(read(folder))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    table(tmp_path / "a.csv", "xy", [1, 0])
    os.mkfifo(tmp_path / "pipe.csv")
    assert read(tmp_path).systems == ("a",)


def test_too_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deadheat.readers.listing.MOST", 3)
    for k in range(3):
        table(tmp_path / f"{k}.csv", "xy", [1, 0])
    assert len(read(tmp_path).systems) == 3
    table(tmp_path / "more.csv", "xy", [1, 0])
    with pytest.raises(InputError, match="more than 3 files"):
        read(tmp_path)


def test_two_systems_of_one_name(tmp_path: Path) -> None:
    table(tmp_path / "a.csv", "xy", [1, 0])
    table(tmp_path / "a" / "t.csv", "xy", [1, 0])
    with pytest.raises(InputError, match="two systems are called 'a'"):
        read(tmp_path)


@pytest.mark.parametrize("name", ["[bold]x", "🙂", "مرحبا", "<script>", "a|b", "a=b", "-x", "a'b"])
def test_names_of_files_are_names_of_systems(tmp_path: Path, name: str) -> None:
    table(tmp_path / f"{name}.csv", "xy", [1, 0])
    table(tmp_path / "folder" / "t.csv", "xy", [1, 0])
    assert set(read(tmp_path).systems) == {name, "folder"}


def test_a_file_called_as_a_folder_is_refused_as_references(tmp_path: Path) -> None:
    table(tmp_path / "a.csv", "xy", [1, 0])
    with pytest.raises(InputError, match="this is a folder"):
        read(tmp_path, references=tmp_path)


def test_formats_may_differ_between_systems_and_not_within_one(tmp_path: Path) -> None:
    table(tmp_path / "a.csv", "xy", [1, 0])
    rows = [{"item": i, "score": 1} for i in "xy"]
    (tmp_path / "b.json").write_text(json.dumps(rows))
    assert set(read(tmp_path).systems) == {"a", "b"}
    with pytest.raises(InputError, match=r"a\.csv and b\.json are files of s, and only one of"):
        read(f"s={tmp_path}")


def test_a_link_to_a_folder_around_is_not_followed(tmp_path: Path) -> None:
    """What lies beside the folder that was named is nobody's."""
    for name in ("logs", "beside"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.csv").write_text("item,score\n1,1\n2,0\n", encoding="utf-8")
    (tmp_path / "logs" / "loop").symlink_to("..")
    assert read(tmp_path / "logs").systems == ("logs",)
