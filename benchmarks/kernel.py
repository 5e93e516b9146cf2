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

import inputs
import numpy as np
from inputs import Ints
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

LARGE = 32
"""Items from which on a type is worth a binomial, by the cost of one."""

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


def ours(multiplicities: Ints, name: str) -> Callable[[], object]:
    """Return a call that draws a block of resamples by one of the two kernels."""
    types, scratch = Multinomial(multiplicities), Scratch()

    def block() -> None:
        os.environ[kernel.VARIABLE] = name
        for _ in types.chunks(Stream(0, Purpose.BOOTSTRAP, 0), BLOCK, np.float32, scratch):
            pass

    return block


def hybrid(multiplicities: Ints, made: Callable[[int], Callable[[], object]]) -> Callable[[], None]:
    """Return a call that draws large types by binomials and the items of the others by index.

    It draws less than a resample: as if an item were its type, which spares a look at a table.
    """
    large = multiplicities > LARGE
    n, rest = int(multiplicities.sum()), int(multiplicities[~large].sum())
    shares = np.append(multiplicities[large], rest) / n
    generator, others = np.random.default_rng(0), made(max(2, rest))

    def block() -> None:
        generator.multinomial(n, shares, BLOCK)
        others()

    return block


def types_of_f1(n: int, n_labels: int) -> Ints:
    """Return how many items are of each type of (reference, baseline, candidate)."""
    references, baseline, candidate = inputs.labels(n, n_labels)
    codes = (references * n_labels + baseline) * n_labels + candidate
    return np.unique(codes, return_counts=True)[1]


def drawn(systems: int, width: int, n: int, largest: int, name: str) -> Callable[[], object]:
    """Return a call that draws whole totals of whole numbers."""
    rng = np.random.default_rng(0)
    statistics = rng.integers(0, largest + 1, (n, systems, width)).astype(float)
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
            ones = np.ones(n, dtype=np.int64)
            found = least_seconds([made(n), ours(ones, "c"), ours(ones, "numpy")], repeats=15)
            each = [seconds.cpu / (BLOCK * n) * 1e9 for seconds in found]
            rows.append(
                (
                    f"{n:,}",
                    *(f"{one:.2f}" for one in each),
                    *(times(one / each[0]) for one in each[1:]),
                )
            )
        mixed = []
        for n_labels in (3, 10, 30, 100):
            units = types_of_f1(100_000, n_labels)
            calls = [ours(units, "c"), hybrid(units, made)]
            kernel_s, hybrid_s = (seconds.cpu for seconds in least_seconds(calls, repeats=9))
            shown = (f"{1e6 * seconds / BLOCK:.1f}" for seconds in (kernel_s, hybrid_s))
            large = int((units > LARGE).sum())
            mixed.append(
                (n_labels, f"{units.size:,}", f"{large:,}", *shown, times(hybrid_s / kernel_s))
            )
    table("items | bare C | kernel | NumPy | kernel / bare | NumPy / bare", rows)
    table(
        f"classes | types | above {LARGE} items | kernel, us | hybrid, us | hybrid / kernel", mixed
    )
    rows = []
    for label, systems, width, n, largest in (
        ("BLEU's statistics, two systems", 2, 10, 2_000, 30),
        ("BLEU's statistics, two systems", 2, 10, 10_000, 30),
        ("0/1 scores, 50 systems", 50, 1, 14_000, 1),
    ):
        calls = [drawn(systems, width, n, largest, name) for name in ("c", "numpy")]
        fast, plain = (seconds.cpu for seconds in least_seconds(calls, repeats=3))
        rows.append((label, f"{n:,}", f"{fast:.3f}", f"{plain:.3f}", times(plain / fast)))
    table("counts and sums of | items | kernel, s | NumPy, s | NumPy / kernel", rows)


if __name__ == "__main__":
    if kernel.compiled is None:
        raise SystemExit("the kernel was not built: there was no compiler")
    main()
