"""Results of Ragas, of both eras."""

from __future__ import annotations

from pathlib import Path

import pytest

import deadheat
from deadheat.errors import AlignmentError, InputError
from deadheat.readers import read
from readers.logs.builders.lines import write_csv, write_lines
from readers.logs.builders.ragas import old_sample, sample
from readers.logs.looking import codes, said, scores, tool


@pytest.mark.parametrize("make", [sample, old_sample])
def test_both_eras(tmp_path: Path, make) -> None:  # type: ignore[no-untyped-def]
    path = write_csv(tmp_path / "model-a.csv", [make(k, 0.25 * k) for k in range(3)])
    evaluation = read(path)
    assert scores(evaluation) == {"model-a": {"q0": 0.0, "q1": 0.25, "q2": 0.5}}
    assert not evaluation.notes


def test_the_two_eras_pair(tmp_path: Path) -> None:
    a = write_csv(tmp_path / "a.csv", [old_sample(k, 0.25) for k in range(4)])
    b = write_csv(tmp_path / "b.csv", [sample(k, 0.5 * (k % 2)) for k in (2, 0, 1, 3)])
    assert deadheat.compare(a, b).difference.estimate == 0.0


@pytest.mark.parametrize("cell", ["", "nan", "NaN", None])
def test_a_judge_that_failed_is_missing(tmp_path: Path, cell: str | None) -> None:
    path = write_csv(tmp_path / "a.csv", [sample(0, 1.0), sample(1, cell), sample(2, 0.0)])
    evaluation = read(path)
    assert [*scores(evaluation)["a"].values()] == [1.0, None, 0.0]
    assert "1 cells" in said(evaluation, "unscored_samples")
    assert deadheat.score(path, missing="drop").systems[0].value == 0.5


def test_metrics_of_the_library_come_first(tmp_path: Path) -> None:
    """A number of the user's own stands before the metrics, as columns of the data set do."""
    rows = [{"difficulty": 9, **sample(k, 0.5), "my_metric": 1} for k in range(2)]
    path = write_csv(tmp_path / "a.csv", rows)
    assert set(scores(read(path))["a"].values()) == {0.5}
    assert "'difficulty', 'my_metric'" in said(read(path), "other_scores")


def test_names_of_metrics_with_their_settings(tmp_path: Path) -> None:
    rows = [sample(k, None) | {"factual_correctness(mode=f1)": 0.25} for k in range(2)]
    for row in rows:
        del row["faithfulness"]
    path = write_csv(tmp_path / "a.csv", rows)
    assert tool(path) == "ragas"
    assert set(scores(read(path))["a"].values()) == {0.25}


def test_questions_that_repeat_are_paired_by_order_and_checked(tmp_path: Path) -> None:
    def table(name: str, questions: str) -> Path:
        rows = [sample(k, 0.5, user_input=q) for k, q in enumerate(questions)]
        return write_csv(tmp_path / f"{name}.csv", rows)

    a, b = table("a", "xxy"), table("b", "xxy")
    assert "by order" in said(read(a), "paired_by_order")
    assert deadheat.compare(a, b).difference.estimate == 0
    with pytest.raises(AlignmentError, match="something else"):
        deadheat.compare(a, table("c", "xyx"))


def test_json_lines_hold_lists_and_conversations(tmp_path: Path) -> None:
    talk = [{"content": "Hi", "type": "human"}]
    rows = [
        sample(k, 0.25 * k, retrieved_contexts=["c"], user_input=[*talk, {"content": f"{k}"}])
        for k in range(2)
    ]
    path = write_lines(tmp_path / "a.jsonl", rows)
    assert tool(path) == "ragas"
    assert [*scores(read(path))["a"].values()] == [0.0, 0.25]


def test_an_index_of_pandas_is_no_metric(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "a.csv", [{"Unnamed: 0": k} | sample(k, 0.5) for k in range(2)])
    assert codes(read(path)) == []


def test_texts_in_a_metric_are_no_scores(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "a.csv", [sample(0, "good"), sample(1, "bad")])
    with pytest.raises(InputError, match="no column is a metric with scores"):
        read(path)


def test_the_examples(shared: Path) -> None:
    folder = shared / "formats" / "ragas"
    found = scores(read(folder / "result_to_pandas.csv"))
    assert found == {"result_to_pandas": {"q0": 1.0, "q1": None}}
    found = scores(read(folder / "result_to_pandas.csv", score="answer_relevancy"))
    assert found == {"result_to_pandas": {"q0": 0.93, "q1": 0.88}}
    found = scores(read(folder / "result_v0.1_columns.csv", score="answer_correctness"))
    assert found == {"result_v0.1_columns": {"q0": 0.7}}
