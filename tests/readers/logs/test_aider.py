"""Aider: an exercise a file, a benchmark a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

import deadheat
from deadheat.errors import AlignmentError, FormatError, InputError
from deadheat.readers import read
from readers.logs.builders.code_benchmarks import aider, write
from readers.logs.looking import codes, only, scores, tool


def test_the_last_try_counts(tmp_path: Path) -> None:
    folder = tmp_path / "2026-01-01--x"
    aider(folder, "bowling", [False, True])
    aider(folder, "forth", [False, False])
    aider(folder, "wordy", [True], language="go")
    evaluation = read(f"x={folder}")
    assert scores(evaluation) == {"x": {"go/wordy": 1, "python/bowling": 1, "python/forth": 0}}
    first = scores(read(f"x={folder}", score="solved_first"))["x"]
    assert first == {"go/wordy": 1, "python/bowling": 0, "python/forth": 0}


def test_two_benchmarks(tmp_path: Path) -> None:
    """2 of 3 and 1 of 3 solved; exercises pair by language and name."""
    for name, solved in (("a", (1, 1, 0)), ("b", (0, 0, 1))):
        for exercise, right in zip(("one", "two", "six"), solved, strict=True):
            aider(
                tmp_path / f"2026-01-0{solved[0] + 1}--{name}", exercise, [bool(right)], model=name
            )
    found = deadheat.compare(tmp_path)
    assert (found.baseline.system, found.candidate.system) == ("b (diff)", "a (diff)")
    assert found.difference.estimate == pytest.approx(1 / 3)
    assert "files_skipped" in [note.code for note in found.notes]


def test_other_settings_are_other_systems(tmp_path: Path) -> None:
    """One model with two edit formats: not two runs of one system."""
    aider(tmp_path / "1", "one", [True], edit_format="diff")
    aider(tmp_path / "2", "one", [False], edit_format="whole", reasoning_effort="high")
    assert scores(read(tmp_path)) == {
        "m1 (diff)": {"python/one": 1},
        "m1 (whole, high)": {"python/one": 0},
    }


def test_an_exercise_that_broke_off_has_no_score(tmp_path: Path) -> None:
    """Aider counts it as not solved: 1 of 2, where 1 of 1 was tried."""
    a, b = tmp_path / "a", tmp_path / "b"
    for folder, model in ((a, "a"), (b, "b")):
        aider(folder, "one", [True], model=model)
    aider(a, "two", None)
    aider(b, "two", [True], model="b")
    evaluation = read(tmp_path)
    assert scores(evaluation)["a (diff)"] == {"python/one": 1, "python/two": None}
    assert "unscored_samples" in codes(evaluation)
    with pytest.raises(AlignmentError, match=r"a \(diff\): 1 no score"):
        deadheat.compare(tmp_path)
    assert deadheat.compare(tmp_path, missing="wrong").baseline.value == 0.5
    aider(tmp_path / "c", "two", None)
    with pytest.raises(InputError, match="which system it was"):
        read(tmp_path / "c" / "python" / "exercises" / "practice" / "two" / ".aider.results.json")


@pytest.mark.parametrize("outcomes", [[], [None], [None, True]])
def test_outcomes_that_are_missing(tmp_path: Path, outcomes: list[bool | None]) -> None:
    path = aider(tmp_path / "x", "one", outcomes)
    assert tool(path) == "aider"
    found = [outcome for outcome in outcomes if outcome is not None]
    assert scores(read(path))["m1 (diff)"] == {"python/one": float(found[-1]) if found else None}


def test_what_is_known(tmp_path: Path) -> None:
    path = aider(tmp_path / "x", "one", [True], reasoning_effort="low")
    assert only(read(path)).about == {
        "model": "m1",
        "version": "abc1234",
        "edit_format": "diff",
        "reasoning_effort": "low",
        "score": "solved",
    }


def test_broken_and_other_files(tmp_path: Path) -> None:
    path = aider(tmp_path / "x", "one", [True])
    text = path.read_text(encoding="utf-8")
    for content in (text[:-20], text.replace("true", '"yes"')):
        with pytest.raises(FormatError):
            read(write(path, content))
    other = write(tmp_path / "x.json", {"exception": "Traceback"})
    assert tool(other) is None
    assert tool(write(tmp_path / "y.json", {"testcase": "a", "tests_outcomes": []})) is None


def test_shared_example(shared: Path) -> None:
    evaluation = read(shared / "formats" / "aider")
    assert scores(evaluation) == {"model-a (diff)": {"python/bowling": 1}}
