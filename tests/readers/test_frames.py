"""Parquet files and data frames of pandas, polars and Arrow."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from deadheat.errors import InputError
from deadheat.evaluation import Answers
from deadheat.readers import read

DATA = {"item": ["q1", "q2", "q3"], "score": [1.0, None, float("nan")], "output": ["x", None, "z"]}


def check(answers: Answers) -> None:
    assert answers.items is not None
    assert answers.items.to_list() == ["q1", "q2", "q3"]
    assert answers.scores is not None
    assert answers.scores.to_list() == [1.0, None, None]
    assert answers.outputs is not None
    assert answers.outputs.to_list() == ["x", None, "z"]


@pytest.mark.parametrize(
    "frame",
    [pl.DataFrame(DATA), pl.LazyFrame(DATA), pd.DataFrame(DATA), pa.table(DATA)],
    ids=["polars", "lazy", "pandas", "arrow"],
)
def test_frames_of_every_kind(frame: object) -> None:
    evaluation = read(frame, names=["a"])
    check(evaluation.answers[0])
    assert evaluation.systems == ("a",)
    assert evaluation.answers[0].source.format == "frame"


def test_parquet(tmp_path: Path) -> None:
    path = tmp_path / "a.dat"
    pl.DataFrame(DATA).write_parquet(path)
    (answers,) = read(path).answers
    check(answers)
    assert (answers.system, answers.source.format) == ("a", "parquet")


def test_fields_of_structs_are_dotted_and_never_systems_unasked(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    metrics = [{"acc": 1, "f1": 0.5}, {"acc": 0, "f1": 0.25}]
    pl.DataFrame({"item": [1, 2], "m": metrics}).write_parquet(path)
    (answers,) = read(path, score="m.f1").answers
    assert answers.scores is not None
    assert answers.scores.to_list() == [0.5, 0.25]
    assert read(path, systems=("m.f1", "m.acc")).systems == ("m.f1", "m.acc")
    with pytest.raises(InputError, match=r"the columns are 'item', 'm\.acc', 'm\.f1'"):
        read(path)


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        (pd.Series([1, 2], dtype="Int64"), pl.Int64),
        (pd.Series([1, 2], dtype="uint8"), pl.Int64),
        (pd.Series(["a", "b"], dtype="category"), pl.String),
        (pd.Series(["a", "b"], dtype="string"), pl.String),
        (pd.Series(["a", "b"], dtype=object), pl.String),
        (pd.Series([True, False]), pl.Boolean),
    ],
)
def test_pandas_ids_keep_their_kind(values: pd.Series, dtype: pl.DataType) -> None:
    (answers,) = read(pd.DataFrame({"item": values, "score": [1, 0]}), names=["a"]).answers
    assert answers.items is not None
    assert answers.items.dtype == dtype
    assert answers.items.to_list() == values.tolist()


def test_a_named_pandas_index_is_a_column_and_an_unnamed_one_is_not() -> None:
    frame = pd.DataFrame({"item": ["q2", "q1"], "score": [1, 0]}).set_index("item")
    (answers,) = read(frame, names=["a"]).answers
    assert answers.items is not None
    assert answers.items.to_list() == ["q2", "q1"]
    (answers,) = read(frame.reset_index(drop=True), names=["a"]).answers
    assert answers.items is None


def test_missing_values_of_pandas_are_missing() -> None:
    frame = pd.DataFrame(
        {"item": [1, 2], "output": pd.Series([1, pd.NA], dtype="Int64"), "score": [None, 1]}
    )
    (answers,) = read(frame, names=["a"]).answers
    assert answers.outputs is not None
    assert answers.outputs.to_list() == [1, None]
    assert answers.scores is not None
    assert answers.scores.to_list() == [None, 1.0]


def test_frames_that_cannot_be_read() -> None:
    with pytest.raises(InputError, match="no rows"):
        read(pl.DataFrame({"item": [], "score": []}))
    with pytest.raises(InputError, match="several columns 'a'"):
        read(pd.DataFrame([[1, 2]], columns=["a", "a"]))
    with pytest.raises(InputError, match="column 'item' holds lists"):
        read(pl.DataFrame({"item": [["x"]], "score": [1]}))
    with pytest.raises(InputError, match="column 'output' holds bytes"):
        read(pl.DataFrame({"item": [1], "output": [b"x"]}))
