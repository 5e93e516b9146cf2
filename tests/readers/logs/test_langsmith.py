"""Experiments of LangSmith as tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import deadheat
from deadheat.errors import InputError
from deadheat.readers import read
from readers.logs.builders.langsmith import row
from readers.logs.builders.lines import write_csv
from readers.logs.looking import only, said, scores


def values(path: Path, **reading: Any) -> list[float | None]:
    found = only(read(path, **reading)).scores
    assert found is not None
    return found.to_list()


def test_feedback_is_the_score(tmp_path: Path) -> None:
    rows = [row(k, float(k > 0), **{"feedback.tone": 0.5 * k}) for k in range(3)]
    path = write_csv(tmp_path / "model-a.csv", rows)
    evaluation = read(path)
    assert only(evaluation).system == "model-a"
    assert [*scores(evaluation)["model-a"]][2].endswith("000000000002")
    assert values(path) == [0.0, 1.0, 1.0]
    assert values(path, score="feedback.tone") == [0.0, 0.5, 1.0]


@pytest.mark.parametrize(
    ("cell", "score"),
    [(True, 1.0), (False, 0.0), ("yes", 1.0), ("", None), ("nan", None), (3, 3.0)],
)
def test_cells_of_feedback(tmp_path: Path, cell: Any, score: float | None) -> None:
    assert values(write_csv(tmp_path / "a.csv", [row(0, cell), row(1, 1)])) == [score, 1.0]


def test_an_error_is_missing_whatever_was_fed_back(tmp_path: Path) -> None:
    rows = [row(0, 1), row(1, 0, error="TimeoutError()"), row(2, 0)]
    path = write_csv(tmp_path / "a.csv", rows)
    assert values(path) == [1.0, None, 0.0]
    assert "1 rows ended in an error" in said(read(path), "unscored_samples")


def test_repetitions_are_runs(tmp_path: Path) -> None:
    rows = [row(k, float(r), id=f"{k}-{r}") for r in range(3) for k in range(2)]
    answers = only(read(write_csv(tmp_path / "a.csv", rows)))
    assert answers.runs is not None
    assert answers.runs.to_list() == [1, 1, 2, 2, 3, 3]


def test_a_value_in_place_of_a_score_is_no_score(tmp_path: Path) -> None:
    rows = [row(k, 1, **{"feedback.kind": "good"}) for k in range(2)]
    assert "kind" in said(read(write_csv(tmp_path / "a.csv", rows)), "not_item_scores")
    with pytest.raises(InputError, match="no column of feedback holds scores"):
        read(write_csv(tmp_path / "a.csv", [row(k, "good") for k in range(2)]))


def test_outputs_can_be_scored_instead(tmp_path: Path) -> None:
    rows = [row(k, 1, **{"outputs.answer": "g" if k else "x"}) for k in range(2)]
    path = write_csv(tmp_path / "a.csv", rows)
    card = deadheat.score(
        path, output_column="outputs.answer", reference_column="reference.answer", metric="accuracy"
    )
    assert card.systems[0].value == 0.5


def test_two_experiments_on_one_data_set(tmp_path: Path) -> None:
    a = write_csv(tmp_path / "a.csv", [row(k, 0.0) for k in range(4)])
    b = write_csv(tmp_path / "b.csv", [row(k, float(k > 0)) for k in (3, 1, 0, 2)])
    assert deadheat.compare(a, b).difference.estimate == 0.75


def test_the_example(shared: Path) -> None:
    path = shared / "formats" / "langsmith" / "experiment_to_pandas.csv"
    assert values(path) == [1.0, None]
    assert values(path, score="feedback.conciseness") == [0.5, None]
