"""SWE-bench leaderboards, as made here and as published."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from deadheat.errors import FormatError, InputError
from deadheat.readers import read


def instance(resolved: Any, cost: Any = 0.5, calls: Any = 3) -> dict[str, Any]:
    return {"resolved": resolved, "cost": cost, "api_calls": calls}


def result(name: str, resolved: float, outcomes: str | None) -> dict[str, Any]:
    found: dict[str, Any] = {"name": name, "resolved": resolved, "date": "2025-01-01"}
    if outcomes is not None:
        states = {"1": True, "0": False, "?": None}
        found["per_instance_details"] = {
            f"repo__x-{k}": instance(states[mark]) for k, mark in enumerate(outcomes)
        }
    return found


def boards(path: Path, *given: tuple[str, list[dict[str, Any]]], indent: int | None = None) -> Path:
    content = {"leaderboards": [{"name": name, "results": results} for name, results in given]}
    path.write_text(json.dumps(content, indent=indent))
    return path


@pytest.mark.parametrize("indent", [None, 2])
def test_one_board(tmp_path: Path, indent: int | None) -> None:
    results = [
        result("a", 66.7, "110"),
        result("b", 33.33, "1?0"),
        result("only a value", 50.0, None),
        result("c", 70.0, "110"),
    ]
    path = boards(tmp_path / "any.txt", ("verified", results), indent=indent)
    evaluation = read(path)
    assert evaluation.systems == ("a", "b", "c")
    a, b, _ = evaluation.answers
    assert a.items is not None
    assert a.items.to_list() == ["repo__x-0", "repo__x-1", "repo__x-2"]
    assert a.scores is not None
    assert b.scores is not None
    assert (a.scores.to_list(), b.scores.to_list()) == ([1, 1, 0], [1, None, 0])
    said = {note.code: note.message for note in evaluation.notes}
    assert "1 of 4 systems" in said["systems_without_items"]
    assert "only a value" in said["systems_without_items"]
    # 66.7 and 33.33 are 2/3 and 1/3 to the digits given; 70.0 is not.
    assert "1 of 3 systems" in said["published_disagrees"]
    assert "c 70 (2 of 3 is 66.67)" in said["published_disagrees"]


def test_cost_and_calls_are_scores_on_request(tmp_path: Path) -> None:
    path = boards(tmp_path / "b.json", ("verified", [result("a", 50.0, "10")]))
    (costs,) = read(path, score="cost").answers
    (calls,) = read(path, score="api_calls").answers
    assert costs.scores is not None
    assert calls.scores is not None
    assert (costs.scores.to_list(), calls.scores.to_list()) == ([0.5, 0.5], [3.0, 3.0])


def test_a_map_of_systems(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    content = {name: {"r__1": instance(True), "r__2": instance(False)} for name in ("x", "y")}
    path.write_text(json.dumps(content, indent=1))
    evaluation = read(path)
    assert evaluation.systems == ("x", "y")
    assert [a.scores.to_list() for a in evaluation.answers if a.scores is not None] == [[1, 0]] * 2
    assert not evaluation.notes


def test_lines_that_begin_alike_are_lines(tmp_path: Path) -> None:
    path = tmp_path / "l.jsonl"
    rows = [{"id": k, "log": {"try": {"resolved": True}}, "score": k % 2} for k in range(3)]
    reordered = [{"log": row["log"], "id": row["id"], "score": row["score"]} for row in rows]
    path.write_text("".join(json.dumps(row) + "\n" for row in reordered))
    (answers,) = read(path).answers
    assert answers.source.format == "jsonl"
    assert answers.scores is not None
    assert answers.scores.to_list() == [0, 1, 0]


def test_several_boards_are_asked_about(tmp_path: Path) -> None:
    one, other = ("lite", [result("a", 100.0, "1")]), ("full", [result("a", 0.0, "0")])
    with pytest.raises(InputError, match=r"2 boards .*'lite', 'full'"):
        read(boards(tmp_path / "b.json", one, other))
    empty = ("old", [result("a", 100.0, None)])
    assert read(boards(tmp_path / "b.json", one, empty)).systems == ("a",)
    with pytest.raises(FormatError, match=r"no system of the boards \('old'\) has outcomes"):
        read(boards(tmp_path / "b.json", empty))


def test_two_systems_of_one_name(tmp_path: Path) -> None:
    results = [result("a", 100.0, "1"), result("a", 0.0, "0")]
    with pytest.raises(InputError, match="two systems are called 'a'"):
        read(boards(tmp_path / "b.json", ("verified", results)))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('{"leaderboards": [{"name": "x", "results": [', "truncated"),
        ('{"leaderboards": [{"results": []}]}', "name"),
        ('{"leaderboards": [{"name": "x", "results": [{"name": 3}]}]}', r"results\[0\]\.name"),
        ('{"a": {"i": {"resolved": "yes"}}}', "resolved"),
    ],
)
def test_other_shapes_are_named(tmp_path: Path, text: str, what: str) -> None:
    path = tmp_path / "b.json"
    path.write_text(text)
    with pytest.raises(FormatError, match=what):
        read(path)


def test_the_bash_only_board(shared: Path) -> None:
    """Its README: 25 systems x 500 items; 22 of 25 values agree; costs are plain means."""
    path = shared / "data" / "swebench_bash_only" / "leaderboards.json"
    evaluation = read(path)
    published = {r["name"]: r for r in json.loads(path.read_text())["leaderboards"][0]["results"]}
    assert len(evaluation.systems) == 25
    agreeing = 0
    for answers in evaluation.answers:
        assert answers.scores is not None
        assert len(answers.scores) == 500
        share = 100.0 * float(answers.scores.sum()) / 500
        agreeing += abs(share - published[answers.system]["resolved"]) < 1e-9
    assert agreeing == 22
    said = {note.code: note.message for note in evaluation.notes}
    assert "6 of 31 systems" in said["systems_without_items"]
    assert "3 of 25 systems" in said["published_disagrees"]
    for name in ("Claude 4 Sonnet", "Claude 3.7 Sonnet", "Llama 4 Maverick"):
        assert name in said["published_disagrees"]
    for answers in read(path, score="cost").answers:
        assert answers.scores is not None
        cost = published[answers.system]["instance_cost"]
        assert answers.scores.mean() == pytest.approx(cost, rel=1e-9)


def test_the_map_of_four_systems(shared: Path) -> None:
    evaluation = read(shared / "data" / "swebench_bash_only" / "info_for_leaderboard.json")
    assert evaluation.systems == ("gpt-5", "gpt-5-mini", "sonnet-4", "sonnet-4-5")
    assert {len(a.items) for a in evaluation.answers if a.items is not None} == {500}
