"""Arrays and lists as scores or outputs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from deadheat.errors import InputError
from deadheat.readers import read

SCORES = [1.0, 0.0, math.nan, 0.5]


@pytest.mark.parametrize(
    "array",
    [
        SCORES,
        tuple(SCORES),
        [np.float64(x) for x in SCORES],
        [1, False, None, 0.5],
        np.array(SCORES),
        np.array(SCORES, dtype=np.float32),
        np.array(SCORES, dtype=np.float16),
        np.array(SCORES, dtype=">f8"),
        np.repeat(SCORES, 2)[::2],
        np.array([1, 0, None, 0.5], dtype=object),
        np.array([1.0, 0.0, math.inf, 0.5]),
        pl.Series(SCORES),
        pd.Series(SCORES),
        pd.Series([1.0, 0.0, pd.NA, 0.5], dtype="Float64"),
    ],
    ids=lambda array: type(array).__name__,
)
def test_numbers_without_references_are_scores(array: Any) -> None:
    (answers,) = read(array).answers
    assert answers.outputs is None
    assert answers.items is None
    assert answers.scores is not None
    assert answers.scores.dtype == pl.Float64
    assert answers.scores.to_list() == [1.0, 0.0, None, 0.5]


@pytest.mark.parametrize(
    ("array", "dtype", "values"),
    [
        ([1, 0, None], pl.Int64, [1, 0, None]),
        (np.array([1, 0, 2], dtype=np.uint8), pl.Int64, [1, 0, 2]),
        (np.array([2**64 - 1], dtype=np.uint64), pl.Int128, [2**64 - 1]),
        ([True, False], pl.Boolean, [True, False]),
        (np.array(["a", "b"]), pl.String, ["a", "b"]),
        (np.array(["a", None], dtype=object), pl.String, ["a", None]),
        (pd.Series(["a", "b"], dtype="category"), pl.String, ["a", "b"]),
        (np.array([1.0, math.nan]), pl.Float64, [1.0, None]),
    ],
)
def test_with_references_they_are_outputs(
    array: Any, dtype: pl.DataType, values: list[object]
) -> None:
    evaluation = read(array, references=array)
    outputs = evaluation.answers[0].outputs
    assert evaluation.answers[0].scores is None
    assert outputs is not None
    assert evaluation.references is not None
    for series in (outputs, evaluation.references.values):
        assert series.dtype == dtype
        assert series.to_list() == values


def test_names() -> None:
    x = [1, 0]
    assert read(x, x).systems == ("baseline", "candidate")
    assert read(x, x, x).systems == ("system_1", "system_2", "system_3")
    assert read({"a": x, "b": x}).systems == ("a", "b")
    assert read(x, x, names=["new", "old"]).systems == ("new", "old")


@pytest.mark.parametrize(
    ("array", "words"),
    [
        ([], "no values"),
        (np.zeros((2, 3)), r"of shape \(2, 3\)"),
        (np.array(1.0), "a single value"),
        (["a", 1], r"several types \(int, str\)"),
        ([b"a"], r"several types \(bytes\)"),
        (pl.Series([b"a"]), r"several types \(bytes\)"),
        ([["a"], [object()]], r"value 2 cannot be written as JSON \(JSON cannot hold a object\)"),
        ([{1: "a", "b": 2}], "value 1 cannot be written as JSON"),
        (["\ud800", ["a"]], "value 1 cannot be written as JSON"),
    ],
)
def test_what_is_no_array_of_values(array: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read(array, references=["x"])
