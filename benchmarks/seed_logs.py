"""Small logs to start from: those that the tests of readers build, and the shared examples.

``python benchmarks/seed_logs.py FOLDER`` collects them, in a process of its own: the tests have
modules of the names of modules here.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from deadheat.readers import formats

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"

LARGEST = 1 << 16
"""Bytes of a log that is kept, or of a folder with all that lies in it."""

MOST_BESIDE = 12

TABLES = "table"
"""Family of the files that are no log of a tool."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seed:
    """A log in a folder of its own.

    Attributes
    ----------
    family : str
        Name of its reader.
    folder : Path
        That is copied as a whole.
    file : str
        Path of the log inside it.
    """

    family: str
    folder: Path
    file: str


class _Collector:
    """A plugin of pytest that copies every log which a test has a reader read."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self._real = formats.log_of

    def pytest_sessionstart(self, session: Any) -> None:
        formats.log_of = self._seen

    def pytest_sessionfinish(self, session: Any) -> None:
        formats.log_of = self._real

    def _seen(self, path: str, head: bytes) -> Any:
        found = self._real(path, head)
        if found is not None:
            keep(self._target, found[0], Path(path).absolute())
        return found


def keep(target: Path, family: str, path: Path) -> None:
    """Copy a log and, where that is not much, what lies beside it; each content once."""
    content = _small(path)
    if content is None:
        return
    digest = hashlib.sha256(family.encode() + path.name.encode() + content).hexdigest()
    folder = target / family / digest[:16]
    if folder.exists():
        return
    # Readers take names from the folders above.
    above = ["logs" if part.startswith("pytest-") else part for part in path.parent.parts[-2:]]
    inner = folder.joinpath(*above)
    beside = [other for other in path.parent.iterdir() if other.is_file()]
    whole = len(beside) <= MOST_BESIDE and sum(o.stat().st_size for o in beside) <= LARGEST
    inner.mkdir(parents=True)
    for other in beside if whole else ():
        shutil.copyfile(other, inner / other.name)
    (inner / path.name).write_bytes(content)
    (folder / "file").write_text(str((inner / path.name).relative_to(folder)), encoding="utf-8")


def _small(path: Path) -> bytes | None:
    """Return a file, or the first entries of a large list in JSON; None where it is too large."""
    if not path.is_file():
        return None
    if path.stat().st_size <= LARGEST:
        return path.read_bytes()
    try:
        with path.open("rb") as file:
            lines = file.read(1 << 20).split(b"\n")[:4]
            if all(isinstance(json.loads(line), dict) for line in lines[:-1]) and len(lines) == 4:
                return b"\n".join(lines[:-1]) + b"\n"
            file.seek(0)
            document = json.loads(file.read(1 << 26))
    except (ValueError, RecursionError):
        return None
    small = json.dumps(document[:4]).encode() if isinstance(document, list) else b""
    return small if 0 < len(small) <= LARGEST else None


def collect(target: Path) -> None:
    """Run the tests of readers and keep what they read; then the shared examples, if there."""
    target.mkdir(parents=True, exist_ok=True)
    tests = ROOT / "tests" / "readers" / "logs"
    options = ["-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist"]
    pytest.main([*options, "-o", "addopts=--import-mode=importlib", str(tests)],
                plugins=[_Collector(target)])  # fmt: skip
    for folder in ("formats", "data"):
        for path in sorted((SHARED / folder).rglob("*")):
            if path.is_file() and path.suffix not in (".md", ""):
                with path.open("rb") as file:
                    head = file.read(1 << 20).removeprefix(b"\xef\xbb\xbf")
                found = formats.log_of(str(path), head)
                keep(target, found[0] if found else TABLES, path)


def seeds(target: Path) -> Iterator[Seed]:
    """Yield what was collected, in an order that does not depend on the machine."""
    for mark in sorted(target.glob("*/*/file")):
        folder = mark.parent
        yield Seed(
            family=folder.parent.name, folder=folder, file=mark.read_text(encoding="utf-8").strip()
        )


if __name__ == "__main__":
    collect(Path(sys.argv[1]))
