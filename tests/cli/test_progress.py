"""The bar on a terminal says what is done, and how much of it."""

from __future__ import annotations

import inspect
import io
import time
from pathlib import Path

import pytest

from deadheat.cli import cli, main, progress


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
    assert {word for word in ("files", "resamples", "replays") if word in said} == expected
    assert "/3" in said


def test_no_bar_where_nobody_looks(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr(terminal, "isatty", lambda: False)
    with pytest.raises(SystemExit):
        main(["inspect", "all"])
    assert terminal.getvalue() == ""


def test_work_of_which_nothing_is_told_is_shown_after_a_second(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr", terminal)
    with progress.progress_bar("files"):
        deadline = time.monotonic() + 20.0
        while "working" not in terminal.getvalue() and time.monotonic() < deadline:
            time.sleep(0.01)
    assert "working" in terminal.getvalue()


def test_short_work_shows_nothing(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr(progress, "AFTER", 60.0)
    with progress.progress_bar("files") as bar:
        assert bar is not None
        bar(1, 3)
    assert terminal.getvalue() == ""


def test_every_command_that_may_take_long_has_a_bar() -> None:
    """`adjust` never does, and the page of `serve` has its own."""
    for name, command in cli.commands.items():
        source = inspect.getsource(command.callback)  # type: ignore[arg-type]
        assert name in ("adjust", "serve") or "at_work(" in source or "progress_bar(" in source, (
            name
        )
