"""Logs of OpenAI evals: samples put together from events in any order."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import pytest

import deadheat
from deadheat.errors import AlignmentError, FormatError, InputError
from deadheat.readers import read
from readers.logs.builders.openai_evals import event, log, match, metrics, sampling, spec
from readers.logs.looking import codes, only, said, scores


def test_samples_are_put_together_in_whatever_order(tmp_path: Path) -> None:
    events = [e for k in range(6) for e in (sampling(k), match(k, k % 2 == 0))]
    ordered = read(log(tmp_path / "a.jsonl", events, report={"accuracy": 0.5}))
    random.Random(1).shuffle(events)
    shuffled = read(log(tmp_path / "b.jsonl", events, report={"accuracy": 0.5}))
    expected = {f"quiz.dev.{k}": float(k % 2 == 0) for k in range(6)}
    assert scores(ordered) == scores(shuffled) == {"gpt-x": expected}
    assert not ordered.notes
    answers = only(ordered)
    assert answers.tasks is not None
    assert answers.tasks.unique().to_list() == ["quiz"]
    about = dict(answers.about)
    assert about.pop("prompt_hash") == only(shuffled).about["prompt_hash"]
    assert about == {
        "model": "gpt-x",
        "task_version": "quiz.dev.v0",
        "date": "2026-01-01 00:00:00",
        "seed": "7",
        "num_fewshot": "2",
        "score": "correct",
    }


@pytest.mark.parametrize("where", [0, 3, 6])
def test_the_final_report_may_stand_anywhere(tmp_path: Path, where: int) -> None:
    """Threads write it before the last events, as in logs of 2023."""
    path = log(tmp_path / "a.jsonl", [match(k, True) for k in range(5)], report={"accuracy": 1.0})
    lines = path.read_text().splitlines()
    lines.insert(1 + min(where, 5), lines.pop())
    path.write_text("\n".join(lines) + "\n")
    assert not read(path).notes


def test_what_is_published_is_held_against_the_samples(tmp_path: Path) -> None:
    events = [match(0, True), match(1, False), match(2, False)]
    evaluation = read(log(tmp_path / "a.jsonl", events, report={"accuracy": 0.34}))
    assert "correct 0.34 (its 3 samples: 0.333333)" in said(evaluation, "published_disagrees")
    assert codes(read(log(tmp_path / "a.jsonl", events, report={"accuracy": 1 / 3}))) == []


def test_metrics_are_further_scores(tmp_path: Path) -> None:
    events = [match(0, True), metrics(0, f1_score=0.75, accuracy=1.0, choice="Yes", ok=True)]
    events += [match(1, False), metrics(1, f1_score=0.25, accuracy=0.0, choice="No", ok=False)]
    report = {"accuracy": 0.5, "f1_score": 0.5}
    path = log(tmp_path / "a.jsonl", events, report=report)
    evaluation = read(path)
    assert "f1_score" in said(evaluation, "other_scores")
    assert "choice" in said(evaluation, "not_item_scores")
    by_f1 = deadheat.score(path, score="f1_score")
    assert by_f1.systems[0].value == 0.5
    assert only(read(path, score="ok")).scores.to_list() == [1.0, 0.0]  # type: ignore[union-attr]


def test_a_grader_is_the_judge_and_not_the_system(tmp_path: Path) -> None:
    head = spec(completion_fns=["model-a", "grader"])
    head["run_config"]["eval_spec"]["cls"] = "evals.elsuite.modelgraded.classify:ModelBasedClassify"
    events = [metrics(k, choice="Yes", score=s) for k, s in enumerate((1.0, 0.0))]
    answers = only(read(log(tmp_path / "a.jsonl", events, head, {"score": 0.5, "counts/Yes": 2})))
    assert answers.system == "model-a"
    assert answers.about["judge"] == "grader"


def test_older_headers_name_a_model(tmp_path: Path) -> None:
    head = spec()
    del head["completion_fns"]
    for key in ("model", "completion_fn", "model_name"):
        events = [match(0, True), match(1, False)]
        path = log(tmp_path / "a.jsonl", events, head | {key: "gpt-old"}, {"accuracy": 0.5})
        assert only(read(path)).system == "gpt-old"
    assert (
        only(read(log(tmp_path / "b.jsonl", [match(0, True), match(1, True)], head))).system == "b"
    )


def test_several_events_of_a_sample_are_runs(tmp_path: Path) -> None:
    events = [match(0, True), match(0, False), match(1, True), match(1, True)]
    answers = only(read(log(tmp_path / "a.jsonl", events, report={"accuracy": 0.75})))
    assert answers.runs is not None
    assert answers.scores is not None
    assert answers.runs.to_list() == [1, 2, 1, 2]
    assert answers.scores.to_list() == [1.0, 0.0, 1.0, 1.0]
    card = deadheat.score(tmp_path / "a.jsonl")
    assert card.systems[0].value == 0.75


def test_metrics_of_one_sample_do_not_replace_one_another(tmp_path: Path) -> None:
    events = [metrics(0, score=1.0), metrics(0, score=0.0), metrics(1, score=1.0)]
    answers = only(read(log(tmp_path / "a.jsonl", events)))
    assert answers.scores is not None
    assert answers.scores.to_list() == [1.0, 0.0, 1.0]
    assert answers.runs is not None
    assert answers.runs.to_list() == [1, 2, 1]


def test_a_sample_that_was_not_scored_is_missing(tmp_path: Path) -> None:
    events = [match(0, True), sampling(1), event(2, "error", {"type": "Timeout"}), match(3, False)]
    evaluation = read(log(tmp_path / "a.jsonl", events, report={"accuracy": 0.5}))
    assert scores(evaluation)["gpt-x"] == {
        "quiz.dev.0": 1.0,
        "quiz.dev.1": None,
        "quiz.dev.2": None,
        "quiz.dev.3": 0.0,
    }
    assert "2 samples" in said(evaluation, "unscored_samples")
    with pytest.raises(InputError, match="no score"):
        deadheat.score(tmp_path / "a.jsonl", missing="error")


def test_a_run_that_was_cut_off_is_so_called(tmp_path: Path) -> None:
    evaluation = read(log(tmp_path / "a.jsonl", [match(0, True), match(1, False)]))
    assert codes(evaluation) == ["unfinished_log"]


def test_two_runs_in_one_file_are_refused(tmp_path: Path) -> None:
    path = log(tmp_path / "a.jsonl", [match(0, True), match(1, True)])
    path.write_text(path.read_text() * 2)
    with pytest.raises(FormatError, match=r"line 4.*second header"):
        read(path)


def test_no_event_that_scores_is_refused(tmp_path: Path) -> None:
    for events in ([], [sampling(0)], [event(0, "raw_sample", {"input": "q"})]):
        with pytest.raises(InputError, match="no event scores a sample"):
            read(log(tmp_path / "a.jsonl", events))


def test_raw_samples_say_what_an_item_asked(tmp_path: Path) -> None:
    def events(question: str) -> list[dict[str, object]]:
        asked = [
            event(k, "raw_sample", {"input": f"{question} {k}", "ideal": "x"}) for k in range(4)
        ]
        return [*asked, *(match(k, k < 2) for k in range(4))]

    a = log(tmp_path / "a.jsonl", events("Who?"), report={"accuracy": 0.5})
    b = log(tmp_path / "b.jsonl", events("Who?"), spec("gpt-y"), {"accuracy": 0.5})
    c = log(tmp_path / "c.jsonl", events("What?"), spec("gpt-y"), {"accuracy": 0.5})
    hashes = only(read(a)).item_hashes
    assert hashes is not None
    expected = hashlib.sha256(b'{"ideal":"x","input":"Who? 0"}').hexdigest()
    assert hashes[0] == expected
    assert deadheat.compare(a, b).difference.estimate == 0
    with pytest.raises(AlignmentError, match="something else in 4 of 4"):
        deadheat.compare(a, c)
    assert "different_items" in codes(deadheat.compare(a, c, different_items=True))


def test_two_real_systems_on_the_same_items_in_different_order(shared: Path) -> None:
    """Both have accuracy 0.37; the reports and headers state it, and the items are the same 100."""
    folder = shared / "formats" / "openai_evals"
    paths = [folder / "crossword-turbo.jsonl", folder / "crossword-turbo-0301.jsonl"]
    first, second = (read(path) for path in paths)
    for evaluation in (first, second):
        answers = only(evaluation)
        assert answers.scores is not None
        assert len(answers.scores) == 100
        assert answers.scores.sum() == 37
        assert not evaluation.notes
    assert first.answers[0].items is not None
    assert second.answers[0].items is not None
    assert first.answers[0].items.to_list() != second.answers[0].items.to_list()
    comparison = deadheat.compare(*paths)
    assert comparison.difference.estimate == 0
    assert comparison.baseline.value == comparison.candidate.value == pytest.approx(0.37)


def test_a_real_log_of_a_subset(shared: Path) -> None:
    answers = only(read(shared / "formats" / "openai_evals" / "us-tort-law-turbo.jsonl"))
    assert answers.scores is not None
    assert len(answers.scores) == 5
    assert answers.scores.sum() == 1
    assert answers.about["max_samples"] == "5"
    assert answers.about["num_fewshot"] == "4"
