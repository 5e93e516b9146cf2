"""Outputs and references that are lists or objects, from every kind of source."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deadheat.errors import InputError, UsageError
from deadheat.evaluation import Evaluation
from deadheat.readers import read

TAGS: list[Any] = [["B-PER", "O"], [], None, ["O"]]
ENCODED = [b'["B-PER","O"]', b"[]", None, b'["O"]']

LEAVES = st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.text(max_size=4)
JSON = st.recursive(
    LEAVES | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)
STRUCTURED = st.lists(JSON, max_size=3) | st.dictionaries(st.text(max_size=3), JSON, max_size=3)


def outputs(evaluation: Evaluation) -> pl.Series:
    found = evaluation.answers[0].outputs
    assert found is not None
    return found


def jsonl(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def test_one_column_from_every_source(tmp_path: Path) -> None:
    rows = [{"id": k, "output": tags} for k, tags in enumerate(TAGS)]
    lines = jsonl(tmp_path / "a.jsonl", rows)
    array = tmp_path / "a.json"
    array.write_text(json.dumps(rows))
    bare = tmp_path / "bare.json"
    bare.write_text(json.dumps(TAGS))
    frame = pl.DataFrame({"id": range(4), "output": TAGS})
    parquet = tmp_path / "a.parquet"
    frame.write_parquet(parquet)
    objects = np.empty(4, dtype=object)
    objects[:] = [tags and np.array(tags) if tags else tags for tags in TAGS]
    sources: list[Any] = [
        lines,
        array,
        bare,
        parquet,
        frame,
        pd.DataFrame({"id": range(4), "output": TAGS}),
        frame.to_arrow(),
        TAGS,
        [tags and tuple(tags) for tags in TAGS],
        objects,
        pl.Series(TAGS),
        pd.Series(TAGS),
    ]
    for source in sources:
        found = outputs(read({"a": source}, references=["x"]))
        assert found.dtype == pl.Binary
        assert found.to_list() == ENCODED
    # And as the references, where one row may name several that are right.
    for source in sources:
        found_references = read([1, 2, 3, 4], references=source).references
        assert found_references is not None
        assert found_references.values.to_list() == ENCODED


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(values=st.lists(JSON, min_size=1, max_size=4), one=STRUCTURED, indent=st.none() | st.just(2))
def test_the_bytes_say_the_value_and_nothing_of_how_it_was_written(
    tmp_path: Path, values: list[Any], one: Any, indent: int | None
) -> None:
    values = [*values, one]
    rows = [{"output": value, "id": k} for k, value in enumerate(values)]
    path = tmp_path / "a.json"
    path.write_text(json.dumps(rows, indent=indent, sort_keys=indent is None))
    found = outputs(read(path))
    assert found.dtype == pl.Binary
    assert [None if v is None else json.loads(v) for v in found] == values
    # Key order and blanks are gone: what the standard library writes in its tightest form.
    for written, value in zip(found, values, strict=True):
        if value is not None and not _has_real(value):
            tight = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
            assert json.loads(tight) == json.loads(written)
            assert len(written) == len(tight.encode())
    if not _are_runs(values):
        assert found.to_list() == outputs(read(values)).to_list()


def _are_runs(values: list[Any]) -> bool:
    """Whether an array of these is one of scores, a list for each item."""
    return all(
        isinstance(v, list) and v and all(isinstance(s, (int, float, type(None))) for s in v)
        for v in values
    )


def _has_real(value: Any) -> bool:
    if isinstance(value, (list, dict)):
        return any(map(_has_real, value.values() if isinstance(value, dict) else value))
    return isinstance(value, float)


def test_a_column_that_mixes_is_json_throughout(tmp_path: Path) -> None:
    values = ["x", ["y"], 1, True, {"b": 1, "a": 2}, None, 0.5]
    rows = [{"id": k, "output": v} for k, v in enumerate(values)]
    wanted = [b'"x"', b'["y"]', b"1", b"true", b'{"a":2,"b":1}', None, b"0.5"]
    assert outputs(read(jsonl(tmp_path / "a.jsonl", rows))).to_list() == wanted
    # Without a list or an object it is refused as ever.
    with pytest.raises(InputError, match=r"values of two types: 'x' .* and 1"):
        read(jsonl(tmp_path / "b.jsonl", [rows[0], rows[2]]))


def test_what_is_not_a_number_is_null_inside_and_out() -> None:
    found = outputs(read([[1.0, float("nan")], float("nan"), [float("inf")]]))
    assert found.to_list() == [b"[1.0,null]", None, b"[null]"]


def test_objects_in_frames_are_kept_where_they_may_be_outputs(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {"id": [1, 2], "output": [{"z": "a", "b": 1}, None], "own": [{"x": [1]}, {"x": []}]}
    )
    path = tmp_path / "a.parquet"
    frame.write_parquet(path)
    for source in (frame, path):
        assert outputs(read({"a": source})).to_list()[0] == b'{"b":1,"z":"a"}'
        assert outputs(read({"a": source}, output_column="output.z")).to_list() == ["a", None]
        own = outputs(read({"a": source}, output_column="own"))
        assert own.to_list() == [b'{"x":[1]}', b'{"x":[]}']
        assert outputs(read({"a": source}, output_column="own.x")).to_list() == [b"[1]", b"[]"]


def test_lists_in_fields_that_were_asked_for(tmp_path: Path) -> None:
    rows = [{"id": 1, "meta": {"tags": ["O"], "gold": ["B"]}, "other": ["x"]}]
    path = jsonl(tmp_path / "a.jsonl", rows)
    (answers,) = read(path, output_column="meta.tags", reference_column="meta.gold").answers
    assert answers.outputs is not None
    assert answers.references is not None
    assert (answers.outputs[0], answers.references[0]) == (b'["O"]', b'["B"]')
    assert outputs(read(path, output_column="other"))[0] == b'["x"]'


def test_lists_in_a_file_of_references(tmp_path: Path) -> None:
    answers = jsonl(tmp_path / "a.jsonl", [{"id": 1, "output": "x"}])
    references = jsonl(tmp_path / "r.jsonl", [{"id": 1, "answers": ["x", "y"]}])
    with pytest.raises(
        InputError,
        match=r"r.jsonl, line 1, column 'answers': .* a list, and .* --reference-column answers",
    ):
        read(answers, references=references)
    found = read(answers, references=references, reference_column="answers").references
    assert found is not None
    assert found.values.to_list() == [b'["x","y"]']


def test_a_wide_table_with_lists_of_references_or_of_outputs(tmp_path: Path) -> None:
    rows = [
        {"id": 1, "gold": ["Rome", "Roma"], "a": "Rome", "b": "Oslo"},
        {"id": 2, "gold": ["Oslo"], "a": "Oslo", "b": "Oslo"},
    ]
    found = read(jsonl(tmp_path / "a.jsonl", rows))
    assert found.systems == ("a", "b")
    assert [a.outputs.to_list() for a in found.answers if a.outputs is not None] == [
        ["Rome", "Oslo"],
        ["Oslo", "Oslo"],
    ]
    tags = [{"id": 1, "gold": ["B", "O"], "a": ["B", "B"], "b": ["O", "O"]}]
    found = read(jsonl(tmp_path / "t.jsonl", tags), systems=("b", "a"))
    assert outputs(found).to_list() == [b'["O","O"]']


def test_a_cell_of_csv_is_text_whatever_it_looks_like(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('id,output\n1,"[""a"", ""b""]"\n2,[1]\n')
    assert outputs(read(path)).to_list() == ['["a", "b"]', "[1]"]


def test_labels_inside_lists_are_not_renamed() -> None:
    with pytest.raises(UsageError, match="lists or objects among the outputs"):
        read([["a"]], references=["a"], label_map={"a": "b"})


def test_lists_that_nobody_needs_cost_no_memory(tmp_path: Path) -> None:
    log = [{"id": k, "score": 1, "messages": ["long " * 2_000]} for k in range(2_000)]
    path = jsonl(tmp_path / "a.jsonl", log)
    size = path.stat().st_size
    tracemalloc.start()
    try:
        read(path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # The file itself and its lines are held, and no third copy.
    assert peak < 2.5 * size
