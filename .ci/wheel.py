"""Build the source archive and the wheel of this platform, and try both as a user would.

Run by `make wheel`. The wheel is built from the archive, so that the archive is known to be whole.
A second wheel is built where no compiler is found: it has to give the same bits by NumPy.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
DIGITS = ROOT / "examples" / "digits"
COMPARED = (
    *(DIGITS / "discriminant_analysis.csv", DIGITS / "logistic_regression.csv"),
    *("--reference", DIGITS / "reference.csv", "--metric", "macro_f1"),
)
KERNEL = "deadheat/resampling/_kernel.abi3.so"
NEEDED = (
    "deadheat/py.typed",
    "deadheat/resampling/_kernel.pyi",
    "deadheat/report/templates/",
    "deadheat/web/templates/",
    "deadheat/web/static/",
)
"""Beside the modules."""

OUTSIDE = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
"""What is installed is tried, not what lies here."""


def run(*words: str | Path, cwd: Path, **environment: str) -> None:
    """Run a command, and say which."""
    print("$", *words, flush=True)
    subprocess.run(
        list(map(str, words)),
        check=True,
        cwd=cwd,
        env=OUTSIDE | environment,
        stdout=subprocess.DEVNULL,
    )


def check(holds: bool, what: str) -> None:
    """End with a message unless something holds."""
    if not holds:
        sys.exit(f"wheel: {what}")


def names_in(wheel: Path) -> list[str]:
    """Return the names of the files in a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def built(folder: Path) -> Path:
    """Build the archive and the wheel, and check what they hold."""
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT, cwd=folder)
    (archive,) = folder.glob("*.tar.gz")
    (wheel,) = folder.glob("*.whl")
    with tarfile.open(archive) as file:
        check(
            any(name.endswith("_kernel.c") for name in file.getnames()),
            "the archive lacks the source of the kernel",
        )
    names = names_in(wheel)
    check("-cp311-abi3-" in wheel.name, f"{wheel.name} is not for every Python from 3.11 on")
    check(KERNEL in names, "the kernel was not compiled")
    for needed in NEEDED:
        check(any(name.startswith(needed) for name in names), f"{needed} is missing")
    modules = {path.relative_to(ROOT / "src").as_posix() for path in ROOT.glob("src/**/*.py")}
    there = {name for name in names if name.endswith(".py")}
    check(there == modules, f"modules differ: {sorted(there ^ modules)}")
    strange = [n for n in names if n.startswith("tests") or n.endswith((".c", ".pyc"))]
    check(not strange, f"no part of the package: {strange}")
    return wheel


def used(wheel: Path, python: Path, folder: Path) -> dict[str, object]:
    """Install a wheel and return the record of a comparison by it."""
    pip = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*pip, wheel, cwd=folder)
    record = folder / "record.json"
    program = python.with_name("deadheat")
    run(program, "compare", *COMPARED, "--record", record, cwd=folder)
    found: dict[str, object] = json.loads(record.read_text(encoding="utf-8"))
    return found


def main() -> None:
    """Build, check and try."""
    with TemporaryDirectory() as scratch:
        compiled, bare, place = (Path(scratch) / name for name in ("compiled", "bare", "place"))
        for folder in (compiled, bare, place):
            folder.mkdir()
        wheel = built(compiled)
        venv.create(place / "venv", with_pip=True)
        python = place / "venv" / "bin" / "python"
        first = used(wheel, python, place)
        check(first["kernel"] == "c", "the compiled kernel was not used")
        run(
            *(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-cache-dir"),
            *("--wheel-dir", bare, next(compiled.glob("*.tar.gz"))),
            cwd=bare,
            CC="false",
        )
        (other,) = bare.glob("*.whl")
        check(KERNEL not in names_in(other), "a kernel was compiled without a compiler")
        run(python, "-m", "pip", "uninstall", "--quiet", "--yes", "deadheat", cwd=place)
        second = used(other, python, place)
        check(second["kernel"] == "numpy", "NumPy was not used")
        check(first["result"] == second["result"], "the kernel and NumPy differ")
        print(f"{wheel.name} and, without a compiler, {other.name}: the same bits.")


if __name__ == "__main__":
    main()
