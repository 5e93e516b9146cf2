"""deadheat beside its peers, on the same inputs, in one run: Markdown out.

    python benchmarks/run.py [--quick] [--only WORDS] [--python PATH ...] [--into PAGE]

Every way of every case runs in a process of its own, so that its peak memory is its own. CPU
seconds are of all threads and child processes, and do not count imports and the making of inputs;
of several calls the least is shown, as many as fit into `SECONDS`. Peers that cannot live in one
environment are looked for in others: give the interpreters of these with --python, and each way
runs in the first that has its package. What is nowhere installed is listed. With --into the tables
replace what stands between the two markers in a page.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import subprocess
import sys
import time
import warnings
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from datetime import date
from io import StringIO
from pathlib import Path

import boards
import macro_f1
import pairs
import translation
from timing import peak_megabytes, process_seconds
from ways import RESAMPLES, Way

from tables import seconds_of, table, times

GAP500 = Path(__file__).parents[1] / "examples" / "gap500" / "gap500.csv"

SECONDS = 2.0
"""For which a call is repeated."""

PATIENCE = 300
"""Seconds after which a way is given up."""

MARKERS = ("<!-- measured by benchmarks/run.py -->\n", "<!-- end of what was measured -->\n")

QUICK = ("10,000 items", "10 x 500", "20 x 2,000", "BLEU, 2,000 segments, from statistics")

NOT_HERE = (
    "Of the libraries that rate or agree (arenakit, evalica, krippendorff) none is measured: there "
    "is no `rate` or `agree` yet."
)


def ways(*, quick: bool, only: Sequence[str]) -> list[Way]:
    """Return what is to be measured."""
    found = [*pairs.cases(), *macro_f1.cases(), *translation.cases(), *boards.cases()]
    if quick:
        found = [way for way in found if any(words in way.case for words in QUICK)]
    return [way for way in found if all(words in f"{way.case} {way.package}" for words in only)]


def measure(number: int) -> None:
    """Time the way of this number and print what was found as JSON."""
    from importlib.metadata import version

    warnings.simplefilter("ignore")
    way = ways(quick=False, only=())[number]
    call = way.make()
    before = peak_megabytes()
    cpu, wall, spent, said = float("inf"), float("inf"), 0.0, ""
    while spent < SECONDS:
        start, used = time.perf_counter(), _cpu()
        with redirect_stdout(StringIO()):
            said = call()
        used, took = _cpu() - used, time.perf_counter() - start
        cpu, wall, spent = min(cpu, used), min(wall, took), spent + took
    found = {
        "cpu": cpu * way.scale,
        "wall": wall * way.scale,
        "before": before,
        "peak": peak_megabytes(),
        "found": said,
        "version": version(way.package),
    }
    print(json.dumps(found), flush=True)


def _cpu() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def interpreter_with(package: str, pythons: Sequence[str]) -> str | None:
    """Return the first interpreter that has a package."""
    code = f"from importlib.metadata import version; version({package!r})"
    for python in pythons:
        if subprocess.run([python, "-c", code], capture_output=True).returncode == 0:
            return python
    return None


def measured(way: Way, python: str) -> dict[str, float | str] | str:
    """Measure a way in a process of its own; a text says why it could not be."""
    number = [(w.case, w.package, w.name) for w in ways(quick=False, only=())].index(
        (way.case, way.package, way.name)
    )
    command = [python, __file__, "--measure", str(number)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return f"not done after {PATIENCE} s"
    if done.returncode:
        last = done.stderr.strip().splitlines() or ["no message"]
        return f"failed: {last[-1][:80]}"
    found: dict[str, float | str] = json.loads(done.stdout.splitlines()[-1])
    return found


def rows_of(case: Sequence[Way], pythons: Sequence[str]) -> Iterator[tuple[object, ...]]:
    """Yield the rows of one case."""
    first: dict[str, float | str] | None = None
    for way in case:
        python = interpreter_with(way.package, pythons)
        found = "not installed" if python is None else measured(way, python)
        print(".", end="", file=sys.stderr, flush=True)
        if isinstance(found, str):
            yield way.case, f"{way.package}, {way.name}", "", "", "", "", "", "", found
            continue
        if first is None:
            first = found
        cpu, wall = float(found["cpu"]), float(found["wall"])
        by = f"{way.package} {found['version']}, {way.name}"
        notes = [way.note] if way.note else []
        if way.scale != 1.0 and "scaled" not in way.note:
            notes.append(f"scaled from {RESAMPLES / way.scale:,.0f} resamples")
        yield (
            way.case,
            f"**{by}**" if way.ours else by,
            seconds_of(cpu),
            times(cpu / float(first["cpu"])),
            seconds_of(wall),
            times(wall / float(first["wall"])),
            f"{float(found['peak']):,.0f} ({float(found['peak']) - float(found['before']):,.0f})",
            found["found"],
            "; ".join(notes),
        )


def report(*, quick: bool, only: Sequence[str], pythons: Sequence[str]) -> None:
    """Print the tables."""
    chosen = ways(quick=quick, only=only)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    print(
        f"Measured on {date.today():%d %B %Y}, {cores} cores, {platform.machine()}, Python "
        f"{platform.python_version()}; {RESAMPLES:,} resamples where a method draws them.\n"
    )
    rows: list[tuple[object, ...]] = []
    for case in dict.fromkeys(way.case for way in chosen):
        rows.extend(rows_of([way for way in chosen if way.case == case], pythons))
    table(
        "case | by | CPU s | times ours | wall s | times ours | peak MB (by the call) | found | "
        "note",
        rows,
    )
    print(f"{NOT_HERE}\n")
    if not only:
        import slopes

        print("How cost grows, on one thread:\n")
        slopes.show(quick=quick)
        processes(repeats=3 if quick else 9)
    print(file=sys.stderr)


def processes(*, repeats: int) -> None:
    """Print the CPU seconds of whole commands, from the start of their processes."""
    ours = [sys.executable, "-m", "deadheat"]
    commands = {
        "deadheat --help": [*ours, "--help"],
        "deadheat compare, 500 rows": [*ours, "compare", str(GAP500)],
        "python -c 'import numpy', for scale": [sys.executable, "-c", "import numpy"],
    }
    print("Whole processes:\n")
    rows = [
        (name, f"{process_seconds(words, repeats=repeats):.3f}") for name, words in commands.items()
    ]
    table("process | CPU s", rows)


def around(whole: str, page: Path) -> tuple[str, str]:
    """Return what stands before and after the markers of a page, which must be there."""
    before, _, rest = whole.partition(MARKERS[0])
    _, marker, after = rest.partition(MARKERS[1])
    if not marker:
        first, last = (marker.strip() for marker in MARKERS)
        sys.exit(f"{page} has no lines {first!r} and {last!r} between which tables could be put.")
    return before, after


def put(text: str, page: Path) -> None:
    """Put a text between the markers of a page."""
    whole = page.read_text(encoding="utf-8")
    before, after = around(whole, page)
    page.write_text(f"{before}{MARKERS[0]}\n{text}{MARKERS[1]}{after}", encoding="utf-8")


def main() -> None:
    """Measure."""
    parser = ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="the smaller cases")
    parser.add_argument("--only", action="append", default=[], help="cases that have these words")
    parser.add_argument("--python", action="append", default=[], help="another interpreter")
    parser.add_argument("--into", type=Path, metavar="PAGE", help="put the tables into a page")
    parser.add_argument("--measure", type=int, metavar="NUMBER", help="one way, in this process")
    given = parser.parse_args()
    if given.measure is not None:
        measure(given.measure)
        return
    told = StringIO()
    pythons = [sys.executable, *given.python]
    if given.into is not None:
        # Before all that is measured, not after.
        around(given.into.read_text(encoding="utf-8"), given.into)
    else:
        report(quick=given.quick, only=given.only, pythons=pythons)
        return
    with redirect_stdout(told):
        report(quick=given.quick, only=given.only, pythons=pythons)
    put(told.getvalue(), given.into)


if __name__ == "__main__":
    main()
