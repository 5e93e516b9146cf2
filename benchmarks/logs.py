"""Samples of lm-evaluation-harness read beside msgspec decoding the same lines.

Run as ``python benchmarks/logs.py [MEGABYTES ...]``. The files are made in a temporary folder and
removed. Each way runs in a process of its own, so that its peak memory is its own; seconds are
those of the call, not of the imports, the least of three runs, in which the ways take turns. CPU
seconds are those of all threads. The file lies in the cache of the operating system for both.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from timing import peak_megabytes

from tables import table, versions

TIME = "2025-01-02T03-04-05.000000"
KINDS = ("generated", "choices", "short")
REPEATS = 3


def samples(kind: str, rng: random.Random) -> Iterator[dict[str, Any]]:
    """Yield invented samples without end: generated text under two filters, choices, or short."""
    words = "".join(chr(97 + k % 26) + (" " if k % 5 == 4 else "") for k in range(4_096))
    doc_id = 0
    while True:
        at = rng.randrange(1_024)
        question = words[at : at + (60 if kind == "short" else 400)]
        hashes = {
            f"{what}_hash": hashlib.sha256(f"{doc_id} {what}".encode()).hexdigest()
            for what in ("doc", "prompt", "target")
        }
        right = float(rng.random() < 0.6)
        if kind == "generated":
            for name in ("strict-match", "flexible-extract"):
                yield {
                    "doc_id": doc_id,
                    "doc": {"question": question, "answer": f"{question[:80]}\n#### {at}"},
                    "target": f"#### {at}",
                    "arguments": {
                        "gen_args_0": {"arg_0": question * 2, "arg_1": {"until": ["Question:"]}}
                    },
                    "resps": [[question]],
                    "filtered_resps": [str(at)],
                    "filter": name,
                    "metrics": ["exact_match"],
                    **hashes,
                    "exact_match": right,
                }
        else:
            options = 4 if kind == "choices" else 2
            context = question * (2 if kind == "choices" else 1)
            yield {
                "doc_id": doc_id,
                "doc": {"question": question, "choices": ["yes", "no"], "label": at % options},
                "target": str(at % options),
                "arguments": {
                    f"gen_args_{k}": {"arg_0": context, "arg_1": f" {k}"} for k in range(options)
                },
                "resps": [[[f"-{at / 7:.4f}", "False"]] for _ in range(options)],
                "filtered_resps": [[f"-{at / 7:.4f}", "False"] for _ in range(options)],
                "filter": "none",
                "metrics": ["acc", "acc_norm"],
                **hashes,
                "acc": right,
                "acc_norm": 1.0 - right,
            }
        doc_id += 1


def written(path: Path, kind: str, megabytes: int) -> None:
    """Write samples up to a size."""
    size = 0
    with path.open("wb") as file:
        for sample in samples(kind, random.Random(0)):
            size += file.write(json.dumps(sample, ensure_ascii=False).encode() + b"\n")
            if size >= megabytes * 1_000_000:
                return


def plain(path: str) -> int:
    """Decode every line into Python objects and keep none."""
    import msgspec

    decode = msgspec.json.Decoder().decode
    n = 0
    with open(path, "rb") as file:
        for line in file:
            decode(line)
            n += 1
    return n


def ours(path: str) -> int:
    """Read the log into an evaluation, with the hash of the file."""
    import deadheat

    (answers,) = deadheat.read(path, memory="4GB").answers
    assert answers.items is not None
    return len(answers.items)


WAYS: dict[str, Callable[[str], int]] = {"msgspec": plain, "deadheat": ours}


def measure(way: str, path: str, warm: str) -> None:
    """Time one call and print it as JSON."""
    WAYS[way](warm)  # what is imported when it is first needed
    start, used = time.perf_counter(), time.process_time()
    n = WAYS[way](path)
    found = {
        "wall": time.perf_counter() - start,
        "cpu": time.process_time() - used,
        "megabytes": peak_megabytes(),
        "n": n,
    }
    print(json.dumps(found), flush=True)


def measured(path: Path, warm: Path) -> dict[str, dict[str, float]]:
    """Measure each way in processes of its own; the least seconds and the greatest memory."""
    found: dict[str, dict[str, float]] = {}
    for way in (*WAYS,) * REPEATS:
        command = [sys.executable, __file__, "--measure", way, str(path), str(warm)]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        run: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
        best = found.setdefault(way, run)
        best |= {name: min(best[name], run[name]) for name in ("wall", "cpu")}
        best["megabytes"] = max(best["megabytes"], run["megabytes"])
    return found


def main() -> None:
    """Print the table."""
    parser = ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sizes", nargs="*", type=int, default=[50], metavar="MEGABYTES")
    parser.add_argument("--kind", choices=KINDS, action="append", help="one kind of samples only")
    parser.add_argument("--measure", nargs=3, metavar=("WAY", "PATH", "WARM"))
    given = parser.parse_args()
    if given.measure:
        measure(*given.measure)
        return
    rows: list[tuple[object, ...]] = []
    with tempfile.TemporaryDirectory() as folder:
        warm = Path(folder, f"samples_warm_{TIME}.jsonl")
        written(warm, "choices", 1)
        for size in given.sizes:
            for kind in given.kind or KINDS:
                path = Path(folder, f"samples_{kind}_{TIME}.jsonl")
                written(path, kind, size)
                megabytes = os.path.getsize(path) / 1e6
                found = measured(path, warm)
                plain, own = found["msgspec"], found["deadheat"]
                rows.append(
                    (
                        kind,
                        f"{megabytes:,.0f}",
                        f"{plain['n']:,.0f}",
                        *(f"{megabytes / way['wall']:,.0f}" for way in (plain, own)),
                        f"{plain['wall'] / own['wall']:.2f}",
                        *(f"{megabytes / way['cpu']:,.0f}" for way in (plain, own)),
                        f"{plain['cpu'] / own['cpu']:.2f}",
                        f"{own['megabytes']:,.0f}",
                    )
                )
                path.unlink()
    columns = "msgspec MB/s|deadheat MB/s|ratio|msgspec MB/CPU s|deadheat MB/CPU s|ratio"
    table(f"samples|MB|lines|{columns}|deadheat peak MB", rows)
    print(versions("msgspec", "polars"))


if __name__ == "__main__":
    main()
