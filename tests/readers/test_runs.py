"""Scores that come as one list an item."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from deadheat.errors import InputError
from deadheat.evaluation import Answers
from deadheat.readers import read


def one(tmp_path: Path, rows: list[dict[str, Any]], **options: Any) -> Answers:
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    (answers,) = read(path, **options).answers
    return answers


def lists(answers: Answers) -> dict[str, list[Any]]:
    columns = ("items", "runs", "scores", "outputs", "references", "clusters")
    given = {name: getattr(answers, name) for name in columns}
    return {name: column.to_list() for name, column in given.items() if column is not None}


ROWS = [
    {"id": "q1", "correct": [True, False, True], "cluster": "c", "output": ["x"], "meta": {"a": 1}},
    {"id": "q2", "correct": [False], "cluster": "d", "output": None, "meta": {}},
]


def test_one_row_for_each_entry(tmp_path: Path) -> None:
    answers = one(tmp_path, ROWS)
    assert lists(answers) == {
        "items": ["q1", "q1", "q1", "q2"],
        "runs": [1, 2, 3, 1],
        "scores": [1.0, 0.0, 1.0, 0.0],
        "outputs": [b'["x"]', b'["x"]', b'["x"]', None],
        "clusters": ["c", "c", "c", "d"],
    }
    assert answers.runs is not None
    assert answers.runs.dtype == pl.Int64
    assert answers.rows is not None
    assert [answers.rows.name(k) for k in range(4)] == ["line 1", "line 1", "line 1", "line 2"]


@pytest.mark.parametrize(
    ("cell", "scores"),
    [
        ([1, 0.5, None], [1.0, 0.5, None]),
        (["0.25", "NULL"], [0.25, None]),
        ([None, None], [None, None]),
        ([0], [0.0]),
    ],
)
def test_entries_are_scores_like_any_other(
    tmp_path: Path, cell: list[Any], scores: list[float | None]
) -> None:
    rows = [{"id": 1, "m": {"acc": cell}}, {"id": 2, "m": {"acc": None}}]
    answers = one(tmp_path, rows, score="m.acc")
    # Item 2 has no list: one run of it without a score.
    assert lists(answers)["scores"] == [*scores, None]
    assert lists(answers)["runs"] == [*range(1, len(cell) + 1), 1]


def test_frames_and_parquet(tmp_path: Path) -> None:
    frame = pl.DataFrame({"id": [1, 2, 3], "score": [[1, 0], None, [1, 1]]})
    frame.write_parquet(tmp_path / "a.parquet")
    fixed = frame.filter(pl.col("id") != 2).cast({"score": pl.Array(pl.Float64, 2)})
    objects = [np.array([1, 0]), None, np.array([1.0, 1.0])]
    sources: list[Any] = [
        frame,
        tmp_path / "a.parquet",
        pd.DataFrame({"id": [1, 2, 3], "score": [[1, 0], None, [1, 1]]}),
        pd.DataFrame({"id": [1, 2, 3], "score": objects}),
    ]
    for source in sources:
        (answers,) = read({"a": source}).answers
        assert lists(answers) == {
            "items": [1, 1, 2, 3, 3],
            "runs": [1, 2, 1, 1, 2],
            "scores": [1.0, 0.0, None, 1.0, 1.0],
        }
    (answers,) = read({"a": fixed}).answers
    assert lists(answers)["scores"] == [1.0, 0.0, 1.0, 1.0]
    with pytest.raises(InputError, match=r"row 1, column 'score': the list of scores is empty"):
        read({"a": pl.DataFrame({"id": [1, 2], "score": [[1], []]})})


def test_long_tables_keep_the_lines_of_each_system(tmp_path: Path) -> None:
    rows = [
        {"id": 1, "model": "a", "score": [1, 0]},
        {"id": 1, "model": "b", "score": [0, 0]},
        {"id": 2, "model": "a", "score": [1, 1]},
    ]
    path = tmp_path / "a.jsonl"
    path.write_text("\n\n".join(map(json.dumps, rows)))
    a, b = read(path).answers
    assert lists(a) == {"items": [1, 1, 2, 2], "runs": [1, 2, 1, 2], "scores": [1, 0, 1, 1]}
    assert a.rows is not None
    assert b.rows is not None
    assert [a.rows.name(k) for k in range(4)] == ["line 1", "line 1", "line 5", "line 5"]
    assert [b.rows.name(k) for k in range(2)] == ["line 3", "line 3"]


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ([True, 0.5], "line 2, column 'score': the list of scores mixes true/false and number"),
        ([1, "0"], "line 2, column 'score': the list of scores mixes number and text"),
        ([1, [0]], "line 2, column 'score': the list of scores mixes number and list"),
        ([[0]], "line 2, column 'score': a list is not a number"),
        (["x"], "line 2, column 'score': 'x' is not a number"),
        ([], "line 2, column 'score': the list of scores is empty"),
        (1, "line 2, column 'score': a number stands where other rows have a list"),
        ({"a": 1}, "line 2, column 'score': a object stands where other rows have a list"),
    ],
)
def test_what_is_no_list_of_scores(tmp_path: Path, cell: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        one(tmp_path, [{"id": 1, "score": [1, 0]}, {"id": 2, "score": cell}])


def test_runs_in_lists_and_in_a_column(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"'correct' holds a list of scores.* 'seed' names runs"):
        one(tmp_path, [row | {"seed": 1} for row in ROWS])
