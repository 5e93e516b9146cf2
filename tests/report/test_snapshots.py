"""Reports as they are read, in text and Markdown: a change of any word shows here.

After a change that is meant: `pytest tests/report --snapshot-update`, then read the difference.
"""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

import deadheat
from deadheat import report
from report.results import (
    BOARDS,
    COMPARISONS,
    adjustment,
    outcomes,
    scorecard,
    steady,
    write_table,
)

FORMS = ("text", "markdown")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", COMPARISONS)
def test_comparison(name: str, form: str, snapshot: SnapshotAssertion) -> None:
    found = COMPARISONS[name]()
    assert report.render(steady(found), form) == snapshot


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", BOARDS)
def test_board(name: str, form: str, snapshot: SnapshotAssertion) -> None:
    assert report.render(steady(BOARDS[name]()), form) == snapshot


@pytest.mark.parametrize("form", FORMS)
def test_scorecard(form: str, snapshot: SnapshotAssertion) -> None:
    assert report.render(steady(scorecard()), form) == snapshot


@pytest.mark.parametrize("form", FORMS)
def test_adjustment(form: str, snapshot: SnapshotAssertion) -> None:
    assert report.render(steady(adjustment()), form) == snapshot


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("what", ["same", "changed"])
def test_verification(
    what: str,
    form: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    snapshot: SnapshotAssertion,
) -> None:
    monkeypatch.chdir(tmp_path)
    data = outcomes(20, 3, 5, 4)
    write_table(Path("t.csv"), data)
    deadheat.save(steady(deadheat.compare("t.csv")), "record.json")
    if what == "changed":
        write_table(Path("t.csv"), {"a": data["a"], "b": [1 - data["b"][0], *data["b"][1:]]})
    # The version in force appears in one note, and must not tie the snapshot to it.
    found = steady(deadheat.verify("record.json"))
    notes = tuple(
        dataclasses.replace(
            note, message=note.message.replace(deadheat.__version__, "(the installed version)")
        )
        for note in found.notes
    )
    shown = report.render(dataclasses.replace(found, notes=notes), form)
    # Last digits belong to the machine's special functions.
    assert re.sub(r"(\.\d{9})\d+", r"\1", shown) == snapshot


@pytest.mark.parametrize("name", COMPARISONS)
def test_every_reading_is_the_one_meant(name: str) -> None:
    codes = {"one_item": "degenerate", "one_sided": "resolved", "unpaired": "unresolved"}
    expected = codes | {"corpus": "resolved", "mean": "unresolved"}
    expected |= {"clustered": "unresolved", "stratified": "unresolved"}
    assert COMPARISONS[name]().reading.code == expected.get(name, name)
