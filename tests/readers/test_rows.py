"""Where each row stands, for messages."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deadheat.evaluation import Rows
from deadheat.readers import read


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(systems=st.lists(st.sampled_from("abc"), min_size=1, max_size=12), chosen=st.booleans())
def test_rows_of_long_tables_stand_where_they_stood(
    tmp_path: Path, systems: list[str], chosen: bool
) -> None:
    path = tmp_path / "t.csv"
    lines = [f'{k},{name},"line\n{k}"' for k, name in enumerate(systems)]
    path.write_text("\n".join(["item,system,output", *lines]))
    text = path.read_text().split("\n")
    names = tuple(sorted(set(systems))) if chosen else None
    for answers in read(path, systems=names).answers:
        assert answers.items is not None
        assert answers.rows is not None
        for row, item in enumerate(answers.items):
            line = int(answers.rows.name(row).removeprefix("line "))
            assert text[line - 1].startswith(f"{item},{answers.system},")


def test_every_source_but_an_array_has_rows(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("score\n1\n0\n")
    wide = tmp_path / "w.csv"
    wide.write_text("item,a,b\n1,1,0\n2,0,1\n")
    frame = pl.DataFrame({"id": [1, 2], "score": [1, 0]})
    lines, a, b, rows, array = read(f"l={path}", wide, {"f": frame, "x": [1, 0]}).answers
    assert [x.rows and x.rows.name(1) for x in (lines, a, b, rows, array)] == [
        "line 3",
        "line 3",
        "line 3",
        "row 1",  # as frames count
        None,
    ]
    references = read([1, 0], references=path, reference_column="score").references
    assert references is not None
    assert references.rows is not None
    assert references.rows.name(0) == "line 2"
    bare = read([1, 0], references=[1, 0]).references
    assert bare is not None
    assert bare.rows is None


def test_rows_taken_twice() -> None:
    named = Rows(word="row", lines=np.array([3, 5, 9]))
    taken = named.take(np.array([2, 0, 0])).take(np.array([0, 2]))
    assert [taken.name(0), taken.name(1)] == ["row 9", "row 3"]
