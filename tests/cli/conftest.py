"""The command line run as a process, as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from calls import Done, call
from cases.data import Write
from processes import Run

Refusal = Callable[..., str]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run `deadheat` with arguments in a folder of its own."""

    def _run(*arguments: object, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "deadheat", *map(str, arguments)],
            cwd=tmp_path,
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
        )

    return _run


@pytest.fixture
def answer(run: Run) -> Callable[..., Any]:
    """Run `deadheat ... --format json` and return the JSON; anything but exit 0 is a failure."""

    def _answer(*arguments: object, stdin: str | None = None) -> Any:
        done = run(*arguments, "--format", "json", stdin=stdin)
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        return json.loads(done.stdout)

    return _answer


@pytest.fixture
def limited(tmp_path: Path) -> Callable[..., Run]:
    """Run `deadheat` with a ceiling on its address space, in megabytes."""
    resource = pytest.importorskip("resource", reason="address space is limited only on Unix")

    def _limited(*, megabytes: int) -> Run:
        size = megabytes * 1024 * 1024

        def _run(*arguments: object) -> subprocess.CompletedProcess[str]:
            return subprocess.run(
                [sys.executable, "-m", "deadheat", *map(str, arguments)],
                cwd=tmp_path,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=120,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size)),
            )

        return _run

    return _limited


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def _write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    return _write


@pytest.fixture
def refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Refusal:
    """Return the paragraph on standard error of a command that could not be done."""
    monkeypatch.chdir(tmp_path)

    def _refused(*arguments: object) -> str:
        before = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
        done: Done = call(capsys, *arguments, "--record", "r.json", "--output", "out.txt")
        assert done.code == 2, (done.code, done.out, done.err)
        assert done.out == ""
        assert done.err.startswith("deadheat: ")
        assert done.err.count("\n") == 1
        assert "Traceback" not in done.err
        assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == before
        return done.err

    return _refused


@pytest.fixture
def three(write: Write) -> None:
    """Two systems and references of three lines."""
    write("a.txt", "the cat\nsat on\nthe mat\n")
    write("b.txt", "a cat\nsat on\nmat\n")
    write("ref.txt", "the cat\nsat on\nthe mat\n")
