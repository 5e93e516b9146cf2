"""Verdicts on two answers: arena votes, PandaLM and reviews of pairs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import deadheat
from deadheat.errors import AlignmentError, FormatError, InputError
from deadheat.readers import read
from readers.logs.builders.arena_votes import agent, kaggle, vote
from readers.logs.builders.lines import write_csv, write_json, write_lines
from readers.logs.builders.pandalm import pair
from readers.logs.builders.vicuna_reviews import review
from readers.logs.looking import codes, said, scores, tool

WINNERS = ["model_a", "model_b", "tie", "tie (bothbad)"]
RATINGS = ["A is better", "B is better", "Tie", "Both are bad"]
WRITERS: dict[str, Callable[[Path], Path]] = {
    "lines": lambda path: write_lines(
        path / "v.jsonl", [vote(k, w) for k, w in enumerate(WINNERS)]
    ),
    "list": lambda path: write_json(path / "v.json", [vote(k, w) for k, w in enumerate(WINNERS)]),
    "csv": lambda path: write_csv(path / "v.csv", [vote(k, w) for k, w in enumerate(WINNERS)]),
    "agent": lambda path: write_json(path / "v.json", [agent(k, r) for k, r in enumerate(RATINGS)]),
}


@pytest.mark.parametrize("form", WRITERS)
def test_votes_on_two_systems_are_scores(tmp_path: Path, form: str) -> None:
    path = WRITERS[form](tmp_path)
    assert tool(path) == "arena_votes"
    evaluation = read(path)
    found = scores(evaluation)
    assert [*found["a"].values()] == [1.0, 0.0, 0.5, 0.5]
    assert [*found["b"].values()] == [0.0, 1.0, 0.5, 0.5]
    assert "1 votes say that both answers are bad" in said(evaluation, "both_bad")
    assert deadheat.compare(path).difference.estimate == 0.0


def test_the_table_of_kaggle(tmp_path: Path) -> None:
    won = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0), (1, 1, 0)]
    path = write_csv(tmp_path / "train.csv", [kaggle(k, w) for k, w in enumerate(won)])
    evaluation = read(path)
    assert [*scores(evaluation)["a"].values()] == [1.0, 0.0, 0.5, None, None]
    assert "4 verdicts" not in said(evaluation, "unscored_samples")
    assert "2 verdicts" in said(evaluation, "unscored_samples")


def test_places_of_systems_may_change(tmp_path: Path) -> None:
    rows = [vote(0, "model_a"), vote(1, "model_a", ("b", "a")), vote(2, "model_b", ("b", "a"))]
    found = scores(read(write_lines(tmp_path / "v.jsonl", rows)))
    assert found == {
        "a": {"q0": 1.0, "q1": 0.0, "q2": 1.0},
        "b": {"q0": 0.0, "q1": 1.0, "q2": 0.0},
    }


def test_votes_on_more_systems_are_refused(tmp_path: Path) -> None:
    rows = [vote(0, "model_a"), vote(1, "tie", ("b", "c")), vote(2, "tie", ("c", "c"))]
    path = write_lines(tmp_path / "v.jsonl", rows)
    message = (
        r"3 verdicts on pairs of 3 systems \(2 different pairs, 1 of them of a system and itself"
    )
    with pytest.raises(InputError, match=message):
        read(path)
    with pytest.raises(InputError, match="not computed yet"):
        deadheat.rank(path)


def test_votes_on_a_system_and_itself_are_left_out(tmp_path: Path) -> None:
    rows = [vote(0, "model_a"), vote(1, "model_a", ("a", "a")), vote(2, "tie")]
    evaluation = read(write_lines(tmp_path / "v.jsonl", rows))
    assert [*scores(evaluation)["a"].values()] == [1.0, 0.5]
    assert "1 verdicts on a system and itself" in said(evaluation, "verdicts_on_itself")
    with pytest.raises(InputError, match="pairs of 0 systems"):
        read(write_lines(tmp_path / "v.jsonl", [vote(0, "tie", ("a", "a"))]))


@pytest.mark.parametrize("winner", [None, "", "nobody", "model_c"])
def test_what_is_no_verdict_is_missing_and_no_tie(tmp_path: Path, winner: str | None) -> None:
    rows = [vote(0, "model_a"), vote(1, winner), vote(2, "model_b")]
    found = scores(read(write_lines(tmp_path / "v.jsonl", rows)))
    assert [*found["a"].values()] == [1.0, None, 0.0]
    assert [*found["b"].values()] == [0.0, None, 1.0]


def test_several_votes_on_a_question_are_runs_and_turns_items(tmp_path: Path) -> None:
    same = [vote(0, "model_a"), vote(0, "model_b"), vote(1, "tie")]
    answers = read(write_lines(tmp_path / "v.jsonl", same)).answers[0]
    assert answers.items is not None
    assert answers.runs is not None
    assert answers.items.to_list() == ["q0/1", "q0/1", "q1/1"]
    assert answers.runs.to_list() == [1, 2, 1]
    turns = [vote(0, "model_a"), vote(0, "model_b", turn=2)]
    answers = read(write_lines(tmp_path / "v.jsonl", turns)).answers[0]
    assert answers.items is not None
    assert answers.items.to_list() == ["q0/1", "q0/2"]


def test_a_judge_may_be_a_cluster(tmp_path: Path) -> None:
    rows = [vote(k, "tie", judge=["gpt-4", "pair"] if k % 2 else "user") for k in range(4)]
    clusters = read(write_lines(tmp_path / "v.jsonl", rows), cluster="judge").answers[0].clusters
    assert clusters is not None
    assert clusters.to_list() == ["user", "gpt-4/pair"] * 2


def test_a_vote_without_two_models_is_refused(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "v.jsonl", [vote(0, "model_a"), vote(1, "tie", ("a", None))])
    with pytest.raises(FormatError, match=r"line 2.*does not name two models"):
        read(path)


def test_real_votes_of_agents(shared: Path) -> None:
    """2,058 votes, 16 models, 304 of a model and itself, as its README states."""
    with pytest.raises(InputError) as caught:
        read(shared / "data" / "agent_arena_votes" / "modelratings_V0.json")
    assert "2,058 verdicts on pairs of 16 systems" in str(caught.value)
    assert "304 of them of a system and itself" in str(caught.value)


def test_real_votes_of_agents_on_two_models(shared: Path, tmp_path: Path) -> None:
    votes = json.loads((shared / "data" / "agent_arena_votes" / "modelratings_V0.json").read_text())
    two = {"gpt-4o-2024-08-06", "gpt-4-turbo-2024-04-09"}
    sides = ("leftSubcomponent", "rightSubcomponent")
    kept = [v for v in votes if {v[side] for side in sides} <= two]
    pairs = [v for v in kept if v[sides[0]] != v[sides[1]]]
    assert pairs
    wins = sum(
        0.5
        if v["rating"] in ("Tie", "Both are bad")
        else float((v[sides[0]] == min(two)) == (v["rating"] == "A is better"))
        for v in pairs
    )
    found = scores(read(write_json(tmp_path / "v.json", kept)))
    assert sum(v or 0 for v in found[min(two)].values()) == wins
    assert sum(v or 0 for v in found[max(two)].values()) == len(pairs) - wins


def test_the_examples_of_votes(shared: Path) -> None:
    for name in ("arena_votes.jsonl", "kaggle_lmsys_train.csv"):
        with pytest.raises(InputError, match="pairs of 3 systems"):
            read(shared / "formats" / "arena_votes" / name)


# --- PandaLM -------------------------------------------------------------------------------------


def test_annotators_are_runs(tmp_path: Path) -> None:
    rows = [pair(0, (1, 1, 0)), pair(1, (2, "2", "Tie")), pair(2, ("garbage", 1, None))]
    path = write_json(tmp_path / "t.json", rows)
    answers = read(path).answers[0]
    assert answers.system == "model-a"
    assert answers.scores is not None
    assert answers.runs is not None
    assert answers.scores.to_list() == [1.0, 1.0, 0.5, 0.0, 0.0, 0.5, None, 1.0, None]
    assert answers.runs.to_list() == [1, 2, 3] * 3
    assert deadheat.score(path, missing="drop").systems[0].value == pytest.approx(0.5)


def test_the_real_test_set_is_refused(shared: Path) -> None:
    """999 pairs of 5 models with 3 annotators each: 10 pairs of models."""
    folder = shared / "data" / "pandalm_pairwise"
    with pytest.raises(InputError, match=r"2,997 verdicts on pairs of 5 systems \(10 different"):
        read(folder / "testset-v1.json")
    for name in ("gpt-3.5-turbo-testset-v1.json", "pandalm-7b-testset-v1.json"):
        with pytest.raises(InputError, match="verdicts of a judge of PandaLM"):
            read(folder / name)
    with pytest.raises(InputError):
        read(folder)


def test_one_pair_of_models_of_the_real_test_set(shared: Path, tmp_path: Path) -> None:
    """bloom-7b and llama-7b have 111 pairs; the sums are taken here from the labels."""
    rows = json.loads((shared / "data" / "pandalm_pairwise" / "testset-v1.json").read_text())
    kept = [row for row in rows if row["cmp_key"] == "bloom-7b_llama-7b"]
    assert len(kept) == 111
    labels = [row[f"annotator{k}"] for row in kept for k in (1, 2, 3)]
    path = write_json(tmp_path / "t.json", kept)
    evaluation = read(path)
    by_system = {a.system: a.scores.sum() for a in evaluation.answers if a.scores is not None}
    assert by_system == {
        "bloom-7b": labels.count(1) + 0.5 * labels.count(0),
        "llama-7b": labels.count(2) + 0.5 * labels.count(0),
    }
    expected = (labels.count(2) - labels.count(1)) / len(labels)
    assert deadheat.compare(path).difference.estimate == pytest.approx(expected)


# --- Reviews of pairs ----------------------------------------------------------------------------


def test_a_review_scores_two_answers(tmp_path: Path) -> None:
    rows = [review(1, [9.0, 8.5]), review(2, [7.0, 7.5])]
    evaluation = read(write_lines(tmp_path / "review_model-a_model-b.jsonl", rows))
    assert scores(evaluation) == {"model-a": {"1": 9.0, "2": 7.0}, "model-b": {"1": 8.5, "2": 7.5}}
    assert evaluation.answers[0].about["against"] == "model-b"
    assert "beside the other" in said(evaluation, "scored_in_pairs")
    assert read(write_lines(tmp_path / "r.jsonl", rows)).systems == ("answer 1", "answer 2")


@pytest.mark.parametrize(
    "score", [[-1, -1], [8.0, -1], [8.0], [], [8.0, None], [1, 2, 3], ["a", 1]]
)
def test_a_review_that_could_not_be_read_is_missing_for_both(tmp_path: Path, score: Any) -> None:
    rows = [review(1, [9.0, 8.5]), review(2, score)]
    path = write_lines(tmp_path / "review_a_b.jsonl", rows)
    assert scores(read(path)) == {"a": {"1": 9.0, "2": None}, "b": {"1": 8.5, "2": None}}
    assert "2 scores" in said(read(path), "unscored_samples")


def test_a_question_twice_is_a_duplicate(tmp_path: Path) -> None:
    rows = [review(1, [9.0, 8.5]), review(1, [9.0, 8.5]), review(2, [1, 2])]
    with pytest.raises(AlignmentError, match="duplicat"):
        deadheat.compare(write_lines(tmp_path / "review_a_b.jsonl", rows))


def test_one_system_against_several(tmp_path: Path) -> None:
    for other in ("a", "b"):
        write_lines(tmp_path / f"review_{other}_v.jsonl", [review(k, [5, 6]) for k in range(3)])
    evaluation = read(tmp_path)
    assert set(evaluation.systems) == {"a", "b", "v"}
    (v,) = [answers for answers in evaluation.answers if answers.system == "v"]
    assert v.runs is not None
    assert v.runs.n_unique() == 2
    assert "against (a, b)" in said(evaluation, "settings_differ")


@pytest.mark.parametrize(
    ("names", "totals"),
    [
        (("llama-13b", "vicuna-13b"), (513.0, 694.0)),
        (("alpaca-13b", "vicuna-13b"), (583.0, 704.0)),
        (("bard", "vicuna-13b"), (664.0, 655.5)),
        (("gpt35", "vicuna-13b"), (693.0, 638.0)),
    ],
)
def test_totals_of_the_real_reviews(
    shared: Path, names: tuple[str, str], totals: tuple[float, float]
) -> None:
    """The totals of the blog post, as the README of the set states them."""
    folder = shared / "data" / "vicuna_gpt4_reviews" / "review" / "vicuna-13b_20230322-clean-lang"
    path = folder / f"review_{names[0]}_{names[1]}.jsonl"
    evaluation = read(path)
    assert evaluation.systems == names
    sums = tuple(a.scores.sum() for a in evaluation.answers if a.scores is not None)
    assert sums == totals
    found = deadheat.compare(path)
    assert found.difference.estimate == pytest.approx((totals[1] - totals[0]) / 80)


def test_the_real_folder(shared: Path) -> None:
    evaluation = read(shared / "data" / "vicuna_gpt4_reviews" / "review")
    assert "settings_differ" in codes(evaluation)
