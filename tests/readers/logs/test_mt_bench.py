"""Judgements of MT-bench: grades, pairs, sentinels and what was appended."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

import deadheat
from deadheat.errors import AlignmentError, InputError
from deadheat.readers import read
from readers.logs.builders.lines import write_lines
from readers.logs.builders.mt_bench import pair, single
from readers.logs.looking import codes, only, said, scores


def test_items_are_turns_and_questions_clusters(tmp_path: Path) -> None:
    rows = [single(81, "a", 9), single(81, "a", 7.5, 2), single(82, "a", 3)]
    evaluation = read(write_lines(tmp_path / "s.jsonl", rows))
    assert scores(evaluation) == {"a": {"81/1": 9.0, "81/2": 7.5, "82/1": 3.0}}
    clusters = only(evaluation).clusters
    assert clusters is not None
    assert clusters.to_list() == ["81", "81", "82"]
    assert only(evaluation).about["judge"] == "gpt-4/single-v1"
    assert not evaluation.notes


def test_sentinels_are_missing_and_never_minus_one(tmp_path: Path) -> None:
    rows = [
        single(81, "a", 9),
        single(82, "a", -1, judgment="$ERROR$"),
        single(83, "a", -1, judgment="I cannot say."),
        single(84, "a", 5, judgment="$ERROR$"),
        single(85, "a", None),
        single(86, "a", 1),
    ]
    path = write_lines(tmp_path / "s.jsonl", rows)
    evaluation = read(path)
    assert [*scores(evaluation)["a"].values()] == [9.0, None, None, None, None, 1.0]
    assert "4 grades" in said(evaluation, "unscored_samples")
    assert deadheat.score(path, missing="drop").systems[0].value == 5.0


def test_a_judgement_that_was_appended_again_is_a_duplicate(tmp_path: Path) -> None:
    rows = [single(q, m, 5) for q in (81, 82) for m in ("a", "b")]
    path = write_lines(tmp_path / "s.jsonl", [*rows, single(81, "a", 9)])
    with pytest.raises(AlignmentError, match="81/1"):
        deadheat.compare(path)


@pytest.mark.parametrize(
    ("winners", "expected"),
    [
        (("model_1", "model_1"), (1.0, 0.0)),
        (("model_2", "model_2"), (0.0, 1.0)),
        (("tie", "tie"), (0.5, 0.5)),
        (("model_1", "model_2"), (0.5, 0.5)),
        (("model_1", "tie"), (0.5, 0.5)),
        (("error", "model_1"), (None, None)),
        (("model_1", "error"), (None, None)),
        (("model_1", None), (1.0, 0.0)),
    ],
)
def test_pairs_count_as_the_tool_counts_them(
    tmp_path: Path, winners: tuple[Any, Any], expected: tuple[float | None, float | None]
) -> None:
    """Its show_result: inconsistent orders are a tie, an error in either leaves the row out."""
    rows = [pair(81, ("a", "b"), winners), pair(82, ("a", "b"), ("tie", "tie"))]
    found = scores(read(write_lines(tmp_path / "p.jsonl", rows)))
    assert (found["a"]["81/1"], found["b"]["81/1"]) == expected


def test_grades_one_by_one_are_scores(tmp_path: Path) -> None:
    rows = [
        pair(81, ("a", "b"), ("model_1", "model_1"), m1_score=9, m2_score=7.5),
        pair(82, ("a", "b"), ("model_2", "model_2"), m1_score=-1, m2_score=6),
    ]
    for row in rows:
        del row["turn"]
    found = scores(read(write_lines(tmp_path / "p.jsonl", rows)))
    assert found == {"a": {"81/1": 9.0, "82/1": None}, "b": {"81/1": 7.5, "82/1": 6.0}}


def test_pairs_with_one_model_in_common_are_scores_against_it(tmp_path: Path) -> None:
    wins = {("a", 81): 1, ("a", 82): 2, ("b", 81): 1, ("b", 82): 1}
    rows = [pair(q, (m, "base"), (f"model_{w}",) * 2) for (m, q), w in wins.items()]  # type: ignore[arg-type]
    rows[0] = pair(81, ("base", "a"), ("model_2", "model_2"))
    evaluation = read(write_lines(tmp_path / "p.jsonl", rows))
    assert scores(evaluation) == {"a": {"81/1": 1.0, "82/1": 0.0}, "b": {"81/1": 1.0, "82/1": 1.0}}
    assert "against base" in said(evaluation, "scored_in_pairs")
    assert evaluation.answers[0].about["against"] == "base"


def test_pairs_of_every_kind_are_no_scores(tmp_path: Path) -> None:
    rows = [pair(81, models, ("tie", "tie")) for models in (("a", "b"), ("b", "c"), ("c", "a"))]
    with pytest.raises(InputError, match="3 different pairs of 3 models"):
        read(write_lines(tmp_path / "p.jsonl", rows))


def test_five_real_models(shared: Path) -> None:
    """Sums by model, taken here from the lines; 20 turns of 10 questions each."""
    path = shared / "formats" / "mt_bench" / "gpt-4_single.trimmed.jsonl"
    evaluation = read(path)
    sums: dict[str, list[float]] = defaultdict(list)
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        sums[row["model"]].append(row["score"])
    assert len(evaluation.answers) == 5
    for answers in evaluation.answers:
        assert answers.scores is not None
        assert answers.items is not None
        assert answers.clusters is not None
        assert answers.items.n_unique() == 20
        assert answers.clusters.n_unique() == 10
        assert answers.scores.sum() == sum(sums[answers.system])
    best = deadheat.rank(path).systems[0]
    assert best.system == "llama2_chat_7b"
    assert best.value == sum(sums["llama2_chat_7b"]) / 20


def test_real_errors_are_missing(shared: Path) -> None:
    evaluation = read(shared / "formats" / "mt_bench" / "error_rows.jsonl")
    assert [*scores(evaluation).values()] == [{"81/1": None, "82/1": None}]
    assert codes(evaluation) == ["unscored_samples"]


def test_the_example_of_a_pair(shared: Path) -> None:
    found = scores(read(shared / "formats" / "mt_bench" / "gpt-4_pair.synthetic.jsonl"))
    assert found == {"a": {"81/1": 0.5}, "b": {"81/1": 0.5}}
