"""Logs of Inspect AI side by side: names, tasks, settings, runs, retries, other questions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import deadheat
from calls import Done, call
from deadheat.errors import AlignmentError, InputError
from deadheat.evaluation import Evaluation
from deadheat.readers import read
from readers.logs.builders.inspect_ai import eval_log, header, json_log, sample


def log(path: Path, model: str, values: Sequence[Any], **options: Any) -> Path:
    """Write a log of the items 1, 2, ... in the format that the name of the file says."""
    epoch, asks = options.pop("epoch", 1), options.pop("asks", "Question {}?")
    samples = [
        sample(k, v, epoch=epoch, input=asks.format(k)) for k, v in enumerate(values, start=1)
    ]
    write = eval_log if path.suffix == ".eval" else json_log
    options["spec"] = {"dataset": {"name": "d", "sample_ids": [*range(1, len(values) + 1)]}} | (
        options.get("spec") or {}
    )
    return write(path, samples, header(model, **options))


def scores(evaluation: Evaluation) -> dict[str, list[float | None]]:
    return {a.system: a.scores.to_list() for a in evaluation.answers if a.scores is not None}


def codes(evaluation: Evaluation) -> list[str]:
    return [note.code for note in evaluation.notes]


def said(notes: Sequence[deadheat.notes.Note], code: str) -> str:
    (message,) = [note.message for note in notes if note.code == code]
    return message


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    def _run(*arguments: object) -> Done:
        return call(capsys, *arguments)

    return _run


def test_two_logs_from_the_command_line(tmp_path: Path, run: Any) -> None:
    """An .eval log and a .json log: 1 of 3 and 2 of 3 right, of which one item is the same."""
    a = log(tmp_path / "a.eval", "org/a", "CII")
    b = log(tmp_path / "b.json", "org/b", "CIC")
    found = run("compare", a, b, "--format", "json").json
    assert found["baseline"]["system"] == "org/a"
    assert found["candidate"]["system"] == "org/b"
    assert found["difference"]["estimate"] == pytest.approx(1 / 3)
    assert found["counts"] == {"both": 1, "only_baseline": 0, "only_candidate": 1, "neither": 1}
    assert found["items"]["matched"] == 3
    assert "settings_differ" not in [note["code"] for note in found["notes"]]


def test_what_was_not_alike_stands_before_the_numbers(tmp_path: Path, run: Any) -> None:
    config = {"steps": [{"solver": "generate", "params": {}}], "config": {"temperature": 0.0}}
    a = log(tmp_path / "a.eval", "org/a", "CII", plan=config)
    b = log(tmp_path / "b.eval", "org/b", "CIC", plan=config | {"config": {"temperature": 1}})
    note = said(deadheat.compare(a, b).notes, "settings_differ")
    assert "temperature (org/a 0.0, org/b 1)" in note
    text = run("compare", a, b).out
    assert text.index("temperature (org/a 0.0, org/b 1)") < text.index("Difference, candidate")


def test_what_a_log_knows_of_its_system(tmp_path: Path) -> None:
    spec = {
        "task_version": "2-B",
        "task_args": {"subject": "law"},
        "model_args": {"device": "cpu", "api_key": "sk-1", "nothing": None},
        "model_generate_config": {"temperature": 0.5, "top_p": 0.9, "seed": 1, "max_tokens": None},
        "model_roles": {"grader": {"model": "org/judge"}},
        "scorers": [{"name": "match", "options": {"location": "end"}}, {"name": "f1"}],
        "packages": {"inspect_ai": "0.3.9", "inspect_evals": "1.0"},
        "dataset": {"name": "d", "sample_ids": [1], "shuffled": True},
    }
    steps = [{"solver": "system_message", "params": {"template": "Be brief <f at 0x7f00aa11>"}}]
    plan = {"steps": [*steps, {"solver": "generate"}], "config": {"seed": 7, "stop_seqs": ["\n"]}}
    path = log(tmp_path / "a.eval", "org/a", "C", spec=spec, plan=plan)
    (answers,) = read(path).answers
    about = dict(answers.about)
    prompt = about.pop("prompt_hash")
    assert about == {
        "model": "org/a",
        "version": "0.3.9",
        "packages": "inspect_evals=1.0",
        "task_version": "2-B",
        "task_args": "subject=law",
        "date": "2026-01-02T03:04:05+00:00",
        "temperature": "0.5",
        "top_p": "0.9",
        "seed": "7",
        "stop": '["\\n"]',
        "model_args": "device=cpu, nothing=null",
        "model_roles": "grader=org/judge",
        "solver": "system_message > generate",
        "scorers": 'match={"location":"end"}',
        "dataset": "d",
        "shuffled": "true",
        "score": "match",
    }
    for template, same in (("Be brief <f at 0x7f00bb22>", True), ("Be long", False)):
        steps[0]["params"] = {"template": template}
        other = log(tmp_path / "b.eval", "org/a", "C", spec=spec, plan=plan)
        assert (read(other).answers[0].about["prompt_hash"] == prompt) is same


@pytest.mark.parametrize("broken", [None, 7, "text", [], ["x"], {"x": 1}, [{"name": 3}]])
def test_settings_of_another_shape_do_no_harm(tmp_path: Path, broken: Any) -> None:
    fields = ("task_args", "dataset", "model_args", "model_roles", "config", "packages", "scorers")
    spec = {**dict.fromkeys(fields, broken), "model_generate_config": broken, "created": broken}
    path = log(tmp_path / "a.eval", "org/a", "CI", spec=spec, plan=broken)
    assert scores(read(path)) == {"org/a": [1.0, 0.0]}
    path = log(tmp_path / "b.eval", "org/a", "CI", plan={"steps": broken, "config": broken})
    assert scores(read(path)) == {"org/a": [1.0, 0.0]}


def test_other_scores_are_pointed_out(tmp_path: Path) -> None:
    """One log was scored by match, the other one by f1: that is no difference of the systems."""
    logs = [
        eval_log(tmp_path / f"{m}.eval", [sample(k, 1, scorer=s) for k in (1, 2, 3)], header(m))
        for m, s in (("a", "match"), ("b", "f1"))
    ]
    assert "score (a match, b f1)" in said(deadheat.compare(*logs).notes, "settings_differ")


def test_two_logs_of_one_model_need_names(tmp_path: Path) -> None:
    a, b = (log(tmp_path / f"{name}.eval", "org/a", "CI") for name in "ab")
    with pytest.raises(InputError, match=r"two systems are called 'org/a'.*NAME=PATH"):
        read(a, b)
    assert [*scores(read(f"first={a}", f"second={b}"))] == ["first", "second"]


def test_a_folder_of_models_and_tasks(tmp_path: Path, run: Any) -> None:
    """Systems are the models, items those of each task, and tasks are strata."""
    for model in "ab":
        for task, values in (("law", "CI"), ("art", "CCI" if model == "a" else "CCC")):
            log(tmp_path / "logs" / f"{model}_{task}.eval", f"org/{model}", values, task=task)
    found = run("compare", tmp_path / "logs", "--format", "json").json
    assert (found["baseline"]["system"], found["candidate"]["system"]) == ("org/a", "org/b")
    assert found["items"]["n"] == 5
    assert found["difference"]["estimate"] == pytest.approx(1 / 5)


def test_a_task_that_was_run_twice(tmp_path: Path) -> None:
    """Two logs of one model in a folder are its runs; epochs in them are runs as well."""
    log(tmp_path / "1.eval", "org/a", "CI", spec={"task_id": "t1"})
    log(tmp_path / "2.json", "org/a", "CC", spec={"task_id": "t2"})
    log(tmp_path / "3.eval", "org/a", "IC", epoch=2, spec={"task_id": "t3"})
    (answers,) = read(tmp_path).answers
    assert answers.runs is not None
    assert answers.scores is not None
    assert answers.runs.to_list() == [
        *["1.eval, run 1"] * 2,
        *["2.json, run 1"] * 2,
        *["3.eval, run 2"] * 2,
    ]
    assert answers.scores.to_list() == [1, 0, 1, 1, 0, 1]


def test_the_latest_attempt_counts(tmp_path: Path) -> None:
    """A log that ended in an error, its retry, and a copy that was scored again: one task id."""
    late = {"task_id": "t", "created": "2026-01-02T03:00:00-05:00"}
    early = {"task_id": "t", "created": "2026-01-02T04:00:00+00:00"}
    log(tmp_path / "a-error.eval", "org/a", "CI", spec=early, status="error")
    log(tmp_path / "b-retry.eval", "org/a", "CIC", spec=late)
    log(tmp_path / "c-unscored.eval", "org/a", ["C", None, None], spec=late)
    log(tmp_path / "d-started.eval", "org/a", "III", spec=late, status="started")
    log(tmp_path / "e-other.eval", "org/b", "III", spec=late)
    evaluation = read(tmp_path)
    assert scores(evaluation) == {"org/a": [1, 0, 1], "org/b": [0, 0, 0]}
    skipped = said(evaluation.notes, "files_skipped")
    assert skipped.startswith("3 files of ")
    assert "a-error.eval (b-retry.eval is a later log of the same evaluation)" in skipped
    alone = read(tmp_path / "a-error.eval")
    assert scores(alone) == {"org/a": [1, 0]}


@pytest.mark.parametrize("created", ["yesterday", None, "9999-12-31T23:59:59-23:00"])
def test_attempts_of_unknown_age(tmp_path: Path, created: Any) -> None:
    for name, values, status in (("a", "CC", "success"), ("b", "CI", "error")):
        spec = {"task_id": "t", "created": created}
        log(tmp_path / f"{name}.eval", "org/a", values, spec=spec, status=status)
    assert scores(read(tmp_path)) == {"org/a": [1, 1]}


@pytest.mark.parametrize("task_id", ["", None, 7])
def test_logs_without_a_task_id_are_runs(tmp_path: Path, task_id: Any) -> None:
    for name in "ab":
        log(tmp_path / f"{name}.eval", "org/a", "CI", spec={"task_id": task_id})
    (answers,) = read(tmp_path).answers
    assert answers.runs is not None
    assert answers.runs.n_unique() == 2


def test_an_unscored_log_in_a_folder_is_passed_over(tmp_path: Path) -> None:
    log(tmp_path / "a.eval", "org/a", "CI")
    eval_log(tmp_path / "b.eval", [sample(1, scores={}), sample(2, scores={})], header("org/b"))
    evaluation = read(tmp_path)
    assert [*scores(evaluation)] == ["org/a"]
    assert "b.eval (no sample of 2 has a score)" in said(evaluation.notes, "files_skipped")


def test_other_questions_under_one_id_are_refused(tmp_path: Path) -> None:
    a = log(tmp_path / "a.eval", "org/a", "CII")
    b = log(tmp_path / "b.eval", "org/b", "CIC", asks="Another {}?")
    with pytest.raises(AlignmentError, match=r"something else in 3 of 3 items"):
        deadheat.compare(a, b)
    found = deadheat.compare(a, b, different_items=True)
    assert "They were compared" in said(found.notes, "different_items")
    # So are they where labels are renamed, and under another policy on what is missing.
    b = log(tmp_path / "b.eval", "org/b", "CI", asks="Another {}?")
    for options in ({"missing": "drop"}, {"missing": "wrong", "label_map": {"x": "y"}}):
        found = deadheat.compare(a, b, different_items=True, **options)
        assert {"different_items", "missing_bounds"} <= {note.code for note in found.notes}


def test_other_tasks_are_refused(tmp_path: Path) -> None:
    a = log(tmp_path / "a.eval", "org/a", "CII", task="law")
    b = log(tmp_path / "b.eval", "org/b", "CIC", task="art")
    with pytest.raises(AlignmentError, match="different tasks: org/a law; org/b art"):
        deadheat.compare(a, b)


def test_other_questions_are_no_runs(tmp_path: Path) -> None:
    """One task with other arguments: the ids are the same, the items are not."""
    for name, asks in (("law", "Law {}?"), ("art", "Art {}?")):
        log(tmp_path / f"{name}.eval", "org/a", "CI", asks=asks, spec={"task_id": name})
    with pytest.raises(InputError, match=r"ask something else under 2 of the item ids"):
        read(tmp_path)


def test_errors_fall_under_one_policy_for_both_systems(tmp_path: Path) -> None:
    """inspect_ai#3707: samples that ended in an error leave the denominator of one system only."""
    values: list[Any] = ["C"] * 8 + ["I"] * 2
    a = log(tmp_path / "a.eval", "org/a", values)
    b = log(tmp_path / "b.eval", "org/b", ["C"] * 6 + ["I"] * 2 + [None] * 2)
    with pytest.raises(AlignmentError, match=r"org/b: 2 no score"):
        deadheat.compare(a, b)
    dropped = deadheat.compare(a, b, missing="drop")
    wrong = deadheat.compare(a, b, missing="wrong")
    assert (dropped.baseline.value, dropped.candidate.value) == (1.0, 0.75)
    assert (wrong.baseline.value, wrong.candidate.value) == (0.8, 0.6)
