"""The command line run as a process, as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from processes import Run


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
