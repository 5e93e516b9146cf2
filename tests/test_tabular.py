"""Tables written to files, read again by the libraries that others use."""

from __future__ import annotations

import csv
import json
import os
import stat
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from deadheat.errors import UsageError
from deadheat.tabular import WRITERS, check_ending, write_table

FRAME = pl.DataFrame(
    {
        "item": ["1", "a,b", 'say "hi"', "two\nlines", "tab\there", "é\u2028x"],
        "score": [1.0, 0.1 + 0.2, None, 1e-300, -0.0, 12345678.9],
        "run": [1, 2, 3, 4, 5, 2**62],
        "right": [True, False, None, True, False, True],
    }
)


def rows(path: Path) -> list[dict[str, Any]]:
    """Read a file as the standard library does; a blank is None."""
    if path.suffix in (".jsonl", ".ndjson"):
        return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    separator = "\t" if path.suffix == ".tsv" else ","
    with path.open(encoding="utf-8", newline="") as file:
        return [
            {k: v or None for k, v in r.items()} for r in csv.DictReader(file, delimiter=separator)
        ]


@pytest.mark.parametrize("ending", [".csv", ".tsv"])
def test_separated_text_is_read_by_the_standard_library(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"t{ending}"
    write_table(FRAME, path)
    found = rows(path)
    assert [row["item"] for row in found] == FRAME["item"].to_list()
    assert [None if row["score"] is None else float(row["score"]) for row in found] == FRAME[
        "score"
    ].to_list()
    assert [int(row["run"]) for row in found] == FRAME["run"].to_list()
    assert [row["right"] for row in found] == ["true", "false", None, "true", "false", "true"]


@pytest.mark.parametrize("ending", [".jsonl", ".ndjson"])
def test_json_lines_are_read_by_the_standard_library(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"t{ending}"
    write_table(FRAME, path)
    assert rows(path) == FRAME.to_dicts()


def test_parquet_keeps_types(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    write_table(FRAME, path)
    assert_frame_equal(pl.read_parquet(path), FRAME)
    pyarrow = pytest.importorskip("pyarrow.parquet")
    assert pyarrow.read_table(path).to_pylist() == FRAME.to_dicts()


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".jsonl"])
@settings(max_examples=60)
@given(
    texts=st.lists(
        st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1), min_size=1
    )
)
def test_every_text_comes_back(
    tmp_path_factory: pytest.TempPathFactory, ending: str, texts: list[str]
) -> None:
    path = tmp_path_factory.getbasetemp() / f"every{ending}"
    write_table(pl.DataFrame({"item": texts, "score": [0.5] * len(texts)}), path)
    assert [row["item"] for row in rows(path)] == texts


@pytest.mark.parametrize("ending", [*WRITERS, ".CSV", ".Parquet"])
def test_endings_are_known_in_any_case(tmp_path: Path, ending: str) -> None:
    check_ending(f"t{ending}")
    write_table(FRAME, tmp_path / f"t{ending}")
    assert (tmp_path / f"t{ending}").stat().st_size


@pytest.mark.parametrize("name", ["t", "t.txt", "t.json", "t.csv.gz", ".csv", "t.", "t.xlsx"])
def test_other_endings_are_refused_before_anything_is_written(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match=r"no form of a table.*\.parquet"):
        check_ending(name)
    with pytest.raises(UsageError, match="no form of a table"):
        write_table(FRAME, tmp_path / name)
    assert not [*tmp_path.iterdir()]


def test_a_file_that_was_there_is_replaced_whole_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("old " * 1000)
    path.chmod(0o640)
    write_table(FRAME.head(1), path)
    assert rows(path)[0]["item"] == "1"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [p.name for p in tmp_path.iterdir()] == ["t.csv"]


def test_a_folder_that_is_not_there_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"t\.csv"):
        write_table(FRAME, tmp_path / "none" / "t.csv")


def test_a_link_is_followed_and_stays(tmp_path: Path) -> None:
    target = tmp_path / "real.csv"
    target.write_text("x")
    os.symlink(target, tmp_path / "link.csv")
    write_table(FRAME.head(1), tmp_path / "link.csv")
    assert (tmp_path / "link.csv").is_symlink()
    assert len(rows(target)) == 1
