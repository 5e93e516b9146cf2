"""Coverage of a drawn bootstrap interval, by replays and by enumeration, beside plain routes.

Run as ``python benchmarks/replays.py [--quick]``. The design is one of 500 items and two systems
with 0/1 scores, accuracies of .72 and .76, whose latent scores have a correlation of .36. Each
replay draws a data set, 2,000 resamples of it and the percentile interval. CPU seconds are those
of the process and of those that it started; what takes long is timed on fewer replays.
"""

from __future__ import annotations

import math
from argparse import ArgumentParser
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats
from timing import call_seconds

import deadheat
from tables import seconds_of, table, times, versions

ITEMS, RESAMPLES, REPLAYS = 500, 2_000, 10_000
BASELINE, CANDIDATE, CORRELATION = 0.72, 0.76, 0.36
TAIL = 0.025


def by_replays(n: int) -> tuple[float, float]:
    """Draw the interval of each data set."""
    found = deadheat.simulate(
        items=ITEMS,
        baseline=BASELINE,
        candidate=CANDIDATE,
        correlation=CORRELATION,
        replays=n,
        drawn=True,
        n_resamples=RESAMPLES,
        threads=1,
    ).replays
    assert found is not None
    return found.coverage.value, found.interval_power.value


def by_enumeration(n: int) -> tuple[float, float]:
    """Weigh every outcome by its probability."""
    found = deadheat.simulate(
        items=ITEMS,
        baseline=BASELINE,
        candidate=CANDIDATE,
        correlation=CORRELATION,
        replays=n,
        method="percentile",
    ).replays
    assert found is not None
    return found.coverage.value, found.interval_power.value


Ends = Callable[[NDArray[np.int64], np.random.Generator], NDArray[np.float64]]


def _held(n: int, ends: Ends) -> tuple[float, float]:
    """Replay in plain NumPy, with what makes the ends of an interval from item differences."""
    rng = np.random.default_rng(0)
    loading = math.sqrt(CORRELATION)
    thresholds = special.ndtri([BASELINE, CANDIDATE])
    gap = CANDIDATE - BASELINE
    held = excluded = 0
    for _ in range(n):
        shared = rng.standard_normal((ITEMS, 1))
        own = rng.standard_normal((ITEMS, 2))
        right = loading * shared + math.sqrt(1.0 - CORRELATION) * own < thresholds
        low, high = ends(right[:, 1].astype(int) - right[:, 0].astype(int), rng)
        held += low <= gap + 1e-12 and high >= gap - 1e-12
        excluded += low > 0.0 or high < 0.0
    return held / n, excluded / n


def by_index(n: int) -> tuple[float, float]:
    """Draw positions of items, as the textbook has it."""

    def ends(differences: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.float64]:
        drawn = differences[rng.integers(ITEMS, size=(RESAMPLES, ITEMS))].mean(axis=1)
        return np.quantile(drawn, [TAIL, 1.0 - TAIL])

    return _held(n, ends)


def by_multinomial(n: int) -> tuple[float, float]:
    """Draw how often each of the three differences occurs."""

    def ends(differences: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.float64]:
        shares = np.bincount(differences + 1, minlength=3) / ITEMS
        counts = rng.multinomial(ITEMS, shares, size=RESAMPLES)
        return np.quantile((counts[:, 2] - counts[:, 0]) / ITEMS, [TAIL, 1.0 - TAIL])

    return _held(n, ends)


def by_scipy(n: int) -> tuple[float, float]:
    """Let scipy.stats.bootstrap draw."""

    def ends(differences: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.float64]:
        found = stats.bootstrap(
            (differences,), np.mean, n_resamples=RESAMPLES, method="percentile", rng=rng
        ).confidence_interval
        return np.array([found.low, found.high])

    return _held(n, ends)


WAYS: dict[str, tuple[Callable[[int], tuple[float, float]], int]] = {
    "deadheat, --drawn": (by_replays, 1),
    "deadheat, enumeration": (by_enumeration, 1),
    "NumPy, multinomial counts": (by_multinomial, 10),
    "NumPy, positions of items": (by_index, 100),
    "scipy.stats.bootstrap": (by_scipy, 100),
}
"""Each way, and by which factor fewer replays of it are timed."""


def main() -> None:
    """Print the table."""
    parser = ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the replays")
    total = REPLAYS // (10 if parser.parse_args().quick else 1)
    print("# Replays\n")
    print(f"{versions('deadheat', 'numpy', 'scipy')};")
    print(f"{total:,} replays, {RESAMPLES:,} resamples.\n")
    by_replays(10)  # what is imported when it is first needed
    rows: list[tuple[object, ...]] = []
    least = math.nan
    for name, (way, fewer) in WAYS.items():
        n = total // fewer
        found: list[tuple[float, float]] = []
        seconds = call_seconds(lambda way=way, n=n, found=found: found.append(way(n)), repeats=1)
        scaled = seconds * (1 if way is by_enumeration else fewer)
        least = scaled if way is by_replays else least
        coverage, power = found[0]
        timed = "none" if way is by_enumeration else f"{n:,}"
        rows.append(
            (
                name,
                timed,
                seconds_of(scaled),
                times(scaled / least),
                f"{coverage:.1%}",
                f"{power:.3f}",
            )
        )
    table("by | replays timed | CPU s for all | times ours | coverage | excludes 0", rows)


if __name__ == "__main__":
    main()
