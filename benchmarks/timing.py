"""CPU seconds, of a call and of a process."""

from __future__ import annotations

import gc
import resource
import subprocess
import time
from collections.abc import Callable, Sequence


def call_seconds(call: Callable[[], object], *, repeats: int) -> float:
    """Return the least CPU seconds of `repeats` calls, all threads together.

    As timeit does, garbage is collected once, before, and not while calls are timed.
    """
    best = float("inf")
    gc.collect()
    gc.disable()
    try:
        for _ in range(repeats):
            start = time.process_time()
            call()
            best = min(best, time.process_time() - start)
    finally:
        gc.enable()
    return best


def process_seconds(command: Sequence[str], *, repeats: int) -> float:
    """Return the least CPU seconds, user and system, of a whole process.

    Raises
    ------
    subprocess.CalledProcessError
        If the command fails.
    """
    best = float("inf")
    for _ in range(repeats):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best
