"""Experiments of Braintrust."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import deadheat
from deadheat.errors import AlignmentError, InputError
from deadheat.readers import read
from readers.logs.builders.braintrust import root, step
from readers.logs.builders.lines import write_json, write_lines
from readers.logs.looking import only, said, scores


def test_root_spans_are_rows(tmp_path: Path) -> None:
    events = [e for k in range(3) for e in (step(k, {"Step": 1}), root(k, {"Fact": 0.5 * k}))]
    evaluation = read(write_json(tmp_path / "model-a.json", events))
    assert scores(evaluation) == {"model-a": {"d0": 0.0, "d1": 0.5, "d2": 1.0}}
    assert only(evaluation).about["model"] == "model-a"
    assert not evaluation.notes


def test_without_a_mark_the_ids_tell_roots(tmp_path: Path) -> None:
    events = [e for k in range(2) for e in (root(k, {"Fact": k}), step(k, {"Fact": 9}))]
    for event in events:
        event["span_parents"] = [] if event.pop("is_root") else [event["root_span_id"]]
    assert scores(read(write_json(tmp_path / "a.json", events))) == {"a": {"d0": 0.0, "d1": 1.0}}


@pytest.mark.parametrize("form", ["list", "page", "lines"])
@pytest.mark.parametrize("n", [1, 2])
def test_the_forms_in_which_events_come(tmp_path: Path, form: str, n: int) -> None:
    events = [root(k, {"Fact": 1}) for k in range(n)]
    if form == "lines":
        path = write_lines(tmp_path / "a.jsonl", events)
    else:
        page = {"events": events, "cursor": None}
        path = write_json(tmp_path / "a.json", page if form == "page" else events)
    assert scores(read(path)) == {"a": {f"d{k}": 1.0 for k in range(n)}}


@pytest.mark.parametrize("error", ["rate limit", {"message": "x"}, ["x"]])
def test_a_row_with_an_error_is_missing(tmp_path: Path, error: Any) -> None:
    events = [root(0, {"Fact": 1}), root(1, {"Fact": 0}, error=error), root(2, {"Fact": None})]
    evaluation = read(write_json(tmp_path / "a.json", events))
    assert [*scores(evaluation)["a"].values()] == [1.0, None, None]
    assert "1 rows" in said(evaluation, "unscored_samples")


def test_items_are_records_else_inputs_else_places(tmp_path: Path) -> None:
    def names(**more: Any) -> list[str]:
        events = [root(k, {"Fact": 1}, **more) for k in range(2)]
        return [*scores(read(write_json(tmp_path / "a.json", events)))["a"]]

    assert names() == ["d0", "d1"]
    assert names(dataset_record_id=None) == ["Question 0?", "Question 1?"]
    assert names(dataset_record_id=None, input=None) == ["1", "2"]
    events = [root(k, {"Fact": 1}, dataset_record_id=None, origin={"id": f"o{k}"}) for k in (0, 1)]
    assert [*scores(read(write_json(tmp_path / "a.json", events)))["a"]] == ["o0", "o1"]


@pytest.mark.parametrize("record", [True, False])
def test_trials_are_runs(tmp_path: Path, record: bool) -> None:
    events = [root(k, {"Fact": r}, id=f"{k}{r}") for k in range(2) for r in range(2)]
    for event in events:
        event["dataset_record_id"] = event["dataset_record_id"] if record else None
    answers = only(read(write_json(tmp_path / "a.json", events)))
    assert answers.items is not None
    assert answers.runs is not None
    assert answers.items.n_unique() == 2
    assert answers.runs.to_list() == [1, 2, 1, 2]


def test_several_experiments_in_one_file(tmp_path: Path) -> None:
    events = [root(k, {"Fact": k}, experiment_id=x) for x in ("x1", "x2") for k in range(2)]
    assert scores(read(write_json(tmp_path / "a.json", events))) == {
        "x1": {"d0": 0.0, "d1": 1.0},
        "x2": {"d0": 0.0, "d1": 1.0},
    }


def test_what_is_no_number_is_no_score(tmp_path: Path) -> None:
    events = [root(k, {"Fact": 1, "Grade": "B"}) for k in range(2)]
    assert "Grade" in said(read(write_json(tmp_path / "a.json", events)), "not_item_scores")
    with pytest.raises(InputError, match="none of the 2 root spans has a score"):
        read(write_json(tmp_path / "a.json", [root(k, None) for k in range(2)]))


def test_inputs_of_one_record_are_compared(tmp_path: Path) -> None:
    def run(name: str, what: str) -> Path:
        events = [root(k, {"Fact": k % 2}, input={"q": f"{what} {k}"}) for k in range(4)]
        return write_json(tmp_path / f"{name}.json", events)

    a, b, c = run("a", "Who"), run("b", "Who"), run("c", "What")
    assert deadheat.compare(a, b).difference.estimate == 0
    with pytest.raises(AlignmentError, match="something else in 4 of 4"):
        deadheat.compare(a, c)


def test_the_example(shared: Path) -> None:
    path = shared / "formats" / "braintrust" / "experiment_export.json"
    assert scores(read(path)) == {"experiment_export": {"d1": 0.8, "d2": None}}
    assert scores(read(path, score="Factuality")) == {"experiment_export": {"d1": 1.0, "d2": None}}
