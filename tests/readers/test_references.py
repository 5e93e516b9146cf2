"""References apart from the answers, and label maps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from deadheat.errors import InputError, UsageError
from deadheat.evaluation import Evaluation
from deadheat.readers import read


@pytest.fixture
def parse(tmp_path: Path) -> Any:
    def parsed(answers: str, references: str, **options: Any) -> Evaluation:
        (tmp_path / "a.csv").write_text(answers)
        (tmp_path / "r.csv").write_text(references)
        return read(tmp_path / "a.csv", references=tmp_path / "r.csv", **options)

    return parsed


ANSWERS = "id,pred\n1,x\n2,y\n"


@pytest.mark.parametrize(
    ("references", "options"),
    [
        ("id,gold\n2,y\n1,x\n", {}),
        ("id,answer\n2,y\n1,x\n", {}),  # the only column beside the ids, whatever its name
        ("id,text,truth\n2,t,y\n1,t,x\n", {"reference_column": "truth"}),
        ("2,y\n1,x\n", {"reference_column": 2, "item": 1, "output_column": 2}),
    ],
)
def test_columns_of_a_file_of_references(
    parse: Any, references: str, options: dict[str, Any]
) -> None:
    answers = ANSWERS if "item" not in options else ANSWERS.partition("\n")[2]
    found = parse(answers, references, **options)
    assert found.references.items.to_list() == ["2", "1"]
    assert found.references.values.to_list() == ["y", "x"]
    assert found.answers[0].outputs.to_list() == ["x", "y"]


def test_answers_by_name_and_references_by_number(parse: Any) -> None:
    found = parse(ANSWERS, "a text\tx\nanother\ty\n", item="id", reference_column="2")
    assert found.answers[0].items.to_list() == ["1", "2"]
    assert found.references.items is None
    assert found.references.values.to_list() == ["x", "y"]


def test_an_item_column_that_only_the_answers_have(parse: Any) -> None:
    found = parse("nr,pred\n1,x\n2,y\n", "id,gold\n1,x\n2,y\n", item="nr")
    assert found.answers[0].items.to_list() == found.references.items.to_list() == ["1", "2"]


def test_references_beside_the_answers_give_way(parse: Any) -> None:
    found = parse("id,pred,gold\n1,x,y\n2,y,y\n", "id,gold\n1,x\n2,y\n")
    assert found.answers[0].references is None


def test_clusters_may_stand_with_the_references(parse: Any) -> None:
    found = parse(ANSWERS, "id,gold,part\n1,x,p\n2,y,q\n", cluster="part")
    assert found.references.clusters.to_list() == ["p", "q"]
    assert found.answers[0].clusters is None
    with pytest.raises(InputError, match=r"no source has a column 'parts' \(--cluster\)"):
        parse(ANSWERS, "id,gold,part\n1,x,p\n2,y,q\n", cluster="parts")


def test_references_that_are_not_told_apart(parse: Any) -> None:
    with pytest.raises(InputError, match=r"hold the references.*--reference-column"):
        parse(ANSWERS, "id,text,truth\n1,t,x\n2,t,y\n")
    with pytest.raises(InputError, match=r"no column 'x' \(--reference-column\)"):
        parse(ANSWERS, "id,gold\n1,x\n2,y\n", reference_column="x")


def test_references_of_lines_frames_and_arrays(tmp_path: Path) -> None:
    path = tmp_path / "r.txt"
    path.write_text("x\ny\n")
    frame = pl.DataFrame({"id": [1, 2], "gold": ["x", "y"]})
    for references in (path, frame, ["x", "y"], pl.Series(["x", "y"])):
        found = read(["x", "x"], references=references).references
        assert found is not None
        assert found.values.to_list() == ["x", "y"]


def test_wide_outputs_with_references_apart(parse: Any) -> None:
    found = parse("id,bert,roberta\n1,x,y\n2,y,y\n", "id,gold\n1,x\n2,y\n")
    assert found.systems == ("bert", "roberta")
    assert [a.outputs.to_list() for a in found.answers] == [["x", "y"], ["y", "y"]]


def test_label_map_renames_outputs_and_references_side_by_side(parse: Any) -> None:
    found = parse(
        "id,pred\n1,a\n2,b\n3,c\n4,\n",
        "id,gold\n1,b\n2,a\n3,d\n4,a\n",
        label_map={"a": "b", "b": "a", "d": "c"},
    )
    assert found.answers[0].outputs.to_list() == ["b", "a", "c", None]
    assert found.references.values.to_list() == ["a", "b", "c", "b"]
    assert not found.notes


def test_label_map_that_never_applies_is_noted(parse: Any) -> None:
    found = parse(ANSWERS, "id,gold\n1,x\n2,y\n", label_map={"x": "z", "q": "z", "Y": "z"})
    (note,) = found.notes
    assert note.code == "label_map_unused"
    assert "'q', 'Y'" in note.message


def test_label_map_compares_as_text() -> None:
    found = read([0, 1, 2], references=[0, 1, 1], label_map={"2": "1"})
    assert found.answers[0].outputs is not None
    assert found.answers[0].outputs.to_list() == ["0", "1", "1"]
    assert found.references is not None
    assert found.references.values.to_list() == ["0", "1", "1"]


def test_a_mapping_is_no_list_of_references() -> None:
    with pytest.raises(UsageError, match="references are dict"):
        read([1, 0], references={"q1": 1, "q2": 0})
