"""JSON lines and JSON arrays: types are kept."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from deadheat.errors import InputError
from deadheat.evaluation import Answers
from deadheat.readers import read


def one(tmp_path: Path, data: str, name: str = "a.jsonl", **options: str) -> Answers:
    path = tmp_path / name
    path.write_text(data, encoding="utf-8")
    (answers,) = read(path, **options).answers  # type: ignore[arg-type]
    return answers


def values(series: pl.Series | None) -> list[object]:
    assert series is not None
    return series.to_list()


LINES = '{"id": 1, "score": 1}\n\n{"score": 0.5, "id": 2}\r\n{"id": 3}\n'
ARRAY = json.dumps([{"id": 1, "score": 1}, {"score": 0.5, "id": 2}, {"id": 3}])


@pytest.mark.parametrize("name", ["a.json", "a.jsonl", "a.txt"])
@pytest.mark.parametrize(
    ("text", "kind"), [(LINES, "jsonl"), (ARRAY, "json"), (" " + ARRAY, "json")]
)
def test_content_decides_and_not_the_name(tmp_path: Path, text: str, kind: str, name: str) -> None:
    answers = one(tmp_path, text, name)
    assert values(answers.items) == [1, 2, 3]
    assert values(answers.scores) == [1.0, 0.5, None]
    assert answers.source.format == kind


@pytest.mark.parametrize(
    ("ids", "dtype"),
    [
        ("1", pl.Int64),
        ('"1"', pl.String),
        ("true", pl.Boolean),
        ("1.5", pl.Float64),
        ("9007199254740993", pl.Int64),  # 2**53 + 1, which no float holds
        ("123456789012345678901234567890", pl.Int128),
    ],
)
def test_ids_keep_type_and_value(tmp_path: Path, ids: str, dtype: pl.DataType) -> None:
    answers = one(tmp_path, f'{{"id": {ids}, "score": 1}}')
    assert answers.items is not None
    assert answers.items.dtype == dtype
    assert values(answers.items) == [json.loads(ids)]


def test_bare_constants_are_missing_scores(tmp_path: Path) -> None:
    # CASES 67 and 24: NaN as Python writes it, and as text.
    rows = [float("nan"), float("inf"), -float("inf"), "nan", None, True, "0.25", 1]
    text = "\n".join(json.dumps({"id": k, "score": v, "t": "NaN"}) for k, v in enumerate(rows))
    wanted = [None, None, None, None, None, 1.0, 0.25, 1.0]
    assert values(one(tmp_path, text).scores) == wanted
    array = "[" + text.replace("\n", ",") + "]"
    assert values(one(tmp_path, array).scores) == wanted


def test_a_constant_inside_a_text_is_text(tmp_path: Path) -> None:
    text = '[{"id": "NaN", "score": NaN}, {"id": "a \\" Infinity", "score": 1}]'
    answers = one(tmp_path, text)
    assert values(answers.items) == ["NaN", 'a " Infinity']
    assert values(answers.scores) == [None, 1.0]


def test_fields_inside_fields_are_addressed_with_dots(tmp_path: Path) -> None:
    text = '{"id": 1, "s": {"m": {"acc": 1}}}\n{"id": 2, "s": {"m": {"acc": 0}}}\n{"id": 3}'
    assert values(one(tmp_path, text, score="s.m.acc").scores) == [1.0, 0.0, None]
    with pytest.raises(InputError, match=r"Did you mean s\.m\.acc\?"):
        one(tmp_path, text, score="s.m.ac")
    with pytest.raises(InputError, match="line 1, column 's': a object is not a number"):
        one(tmp_path, text, score="s")


def test_a_name_with_a_dot_comes_first(tmp_path: Path) -> None:
    text = '{"id": 1, "s.a": 0.25, "s": {"a": 1}}'
    assert values(one(tmp_path, text, score="s.a").scores) == [0.25]


@pytest.mark.parametrize("name", ["id", "run", "cluster", "stratum", "system"])
def test_lists_are_no_labels(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=f"line 1, column '{name}': the field holds a list"):
        one(tmp_path, json.dumps({"score": 1, "id": 1} | {name: ["x"]}))


def test_an_array_of_values_is_one_value_a_row(tmp_path: Path) -> None:
    assert values(one(tmp_path, "[1, 0, null, 0.5]").scores) == [1.0, 0.0, None, 0.5]
    assert values(one(tmp_path, '["yes", null]').outputs) == ["yes", None]


def test_a_text_that_is_empty_is_an_output(tmp_path: Path) -> None:
    text = '{"id": 1, "output": ""}\n{"id": 2, "output": null}'
    assert values(one(tmp_path, text).outputs) == ["", None]
