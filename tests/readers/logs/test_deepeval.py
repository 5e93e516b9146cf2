"""Test runs of DeepEval: metrics of test cases, and judges that fail."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import deadheat
from deadheat.errors import AlignmentError, InputError
from deadheat.readers import read
from readers.logs.builders.deepeval import case, document, log, metric
from readers.logs.builders.lines import write_json
from readers.logs.looking import codes, only, said, scores


def test_cases_are_named_by_what_they_ask(tmp_path: Path) -> None:
    cases = [case(0, metric("GEval", 0.9)), case(1, metric("GEval", 0.2))]
    evaluation = read(log(tmp_path / "run.json", cases))
    assert scores(evaluation) == {"model-a": {"Question 0?": 1.0, "Question 1?": 0.0}}
    about = evaluation.answers[0].about
    assert (about["model"], about["temperature"]) == ("model-a", "0")
    assert codes(evaluation) == ["other_scores"]


def test_names_are_used_where_they_are_names(tmp_path: Path) -> None:
    cases = [case(k, metric("GEval", 0.9), name=f"case of {k}") for k in range(2)]
    assert [*scores(read(log(tmp_path / "run.json", cases)))["model-a"]] == [
        "case of 0",
        "case of 1",
    ]


def test_where_nothing_tells_cases_apart_the_order_does(tmp_path: Path) -> None:
    cases = [case(k, metric("GEval", 0.9), input="Same?") for k in range(2)]
    evaluation = read(log(tmp_path / "run.json", cases))
    assert [*scores(evaluation)["model-a"]] == ["test_case_0", "test_case_1"]
    assert "by order" in said(evaluation, "paired_by_order")


def test_a_judge_that_failed_gives_no_score(tmp_path: Path) -> None:
    """DeepEval leaves out null and calls such a test case failed."""
    cases = [
        case(0, metric("A", 0.9), metric("B", 0.8)),
        case(1, metric("A", None, success=False, error="timed out"), metric("B", 0.8)),
        case(2, metric("A", 0.1), metric("B", 0.8)),
        case(3, metric("A", 0.0, error="timed out"), metric("B", 0.8)),
    ]
    path = log(tmp_path / "run.json", cases)
    found = scores(read(path))["model-a"]
    assert [*found.values()] == [1.0, None, 0.0, None]
    assert [*scores(read(path, score="A"))["model-a"].values()] == [0.9, None, 0.1, None]
    assert [*scores(read(path, score="B"))["model-a"].values()] == [0.8] * 4
    assert "2 test cases" in said(read(path), "unscored_samples")


def test_a_flaky_metric_never_decides(tmp_path: Path) -> None:
    failed = metric("A", None, success=False, error="timed out", flaky=True)
    cases = [case(0, failed, metric("B", 0.8), success=True), case(1, metric("B", 0.9))]
    found = scores(read(log(tmp_path / "run.json", cases)))["model-a"]
    assert [*found.values()] == [1.0, 1.0]


def test_metrics_of_one_name_are_told_apart(tmp_path: Path) -> None:
    cases = [case(k, metric("GEval", 0.9), metric("GEval", 0.1)) for k in range(2)]
    path = log(tmp_path / "run.json", cases)
    assert "'GEval', 'GEval (2)'" in said(read(path), "other_scores")
    assert [*scores(read(path, score="GEval (2)"))["model-a"].values()] == [0.1, 0.1]


@pytest.mark.parametrize("name", ["item", "system", "success", "hash"])
def test_metrics_may_have_any_name(tmp_path: Path, name: str) -> None:
    path = log(tmp_path / "run.json", [case(k, metric(name, 0.25 * k)) for k in range(3)])
    found = scores(read(path, score=f"metric {name}"))
    assert [*found["model-a"].values()] == [0.0, 0.25, 0.5]


def snake(value: Any) -> Any:
    names = {
        "testCases": "test_cases",
        "metricsData": "metrics_data",
        "actualOutput": "actual_output",
    }
    if isinstance(value, dict):
        return {names.get(k, k): snake(v) for k, v in value.items()}
    return [snake(v) for v in value] if isinstance(value, list) else value


@pytest.mark.parametrize("key", ["test_cases", "test_results", "testResults"])
def test_other_dumps_say_the_same(tmp_path: Path, key: str) -> None:
    cases = [case(0, metric("GEval", 0.9)), case(1, metric("GEval", 0.2))]
    whole = snake(document(cases))
    whole[key] = whole.pop("test_cases")
    assert scores(read(write_json(tmp_path / "run.json", whole))) == {
        "model-a": {"Question 0?": 1.0, "Question 1?": 0.0}
    }


def test_the_latest_run_lies_under_a_key(tmp_path: Path) -> None:
    whole = document([case(0, metric("GEval", 0.9)), case(1, metric("GEval", 0.2))])
    path = write_json(tmp_path / ".latest_test_run.json", {"testRunData": whole})
    assert [*scores(read(path))["model-a"].values()] == [1.0, 0.0]


def test_conversations_are_read_as_cases(tmp_path: Path) -> None:
    talks = [case(k, metric("Role", 0.9 * k), scenario=f"Scene {k}") for k in range(2)]
    for talk in talks:
        del talk["input"]
    evaluation = read(log(tmp_path / "run.json", [], conversationalTestCases=talks))
    assert scores(evaluation) == {"model-a": {"Scene 0": 0.0, "Scene 1": 1.0}}


def test_what_is_published_is_held_against_the_cases(tmp_path: Path) -> None:
    cases = [case(k, metric("GEval", s)) for k, s in enumerate((0.9, 0.2))]
    published = {"metric": "GEval", "scores": [0.9, 0.9], "passes": 2, "fails": 0, "errors": 0}
    evaluation = read(log(tmp_path / "run.json", cases, metricsScores=[published]))
    assert "GEval 0.9 (its 2 samples: 0.55)" in said(evaluation, "published_disagrees")


def test_without_a_model_the_file_names_the_system(tmp_path: Path) -> None:
    cases = [case(k, metric("GEval", 0.9)) for k in range(2)]
    for hyperparameters in (None, {}, {"prompt": {"a": [1]}}):
        path = log(tmp_path / "run.json", cases, hyperparameters=hyperparameters)
        assert only(read(path)).system == "run"
    other = {"Model": "model-b", "chunk": 5}
    assert only(read(log(tmp_path / "run.json", cases, hyperparameters=other))).system == "model-b"


def test_two_runs_are_compared_if_they_asked_the_same(tmp_path: Path) -> None:
    def run(name: str, model: str, **more: Any) -> Path:
        cases = [case(k, metric("GEval", 0.3 * k), name=f"case of {k}", **more) for k in range(4)]
        return log(tmp_path / name, cases, hyperparameters={"model": model})

    a, b, c = run("a.json", "a"), run("b.json", "b"), run("c.json", "c", input="Other?")
    assert deadheat.compare(a, b).difference.estimate == 0
    with pytest.raises(AlignmentError, match="something else"):
        deadheat.compare(a, c)


def test_no_test_case_and_no_metric_are_refused(tmp_path: Path) -> None:
    for whole in (document([]), document([case(0)])):
        path = write_json(tmp_path / "run.json", {**whole, "metricsData": None})
        with pytest.raises(InputError, match="no scores of test cases"):
            read(path)


def test_the_example(shared: Path) -> None:
    path = shared / "formats" / "deepeval" / "test_run_20260101_100000.json"
    assert scores(read(path)) == {"model-a": {"q0": 1.0, "q1": None}}
    assert scores(read(path, score="Correctness [GEval]")) == {"model-a": {"q0": 0.9, "q1": None}}
