"""What a Dask cluster of this machine adds to the work, beside the same work without one.

Run as ``python benchmarks/cluster.py [--quick]``. Three kinds of work are done here and on 2 and 4
workers: a data set of 20 parts is counted, and blocks of resamples are drawn for a board and for
BLEU. Every result has to be equal, bit for bit, to that of one machine. Each line is the least of
several times on the clock; the cluster shares the cores with everything else.
"""

from __future__ import annotations

import json
import os
import time
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl

import deadheat
from deadheat.engine import Engine, engine_of, packed
from deadheat.resampling import blocks
from tables import seconds_of, table, versions

PARTS, SYSTEMS = 20, 8


def write_parts(folder: Path, n_rows: int) -> None:
    """Write 0/1 scores of systems that find the same rows hard."""
    each = n_rows // PARTS
    for number in range(PARTS):
        generator = np.random.default_rng(number)
        hard = generator.random(each)
        columns = {
            f"s{at}": (hard * 0.6 + generator.random(each) * 0.4 > 0.35).astype(np.int8)
            for at in range(SYSTEMS)
        }
        pl.DataFrame(columns).write_parquet(folder / f"{number:04d}.parquet", statistics=False)


def board(n_systems: int, n_items: int) -> dict[str, Any]:
    """Make real scores, so that a resample needs as many counts as there are items."""
    generator = np.random.default_rng(0)
    hard = generator.normal(size=n_items)
    return {f"s{at:02d}": hard + generator.normal(size=n_items) for at in range(n_systems)}


def texts(n_segments: int) -> tuple[dict[str, list[str]], list[str]]:
    """Make sentences of two systems, each with words of its own choice now and then."""
    generator = np.random.default_rng(0)
    words = np.array([f"w{at}" for at in range(2_000)])
    right = generator.integers(0, len(words), (n_segments, 20))
    said = {}
    for name, share in (("a", 0.30), ("b", 0.33)):
        other = generator.integers(0, len(words), right.shape)
        chosen = np.where(generator.random(right.shape) < share, other, right)
        said[name] = [" ".join(row) for row in words[chosen]]
    return said, [" ".join(row) for row in words[right]]


def least(call: Callable[[], Any], times: int) -> tuple[float, Any]:
    """Return the least seconds of several calls, and what the last one returned."""
    found, seconds = None, []
    for _ in range(times):
        start = time.perf_counter()
        found = call()
        seconds.append(time.perf_counter() - start)
    return min(seconds), found


def per_task(engine: Engine, times: int) -> tuple[float, float]:
    """Return the seconds of one task of no work, and what one more of them adds."""
    one, many = (
        least(lambda n=n: list(engine.each(abs, [(at,) for at in range(n)], ["it"] * n)), times)[0]
        for n in (1, 201)
    )
    return one, (many - one) / 200


def payload_of(call: Callable[[], Any]) -> tuple[int, int]:
    """Return the bytes that a call sends to each worker once, and how many blocks are drawn."""
    sizes: list[tuple[int, int]] = []
    plain = blocks._sent

    def measured(block: Any, engine: Any, n_resamples: int, *rest: Any) -> Any:
        sizes.append((len(packed(block)), -(-n_resamples // blocks.BLOCK)))
        return plain(block, engine, n_resamples, *rest)

    blocks._sent = measured
    try:
        call()
    finally:
        blocks._sent = plain
    return sizes[0]


def main() -> None:
    """Print the tables."""
    import distributed

    parser = ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small inputs, each once")
    quick = parser.parse_args().quick
    times = 1 if quick else 3
    n_rows, shape = (200_000, (10, 5_000)) if quick else (10_000_000, (50, 14_000))
    scores = board(*shape)
    said, right = texts(5_000 if quick else 10_000)
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / "rows"
        folder.mkdir()
        write_parts(folder, n_rows)
        work: dict[str, Callable[[Any], Any]] = {
            f"{PARTS} parts, {n_rows:,} rows": lambda engine: deadheat.rank(
                folder, memory="1MB", engine=engine
            ),
            f"board {shape[0]} x {shape[1]:,}": lambda engine: deadheat.rank(scores, engine=engine),
            f"BLEU, {len(right):,} segments": lambda engine: deadheat.compare(
                said, references=right, metric="bleu", engine=engine
            ),
        }
        rows: dict[str, list[str]] = {}
        expected = {}
        for name, call in work.items():
            seconds, found = least(lambda call=call: call(None), times)
            rows[name], expected[name] = [seconds_of(seconds)], json.dumps(found.to_dict())
        costs: list[tuple[object, ...]] = []
        sent: list[tuple[object, ...]] = []
        for n_workers in (2, 4):
            start = time.perf_counter()
            with distributed.LocalCluster(
                n_workers=n_workers,
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address=None,
                local_directory=scratch,
            ) as cluster:
                started = time.perf_counter() - start
                start = time.perf_counter()
                with distributed.Client(cluster, set_as_default=False) as client:
                    engine = engine_of(client)
                    assert engine is not None
                    connected = time.perf_counter() - start
                    first, each = per_task(engine, times)
                    costs.append(
                        (
                            n_workers,
                            *map(seconds_of, (started, connected, first)),
                            f"{each * 1e3:.1f}",
                        )
                    )
                    for name, call in work.items():
                        seconds, found = least(lambda call=call, to=engine: call(to), times)
                        if json.dumps(found.to_dict()) != expected[name]:
                            raise SystemExit(f"{name}: other numbers on {n_workers} workers")
                        rows[name].append(seconds_of(seconds))
                        if n_workers == 2 and "parts" not in name:
                            size, n_blocks = payload_of(lambda call=call, to=engine: call(to))
                            sent.append((name, f"{size / 1e6:.1f}", n_blocks))
    print(f"{versions('deadheat', 'distributed', 'numpy', 'polars')}; {os.cpu_count()} cores\n")
    table("work, s | without | 2 workers | 4 workers", [(k, *v) for k, v in rows.items()])
    print("All results are equal, bit for bit.\n")
    table("workers | start, s | connect, s | one task, s | each more, ms", costs)
    table("resamples of | sent to each worker, MB | blocks", sent)


if __name__ == "__main__":
    main()
