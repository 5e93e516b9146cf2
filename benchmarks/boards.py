"""Whole boards beside errorbars and evalstats.

Run as ``python benchmarks/boards.py [--quick]``. Each way runs in a process of its own, so that
its peak memory is its own; CPU seconds are those of the call, not of the imports. Scores are 0/1,
of systems that share the difficulty of the items, from a seeded generator.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
import warnings
from argparse import ArgumentParser
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tables import seconds_of, table, times, versions

RESAMPLES = 9_999


def made(n_systems: int, n_items: int) -> dict[str, NDArray[np.int64]]:
    """Make scores of systems whose skills lie closer the more there are."""
    rng = np.random.default_rng(0)
    skill = np.sort(rng.normal(0.0, 0.4, n_systems))
    noise = rng.normal(0.0, 1.0, n_items) + rng.normal(0.0, 1.0, (n_systems, n_items))
    right = skill[:, None] + noise > 0.0
    return {f"s{at:03d}": scores.astype(np.int64) for at, scores in enumerate(right)}


def ours(scores: dict[str, NDArray[np.int64]]) -> Callable[[], str]:
    """Rank: simultaneous intervals, step-down p-values, rank sets, bands, all pairs."""
    import deadheat

    def call() -> str:
        found = deadheat.rank(scores, n_resamples=RESAMPLES)
        assert isinstance(found, deadheat.Leaderboard)
        return f"{int(found.pairs.separated.sum())} pairs apart"

    return call


def errorbars(scores: dict[str, NDArray[np.int64]]) -> Callable[[], str]:
    """Build a leaderboard of paired t tests with Holm's correction; no resampling."""
    import pandas as pd
    from errorbars.io import load_dataframe
    from errorbars.leaderboard import build_leaderboard

    names, n = list(scores), len(next(iter(scores.values())))
    frame = pd.DataFrame(
        {
            "model": np.repeat(names, n),
            "question_id": np.tile([f"q{at}" for at in range(n)], len(names)),
            "score": np.concatenate(list(scores.values())).astype(float),
        }
    )
    data = load_dataframe(frame)

    def call() -> str:
        found = build_leaderboard(data)
        apart = sum(pair.p_holm < 0.05 for pair in found.pairwise)
        return f"{apart} pairs apart, {len(found.groups)} groups"

    return call


def evalstats(scores: dict[str, NDArray[np.int64]]) -> Callable[[], str]:
    """Compare all pairs by the bootstrap with Romano and Wolf's correction, and rank."""
    import evalstats as judge

    table_ = np.stack(list(scores.values()), axis=1).astype(float)
    names = list(scores)

    def call() -> str:
        judge.all_pairwise(table_, names, n_bootstrap=RESAMPLES, rng=np.random.default_rng(0))
        judge.bootstrap_ranks(table_, names, n_bootstrap=RESAMPLES, rng=np.random.default_rng(0))
        return "all_pairwise and bootstrap_ranks"

    return call


WAYS = {"deadheat": ours, "errorbars": errorbars, "evalstats": evalstats}


def measure(way: str, n_systems: int, n_items: int) -> None:
    """Time one call and print it as JSON."""
    warnings.simplefilter("ignore")
    WAYS[way](made(3, 60))()  # what is imported when it is first needed
    call = WAYS[way](made(n_systems, n_items))
    start, used = time.perf_counter(), time.process_time()
    said = call()
    found = {
        "cpu": time.process_time() - used,
        "wall": time.perf_counter() - start,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "found": said,
    }
    print(json.dumps(found), flush=True)


def measured(way: str, n_systems: int, n_items: int) -> dict[str, float | str]:
    """Measure one way in a process of its own."""
    command = [sys.executable, __file__, "--measure", way, f"{n_systems}", f"{n_items}"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float | str] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    """Print the table."""
    parser = ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small boards only")
    parser.add_argument("--measure", nargs=3, metavar=("WAY", "SYSTEMS", "ITEMS"))
    given = parser.parse_args()
    if given.measure:
        way, n_systems, n_items = given.measure
        measure(way, int(n_systems), int(n_items))
        return
    print("# Boards\n")
    print(f"{versions('deadheat', 'numpy', 'errorbars', 'evalstats')};")
    print(f"{RESAMPLES:,} resamples where a method draws them.\n")
    boards = [(10, 500, True), (20, 2_000, True), (50, 2_000, True), (200, 14_000, False)]
    rows: list[tuple[object, ...]] = []
    for n_systems, n_items, peers in boards[: 2 if given.quick else None]:
        ways = list(WAYS) if peers else ["deadheat"]
        found = {way: measured(way, n_systems, n_items) for way in ways}
        least = float(found["deadheat"]["cpu"])
        rows.extend(
            (
                f"{n_systems} x {n_items:,}",
                way,
                seconds_of(float(one["cpu"])),
                times(float(one["cpu"]) / least),
                f"{float(one['megabytes']):.0f}",
                one["found"],
            )
            for way, one in found.items()
        )
    table("systems x items | by | CPU s | times ours | peak MB | found", rows)


if __name__ == "__main__":
    main()
