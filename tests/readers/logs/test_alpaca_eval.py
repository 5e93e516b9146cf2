"""Annotations of AlpacaEval: preferences, draws, and instructions that repeat."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import deadheat
from deadheat.errors import InputError
from deadheat.readers import read
from readers.logs.builders.alpaca_eval import annotation
from readers.logs.builders.lines import write_json
from readers.logs.looking import only, said, scores


@pytest.mark.parametrize(
    ("preference", "win"),
    [
        *((1, 0.0), (2, 1.0), (1.5, 0.5), (0, 0.5), (1.0 + 2**-20, 2**-20)),
        *((None, None), (-1, None), (3, None), (0.5, None)),
    ],
)
def test_preferences_are_shares(
    tmp_path: Path, preference: float | None, win: float | None
) -> None:
    rows = [annotation("a", preference), annotation("b", 2)]
    path = write_json(tmp_path / "annotations.json", rows)
    assert scores(read(path)) == {"model-a": {"a": win, "b": 1.0}}


def test_the_mean_is_the_win_rate(tmp_path: Path) -> None:
    """One win, one loss and two draws in either way of writing: 0.5 (the code of draws was 0)."""
    rows = [annotation(f"q{k}", p) for k, p in enumerate((2, 1, 1.5, 0))]
    path = write_json(tmp_path / "annotations.json", rows)
    assert deadheat.score(path).systems[0].value == 0.5
    by_metric = deadheat.score(path, metric="win_rate", score="preference")
    assert by_metric.systems[0].value == 0.5


def test_null_is_missing_and_no_tie(tmp_path: Path) -> None:
    rows = [annotation(f"q{k}", p) for k, p in enumerate((2, None, 1, 2))]
    path = write_json(tmp_path / "annotations.json", rows)
    assert "1 annotations" in said(read(path), "unscored_samples")
    assert deadheat.score(path, missing="drop").systems[0].value == pytest.approx(2 / 3)


def test_instructions_that_repeat_are_told_apart(tmp_path: Path) -> None:
    rows = [annotation("a", 2), annotation("b", 1), annotation("a", 1)]
    evaluation = read(write_json(tmp_path / "annotations.json", rows))
    assert scores(evaluation) == {"model-a": {"a": 1.0, "b": 0.0, "a (2)": 0.0}}
    assert "1 instructions" in said(evaluation, "items_by_order")


def test_two_systems_against_one_opponent(tmp_path: Path) -> None:
    paths = [
        write_json(
            tmp_path / name / "annotations.json",
            [annotation(f"q{k}", p, generator_2=name) for k, p in enumerate(preferences)],
        )
        for name, preferences in (("a", (1, 2, 1, 1)), ("b", (2, 2, 1.5, 1)))
    ]
    found = deadheat.compare(*paths)
    assert found.difference.estimate == pytest.approx(0.375)
    assert read(paths[0]).answers[0].about["against"] == "base"


def test_sources_of_instructions_may_be_strata(tmp_path: Path) -> None:
    rows = [annotation(f"q{k}", 2, dataset=f"d{k % 2}") for k in range(4)]
    strata = only(read(write_json(tmp_path / "a.json", rows), stratum="dataset")).strata
    assert strata is not None
    assert strata.to_list() == ["d0", "d1", "d0", "d1"]


def test_no_annotation_is_no_table_of_answers(tmp_path: Path) -> None:
    path = write_json(tmp_path / "annotations.json", [annotation("a", "win")])
    with pytest.raises(InputError, match="preference"):
        read(path)


def test_the_published_board(shared: Path) -> None:
    """Win rates of all twelve to six digits; two of them have 804 and 803 items."""
    folder = shared / "data" / "alpaca_eval"
    name = "weighted_alpaca_eval_gpt4_turbo"
    with (folder / f"{name}_leaderboard.csv").open(encoding="utf-8", newline="") as file:
        board = {row[""]: row for row in csv.DictReader(file)}
    sizes = {}
    for system in sorted(path.name for path in (folder / "results").iterdir()):
        answers = only(read(folder / "results" / system / name / "annotations.json"))
        assert answers.system == ("example" if system == "NullModel" else system)
        assert answers.scores is not None
        assert answers.items is not None
        assert answers.items.n_unique() == len(answers.items)
        mean = answers.scores.mean()
        assert isinstance(mean, float)
        assert 100 * mean == pytest.approx(float(board[system]["win_rate"]), abs=5e-7)
        sizes[system] = len(answers.scores)
        assert sizes[system] == int(board[system]["n_total"])
    assert len(sizes) == 12
    assert sorted(sizes.values())[:3] == [803, 804, 805]


def test_twelve_systems_in_one_folder(shared: Path) -> None:
    evaluation = read(shared / "data" / "alpaca_eval" / "results")
    assert len(evaluation.answers) == 12
    assert "claude-2" in evaluation.systems
