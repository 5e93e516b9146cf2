"""Documents of Every Eval Ever."""

from __future__ import annotations

from pathlib import Path

import pytest

import deadheat
from deadheat.errors import AlignmentError, InputError
from deadheat.readers import read
from readers.logs.builders.every_eval_ever import aggregate, log, sample
from readers.logs.builders.lines import write_json, write_lines
from readers.logs.looking import codes, only, said, scores, tool


def test_samples_and_what_their_aggregate_says(tmp_path: Path) -> None:
    rows = [sample("q0", 1.0), sample("q1", 0.0)]
    evaluation = read(log(tmp_path, rows, aggregate(0.5)))
    assert scores(evaluation) == {"org/model": {"q0": 1.0, "q1": 0.0}}
    answers = only(evaluation)
    assert answers.item_hashes is not None
    assert answers.item_hashes.to_list() == ["hash of q0", "hash of q1"]
    assert dict(answers.about) == {
        "family": "m",
        "model": "model",
        "harness": "harness",
        "version": "1.2",
        "date": "1750000000",
        "score": "score",
    }
    assert codes(evaluation) == ["other_scores"]


def test_what_is_published_is_held_against_the_samples(tmp_path: Path) -> None:
    path = log(tmp_path, [sample("q0", 1.0), sample("q1", 0.0)], aggregate(0.75))
    assert "score of quiz 0.75 (its 2 samples: 0.5)" in said(read(path), "published_disagrees")


def test_an_aggregate_of_something_else_is_not_used(tmp_path: Path) -> None:
    other = aggregate(0.75) | {"evaluation_id": "other"}
    evaluation = read(log(tmp_path, [sample("q0", 1.0), sample("q1", 0.0)], other))
    assert dict(only(evaluation).about) == {"score": "score"}
    assert codes(evaluation) == ["other_scores"]


def test_a_sample_with_an_error_is_missing(tmp_path: Path) -> None:
    rows = [sample("q0", 1.0), sample("q1", 0.0, error="timeout"), sample("q2", 0.0, error=None)]
    evaluation = read(log(tmp_path, rows))
    assert scores(evaluation)["org/model"] == {"q0": 1.0, "q1": None, "q2": 0.0}
    assert "1 samples" in said(evaluation, "unscored_samples")


def test_an_unknown_level_is_missing(tmp_path: Path) -> None:
    rows = [sample("q0", 2.0), sample("q1", -1.0), sample("q2", 0.0)]
    known = aggregate(1.0, score_type="levels", has_unknown_level=True)
    assert [*scores(read(log(tmp_path, rows, known)))["org/model"].values()] == [2.0, None, 0.0]
    plain = aggregate(1 / 3, score_type="levels", has_unknown_level=False)
    assert [*scores(read(log(tmp_path, rows, plain)))["org/model"].values()] == [2.0, -1.0, 0.0]


def test_several_results_of_a_sample_are_scores(tmp_path: Path) -> None:
    """As its converter of HELM writes: a line for each sample and metric."""
    rows = [
        sample(f"q{k}", score, evaluation_result_id=metric)
        for k in range(3)
        for metric, score in (("exact_match:test", float(k > 0)), ("rouge_l:test", 0.25 * k))
    ]
    path = log(tmp_path, rows)
    assert scores(read(path))["org/model"] == {"q0": 0.0, "q1": 1.0, "q2": 1.0}
    by_rouge = scores(read(path, score="rouge_l:test"))["org/model"]
    assert by_rouge == {"q0": 0.0, "q1": 0.25, "q2": 0.5}
    assert only(read(path)).runs is None


def test_a_sample_twice_stays_twice(tmp_path: Path) -> None:
    single = [sample("q0", 1.0), sample("q0", 1.0), sample("q1", 0.0)]
    several = [
        sample(name, 1.0, evaluation_result_id=metric)
        for name in ("q0", "q0", "q1")
        for metric in ("a", "b")
    ]
    for rows in (single, several):
        with pytest.raises(AlignmentError, match="q0"):
            deadheat.score(log(tmp_path, rows))


@pytest.mark.parametrize("name", ["run", "epoch"])
def test_runs_and_clusters_stand_among_the_metadata(tmp_path: Path, name: str) -> None:
    rows = [
        sample(f"q{k}", float(r), metadata={name: str(r), "cluster": f"c{k // 2}", "topic": "x"})
        for k in range(4)
        for r in range(2)
    ]
    answers = only(read(log(tmp_path, rows)))
    assert answers.runs is not None
    assert answers.clusters is not None
    assert answers.runs.to_list() == ["0", "1"] * 4
    assert answers.clusters.unique().sort().to_list() == ["c0", "c1"]


def test_several_evaluations_are_tasks(tmp_path: Path) -> None:
    rows = [
        sample(name, score, evaluation_name=task, evaluation_result_id=task)
        for task, name, score in (("a", "1", 1.0), ("b", "1", 0.0), ("b", "2", 1.0))
    ]
    assert scores(read(log(tmp_path, rows)))["org/model"] == {"a/1": 1.0, "b/1": 0.0, "b/2": 1.0}


def test_that_lower_is_better_is_said(tmp_path: Path) -> None:
    path = log(
        tmp_path, [sample("q0", 1.0), sample("q1", 0.0)], aggregate(0.5, lower_is_better=True)
    )
    assert "quiz" in said(read(path), "lower_is_better")


def test_two_models_are_compared_if_they_were_asked_the_same(tmp_path: Path) -> None:
    def run(folder: str, model: str, what: str) -> Path:
        rows = [sample(f"q{k}", float(k > 1), model_id=model) for k in range(4)]
        for row in rows:
            row["sample_hash"] = f"{what} {row['sample_id']}"
        return log(tmp_path / folder, rows)

    a, b, c = run("a", "org/a", "x"), run("b", "org/b", "x"), run("c", "org/c", "y")
    assert deadheat.compare(a, b).difference.estimate == 0
    with pytest.raises(AlignmentError, match="something else in 4 of 4"):
        deadheat.compare(a, c)


def test_an_aggregate_alone_is_refused(tmp_path: Path) -> None:
    path = write_json(tmp_path / "a.json", aggregate(0.5), indent=2)
    assert tool(path) == "every_eval_ever"
    with pytest.raises(InputError, match="aggregate of Every Eval Ever"):
        read(path)


def test_the_order_of_fields_does_not_matter(tmp_path: Path) -> None:
    rows = [dict(sorted(sample(f"q{k}", 1.0).items())) for k in range(2)]
    path = write_lines(tmp_path / "s.jsonl", rows)
    assert scores(read(path)) == {"org/model": {"q0": 1.0, "q1": 1.0}}


def test_the_real_sample(shared: Path) -> None:
    """Its aggregate states 0.75 over what is not there; the one sample is right."""
    (path,) = (shared / "formats" / "every_eval_ever").glob("*_samples.jsonl")
    evaluation = read(path)
    assert scores(evaluation) == {"demo-org/demo-model": {"demo_0001": 1.0}}
    assert "0.75 (its 1 samples: 1)" in said(evaluation, "published_disagrees")
    assert scores(read(path.parent)) == scores(evaluation)
