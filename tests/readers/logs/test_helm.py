"""Runs of HELM: statistics of instances, perturbed copies, splits and aggregates."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import deadheat
from deadheat.errors import AlignmentError, InputError
from deadheat.readers import read
from readers.logs.builders.helm import instance, log, spec, stat
from readers.logs.builders.lines import write_json
from readers.logs.looking import codes, only, said, scores, tool

FOLDER = "mmlu-subject=law,method=joint,model=org_model-a"


def test_the_settings_tell_model_and_task(tmp_path: Path) -> None:
    found = [instance(f"id{k}", stat("exact_match", float(k > 0))) for k in range(3)]
    path = log(tmp_path / FOLDER, found, spec())
    evaluation = read(path)
    assert scores(evaluation) == {"org/model-a": {"id0": 0.0, "id1": 1.0, "id2": 1.0}}
    answers = only(evaluation)
    assert answers.tasks is not None
    assert answers.tasks.unique().to_list() == ["mmlu,subject=law,method=joint"]
    assert answers.about["num_fewshot"] == "5"
    assert answers.about["deployment"] == "hub/org/model-a"
    assert not evaluation.notes


def test_without_settings_the_folder_does(tmp_path: Path) -> None:
    found = [instance(f"id{k}", stat("exact_match", float(k))) for k in range(2)]
    answers = only(read(log(tmp_path / FOLDER, found)))
    assert answers.system == "org_model-a"
    assert answers.tasks is not None
    assert answers.tasks.unique().to_list() == ["mmlu,subject=law,method=joint"]
    assert only(read(log(tmp_path / "plain", found))).system == "per_instance_stats"


def test_bookkeeping_is_no_score(tmp_path: Path) -> None:
    stats = (stat("num_output_tokens", 3), stat("inference_runtime", 0.5), stat("rouge_l", 0.25))
    path = log(tmp_path / FOLDER, [instance(f"id{k}", *stats) for k in range(2)], spec())
    evaluation = read(path)
    assert set(scores(evaluation)["org/model-a"].values()) == {0.25}
    assert "num_output_tokens, inference_runtime" in said(evaluation, "not_item_scores")
    asked = read(path, score="inference_runtime")
    assert set(scores(asked)["org/model-a"].values()) == {0.5}


def test_the_usual_metric_comes_first(tmp_path: Path) -> None:
    stats = (
        stat("prefix_exact_match", 1.0),
        stat("quasi_exact_match", 1.0),
        stat("exact_match", 0.0),
    )
    evaluation = read(
        log(tmp_path / FOLDER, [instance(f"id{k}", *stats) for k in range(2)], spec())
    )
    assert set(scores(evaluation)["org/model-a"].values()) == {0.0}
    assert "'quasi_exact_match', 'prefix_exact_match'" in said(evaluation, "other_scores")


def test_what_an_instance_lacks_is_missing(tmp_path: Path) -> None:
    found = [
        instance("id0", stat("exact_match", 1.0)),
        instance("id1", stat("exact_match", None)),
        instance("id2"),
    ]
    evaluation = read(log(tmp_path / FOLDER, found, spec()))
    assert scores(evaluation)["org/model-a"] == {"id0": 1.0, "id1": None, "id2": None}


def test_records_of_several_metrics_are_put_together(tmp_path: Path) -> None:
    """Every metric writes a record for each instance; counts stand in all of them."""
    tokens = stat("num_output_tokens", 3)
    found = [instance(f"id{k}", tokens, stat("exact_match", 1.0)) for k in range(2)]
    found += [instance(f"id{k}", tokens, stat("f1_score", 0.5)) for k in range(2)]
    path = log(tmp_path / FOLDER, found, spec())
    assert scores(read(path))["org/model-a"] == {"id0": 1.0, "id1": 1.0}
    assert scores(read(path, score="f1_score"))["org/model-a"] == {"id0": 0.5, "id1": 0.5}


def test_what_contradicts_stays_twice(tmp_path: Path) -> None:
    for second in (0.0, 1.0):
        found = [instance("id0", stat("exact_match", s)) for s in (1.0, second)]
        path = log(tmp_path / FOLDER, [*found, instance("id1", stat("exact_match", 1.0))], spec())
        with pytest.raises(AlignmentError, match="id0"):
            deadheat.score(path)


@pytest.mark.parametrize("inside", [True, False])
def test_perturbed_copies_are_items_of_one_cluster(tmp_path: Path, inside: bool) -> None:
    robust = {"perturbation": {"name": "robustness", "robustness": True}}
    found = [
        instance("id0", stat("exact_match", 1.0)),
        instance("id1", stat("exact_match", 0.0)),
        instance("id0", stat("exact_match", 0.0, **(robust if inside else {})), **robust),
    ]
    answers = only(read(log(tmp_path / FOLDER, found, spec())))
    assert answers.items is not None
    assert answers.clusters is not None
    assert answers.items.to_list() == ["id0", "id1", "id0@robustness"]
    assert answers.clusters.to_list() == ["id0", "id1", "id0"]


def test_train_trials_are_runs(tmp_path: Path) -> None:
    found = [
        instance(f"id{k}", stat("exact_match", float(k == t)), trial=t)
        for t in range(3)
        for k in range(2)
    ]
    runs = only(read(log(tmp_path / FOLDER, found, spec()))).runs
    assert runs is not None
    assert runs.to_list() == [0, 0, 1, 1, 2, 2]


def test_means_of_each_split_are_held_against_its_instances(tmp_path: Path) -> None:
    robust = {"perturbation": {"name": "robustness", "computed_on": "worst"}}
    found = [instance(f"id{k}", stat("exact_match", float(k > 0))) for k in range(3)]
    found += [instance("id9", stat("exact_match", 0.0, "valid"))]
    stats = [
        stat("exact_match", 2 / 3),
        stat("exact_match", 0.0, "valid"),
        stat("exact_match", 0.1, **robust),
    ]
    evaluation = read(log(tmp_path / FOLDER, found, spec(), stats))
    assert codes(evaluation) == ["several_splits"]
    assert "(test 3, valid 1)" in said(evaluation, "several_splits")
    stats[1] = stat("exact_match", 1.0, "valid")
    evaluation = read(log(tmp_path / FOLDER, found, spec(), stats))
    message = said(evaluation, "published_disagrees")
    assert "(valid)" in message
    assert "exact_match 1 (its 1 samples: 0)" in message


def test_other_files_of_a_run_are_refused_and_passed_over_in_its_folder(tmp_path: Path) -> None:
    found = [instance(f"id{k}", stat("exact_match", float(k))) for k in range(2)]
    log(tmp_path / FOLDER, found, spec(), [stat("exact_match", 0.5)])
    state = {"adapter_spec": spec()["adapter_spec"], "request_states": []}
    write_json(tmp_path / FOLDER / "scenario_state.json", state, indent=2)
    for name in ("run_spec", "stats", "scenario_state"):
        path = tmp_path / FOLDER / f"{name}.json"
        assert tool(path) == "helm"
        with pytest.raises(InputError, match=rf"this is {name}\.json of HELM"):
            read(path)
    assert scores(read(tmp_path / FOLDER)) == {"org/model-a": {"id0": 0.0, "id1": 1.0}}


def test_what_is_displayed_is_read_where_it_lies_alone(tmp_path: Path) -> None:
    shown = [
        {
            "instance_id": f"id{k}",
            "train_trial_index": 0,
            "predicted_text": "A",
            "stats": {"exact_match": float(k), "inference_runtime": 0.5},
        }
        for k in range(2)
    ]
    path = write_json(tmp_path / FOLDER / "display_predictions.json", shown)
    assert scores(read(path)) == {"org_model-a": {"id0": 0.0, "id1": 1.0}}
    log(tmp_path / FOLDER, [instance(f"id{k}", stat("exact_match", float(k))) for k in range(2)])
    answers = only(read(tmp_path / FOLDER))
    assert answers.runs is None
    assert answers.source.path.endswith("per_instance_stats.json")


def test_instances_that_asked_something_else_are_refused(tmp_path: Path) -> None:
    def run(model: str, question: str) -> Path:
        found = [instance(f"id{k}", stat("exact_match", float(k > 1))) for k in range(4)]
        asked = [{"input": {"text": f"{question} {k}"}, "id": f"id{k}"} for k in range(4)]
        return log(tmp_path / f"mmlu:model={model}", found, spec(model), None, asked)

    a, b, c = run("org/a", "Who"), run("org/b", "Who"), run("org/c", "What")
    assert deadheat.compare(a, b).difference.estimate == 0
    with pytest.raises(AlignmentError, match="something else in 4 of 4"):
        deadheat.compare(a, c)


def test_two_runs_of_different_subjects_are_refused(tmp_path: Path) -> None:
    found = [instance(f"id{k}", stat("exact_match", float(k > 1))) for k in range(4)]
    a = log(tmp_path / "a", found, spec("org/a"))
    other = spec("org/b")
    other["name"] = other["name"].replace("law", "history")
    b = log(tmp_path / "b", found, other)
    with pytest.raises(AlignmentError, match="different tasks"):
        deadheat.compare(a, b)


def test_a_run_of_perplexities_names_them(tmp_path: Path) -> None:
    stats = (stat("logprob", -3.5), stat("num_bytes", 9))
    path = log(tmp_path / FOLDER, [instance(f"id{k}", *stats) for k in range(2)], spec())
    with pytest.raises(InputError, match="logprob, num_bytes"):
        read(path)
    assert set(scores(read(path, score="logprob"))["org/model-a"].values()) == {-3.5}


def test_the_real_run_agrees_with_its_aggregates(shared: Path) -> None:
    """exact_match is 1/9 on the test split and 0 on the one instance of the other."""
    (folder,) = (shared / "formats" / "helm").glob("mmlu*")
    path = folder / "per_instance_stats.json"
    evaluation = read(path)
    answers = only(evaluation)
    assert answers.system == "openai/gpt2"
    assert answers.scores is not None
    assert len(answers.scores) == 10
    assert answers.scores.sum() == 1
    assert "(test 9, valid 1)" in said(evaluation, "several_splits")
    stats = json.loads((folder / "stats.json").read_text())
    means = {
        (s["name"]["name"], s["name"]["split"]): s["mean"]
        for s in stats
        if "perturbation" not in s["name"] and s["name"]["name"].endswith("exact_match")
    }
    assert means["exact_match", "test"] == pytest.approx(1 / 9)
    for metric in ("exact_match", "quasi_exact_match", "prefix_exact_match"):
        found = scores(read(path, score=metric))["openai/gpt2"]
        total = 9 * means[metric, "test"] + means[metric, "valid"]
        assert sum(v for v in found.values() if v is not None) == pytest.approx(total)
        assert "published_disagrees" not in codes(read(path, score=metric))


def test_the_example_of_what_is_displayed(shared: Path) -> None:
    path = shared / "formats" / "helm" / "display_predictions.synthetic.json"
    assert [*scores(read(path)).values()] == [{"id147": 1.0, "id147@robustness": 0.0}]
