"""Reviews of EvalScope."""

from __future__ import annotations

from pathlib import Path

import pytest

import deadheat
from deadheat.errors import InputError
from deadheat.readers import read
from readers.logs.builders.evalscope import log, report, review
from readers.logs.builders.lines import write_lines
from readers.logs.looking import codes, only, said, scores, tool


def test_a_review_a_sample(tmp_path: Path) -> None:
    path = log(tmp_path, [review(0, {"acc": 1.0}), review(1, {"acc": 0.0})])
    evaluation = read(path)
    assert scores(evaluation) == {"model-a": {"0": 1.0, "1": 0.0}}
    tasks = only(evaluation).tasks
    assert tasks is not None
    assert tasks.to_list() == ["gsm8k_main"] * 2
    assert not evaluation.notes


def test_the_main_score_comes_first(tmp_path: Path) -> None:
    values = [{"length": 12, "f1": 0.5, "word": "long"}, {"length": 9, "f1": True, "word": "x"}]
    path = log(tmp_path, [review(k, v, "f1") for k, v in enumerate(values)])
    evaluation = read(path)
    assert scores(evaluation)["model-a"] == {"0": 0.5, "1": 1.0}
    assert "'length'" in said(evaluation, "other_scores")
    assert "word" in said(evaluation, "not_item_scores")


def test_repeats_of_a_group_are_runs(tmp_path: Path) -> None:
    reviews = [
        review(k, {"acc": float(k == 0)}, group_id=k // 2, generation_index=(k + 1) % 2)
        for k in range(4)
    ]
    answers = only(read(log(tmp_path, reviews)))
    assert answers.items is not None
    assert answers.runs is not None
    assert answers.items.to_list() == ["0", "0", "1", "1"]
    assert answers.runs.to_list() == [2, 1, 2, 1]
    for one in reviews:
        del one["sample_score"]["generation_index"]
    answers = only(read(log(tmp_path, reviews)))
    assert answers.runs is not None
    assert answers.runs.to_list() == [1, 2, 1, 2]


def test_a_metric_that_a_sample_lacks_is_missing(tmp_path: Path) -> None:
    reviews = [
        review(0, {"acc": 1.0}),
        review(1, {}, status="judge_error"),
        review(2, {"acc": None}),
    ]
    evaluation = read(log(tmp_path, reviews))
    assert scores(evaluation)["model-a"] == {"0": 1.0, "1": None, "2": None}
    assert "2 samples lack acc" in said(evaluation, "unscored_samples")


@pytest.mark.parametrize("name", ["acc", "mean_acc"])
def test_the_report_is_held_against_the_reviews(tmp_path: Path, name: str) -> None:
    path = log(tmp_path, [review(k, {"acc": float(k > 0)}) for k in range(3)])
    report(tmp_path, name, 0.6667)
    assert not read(path).notes
    report(tmp_path, name, 0.9)
    assert "acc 0.9 (its 3 samples: 0.666667)" in said(read(path), "published_disagrees")


def test_a_report_alone_is_refused(tmp_path: Path) -> None:
    path = report(tmp_path, "acc", 0.5)
    assert tool(path) == "evalscope"
    with pytest.raises(InputError, match="a report of EvalScope"):
        read(path)


def test_a_folder_of_models_and_its_reports(tmp_path: Path) -> None:
    for model, last in (("model-a", 0.0), ("model-b", 1.0)):
        log(tmp_path, [review(k, {"acc": s}) for k, s in enumerate((1.0, 0.0, last))], model)
        report(tmp_path, "mean_acc", (1.0 + last) / 3, model)
    found = deadheat.compare(tmp_path)
    assert found.difference.estimate == pytest.approx(1 / 3)
    assert "published_disagrees" not in codes(found)


def test_elsewhere_the_file_names_the_system(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "model-x.jsonl", [review(0, {"acc": 1.0}), review(1, {"acc": 0})])
    assert only(read(path)).system == "model-x"


def test_a_first_line_longer_than_what_is_looked_at(tmp_path: Path) -> None:
    """Messages stand before the score; then the folder has to say what the file is."""
    long = review(0, {"acc": 1.0})
    long["messages"] = [{"role": "user", "content": "x" * (1 << 20)}]
    reviews = [long, review(1, {"acc": 0.0})]
    assert scores(read(log(tmp_path, reviews))) == {"model-a": {"0": 1.0, "1": 0.0}}
    assert tool(write_lines(tmp_path / "other" / "a.jsonl", reviews)) is None


def test_a_sample_twice_stays_twice(tmp_path: Path) -> None:
    reviews = [review(0, {"acc": 1.0}), review(0, {"acc": 0.0}), review(1, {"acc": 1.0})]
    runs = only(read(log(tmp_path, reviews))).runs
    assert runs is not None
    assert runs.to_list() == [1, 2, 1]


def test_the_example(shared: Path) -> None:
    path = shared / "formats" / "evalscope" / "reviews" / "modelA" / "gsm8k_main.jsonl"
    assert scores(read(path)) == {"modelA": {"0": 1.0, "1": 0.0}}
