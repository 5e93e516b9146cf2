"""Results of OpenCompass: details as objects and as lists."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import deadheat
from deadheat.errors import InputError
from deadheat.readers import read
from readers.logs.builders.lines import write_json
from readers.logs.builders.opencompass import item, keyed, listed, log
from readers.logs.looking import codes, only, said, scores, tool


def test_items_are_numbers_and_the_type_is_none(tmp_path: Path) -> None:
    path = log(tmp_path, keyed([item(True), item(False), item(True)], 66.67))
    evaluation = read(path)
    assert scores(evaluation) == {"model-a": {"0": 1.0, "1": 0.0, "2": 1.0}}
    assert not evaluation.notes
    tasks = only(evaluation).tasks
    assert tasks is not None
    assert tasks.unique().to_list() == ["gsm8k"]


def test_a_folder_of_models(tmp_path: Path) -> None:
    log(tmp_path, keyed([item(True), item(False), item(True)], 66.67), "model-a")
    log(tmp_path, keyed([item(True), item(True), item(True)], 100.0), "model-b")
    found = deadheat.compare(tmp_path / "results")
    assert found.difference.estimate == pytest.approx(1 / 3)
    assert (found.baseline.system, found.candidate.system) == ("model-a", "model-b")


def test_several_data_sets_are_strata(tmp_path: Path) -> None:
    for model, second in (("model-a", [item(True)]), ("model-b", [item(False)])):
        log(tmp_path, keyed([item(True), item(False)], 50.0), model, "gsm8k")
        log(tmp_path, keyed(second, 100.0 * (model == "model-a")), model, "math")
    evaluation = read(tmp_path / "results")
    assert scores(evaluation)["model-b"] == {"gsm8k/0": 1.0, "gsm8k/1": 0.0, "math/0": 0.0}


def test_elsewhere_the_file_names_the_system(tmp_path: Path) -> None:
    path = write_json(tmp_path / "model-x.json", keyed([item(True), item(False)], 50.0))
    assert only(read(path)).system == "model-x"


def test_lists_of_verdicts_are_runs(tmp_path: Path) -> None:
    """Two runs of three items; the runs have the accuracies 2/3 and 1/3."""
    verdicts = {"main_0": [True, False], "main_1": [False, False], "main_2": [True, True]}
    path = log(tmp_path, listed(verdicts, **{"accuracy (2 runs average)": 50.0}))
    answers = only(read(path))
    assert answers.items is not None
    assert answers.runs is not None
    assert answers.scores is not None
    assert answers.runs.to_list() == [1, 2] * 3
    assert answers.scores.to_list() == [1.0, 0.0, 0.0, 0.0, 1.0, 1.0]
    assert deadheat.score(path).systems[0].value == 0.5


@pytest.mark.parametrize("name", ["correct", "is_correct", "cascade_correct"])
def test_a_list_of_one_run(tmp_path: Path, name: str) -> None:
    path = log(tmp_path, listed({"main_0": [True], "main_1": [False]}, name, accuracy=50.0))
    evaluation = read(path)
    assert scores(evaluation) == {"model-a": {"main_0": 1.0, "main_1": 0.0}}
    assert not evaluation.notes


def test_details_without_a_type(tmp_path: Path) -> None:
    details = {
        str(k): {"prompt": "Q?", "pred": "A", "refr": "A", "is_correct": k > 0} for k in (0, 1)
    }
    path = log(tmp_path, {"accuracy": 50.0, "details": details})
    assert scores(read(path)) == {"model-a": {"0": 0.0, "1": 1.0}}


def test_percent_is_held_against_the_items(tmp_path: Path) -> None:
    path = log(tmp_path, keyed([item(True), item(False)], 75.0))
    assert "correct 75 (its 2 samples: 50)" in said(read(path), "published_disagrees")
    path = log(tmp_path, keyed([item(True), item(False), item(False)], 33.33))
    assert codes(read(path)) == []


def test_an_item_without_a_verdict_is_missing(tmp_path: Path) -> None:
    path = log(tmp_path, keyed([item(True), item(None), item(False)], 50.0))
    evaluation = read(path)
    assert scores(evaluation) == {"model-a": {"0": 1.0, "1": None, "2": 0.0}}
    assert codes(evaluation) == ["unscored_samples"]


def test_references_are_texts_or_none(tmp_path: Path) -> None:
    references = ["18", ["18", "18"], ["18", "19"], {"a": 1}]
    expected: list[Any] = ["18", "18", None, None]
    for value, text in zip(references, expected, strict=True):
        path = log(tmp_path, keyed([item(True, references=value), item(False)], 50.0))
        found = only(read(path)).references
        assert (None if found is None else found[0]) == text


def test_an_aggregate_is_refused(tmp_path: Path) -> None:
    judged = [item(None), item(None)]
    with pytest.raises(InputError, match="no item says whether it was correct"):
        read(log(tmp_path, keyed(judged, 50.0)))
    assert tool(write_json(tmp_path / "plain.json", {"accuracy": 50.0})) is None


def test_the_examples(shared: Path) -> None:
    folder = shared / "formats" / "opencompass"
    found = scores(read(folder / "results_modelA_gsm8k.json"))
    assert found == {"results_modelA_gsm8k": {"0": 1.0, "1": 0.0}}
    found = scores(read(folder / "results_modelA_mmlu_ppl.json"))
    assert found == {"results_modelA_mmlu_ppl": {"0": 1.0}}
    for path in folder.iterdir():
        assert "published_disagrees" not in codes(read(path))
