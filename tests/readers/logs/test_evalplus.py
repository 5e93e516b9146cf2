"""EvalPlus: both statuses, samples as runs, names of systems, published values."""

from __future__ import annotations

import json
from math import comb
from pathlib import Path

import pytest

import deadheat
from deadheat.errors import FormatError
from deadheat.readers import read
from readers.logs.builders.code_benchmarks import evalplus, evalplus_01, write
from readers.logs.looking import codes, only, said, scores, tool

FAIL, PASS = "fail", "pass"


def test_plus_wants_both(tmp_path: Path) -> None:
    """A sample that passes the plus tests and not the base tests is wrong."""
    path = evalplus(
        tmp_path / "humaneval_m1_temp_0.8.eval_results.json",
        {
            "HumanEval/0": [(PASS, PASS)],
            "HumanEval/1": [(PASS, FAIL)],
            "HumanEval/2": [(FAIL, PASS)],
            "HumanEval/3": [("timeout", "timeout")],
        },
        {"base": {"pass@1": 0.5}, "plus": {"pass@1": 0.25}},
    )
    assert tool(path) == "evalplus"
    evaluation = read(path)
    right = {"HumanEval/0": 1, "HumanEval/1": 0, "HumanEval/2": 0, "HumanEval/3": 0}
    assert scores(evaluation) == {"m1": right}
    base = scores(read(path, score="base"))["m1"]
    assert base == {"HumanEval/0": 1, "HumanEval/1": 1, "HumanEval/2": 0, "HumanEval/3": 0}
    about = only(evaluation).about
    assert about["temperature"] == "0.8"
    assert about["task_hash"] == "0123abcd"
    assert codes(evaluation) == ["other_scores"]


def test_published_values_are_held_against_the_samples(tmp_path: Path) -> None:
    path = evalplus(
        tmp_path / "m_eval_results.json",
        {"HumanEval/0": [(PASS, PASS)], "HumanEval/1": [(PASS, FAIL)]},
        {"base": {"pass@1": 1.0}, "plus": {"pass@1": 0.9}},
    )
    message = said(read(path), "published_disagrees")
    assert "plus 0.9 (its 2 samples: 0.5)" in message
    assert "base" not in message.partition(":")[2]


@pytest.mark.parametrize("make", [evalplus, evalplus_01])
def test_samples_are_runs_and_give_pass_at_k(tmp_path: Path, make: object) -> None:
    """1 - C(n - c, k) / C(n, k), averaged over tasks (Chen et al. 2021)."""
    ok = PASS if make is evalplus else "success"
    right = {"HumanEval/0": 2, "HumanEval/1": 1, "HumanEval/2": 0}
    statuses = {
        task: [(ok, ok)] * c + [("failed", "failed")] * (4 - c) for task, c in right.items()
    }
    path = make(tmp_path / "m_eval_results.json", statuses)  # type: ignore[operator]
    for k in (1, 2, 3):
        value = deadheat.score(path, metric=f"pass@{k}").systems[0].value
        expected = sum(1 - comb(4 - c, k) / comb(4, k) for c in right.values()) / 3
        assert value == pytest.approx(expected)


def test_pass_at_1_of_several_samples_is_checked(tmp_path: Path) -> None:
    statuses = {"HumanEval/0": [(PASS, PASS), (FAIL, FAIL)], "HumanEval/1": [(PASS, PASS)] * 2}
    right = evalplus(tmp_path / "a_eval_results.json", statuses, {"plus": {"pass@1": 0.75}})
    assert "published_disagrees" not in codes(read(right))
    wrong = evalplus(tmp_path / "b_eval_results.json", statuses, {"plus": {"pass@1": 0.5}})
    assert "published_disagrees" in codes(read(wrong))


def test_base_only(tmp_path: Path) -> None:
    statuses = {"Mbpp/2": [(PASS, None)], "Mbpp/3": [(FAIL, None)]}
    path = evalplus(tmp_path / "mbpp_m.eval_results.json", statuses)
    evaluation = read(path)
    assert scores(evaluation) == {"m": {"Mbpp/2": 1, "Mbpp/3": 0}}
    assert codes(evaluation) == []


@pytest.mark.parametrize(
    ("name", "system"),
    [
        ("org--model-7b_vllm_temp_0.0.eval_results.json", "org--model-7b"),
        ("org--model-7b_temp_0.8_eval_results.json", "org--model-7b"),
        ("mbpp_x_openai_temp_0.2.eval_results.json", "x"),
        ("plain_eval_results.json", "plain"),
        ("model_temp_0.2/eval_results.json", "model"),
    ],
)
def test_names_of_systems(tmp_path: Path, name: str, system: str) -> None:
    path = evalplus(tmp_path / name, {"HumanEval/0": [(PASS, PASS)]})
    assert only(read(path)).system == system


def test_a_folder_of_both_data_sets(tmp_path: Path) -> None:
    """One model on two data sets is one system with two tasks, which are strata."""
    for model, right in (("a", PASS), ("b", FAIL)):
        for dataset, item in (("humaneval", "HumanEval"), ("mbpp", "Mbpp")):
            statuses = {f"{item}/{k}": [(PASS, right if k else PASS)] for k in range(3)}
            evalplus(tmp_path / dataset / f"{model}_vllm_temp_0.0.eval_results.json", statuses)
    found = deadheat.compare(tmp_path, candidate="b", baseline="a")
    assert found.items.n == 6
    assert found.difference.estimate == pytest.approx(-4 / 6)


@pytest.mark.parametrize(
    "samples",
    [
        [{"plus_status": "pass"}],
        "text",
        [7],
        None,
        {"base": [["success"]], "plus": [["success"], ["success"]]},
        {"plus": []},
        {"base": [[]]},
    ],
)
def test_other_shapes_are_refused(tmp_path: Path, samples: object) -> None:
    results = {"date": "d", "hash": "h", "eval": {"HumanEval/0": samples}}
    path = write(tmp_path / "m_eval_results.json", results)
    with pytest.raises(FormatError, match=r"task 'HumanEval/0' has no base_status"):
        read(path)


def test_broken_and_empty_files(tmp_path: Path) -> None:
    whole = evalplus(tmp_path / "a_eval_results.json", {"HumanEval/0": [(PASS, PASS)]})
    text = whole.read_text(encoding="utf-8")
    for name, content in (("cut", text[:-30]), ("type", text.replace('"0123abcd"', "7"))):
        path = write(tmp_path / f"{name}_eval_results.json", content)
        with pytest.raises(FormatError):
            read(path)
    with pytest.raises(FormatError, match="0 rows"):
        read(evalplus(tmp_path / "none_eval_results.json", {}))


def test_later_versions_may_add_fields(tmp_path: Path) -> None:
    path = evalplus(
        tmp_path / "a_eval_results.json", {"HumanEval/0": [(PASS, PASS)]}, version=9, seed=[1, {}]
    )
    assert scores(read(path)) == {"a": {"HumanEval/0": 1}}


@pytest.mark.parametrize(
    "content",
    [
        {"date": "2026-01-02", "hash": "x", "rows": []},
        [{"date": "d", "hash": "h", "eval": {}}],
        {"eval": {"HumanEval/0": []}, "date": "d", "hash": "h"},
    ],
)
def test_other_documents_are_not_taken(tmp_path: Path, content: object) -> None:
    assert tool(write(tmp_path / "x.json", content)) is None


def test_shared_examples(shared: Path) -> None:
    folder = shared / "formats" / "evalplus"
    found = read(folder / "humaneval_modelA_temp_0.0.eval_results.json")
    statuses = {
        task: samples[0]
        for task, samples in json.loads(
            (folder / "humaneval_modelA_temp_0.0.eval_results.json").read_text()
        )["eval"].items()
    }
    both = {
        task: float(one["base_status"] == one["plus_status"] == "pass")
        for task, one in statuses.items()
    }
    assert scores(found) == {"modelA": both}
    assert sum(both.values()) == 1
    legacy = only(read(folder / "legacy_v0.1_eval_results.json"))
    assert legacy.scores is not None
    assert legacy.scores.to_list() == [1, 0]
