"""A board of eight systems on very many rows, counted in passing, here and on a Dask cluster.

Run as ``python benchmarks/rows.py [MILLIONS]``: that many millions of rows (1,000 by default) are
written to a temporary folder, ten million a Parquet file, and ranked and compared by the command
line. Seconds and peak memory are of whole processes. The cluster is one of this machine, so that
what it adds is what sending costs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl

from tables import seconds_of, table, versions

SYSTEMS, EACH = 8, 10_000_000
DEADHEAT = (sys.executable, "-m", "deadheat")


def write(folder: Path, millions: int) -> None:
    """Write rows of 0/1 scores of systems that find the same rows hard."""
    for number in range(-(-millions * 1_000_000 // EACH)):
        generator = np.random.default_rng(number)
        n = min(EACH, millions * 1_000_000 - number * EACH)
        hard = generator.random(n, dtype=np.float32)
        columns = {"item": np.arange(number * EACH, number * EACH + n)}
        for system in range(SYSTEMS):
            luck = generator.random(n, dtype=np.float32)
            right = hard * 0.6 + luck * 0.4 > 0.35 + 0.0004 * system
            columns[f"s{system}"] = right.astype(np.int8)
        pl.DataFrame(columns).write_parquet(folder / f"{number:04d}.parquet", statistics=False)


def run(*command: str) -> tuple[float, float, float, str]:
    """Return seconds on the clock and of the CPU, peak MB and what a process printed."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert process.stdout is not None
    printed = process.stdout.read().decode()
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(command)} failed")
    wall = time.perf_counter() - start
    return wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, printed


def numbers(printed: str) -> object:
    """Return what a board says of systems and pairs."""
    told = json.loads(printed)
    rows = [{k: v for k, v in row.items() if k != "hash"} for row in told["systems"]]
    return rows, told["pairs"]


def on_a_cluster(folder: Path, n_workers: int) -> tuple[float, float, float, str]:
    """Rank on workers of this machine."""
    import distributed

    with distributed.LocalCluster(
        n_workers=n_workers,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address=None,
        local_directory=os.fspath(folder.parent),
    ) as cluster:
        address = cluster.scheduler_address.replace("tcp://", "dask://")
        ranked = ("rank", os.fspath(folder), "--format", "json", "--engine", address)
        return run(*DEADHEAT, *ranked)


def main() -> None:
    """Print the tables."""
    parser = ArgumentParser()
    parser.add_argument("millions", type=int, nargs="?", default=1_000)
    parser.add_argument("--write", metavar="FOLDER", help="only write the rows")
    asked = parser.parse_args()
    millions = asked.millions
    if asked.write:
        write(Path(asked.write), millions)
        return
    print(f"{versions('polars', 'distributed')}; {os.cpu_count()} cores\n")
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / "rows"
        folder.mkdir()
        # By a process of its own: what runs later counts the peak of what started it as its own.
        run(sys.executable, __file__, str(millions), "--write", os.fspath(folder))
        size = sum(file.stat().st_size for file in folder.iterdir()) / 1e6
        rows, boards = [], []
        rank = ("rank", os.fspath(folder), "--format", "json")
        compare = ("compare", os.fspath(folder), "--system", "s0,s1", "--format", "json")
        for label, done in (
            ("rank, 8 systems", lambda: run(*DEADHEAT, *rank)),
            ("compare, 2 of them", lambda: run(*DEADHEAT, *compare)),
            ("rank, cluster of 2 workers", lambda: on_a_cluster(folder, 2)),
            ("rank, cluster of 4 workers", lambda: on_a_cluster(folder, 4)),
        ):
            wall, cpu, peak, printed = done()
            where = "of the command alone" if "cluster" in label else ""
            rows.append((label, seconds_of(wall), seconds_of(cpu), f"{peak:.0f}", where))
            if label.startswith("rank"):
                boards.append(numbers(printed))
        print(f"{millions:,} million rows, {size:,.0f} MB\n")
        table("command | s | CPU s | peak MB | note", rows)
        print(f"The boards are the same, bit for bit: {all(b == boards[0] for b in boards)}.")
        one = folder.parent / "slice.parquet"
        pl.read_parquet(folder / "0000.parquet", n_rows=1_000_000).write_parquet(one)
        held, passed = (
            numbers(run(*DEADHEAT, "rank", os.fspath(one), "--format", "json", *memory)[3])
            for memory in (("--memory", "100GB"), ("--memory", "10MB"))
        )
        print(f"So are those of a million rows, held and counted in passing: {held == passed}.")


if __name__ == "__main__":
    main()
