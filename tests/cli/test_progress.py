"""The bar on a terminal says what is done, and how much of it."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from deadheat.cli import main, progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    for name, right in (("a", "110"), ("b", "101"), ("c", "001")):
        rows = "".join(f"q{k},{value}\n" for k, value in enumerate(right))
        path = tmp_path / "all" / f"{name}.csv"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"item,score\n{rows}", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(progress, "AFTER", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    return Terminal()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("convert all --output tidy.csv", {"files"}),
        ("inspect all", {"files"}),
        ("rank all", {"files", "resamples"}),
    ],
)
def test_bar_names_what_is_done(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, words: str, expected: set[str]
) -> None:
    monkeypatch.setattr("sys.stderr", terminal)
    with pytest.raises(SystemExit) as left:
        main(words.split())
    assert left.value.code == 0, terminal.getvalue()
    said = terminal.getvalue()
    assert {word for word in ("files", "resamples", "replays", "working") if word in said} == (
        expected
    )
    assert "/3" in said


def test_no_bar_where_nobody_looks(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr(terminal, "isatty", lambda: False)
    with pytest.raises(SystemExit):
        main(["inspect", "all"])
    assert terminal.getvalue() == ""
