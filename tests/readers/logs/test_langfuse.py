"""Dataset runs of Langfuse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import deadheat
from deadheat.errors import InputError
from deadheat.readers import read
from readers.logs.builders.langfuse import item, score
from readers.logs.builders.lines import write_json, write_lines
from readers.logs.looking import only, said, scores


def test_runs_are_systems(tmp_path: Path) -> None:
    items = [item(k, score(float(k)), run=run) for run in ("a", "b") for k in range(2)]
    found = scores(read(write_json(tmp_path / "r.json", items)))
    assert found == {"a": {"item-0": 0.0, "item-1": 1.0}, "b": {"item-0": 0.0, "item-1": 1.0}}


@pytest.mark.parametrize("form", ["list", "page", "run", "lines"])
@pytest.mark.parametrize("n", [1, 3])
def test_the_forms_in_which_items_come(tmp_path: Path, form: str, n: int) -> None:
    items = [item(k, score(0.5)) for k in range(n)]
    documents: dict[str, Any] = {
        "list": items,
        "page": {"data": items, "meta": {"page": 1}},
        "run": {"id": "r", "name": "model-a", "datasetRunItems": items},
    }
    if form == "lines":
        path = write_lines(tmp_path / "r.jsonl", items)
    else:
        path = write_json(tmp_path / "r.json", documents[form])
    assert scores(read(path)) == {"model-a": {f"item-{k}": 0.5 for k in range(n)}}


def test_a_category_is_no_score(tmp_path: Path) -> None:
    """Its number is 0 where no category is known."""
    verdict = score(0, "CATEGORICAL", "verdict", stringValue="good")
    items = [item(k, score(1, "BOOLEAN"), verdict) for k in range(2)]
    evaluation = read(write_json(tmp_path / "r.json", items))
    assert scores(evaluation)["model-a"] == {"item-0": 1.0, "item-1": 1.0}
    assert "verdict" in said(evaluation, "not_item_scores")
    with pytest.raises(InputError, match="no item of the run has a score that is a number"):
        read(write_json(tmp_path / "r.json", [item(k, verdict) for k in range(2)]))


def test_an_item_without_a_score_is_missing(tmp_path: Path) -> None:
    items = [item(0, score(1)), item(1), item(2, score(None)), item(3, score(0, "BOOLEAN"))]
    evaluation = read(write_json(tmp_path / "r.json", items))
    assert [*scores(evaluation)["model-a"].values()] == [1.0, None, None, 0.0]
    assert "1 items" in said(evaluation, "unscored_samples")


def test_scores_of_one_name_are_told_apart(tmp_path: Path) -> None:
    items = [item(k, score(1), score(0, source="ANNOTATION")) for k in range(2)]
    path = write_json(tmp_path / "r.json", items)
    assert "'correctness (2)'" in said(read(path), "other_scores")
    assert [*scores(read(path, score="correctness (2)"))["model-a"].values()] == [0.0, 0.0]


def test_traces_of_one_item_are_runs(tmp_path: Path) -> None:
    items = [item(k, score(float(r)), traceId=f"{k}{r}") for k in range(2) for r in range(2)]
    runs = only(read(write_json(tmp_path / "r.json", items))).runs
    assert runs is not None
    assert runs.to_list() == [1, 2, 1, 2]


def test_two_runs_are_compared(tmp_path: Path) -> None:
    items = [item(k, score(float(k > 2 * (run == "a"))), run=run) for run in "ab" for k in range(4)]
    found = deadheat.compare(write_json(tmp_path / "r.json", items))
    assert found.difference.estimate == 0.5


def test_the_example(shared: Path) -> None:
    path = shared / "formats" / "langfuse" / "dataset_run_items.json"
    assert scores(read(path)) == {"model-a 2026-01-01": {"item-1": 1.0, "item-2": 0.0}}
