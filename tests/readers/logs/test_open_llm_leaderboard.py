"""Details of the first Open LLM Leaderboard."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Call
from deadheat.errors import InputError
from deadheat.evaluation import Answers
from deadheat.readers import read
from readers.logs.builders import details as made

TASK = "harness|arc:challenge|25"
SCORES = [{"acc": 1.0, "acc_norm": 0.0}, {"acc": 0.0, "acc_norm": 1.0}, {"acc": 1.0}]


def only(path: Path, score: str | None = None) -> Answers:
    (answers,) = read(path, score=score).answers
    return answers


@pytest.mark.parametrize("together", [True, False])
def test_scores_on_their_own_or_together(tmp_path: Path, together: bool) -> None:
    place = made.repository(tmp_path, "org/m", {TASK: made.board(SCORES, together=together)})
    (path,) = place.glob("*/*.parquet")
    answers = only(path)
    assert answers.source.format == "open_llm_leaderboard"
    assert answers.system == "org/m"
    assert answers.items is not None
    assert answers.items.to_list() == [made.digest(made.question(k))[:12] for k in range(3)]
    assert answers.scores is not None
    assert answers.scores.to_list() == [1.0, 0.0, 1.0]
    assert answers.tasks is not None
    assert set(answers.tasks) == {TASK}
    assert answers.about["num_fewshot"] == "25"
    assert only(path, "acc_norm").scores.to_list() == [0.0, 1.0, None]  # type: ignore[union-attr]


def test_colons_in_the_time(tmp_path: Path) -> None:
    time = "2023-07-19T15:58:12.174583"
    place = made.repository(tmp_path, "org/m", {TASK: made.board(SCORES)}, time=time)
    answers = only(place)
    assert answers.runs is not None
    assert set(answers.runs) == {time}


def test_another_order_and_items_of_one_text(tmp_path: Path, run: Call) -> None:
    questions = ["a", "b", "a", "c"]
    marks = [{"acc": float(mark)} for mark in "1101"]
    frame = made.board(marks, questions=questions)
    order = [3, 0, 1, 2]
    moved = made.board([marks[k] for k in order], questions=[questions[k] for k in order])
    a = made.repository(tmp_path, "org/a", {TASK: frame})
    b = made.repository(tmp_path, "org/b", {TASK: moved})
    done = run("compare", a, b, "--format", "json")
    assert done.code == 0, done.err
    assert done.json["counts"] == {
        "both": 3,
        "only_baseline": 0,
        "only_candidate": 0,
        "neither": 1,
    }
    assert "1 of 4 items" in str(done.json["notes"])


def test_prompts_of_other_examples_are_said(tmp_path: Path, run: Call) -> None:
    marks = [{"acc": float(mark)} for mark in "1101"]
    frame = made.board(marks)
    hashes = frame["hashes"].struct.unnest()
    other = frame.with_columns(
        hashes=hashes.with_columns(full_prompt=hashes["example"]).to_struct("hashes")
    )
    a = made.repository(tmp_path, "org/a", {TASK: frame})
    b = made.repository(tmp_path, "org/b", {TASK: other})
    done = run("compare", a, b, "--format", "json")
    said = " ".join(n["message"] for n in done.json["notes"] if n["code"] == "settings_differ")
    assert "prompt_hash (org/a" in said


def test_published_values_are_held_against_items(tmp_path: Path) -> None:
    place = made.repository(tmp_path, "org/m", {TASK: made.board(SCORES)})
    content = made.results("org/m", {TASK: {"acc": 0.5, "acc_norm": 0.5}})
    del content["config_tasks"]
    made.write_results(place / f"results_{made.FIRST}.json", content)
    (note,) = [n for n in read(place).notes if n.code == "published_disagrees"]
    assert "acc 0.5 (its 3 samples: 0.666667)" in note.message
    assert "acc_norm" not in note.message


def test_a_column_that_nobody_has(tmp_path: Path) -> None:
    place = made.repository(tmp_path, "org/m", {TASK: made.board(SCORES)})
    with pytest.raises(InputError, match=r"hashes\.example"):
        read(place, cluster="hashes.exampl")


def test_the_example(shared: Path) -> None:
    folder = shared / "formats" / "open_llm_leaderboard"
    if not folder.is_dir():
        pytest.skip("the examples of formats are not beside this checkout")
    answers = only(folder)
    assert answers.items is not None
    assert answers.scores is not None
    assert answers.items.to_list() == ["a", "c"]
    assert answers.scores.to_list() == [1.0, 0.0]
