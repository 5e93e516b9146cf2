"""Tables of MLflow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import deadheat
from deadheat.errors import AlignmentError, InputError
from deadheat.readers import read
from readers.logs.builders.lines import write_csv, write_json
from readers.logs.builders.mlflow import classic, genai, run, trace
from readers.logs.looking import codes, only, said, scores, tool


def test_a_table_in_split_form(tmp_path: Path) -> None:
    path = classic(tmp_path / "eval_results_table.json", [("q0", 1, 5), ("q1", 0, None)])
    evaluation = read(path)
    assert scores(evaluation) == {"eval_results_table": {"q0": 1.0, "q1": 0.0}}
    assert "'answer_similarity/v1/score'" in said(evaluation, "other_scores")
    similar = read(path, score="answer_similarity/v1/score")
    assert scores(similar) == {"eval_results_table": {"q0": 5.0, "q1": None}}


@pytest.mark.parametrize(
    ("value", "score"),
    [
        *(("yes", 1.0), ("no", 0.0), ("Yes", 1.0), (True, 1.0), ("False", 0.0), (0.25, 0.25)),
        *((1, 1.0), ("", None), (None, None), ("nan", None)),
    ],
)
def test_verdicts_of_scorers(tmp_path: Path, value: Any, score: float | None) -> None:
    path = genai(tmp_path / "r.csv", [trace(0, value), trace(1, "no")])
    assert [*scores(read(path))["r"].values()] == [score, 0.0]


def test_rows_and_scorers_that_failed_are_missing(tmp_path: Path) -> None:
    rows = [
        trace(0, "yes"),
        trace(1, "no", state="ERROR"),
        trace(2, "no", **{"correctness/error_message": "rate limit"}),
        trace(3, "no"),
    ]
    path = genai(tmp_path / "r.csv", rows)
    evaluation = read(path)
    assert [*scores(evaluation)["r"].values()] == [1.0, None, None, 0.0]
    assert "2 cells" in said(evaluation, "unscored_samples")
    assert deadheat.score(path, missing="drop").systems[0].value == 0.5


def test_texts_are_no_scores(tmp_path: Path) -> None:
    rows = [trace(k, "yes", **{"tone/value": "formal"}) for k in range(2)]
    assert "tone/value" in said(read(genai(tmp_path / "r.csv", rows)), "not_item_scores")
    only_texts = [trace(k, "good") for k in range(2)]
    with pytest.raises(InputError, match="no column of a metric or a scorer"):
        read(genai(tmp_path / "r.csv", only_texts))


def test_traces_tell_no_items(tmp_path: Path) -> None:
    """Two runs on the same requests have other traces."""
    a = genai(tmp_path / "a.csv", [trace(k, "yes") for k in range(4)])
    rows = [trace(k, "yes" if k else "no", trace_id=f"tr-other-{k}") for k in range(4)]
    b = genai(tmp_path / "b.csv", rows[::-1])
    assert deadheat.compare(a, b).difference.estimate == -0.25


def test_rows_without_inputs_are_paired_by_order(tmp_path: Path) -> None:
    rows = [{"trace_id": f"t{k}", "x/value": k} for k in range(3)]
    evaluation = read(write_csv(tmp_path / "r.csv", rows))
    assert scores(evaluation) == {"r": {"1": 0.0, "2": 1.0, "3": 2.0}}
    assert "by order" in said(evaluation, "paired_by_order")


def test_inputs_that_repeat_are_checked_by_their_hashes(tmp_path: Path) -> None:
    def table(name: str, questions: tuple[str, ...]) -> Path:
        rows = [(question, k % 2, 5) for k, question in enumerate(questions)]
        return classic(tmp_path / f"{name}.json", rows)

    a, b = table("a", ("x", "x", "y")), table("b", ("x", "x", "y"))
    assert deadheat.compare(a, b).difference.estimate == 0
    with pytest.raises(AlignmentError, match="something else"):
        deadheat.compare(a, table("c", ("x", "y", "x")))


@pytest.mark.parametrize("inputs", [{"a": {"q": [1, 2]}}, ["a", "b"], 7])
def test_inputs_may_be_objects(tmp_path: Path, inputs: Any) -> None:
    path = classic(tmp_path / "t.json", [(inputs, 1, 5), ("q1", 0, 2)])
    assert [*scores(read(path))["t"].values()] == [1.0, 0.0]


def test_a_run_names_its_table(tmp_path: Path) -> None:
    for name, value in (("sleepy-fox", 1), ("bold-owl", 0)):
        artifacts = run(tmp_path / "mlruns" / "1" / f"{name}-id", name)
        classic(artifacts / "eval_results_table.json", [(f"q{k}", value, 5) for k in range(3)])
    found = read(tmp_path / "mlruns")
    assert set(found.systems) == {"sleepy-fox", "bold-owl"}
    path = tmp_path / "mlruns" / "1" / "bold-owl-id" / "artifacts" / "eval_results_table.json"
    assert only(read(path)).about["mlflow_run"] == "bold-owl-id"


def test_means_of_the_run_are_held_against_the_table(tmp_path: Path) -> None:
    rows = [("q0", 1, 5), ("q1", 0, 2)]
    right = run(tmp_path / "r1", "fox", exact_match=0.5)
    assert "published_disagrees" not in codes(read(classic(right / "t.json", rows)))
    wrong = run(tmp_path / "r2", "owl", exact_match=0.9)
    message = said(read(classic(wrong / "t.json", rows)), "published_disagrees")
    assert "exact_match/v1/score 0.9 (its 2 samples: 0.5)" in message


@pytest.mark.parametrize(
    ("columns", "data", "what"),
    [
        (["a/v1/score"], [], "0 rows"),
        (["a/v1/score", "b"], [[1]], "row 1 has 1 fields and there are 2 columns"),
        (["a/v1/score", "a/v1/score"], [[1, 1]], "more than once"),
    ],
)
def test_tables_that_do_not_fit_are_refused(
    tmp_path: Path, columns: list[str], data: list[Any], what: str
) -> None:
    path = write_json(tmp_path / "t.json", {"columns": columns, "data": data})
    assert tool(path) == "mlflow"
    with pytest.raises(InputError, match=what):
        read(path)


def test_the_examples(shared: Path) -> None:
    folder = shared / "formats" / "mlflow"
    found = scores(read(folder / "eval_results_table.json"))
    assert found == {"eval_results_table": {"q0": 1.0, "q1": 0.0}}
    found = scores(read(folder / "genai_result_df.csv"))
    assert [*found["genai_result_df"].values()] == [1.0, None]
