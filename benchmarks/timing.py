"""CPU and wall seconds of calls and of processes, and what a process held at most."""

from __future__ import annotations

import gc
import resource
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Seconds:
    """What a call took at least.

    Attributes
    ----------
    cpu : float
        All threads together, and the processes that it started and waited for.
    wall : float
    """

    cpu: float
    wall: float


def call_seconds(call: Callable[[], object], *, repeats: int) -> float:
    """Return the least CPU seconds of `repeats` calls."""
    return least_seconds([call], repeats=repeats)[0].cpu


def least_seconds(calls: Sequence[Callable[[], object]], *, repeats: int) -> list[Seconds]:
    """Return the least seconds of each of several calls, which take turns.

    As timeit does, garbage is collected once, before, and not while calls are timed.
    """
    cpu, wall = ([float("inf")] * len(calls) for _ in range(2))
    gc.collect()
    gc.disable()
    try:
        for _ in range(repeats):
            for position, call in enumerate(calls):
                start, used = time.perf_counter(), _cpu()
                call()
                cpu[position] = min(cpu[position], _cpu() - used)
                wall[position] = min(wall[position], time.perf_counter() - start)
    finally:
        gc.enable()
    return [Seconds(cpu=c, wall=w) for c, w in zip(cpu, wall, strict=True)]


def process_seconds(command: Sequence[str], *, repeats: int) -> float:
    """Return the least CPU seconds, user and system, of a whole process.

    Raises
    ------
    subprocess.CalledProcessError
        If the command fails.
    """
    best = float("inf")
    for _ in range(repeats):
        before = _children()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        best = min(best, _children() - before)
    return best


def peak_megabytes() -> float:
    """Return what this process has held at most.

    Linux counts in `ru_maxrss` what the process held that started this one.
    """
    status = Path("/proc/self/status")
    if status.exists():
        lines = status.read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _cpu() -> float:
    return time.process_time() + _children()


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
