"""Items, systems, strata, runs and clusters out of parts of other columns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from deadheat.errors import InputError, UsageError
from deadheat.evaluation import Evaluation
from deadheat.readers import read


@pytest.fixture
def parse(tmp_path: Path) -> Any:
    def parsed(text: str, **options: Any) -> Evaluation:
        path = tmp_path / "t.csv"
        path.write_text(text)
        return read(path, **options)

    return parsed


KEYS = "key,score\nm_b_2_r1,1\nm_a_1_r1,0\nm_b_1_r2,0.5\n"


def test_every_role_out_of_one_column(parse: Any) -> None:
    found = parse(
        KEYS,
        system_column=r"key:^(.+)_\d+_r",
        item=r"key:(\d+)_r\d+$",
        run=r"key:r\d+$",
        stratum="key:^m_(.)",
        cluster="key:^m",
    )
    assert found.systems == ("m_b", "m_a")
    b, a = found.answers
    assert b.items.to_list() == ["2", "1"]
    assert b.runs.to_list() == ["r1", "r2"]
    assert b.strata.to_list() == ["b", "b"]
    assert b.clusters.to_list() == ["m", "m"]
    assert b.scores.to_list() == [1.0, 0.5]
    assert [b.rows.name(0), b.rows.name(1), a.rows.name(0)] == ["line 2", "line 4", "line 3"]
    assert not found.notes


def test_a_column_of_that_very_name_comes_first(parse: Any) -> None:
    found = parse("key:1,key,score\nx,1,1\ny,2,0\n", item="key:1")
    assert found.answers[0].items.to_list() == ["x", "y"]


def test_item_stands_for_the_item_ids_whatever_their_column_is_called(parse: Any) -> None:
    text = "qid,score\nd1/a,1\nd2/b,0\n"
    (answers,) = parse(text, cluster="item:^(.+)/", stratum="item:/(.+)$").answers
    assert answers.clusters.to_list() == ["d1", "d2"]
    assert answers.strata.to_list() == ["a", "b"]
    # Also of ids that are themselves taken out of a column.
    (answers,) = parse(text, item="qid:^(..)/", cluster="item:^(.)").answers
    assert answers.items.to_list() == ["d1", "d2"]
    assert answers.clusters.to_list() == ["d", "d"]


def test_the_column_is_no_system_of_a_wide_table(parse: Any) -> None:
    found = parse("key,a,b\n11,1,0\n12,0,1\n", item=r"key:^1(\d)")
    assert found.systems == ("a", "b")
    assert found.answers[0].items.to_list() == ["1", "2"]


def test_columns_by_number(parse: Any) -> None:
    (answers,) = parse("m_1,1\nm_2,0\n", item=r"1:_(\d)$", score=2).answers
    assert answers.items.to_list() == ["1", "2"]
    assert answers.scores.to_list() == [1.0, 0.0]


def test_fields_inside_fields_and_numbers(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    rows = [{"meta": {"key": 101}, "score": 1}, {"meta": {"key": 202}, "score": 0}]
    path.write_text("\n".join(map(json.dumps, rows)))
    (answers,) = read(path, item=r"meta.key:^(\d)0").answers
    assert answers.items is not None
    assert answers.items.to_list() == ["1", "2"]


def test_files_of_references_and_frames(tmp_path: Path) -> None:
    frame = pl.DataFrame({"key": ["m_1", "m_2"], "output": ["x", "y"]})
    references = tmp_path / "r.csv"
    references.write_text("key,gold\nr_2,y\nr_1,x\n")
    found = read({"m": frame}, references=references, item=r"key:_(\d)$", reference_column="gold")
    assert found.answers[0].items is not None
    assert found.references is not None
    assert found.references.items is not None
    assert found.answers[0].items.to_list() == ["1", "2"]
    assert found.references.items.to_list() == ["2", "1"]
    # References that have plain ids are joined by those.
    references.write_text("id,gold\n2,y\n1,x\n")
    found = read({"m": frame}, references=references, item=r"key:_(\d)$")
    assert found.references is not None
    assert found.references.items is not None
    assert found.references.items.to_list() == ["2", "1"]


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"item": r"key:a_(\d)"}, InputError, r"t.csv, line 2: key 'm_b_2_r1' does not match"),
        ({"run": r"key:_b_(\d)"}, InputError, r"line 3: key 'm_a_1_r1' .* which the run is taken"),
        (
            {"item": "key:("},
            UsageError,
            r"'\(' is not a regular expression .*--item 'COLUMN:REGEX'",
        ),
        ({"item": r"key:(?<=m)_"}, UsageError, "is not a regular expression"),
        ({"system_column": "kye:^."}, InputError, r"nor a column 'kye' .* Did you mean key\?"),
        ({"cluster": "item:^."}, UsageError, "out of item ids, and there are none"),
        (
            {"score": r"key:(\d)"},
            InputError,
            r"\(--score\)\. --score takes a whole column, such as key",
        ),
    ],
)
def test_what_cannot_be_taken_out(
    parse: Any, options: dict[str, str], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        parse(KEYS, **options)


def test_an_empty_cell_does_not_match(parse: Any) -> None:
    with pytest.raises(InputError, match="line 3: the cell is empty and does not match"):
        parse("key,score\nm_1,1\n,0\n", item=r"key:(\d)")


def test_lists_hold_no_ids(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"key": ["m_1"], "score": 1}')
    with pytest.raises(InputError, match="column 'key', which holds more than text"):
        read(path, item=r"key:(\d)")
