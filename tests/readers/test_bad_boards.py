"""Boards that cannot be what was meant, and names that must not act on anything."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

import pytest

import deadheat
from deadheat.report import render


def board(path: Path, header: str, *rows: str) -> Path:
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def message(error: pytest.ExceptionInfo[deadheat.DeadheatError]) -> str:
    text = str(error.value)
    assert "\n" not in text
    return text


def test_a_cluster_that_splits_an_item(tmp_path: Path) -> None:
    """Two systems, or two runs of one, that put one item into two clusters."""
    across = board(
        tmp_path / "t.csv", "item,system,score,cluster", "1,a,1,x", "2,a,1,x", "1,b,1,y", "2,b,0,x"
    )
    with pytest.raises(deadheat.DeadheatError) as error:
        deadheat.rank(across)
    assert "clusters of 1 of 2 items, such as item '1': 'x' and 'y'" in message(error)
    rows = [f"{i},{s},{r},1,x" for i in (1, 2) for s in "ab" for r in (1, 2)]
    rows[1] = rows[1].replace("x", "y")
    within = board(tmp_path / "u.csv", "item,system,run,score,cluster", *rows)
    with pytest.raises(deadheat.DeadheatError) as error:
        deadheat.compare(within)
    assert "runs of system a disagree about the cluster of 1 items, such as '1'" in message(error)


def test_files_of_runs_that_split_an_item(tmp_path: Path) -> None:
    for run, first in ((1, "x"), (2, "y")):
        (tmp_path / "a").mkdir(exist_ok=True)
        board(tmp_path / "a" / f"{run}.csv", "item,score,cluster", f"1,1,{first}", "2,0,x")
    board(tmp_path / "b.csv", "item,score,cluster", "1,1,x", "2,0,x")
    with pytest.raises(deadheat.DeadheatError) as error:
        deadheat.rank(tmp_path)
    assert "runs of system a disagree about the cluster of 1 items, such as '1'" in message(error)


def test_a_stratum_with_one_item(tmp_path: Path) -> None:
    path = board(
        tmp_path / "t.csv", "item,system_a,system_b,stratum", "1,1,0,x", "2,1,1,x", "3,0,1,lonely"
    )
    for command in (deadheat.rank, deadheat.compare):
        with pytest.raises(deadheat.DeadheatError) as error:
            command(path)
        assert "stratum 'lonely' has one item" in message(error)
        assert "leave --stratum out" in message(error) or "Merge it" in message(error)


@pytest.mark.parametrize("missing", ["error", "drop", "wrong"])
def test_a_system_with_no_item_in_common(tmp_path: Path, missing: Any) -> None:
    for name, items in (("a", (1, 2, 3)), ("b", (1, 2, 3)), ("elsewhere", (7, 8, 9))):
        board(tmp_path / f"{name}.csv", "item,score", *(f"{item},{item % 2}" for item in items))
    with pytest.raises(deadheat.DeadheatError) as error:
        deadheat.rank(tmp_path, missing=missing)
    assert "0 of 6 items matched" in message(error)
    assert "elsewhere: '7', '8', '9'" in message(error)


HOSTILE = [
    "\x1b[31mred\x1b[0m",
    "a\u202eb",
    "مرحبا",
    "🙂🚀",
    "[bold red]x",
    "<script>alert(1)<",
    "a|b",
    "{{7*7}}",
    "`rm`",
]


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_names_of_files_and_prefixes_of_ids_act_on_nothing(tmp_path: Path, form: str) -> None:
    """They are also in what is said of the folder and in hints."""
    for k, name in enumerate(HOSTILE):
        rows = [f"{HOSTILE[i % 4]}_{i},{(i + k) % 3 % 2}" for i in range(16)]
        board(tmp_path / f"{name}.csv", "item,score", *rows)
        (tmp_path / f"{name}.png").write_bytes(b"\x00")
    result = deadheat.rank(tmp_path)
    compared = deadheat.compare(tmp_path, baseline=HOSTILE[0], candidate=HOSTILE[1])
    assert "cluster_hint" in {note.code for note in compared.notes}
    assert {row.system for row in result.systems} == set(HOSTILE)
    for shown in (render(result, form), render(compared, form)):
        acting = {c for c in shown if unicodedata.category(c) in ("Cc", "Cf") and c != "\n"}
        assert not acting
        if form == "markdown":
            assert "<script>" not in shown
