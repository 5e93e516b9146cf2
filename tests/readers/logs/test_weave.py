"""Results of evaluations of Weave, and W&B tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import deadheat
from deadheat.errors import AlignmentError, InputError
from deadheat.readers import read
from readers.logs.builders.lines import write_json, write_lines
from readers.logs.builders.wandb_table import table
from readers.logs.builders.weave import row, trial
from readers.logs.looking import only, said, scores, tool


def results(path: Path, rows: list[Any]) -> Path:
    return write_json(path, {"rows": rows})


def test_evaluations_are_systems(tmp_path: Path) -> None:
    rows = [
        row(
            k, ev1=[trial({"match": {"correct": k > 0}})], ev2=[trial({"match": {"correct": True}})]
        )
        for k in range(4)
    ]
    path = results(tmp_path / "q.json", rows)
    found = scores(read(path))
    assert found["ev1"] == {f"digest-{k}": float(k > 0) for k in range(4)}
    assert deadheat.compare(path).difference.estimate == 0.25
    assert scores(read(write_lines(tmp_path / "q.jsonl", rows))) == found
    assert scores(read(write_json(tmp_path / "l.json", rows))) == found


def test_scores_lie_inside_one_another(tmp_path: Path) -> None:
    nested = {"judge": {"a": {"b": 0.5}, "why": "since"}, "length": 12}
    path = results(tmp_path / "q.json", [row(k, ev1=[trial(nested)]) for k in range(2)])
    evaluation = read(path)
    assert set(scores(evaluation)["ev1"].values()) == {0.5}
    assert "'length'" in said(evaluation, "other_scores")
    assert "judge.why" in said(evaluation, "not_item_scores")


def test_trials_are_runs(tmp_path: Path) -> None:
    trials = [
        [trial({"ok": True}), trial({"ok": False})],
        [trial({"ok": True}), trial({"ok": True})],
    ]
    answers = only(
        read(results(tmp_path / "q.json", [row(k, ev1=t) for k, t in enumerate(trials)]))
    )
    assert answers.runs is not None
    assert answers.scores is not None
    assert answers.runs.to_list() == [1, 2, 1, 2]
    assert answers.scores.to_list() == [1.0, 0.0, 1.0, 1.0]


def test_a_trial_without_a_score_is_missing(tmp_path: Path) -> None:
    given: list[Any] = [{"ok": True}, {}, {"ok": None}, None]
    path = results(tmp_path / "q.json", [row(k, ev1=[trial(s)]) for k, s in enumerate(given)])
    evaluation = read(path)
    assert [*scores(evaluation)["ev1"].values()] == [1.0, None, None, None]
    assert "2 trials" in said(evaluation, "unscored_samples")
    with pytest.raises(InputError, match="no trial has a score"):
        read(results(tmp_path / "q.json", [row(k, ev1=[trial(None)]) for k in range(2)]))


def test_a_table_of_wandb_is_read_as_any_other(tmp_path: Path) -> None:
    rows = [[7, "a", 1, {"_type": "image-file"}], [8, "b", 0, None]]
    path = table(tmp_path / "t.table.json", ["id", "note", "score", "image"], rows)
    assert scores(read(path)) == {"t.table": {7: 1.0, 8: 0.0}}
    wide = table(tmp_path / "w.json", ["item", "gpt", "llama"], [[1, 1, 0], [2, 0, 0]])
    assert scores(read(wide)) == {"gpt": {1: 1.0, 2: 0.0}, "llama": {1: 0.0, 2: 0.0}}


def test_numbers_beside_outputs_are_scores(tmp_path: Path) -> None:
    columns, rows = ["id", "output", "match", "length"], [[1, "a", True, 9], [2, "b", False, 7]]
    path = table(tmp_path / "t.json", columns, rows)
    assert scores(read(path)) == {"t": {1: 1.0, 2: 0.0}}
    assert scores(read(path, score="length")) == {"t": {1: 9.0, 2: 7.0}}
    found = only(read(table(tmp_path / "r.json", [*columns, "label"], [[*r, "a"] for r in rows])))
    assert found.outputs is not None
    assert found.references is not None


def test_a_table_may_say_what_it_is(tmp_path: Path) -> None:
    typed = {"_type": "table", "column_types": {"params": {}}, "columns": ["id", "score"]}
    path = write_json(tmp_path / "t.json", {**typed, "data": [[1, 1.0], [2, 0.0]], "nrows": 2})
    assert scores(read(path)) == {"t": {1: 1.0, 2: 0.0}}
    index = {"columns": ["id", "score"], "index": [0, 1], "data": [[1, 1.0], [2, 0.0]]}
    assert scores(read(write_json(tmp_path / "p.json", index))) == {"p": {1: 1.0, 2: 0.0}}


@pytest.mark.parametrize(
    "document",
    [
        {"columns": ["a"], "rows": []},
        {"columns": {"a": 1}, "data": []},
        {"columns": ["a", 1], "data": []},
        {"columns": [], "title": "t"},
    ],
)
def test_other_documents_with_columns_are_no_tables(tmp_path: Path, document: Any) -> None:
    assert tool(write_json(tmp_path / "t.json", document)) is None


def test_rows_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="row 2 has 1 fields"):
        read(table(tmp_path / "t.json", ["id", "score"], [[1, 1.0], [2]]))


def test_an_id_twice_is_a_duplicate(tmp_path: Path) -> None:
    path = table(tmp_path / "t.json", ["item", "a", "b"], [[1, 1, 0], [1, 0, 0], [2, 1, 1]])
    with pytest.raises(AlignmentError, match="duplicat"):
        deadheat.compare(path)


def test_the_examples(shared: Path) -> None:
    folder = shared / "formats" / "wandb_weave"
    assert scores(read(folder / "eval_results_query.json")) == {"ev1": {"abc": 1.0}}
    assert scores(read(folder / "wandb_table.table.json")) == {
        "wandb_table.table": {0: 1.0, 1: 0.0}
    }
