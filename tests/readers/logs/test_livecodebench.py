"""LiveCodeBench: grades as runs, scenarios as tasks, and what holds no grades."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import deadheat
from calls import Done
from deadheat.errors import FormatError, InputError
from deadheat.readers import read
from readers.logs.builders.code_benchmarks import livecodebench, livecodebench_items, write
from readers.logs.looking import only, scores, tool

NAME = "Scenario.codegeneration_{}_{}_eval_all.json"


def test_the_system_is_the_folder(tmp_path: Path) -> None:
    path = livecodebench(
        tmp_path / "M 1 (N=1)" / NAME.format(1, 0.2), {"a_1": [True], "a_2": [False]}
    )
    assert tool(path) == "livecodebench"
    evaluation = read(path)
    assert scores(evaluation) == {"M 1 (N=1)": {"a_1": 1, "a_2": 0}}
    assert only(evaluation).about["temperature"] == "0.2"
    assert not evaluation.notes


def test_samples_are_runs(tmp_path: Path) -> None:
    """pass@2 of 3 samples with 1 and 2 right: 1 - C(2,2)/C(3,2) and 1."""
    path = livecodebench(
        tmp_path / "m" / NAME.format(3, 0.2),
        {"a_1": [True, False, False], "a_2": [True, True, False]},
    )
    assert deadheat.score(path, metric="pass@2").systems[0].value == pytest.approx((2 / 3 + 1) / 2)
    assert deadheat.score(path, metric="pass@1").systems[0].value == pytest.approx(1 / 2)


def test_two_scenarios_of_a_model_are_two_tasks(tmp_path: Path) -> None:
    """The same problems, solved and repaired: not two runs of one thing."""
    for model, right in (("a", False), ("b", True)):
        livecodebench(tmp_path / model / NAME.format(1, 0.2), {"q_1": [True], "q_2": [right]})
        livecodebench(
            tmp_path / model / "Scenario.selfrepair_1_0.2_eval_all.json",
            {"q_1": [True], "q_2": [True]},
            original_code_list=["code"],
        )
    a, b = read(tmp_path).answers
    assert (a.system, b.system) == ("a", "b")
    assert a.items is not None
    assert sorted(a.items) == [
        *("codegeneration/q_1", "codegeneration/q_2"),
        *("selfrepair/q_1", "selfrepair/q_2"),
    ]
    found = deadheat.compare(tmp_path)
    assert (found.items.n, found.difference.estimate) == (4, pytest.approx(1 / 4))


def test_items_of_the_other_scenarios(tmp_path: Path) -> None:
    tests = [
        {"question_id": "1", "test_id": 0, "graded_list": [True], "pass@1": 1.0},
        {"question_id": "1", "test_id": 1, "graded_list": [False], "pass@1": 0.0},
        {"question_id": "2", "test_id": 0, "graded_list": [True], "pass@1": 1.0},
    ]
    name = "Scenario.testoutputprediction_1_0.2_eval_all.json"
    path = livecodebench_items(tmp_path / "m" / name, tests)
    assert scores(read(path)) == {"m": {"1/0": 1, "1/1": 0, "2/0": 1}}
    clustered = only(read(path, cluster="question_id"))
    assert clustered.clusters is not None
    assert clustered.clusters.to_list() == ["1", "1", "2"]
    executed = [
        {"question_id": "1", "id": f"sample_{k}", "graded_list": [k == 1]} for k in range(2)
    ]
    name = "Scenario.codeexecution_1_0.2_cot_eval_all.json"
    path = livecodebench_items(tmp_path / "m" / name, executed)
    assert scores(read(path)) == {"m": {"sample_0": 0, "sample_1": 1}}


def test_outputs_of_a_custom_evaluation_are_called_by_their_file(tmp_path: Path) -> None:
    for name, right in (("a", True), ("b", False)):
        livecodebench(
            tmp_path / f"{name}_codegeneration_output_eval_all.json", {"q": [right], "r": [True]}
        )
    assert scores(read(tmp_path)) == {"a": {"q": 1, "r": 1}, "b": {"q": 0, "r": 1}}


def test_aggregates_and_outputs_are_passed_over(tmp_path: Path, run: Callable[..., Done]) -> None:
    folder = tmp_path / "m"
    livecodebench(folder / NAME.format(1, 0.2), {"q": [True]})
    aggregate = write(
        folder / "Scenario.codegeneration_1_0.2_eval.json",
        [{"pass@1": 0.5, "detail": {"pass@1": {"0": 1.0}}}, {"0": [[1]]}, [["{}"]]],
    )
    outputs = livecodebench_items(
        folder / "Scenario.codegeneration_1_0.2.json", [{"question_id": "q", "code_list": [""]}]
    )
    assert tool(aggregate) == tool(outputs) == "livecodebench"
    with pytest.raises(InputError, match=r"_eval_all.json"):
        read(aggregate)
    with pytest.raises(InputError, match=r"no problem has graded samples.*--evaluate"):
        read(outputs)
    assert scores(read(f"m={folder}")) == {"m": {"q": 1}}
    files = run("inspect", folder, "--format", "json").json["files"]
    assert [file["problem"] is not None for file in files] == [True, True, False]


def test_broken_files(tmp_path: Path) -> None:
    path = livecodebench(tmp_path / "m" / NAME.format(1, 0.2), {"q": [True]})
    text = path.read_text(encoding="utf-8")
    for content in (text[:-9], text.replace("true", '"yes"'), text.replace('"q"', "7")):
        with pytest.raises(FormatError):
            read(write(path, content))


def test_tables_of_people_are_not_taken(tmp_path: Path) -> None:
    rows = [{"question_id": 1, "graded_list": [True], "score": 1}]
    assert tool(write(tmp_path / "x.json", rows)) is None


def test_shared_set(shared: Path) -> None:
    """Figures of the set's README."""
    folder = shared / "data" / "livecodebench"
    found = deadheat.compare(
        folder,
        baseline="O1-Preview-2024-09-12 (N=1)",
        candidate="O1-Mini-2024-09-12 (N=1)",
    )
    assert round(found.baseline.value, 4) == 0.5557
    assert round(found.candidate.value, 4) == 0.6841
    counts = found.to_dict()["counts"]
    assert counts == {"both": 445, "only_baseline": 44, "only_candidate": 157, "neither": 234}
