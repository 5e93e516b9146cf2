"""benchmarks/run.py, run as a reader of its page would."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
MARKED = """Before.
<!-- measured by benchmarks/run.py -->
Old.
<!-- end of what was measured -->
After.
"""


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(BENCHMARKS / "run.py"), *words],
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_tables_are_put_between_the_markers_of_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(MARKED)
    only = ("--only", "accuracy, 10,000 items", "--only", "deadheat")
    done = run("--quick", *only, "--into", str(page))
    assert done.returncode == 0, done.stderr
    text = page.read_text()
    assert text.startswith("Before.\n<!-- measured by benchmarks/run.py -->\n")
    assert text.endswith("<!-- end of what was measured -->\nAfter.\n")
    assert "Old." not in text
    (row,) = (line.split(" | ") for line in text.splitlines() if "**deadheat" in line)
    # The ends that SciPy's 9,999 resamples of these pairs have to within 0.01 point.
    assert row[7].startswith("+2.09 to +4.27")
    assert row[3] == row[5] == "1.0"


def test_a_page_without_markers_is_refused_before_anything_is_measured(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("Before.\n")
    done = run("--into", str(page))
    assert done.returncode == 1
    assert "has no lines" in done.stderr
    assert page.read_text() == "Before.\n"


def test_peak_memory_is_not_that_of_the_process_that_started_it() -> None:
    code = (
        "import subprocess, sys; held = bytearray(400_000_000);"
        "told = 'from timing import peak_megabytes; print(peak_megabytes())';"
        "subprocess.run([sys.executable, '-c', told], check=True)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=BENCHMARKS, capture_output=True, text=True, check=True
    )
    assert float(done.stdout) < 200.0


def test_a_board_is_given_to_evalstats_with_a_row_for_each_system() -> None:
    code = (
        "import sys, types; given = [];"
        "fake = types.ModuleType('evalstats');"
        "result = types.SimpleNamespace(results={});"
        "fake.all_pairwise = lambda table, names, **_: given.append((table.shape, len(names)))"
        " or result;"
        "fake.bootstrap_ranks = fake.all_pairwise;"
        "sys.modules['evalstats'] = fake;"
        "import boards, inputs;"
        "boards._evalstats(lambda: inputs.board(3, 40), 10)();"
        "print(given)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=BENCHMARKS, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[((3, 40), 3), ((3, 40), 3)]"
