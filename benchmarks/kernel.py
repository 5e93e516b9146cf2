"""Counts of resamples by the compiled kernel and by NumPy, beside a bare loop in C.

Run as ``python benchmarks/kernel.py``. The bare loop draws the index of an item, two to a word of
SFC64, and increments a count; it is compiled by ``cc`` for the occasion. Every item is of a type of
its own, which is where counting costs most. All three take turns on one thread; nanoseconds are of
one count in one resample. The board at the end is drawn and multiplied as `deadheat.rank` does it.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from timing import least_seconds

from deadheat.resampling import kernel
from deadheat.resampling.bootstrap import bootstrap_together
from deadheat.resampling.counts import Multinomial
from deadheat.resampling.functionals import Sums
from deadheat.resampling.scratch import Scratch
from deadheat.rng import BLOCK, Purpose, Stream
from tables import table, times, versions

BARE = """
#include <stdint.h>
#include <string.h>
static inline uint64_t next(uint64_t *s)
{
    const uint64_t word = s[0] + s[1] + s[3]++;
    s[0] = s[1] ^ (s[1] >> 11);
    s[1] = s[2] + (s[2] << 3);
    s[2] = ((s[2] << 24) | (s[2] >> 40)) + word;
    return word;
}
void bare(float *counts, int64_t rows, int64_t n, uint64_t *state)
{
    for (int64_t at = 0; at < rows; at++) {
        float *row = counts + at * n;
        memset(row, 0, n * sizeof(float));
        for (int64_t item = 0; item < n; item += 2) {
            const uint64_t word = next(state);
            row[((word & 0xFFFFFFFF) * (uint64_t)n) >> 32] += 1;
            row[((word >> 32) * (uint64_t)n) >> 32] += 1;
        }
    }
}
"""

SIZES = (500, 2_000, 10_000, 100_000)
CELLS = 1 << 18
RESAMPLES = 9_999


def bare_loop(folder: str) -> Callable[[int], Callable[[], object]]:
    """Compile the loop, and return what makes a call of it for a number of items."""
    source, library = Path(folder) / "bare.c", Path(folder) / "bare.so"
    source.write_text(BARE)
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, source], check=True)
    function = ctypes.CDLL(os.fspath(library)).bare
    function.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p]
    state = np.array([1, 2, 3, 4], dtype=np.uint64)

    def made(n: int) -> Callable[[], object]:
        rows = min(BLOCK, max(1, CELLS // n))
        counts = np.empty((rows, n), dtype=np.float32)

        def block() -> None:
            for _ in range(-(-BLOCK // rows)):
                function(counts.ctypes.data, rows, n, state.ctypes.data)

        return block

    return made


def ours(n: int, name: str) -> Callable[[], object]:
    """Return a call that draws a block of resamples by one of the two kernels."""
    types, scratch = Multinomial(np.ones(n, dtype=np.int64)), Scratch()

    def block() -> None:
        os.environ[kernel.VARIABLE] = name
        for _ in types.chunks(Stream(0, Purpose.BOOTSTRAP, 0), BLOCK, np.float32, scratch):
            pass

    return block


def drawn(systems: int, width: int, n: int, name: str) -> Callable[[], object]:
    """Return a call that draws whole totals of whole numbers."""
    statistics = np.random.default_rng(0).integers(0, 30, (n, systems, width)).astype(float)
    units = np.ones(n, dtype=np.int64)
    sums = Sums.of(statistics, lambda totals: totals[..., 0])

    def call() -> None:
        os.environ[kernel.VARIABLE] = name
        bootstrap_together([sums], units, n_resamples=RESAMPLES, seed=0, threads=1)

    return call


def main() -> None:
    """Print the tables."""
    print(f"{versions('numpy')}\n")
    rows = []
    with TemporaryDirectory() as folder:
        made = bare_loop(folder)
        for n in SIZES:
            found = least_seconds([made(n), ours(n, "c"), ours(n, "numpy")], repeats=15)
            each = [seconds.cpu / (BLOCK * n) * 1e9 for seconds in found]
            rows.append(
                (
                    f"{n:,}",
                    *(f"{one:.2f}" for one in each),
                    *(times(one / each[0]) for one in each[1:]),
                )
            )
    table("items | bare C | kernel | NumPy | kernel / bare | NumPy / bare", rows)
    rows = []
    for label, systems, width, n in (
        ("BLEU's statistics, two systems", 2, 10, 2_000),
        ("BLEU's statistics, two systems", 2, 10, 10_000),
        ("50 systems", 50, 1, 14_000),
    ):
        calls = [drawn(systems, width, n, name) for name in ("c", "numpy")]
        fast, plain = (seconds.cpu for seconds in least_seconds(calls, repeats=3))
        rows.append((label, f"{n:,}", f"{fast:.3f}", f"{plain:.3f}", times(plain / fast)))
    table("counts and sums of | items | kernel, s | NumPy, s | NumPy / kernel", rows)


if __name__ == "__main__":
    if kernel.compiled is None:
        raise SystemExit("the kernel was not built: there was no compiler")
    main()
