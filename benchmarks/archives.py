"""A folder of logs of Inspect AI, read and ranked.

Run as ``python benchmarks/archives.py [LOGS [SAMPLES]]``: so many `.eval` logs, one a system, of
so many samples with transcripts of 20 KB, made in a temporary folder by the builders of the tests.
Each way runs in a process of its own, three times; seconds are the least, without the imports.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from pathlib import Path

from timing import peak_megabytes

from tables import table, versions

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

REPEATS = 3
WAYS = ("read", "rank", "inspect")


def written(folder: Path, logs: int, n: int) -> None:
    """Write logs of systems that differ in how often they are right."""
    from readers.logs.builders import inspect_ai

    rng = random.Random(0)
    words = [f"{rng.getrandbits(48):x}" for _ in range(4_000)]
    for log in range(logs):
        share = 0.4 + 0.4 * log / logs
        samples = []
        for k in range(n):
            one = inspect_ai.sample(k, "C" if rng.random() < share else "I")
            at = rng.randrange(2_000)
            text = " ".join(words[at : at + 1_600])
            one["messages"].append({"id": f"n{k}", "content": text, "role": "assistant"})
            samples.append(one)
        head = inspect_ai.header(f"org/model-{log:03}")
        inspect_ai.eval_log(folder / f"{log:03}.eval", samples, head)


def measure(way: str, folder: str) -> None:
    """Time one call and print it as JSON."""
    import deadheat

    told: list[tuple[int, int]] = []
    call = {"read": deadheat.read, "rank": deadheat.rank, "inspect": deadheat.inspect}[way]
    start = time.perf_counter()
    call(folder, progress=lambda done, total: told.append((done, total)))
    found = {
        "seconds": time.perf_counter() - start,
        "megabytes": peak_megabytes(),
        "told": len(told),
    }
    print(json.dumps(found), flush=True)


def main() -> None:
    """Print the table."""
    parser = ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("logs", nargs="?", type=int, default=100)
    parser.add_argument("samples", nargs="?", type=int, default=200)
    parser.add_argument("--measure", nargs=2, metavar=("WAY", "FOLDER"))
    given = parser.parse_args()
    if given.measure:
        measure(*given.measure)
        return
    rows: list[tuple[object, ...]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        written(folder, given.logs, given.samples)
        size = sum(os.path.getsize(path) for path in folder.iterdir()) / 1e6
        for way in WAYS:
            found = []
            for _ in range(REPEATS):
                command = [sys.executable, __file__, "--measure", way, name]
                done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
                found.append(json.loads(done.stdout.splitlines()[-1]))
            seconds = min(one["seconds"] for one in found)
            peak = max(one["megabytes"] for one in found)
            rows.append(
                (way, given.logs, f"{given.logs * given.samples:,}", f"{size:,.0f}",
                 f"{seconds:.2f}", f"{peak:,.0f}", found[0]["told"])
            )  # fmt: skip
    table("call|logs|samples|MB|seconds|peak MB|times progress was told", rows)
    print(versions("polars"))


if __name__ == "__main__":
    main()
