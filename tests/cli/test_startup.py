"""What a command loads: reading a large library costs more than most comparisons."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tables import wide

LOADED = """
import json, sys
from deadheat.cli import main
try:
    main()
finally:
    print("\\n" + json.dumps(sorted(sys.modules)), file=sys.stderr)
"""

HEAVY = (
    *("distributed", "fsspec", "jinja2", "matplotlib", "pandas", "pyarrow", "rapidfuzz"),
    *("sacrebleu", "scipy.linalg", "scipy.optimize", "scipy.sparse", "scipy.stats", "sklearn"),
    *("starlette", "uvicorn"),
)
OTHERS = ("benchmark", "claims", "converting", "inspecting", "planning", "simulated", "web")
TABLES = ("numpy", "polars", "scipy")


def loaded(folder: Path, *words: str) -> set[str]:
    """Return the modules that a command has loaded when it ends."""
    command = [sys.executable, "-c", LOADED, *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    modules: list[str] = json.loads(done.stderr.splitlines()[-1])
    return set(modules)


def ours(names: tuple[str, ...]) -> set[str]:
    return {f"deadheat.{name}" for name in names}


@pytest.mark.parametrize(
    ("command", "others"),
    [
        ("compare", ("ranks", "scorecard", *OTHERS)),
        ("rank", ("scorecard", *OTHERS)),
        ("score", ("comparing", "ranks", *OTHERS)),
    ],
)
def test_a_command_loads_what_it_needs(
    tmp_path: Path, command: str, others: tuple[str, ...]
) -> None:
    wide(tmp_path / "t.csv", both=60, only_a=20, only_b=30, neither=10)
    found = loaded(tmp_path, command, "t.csv")
    assert f"deadheat.cli.{command}" in found
    assert not found & (set(HEAVY) | ours(others))


@pytest.mark.parametrize("words", [("--help",), ("--version",), ("compare", "--help")])
def test_help_loads_no_library_of_tables(tmp_path: Path, words: tuple[str, ...]) -> None:
    assert not loaded(tmp_path, *words) & {*HEAVY, *TABLES}


def test_importing_the_package_loads_nothing(tmp_path: Path) -> None:
    code = "import deadheat, sys; print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert not set(done.stdout.split()) & {*HEAVY, *TABLES, "click", "msgspec", "rich"}
