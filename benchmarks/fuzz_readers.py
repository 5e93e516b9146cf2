"""Damaged logs read by every reader: nothing but a result or one clear error may come of it.

Run as ``python benchmarks/fuzz_readers.py [--inputs N] [FAMILY ...]``. Seeds are the small logs
that the tests of readers build, and the shared examples where they lie beside the checkout; each
input is a seed with one to three things changed (`mutations.py`), decided by its family and its
number alone. A forked process reads it and pairs its systems, and may take 2 seconds of CPU and
500 MB more than before. What ends in anything but an `Evaluation` or a `DeadheatError` is a
finding: the damaged folder and the traceback are kept.
"""

from __future__ import annotations

import gc
import json
import os
import random
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mutations import mutated
from seed_logs import Seed, seeds

from deadheat.alignment import align
from deadheat.errors import DeadheatError
from deadheat.readers import formats, read
from tables import versions

COLLECTOR = Path(__file__).with_name("seed_logs.py")

SECONDS = 2.0
MEGABYTES = 500

_ANSWERS_WITHIN = 90.0
"""Seconds on the clock after which a process that says nothing is ended."""

MOST_KEPT = 3
"""Findings of one kind that are kept."""

_ONE_IN = 8
"""How often the folder is read, and not the file."""


class _TooLong(BaseException):
    """The time of one input is up."""


@dataclass(slots=True, kw_only=True)
class Tally:
    """What became of the inputs of a family."""

    family: str
    seeds: int = 0
    inputs: int = 0
    read: int = 0
    refused: int = 0
    foreign: int = 0
    slowest: float = 0.0
    most: float = 0.0
    cpu: float = 0.0
    findings: Counter[str] = field(default_factory=Counter)

    def add(self, outcome: dict[str, Any]) -> None:
        self.inputs += 1
        self.read += outcome["ended"] == "read"
        self.refused += outcome["ended"] == "refused"
        self.foreign += outcome["reader"] != self.family
        self.slowest = max(self.slowest, outcome["seconds"])
        self.most = max(self.most, outcome["megabytes"])
        self.cpu += outcome["seconds"]
        if outcome["ended"] not in ("read", "refused"):
            self.findings[outcome["ended"]] += 1


def made(family: Sequence[Seed], number: int, target: Path) -> tuple[Path, bool]:
    """Write one input and return its path, and whether the folder around it is to be read."""
    rng = random.Random(f"{family[0].family} {number}")
    seed = family[rng.randrange(len(family))]
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(seed.folder, target)
    path = target / seed.file
    (target / "file").unlink()
    beside = [other for other in sorted(path.parent.iterdir()) if other != path]
    # What lies beside a log is read with it, and is damaged now and then.
    changed = rng.choice(beside) if beside and rng.random() < 0.15 else path
    changed.write_bytes(mutated(changed.read_bytes(), rng))
    return path, rng.randrange(_ONE_IN) == 0


def outcome_of(path: Path, *, whole: bool) -> dict[str, Any]:
    """Read one input, and say how that ended."""
    chosen: list[str] = []
    real = formats.log_of

    def noted(name: str, head: bytes) -> Any:
        found = real(name, head)
        chosen.append("table" if found is None else found[0])
        return found

    formats.log_of = noted
    said = ""
    _forget_peak()
    before = time.process_time()
    try:
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        evaluation = read(str(path.parent if whole else path))
        align(evaluation, missing="drop", runs="keep")
        ended = "read"
    except DeadheatError as error:
        ended = "refused"
        if "\n" in str(error):
            ended, said = "several paragraphs", str(error)
    except _TooLong:
        ended, said = "too long", traceback.format_exc()
    except BaseException as error:
        last = traceback.extract_tb(error.__traceback__)
        ours = next((f for f in reversed(last) if "deadheat" in f.filename), last[-1])
        place = f"{Path(ours.filename).stem}:{ours.lineno}"
        ended, said = f"{type(error).__name__} in {place}", traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        formats.log_of = real
    return {
        "ended": ended,
        "said": said,
        "reader": chosen[0] if chosen else "table",
        "seconds": time.process_time() - before,
        "megabytes": _peak(),
    }


def _status(name: str) -> float:
    """Return a line of /proc/self/status in MB."""
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name)) / 1024


def _forget_peak() -> None:
    with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")


def _peak() -> float:
    return _status("VmHWM")


def _work(
    family: Sequence[Seed], numbers: Sequence[int], pipe: int, room: Path, findings: Path
) -> None:
    """Read inputs one after another and write what became of each into a pipe."""

    def stop(signum: int, frame: Any) -> None:
        raise _TooLong

    signal.signal(signal.SIGPROF, stop)
    for seed in family[:20]:
        outcome_of(seed.folder / seed.file, whole=False)
    gc.collect()
    held = _status("VmRSS")
    limit = int(_status("VmSize") + MEGABYTES) << 20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    for number in numbers:
        os.write(pipe, f"{json.dumps({'number': number})}\n".encode())
        path, whole = made(family, number, room)
        found = outcome_of(path, whole=whole)
        found["megabytes"] = max(0.0, found["megabytes"] - held)
        if found["megabytes"] > MEGABYTES and found["ended"] in ("read", "refused"):
            found["ended"] = "too much memory"
        found |= {"number": number, "file": str(path.relative_to(room)), "folder": whole}
        if found["ended"] not in ("read", "refused"):
            _keep(room, findings, found)
        os.write(pipe, f"{json.dumps({**found, 'said': ''})}\n".encode())


def _keep(room: Path, findings: Path, found: dict[str, Any]) -> None:
    """Copy an input and what is known of it, of each kind the first few."""
    kind = "".join(c if c.isalnum() else "_" for c in found["ended"])
    target = findings / kind
    if target.is_dir() and len(list(target.iterdir())) >= MOST_KEPT:
        return
    shutil.copytree(room, target / str(found["number"]), dirs_exist_ok=True)
    note = json.dumps(found, indent=1)
    (target / str(found["number"]) / "finding.json").write_text(note, encoding="utf-8")


def outcomes(
    family: Sequence[Seed], numbers: Sequence[int], findings: Path
) -> Iterator[dict[str, Any]]:
    """Yield what became of each input; a process that dies or hangs is a finding, and replaced.

    The process that calls this uses no threads, so that others can be forked from it.
    """
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    left = list(numbers)
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        room = Path(folder) / "input"
        while left:
            begun, ended = None, "died"
            for line in _lines(family, left, room, findings):
                if line is None:
                    ended = "hung"
                    break
                begun = line["number"]
                if "ended" in line:
                    begun = None
                    left.remove(line["number"])
                    yield line
            if begun is not None:
                left.remove(begun)
                found = {"number": begun, "ended": ended, "said": "", "seconds": 0.0,
                         "reader": family[0].family, "megabytes": 0.0}  # fmt: skip
                _keep(room, findings, found)
                yield found
            elif left:
                raise RuntimeError(f"the process of {family[0].family} {ended} before any input")


def _lines(
    family: Sequence[Seed], numbers: Sequence[int], room: Path, findings: Path
) -> Iterator[dict[str, Any] | None]:
    """Fork a process and yield what it says; None where it says nothing for too long."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ours)
        code = 1
        try:
            _work(family, numbers, theirs, room, findings)
            code = 0
        finally:
            if code:
                traceback.print_exc()
            os._exit(code)
    os.close(theirs)
    held = b""
    try:
        while True:
            ready, _, _ = select.select([ours], [], [], _ANSWERS_WITHIN)
            if not ready:
                os.kill(child, signal.SIGKILL)
                yield None
                return
            chunk = os.read(ours, 1 << 16)
            if not chunk:
                return
            *lines, held = (held + chunk).split(b"\n")
            yield from map(json.loads, lines)
    finally:
        os.close(ours)
        os.waitpid(child, 0)


def fuzzed(family: Sequence[Seed], numbers: Sequence[int], findings: Path) -> Tally:
    """Read the inputs of one family, and keep the first findings of each kind."""
    tally = Tally(family=family[0].family, seeds=len(family))
    for outcome in outcomes(family, numbers, findings / tally.family):
        tally.add(outcome)
    return tally


def table(rows: Sequence[dict[str, Any]]) -> str:
    """Return the tallies as a table of Markdown."""
    lines = [
        "| reader | seeds | inputs | read | refused | of another reader | findings "
        "| slowest, s of CPU | most memory, MB | CPU, s |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    lines += [
        f"| `{row['family']}` | {row['seeds']} | {row['inputs']:,} | {row['read']:,} "
        f"| {row['refused']:,} | {row['foreign']:,} | {sum(row['findings'].values())} "
        f"| {row['slowest']:.2f} | {row['most']:.0f} | {row['cpu']:.0f} |"
        for row in sorted(rows, key=lambda row: row["family"])
    ]
    return "\n".join(lines)


def main() -> None:
    """Fuzz families of readers and print what came of it."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="*", help="names of readers; all where none is named")
    parser.add_argument("--inputs", type=int, default=10_000, help="for each family")
    parser.add_argument("--first", type=int, default=0, help="number of the first input")
    parser.add_argument("--seeds", type=Path, help="folder of seeds, made where it is not there")
    parser.add_argument("--findings", type=Path, default=Path("findings"))
    parser.add_argument("--results", type=Path, help="file to which tallies are added, as JSON")
    parser.add_argument("--table", action="store_true", help="print the table of --results only")
    options = parser.parse_args()
    if options.table:
        text = options.results.read_text(encoding="utf-8")
        print(table([json.loads(line) for line in text.splitlines()]))
        return
    os.environ.setdefault("POLARS_MAX_THREADS", "2")
    with tempfile.TemporaryDirectory() as folder:
        target = options.seeds or Path(folder) / "seeds"
        if not target.is_dir():
            subprocess.run([sys.executable, str(COLLECTOR), str(target)], check=True)
        families: dict[str, list[Seed]] = {}
        for seed in seeds(target):
            families.setdefault(seed.family, []).append(seed)
        rows = []
        for name in options.families or families:
            numbers = range(options.first, options.first + options.inputs)
            tally = fuzzed(families[name], numbers, options.findings)
            rows.append({name: getattr(tally, name) for name in Tally.__slots__})
            print(f"{name}: {tally.inputs:,} inputs, {tally.cpu:.0f} s of CPU, "
                  f"findings {dict(tally.findings)}", flush=True)  # fmt: skip
            if options.results is not None:
                with options.results.open("a", encoding="utf-8") as file:
                    file.write(f"{json.dumps(rows[-1])}\n")
    print(f"\n{table(rows)}\n\n{versions('msgspec', 'polars')}")


if __name__ == "__main__":
    main()
