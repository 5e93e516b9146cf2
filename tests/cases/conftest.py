"""The command line called in this process: exit codes and both streams, without its start-up."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cases.data import Answer, Write
from deadheat.cli import main
from processes import Run


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Call `deadheat` with arguments in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def _run(*arguments: object) -> subprocess.CompletedProcess[str]:
        capsys.readouterr()
        words = [*map(str, arguments)]
        with pytest.raises(SystemExit) as left:
            main(words)
        streams = capsys.readouterr()
        return subprocess.CompletedProcess(words, left.value.code, streams.out, streams.err)

    return _run


@pytest.fixture
def answer(run: Run) -> Answer:
    """Call `deadheat ... --format json` and return the JSON, parsed as strict parsers do."""

    def _answer(*arguments: object) -> Any:
        done = run(*arguments, "--format", "json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout, parse_constant=_not_json)

    return _answer


def _not_json(constant: str) -> None:
    pytest.fail(f"the output holds {constant}, which is not JSON")


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a file as it is, text in UTF-8, and return its path."""

    def _write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    return _write
