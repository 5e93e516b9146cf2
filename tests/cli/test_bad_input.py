"""Bad input: one paragraph on stderr, exit 2, no traceback, no file half-written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from processes import Run, refused
from tables import wide


@pytest.fixture
def good(tmp_path: Path) -> Path:
    return wide(tmp_path / "good.csv", both=5, only_a=2, only_b=3, neither=1)


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "empty"),
        ("item,a,b\n", "no row"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(300), "binary"),
        ("item,a,b\n1,1,0\n1,0,1\n", "1"),
        ("item,a,b\n1,1,0\n2,nan,1\n", "missing"),
    ],
    ids=["empty", "header only", "binary", "duplicate id", "nan"],
)
def test_one_table(run: Run, tmp_path: Path, content: str | bytes, said: str) -> None:
    table = write(tmp_path / "t.csv", content)
    assert said in refused(run("compare", table, "--output", "out.json", "--record", "r.json"))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["t.csv"]


def test_directory(run: Run, tmp_path: Path) -> None:
    assert "folder" in refused(run("compare", tmp_path)) or "directory" in refused(
        run("compare", tmp_path)
    )


def test_no_such_file(run: Run) -> None:
    assert "nowhere.csv" in refused(run("compare", "nowhere.csv", "elsewhere.csv"))


def test_missing_column_names_the_nearest(run: Run, good: Path) -> None:
    message = refused(run("compare", good, "--item", "itm"))
    assert "itm" in message
    assert "item" in message.replace("itm", "")


def test_ids_that_never_match(run: Run, tmp_path: Path) -> None:
    a = write(tmp_path / "a.csv", "item,score\nq1,1\nq2,0\n")
    b = write(tmp_path / "b.csv", "item,score\nr1,1\nr2,0\n")
    message = refused(run("compare", a, b))
    assert "0 of 4 items matched" in message
    assert all(name in message for name in ("q1", "r1"))


def test_two_systems_of_one_name(run: Run, tmp_path: Path) -> None:
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder / "m.csv", "item,score\nq1,1\nq2,0\n")
    message = refused(run("compare", "x/m.csv", "y/m.csv"))
    assert "NAME=PATH" in message


def test_unknown_metric_names_the_nearest(run: Run, good: Path) -> None:
    assert "accuracy" in refused(run("compare", good, "--metric", "acuracy"))


@pytest.mark.parametrize(
    "options",
    [
        ("--confidence", "95"),
        ("--resamples", "1"),
        ("--seed", "-1"),
        ("--margin", "-1"),
        ("--method", "magic"),
        ("--method", "wilson"),
        ("--test", "magic"),
        ("--alternative", "sideways"),
        ("--baseline", "nobody"),
        ("--about", "a"),
        ("--about", "a:colour=red"),
        ("--label-map", "x"),
        ("--threads", "0"),
        ("--no-such-option",),
    ],
    ids=" ".join,
)
def test_options_that_cannot_be_meant(run: Run, good: Path, options: tuple[str, ...]) -> None:
    refused(run("compare", good, *options))


def test_output_is_not_half_written(run: Run, tmp_path: Path, good: Path) -> None:
    kept = write(tmp_path / "kept.txt", "as it was")
    refused(run("compare", good, "--metric", "nope", "--output", kept))
    assert kept.read_text() == "as it was"
    refused(run("compare", good, "--output", tmp_path / "no" / "folder.txt"))


def test_three_systems_ask_for_two(run: Run, tmp_path: Path) -> None:
    table = write(tmp_path / "t.csv", "item,a,b,c\n1,1,0,1\n2,0,1,1\n")
    message = refused(run("compare", table))
    assert "--baseline" in message
    assert "--candidate" in message


def test_one_system_is_not_two(run: Run, tmp_path: Path) -> None:
    table = write(tmp_path / "t.csv", "item,score\n1,1\n2,0\n")
    assert "one system" in refused(run("compare", table))


def test_unequal_lengths_without_ids_state_both(run: Run, tmp_path: Path) -> None:
    a = write(tmp_path / "a.txt", "x\ny\nx\n")
    b = write(tmp_path / "b.txt", "x\ny\n")
    y = write(tmp_path / "y.txt", "x\ny\nx\n")
    message = refused(run("compare", a, b, "--reference", y))
    assert "3" in message
    assert "2" in message


def test_a_line_of_enormous_length_is_refused_in_little_memory(
    run: Run, tmp_path: Path, limited: Callable[..., Run]
) -> None:
    huge = tmp_path / "huge.csv"
    with huge.open("wb") as file:
        file.write(b"item,a,b\n")
        # A hole in a file takes no room on disk; it reads as one line of 2 GB.
        file.truncate(2 * 1024**3)
    refused(limited(megabytes=1500)("compare", huge))
