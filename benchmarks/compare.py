"""CPU time of `deadheat.compare` beside scipy and arch: same inputs, one process, Markdown out.

Run as ``python benchmarks/compare.py [--quick]``. Figures are the least of several calls in CPU
seconds, all threads together, so that a busy machine and a second core change little. deadheat
is timed as users call it: reading, pairing, hashes, interval, p-value, tests and notes included.
A peer is timed for its interval alone.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import peers
from timing import call_seconds, process_seconds

import deadheat
from tables import table, versions

RESAMPLES = 9_999
SIZES = (1_000, 10_000, 100_000, 1_000_000)
GAP500 = Path(__file__).parents[1] / "examples" / "gap500" / "gap500.csv"


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """Another way to the same interval.

    Attributes
    ----------
    name : str
        Package and form.
    ends : callable
        Maps a number of resamples to the ends of the interval.
    n_resamples : int
        How many are timed; fewer than `RESAMPLES` are scaled linearly.
    """

    name: str
    ends: Callable[[int], peers.Ends]
    n_resamples: int = RESAMPLES


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One comparison, by deadheat and by its peers."""

    name: str
    n: int
    ours: Callable[[], deadheat.Comparison]
    peers: tuple[Peer, ...]


def right_or_wrong(n: int) -> tuple[peers.Floats, peers.Floats]:
    """Draw 0/1 scores, 72% and 76% right, with difficulty shared between the systems."""
    rng = np.random.default_rng(n)
    difficulty = 0.6 * rng.standard_normal(n)
    baseline, candidate = (
        (difficulty + 0.8 * rng.standard_normal(n) < threshold).astype(np.float64)
        for threshold in (0.583, 0.706)
    )
    return baseline, candidate


def real_scores(n: int) -> tuple[peers.Floats, peers.Floats]:
    """Draw skewed scores between 0 and 1."""
    rng = np.random.default_rng(n)
    return rng.beta(4.0, 0.9, n), rng.beta(4.0, 0.89, n)


def labels(n: int, n_labels: int = 10) -> tuple[peers.Codes, peers.Codes, peers.Codes]:
    """Draw references and the outputs of two systems that err on about a quarter of them."""
    rng = np.random.default_rng(n)
    references = rng.integers(0, n_labels, n)
    baseline, candidate = (
        np.where(rng.random(n) < share, references, rng.integers(0, n_labels, n))
        for share in (0.75, 0.77)
    )
    return references, baseline, candidate


def of_means(n: int, name: str, metric: str, few: int | None, *, bca: bool) -> Case:
    """Compare means of item scores; `few` resamples are timed where 9,999 would take minutes."""
    baseline, candidate = right_or_wrong(n) if metric == "accuracy" else real_scores(n)
    rows = [
        ("scipy, paired", peers.scipy_paired, "percentile"),
        ("scipy, differences", peers.scipy_differences, "percentile"),
        ("arch, differences", peers.arch_differences, "percentile"),
    ]
    if bca:
        rows += [
            ("scipy, paired", peers.scipy_paired, "BCa"),
            ("arch, differences", peers.arch_differences, "bca"),
        ]
    return Case(
        name=name,
        n=n,
        ours=lambda: deadheat.compare(baseline, candidate, metric=metric),
        peers=tuple(
            Peer(
                name=f"{peer}, {method}",
                ends=lambda r, call=call, method=method: call(
                    baseline, candidate, r, method=method
                ),
                n_resamples=few or RESAMPLES,
            )
            for peer, call, method in rows
        ),
    )


def of_macro_f1(n: int, few: int | None, *, bca: bool) -> Case:
    """Compare macro-F1 over ten labels."""
    references, baseline, candidate = labels(n)
    return Case(
        name="macro-F1, 10 labels",
        n=n,
        ours=lambda: deadheat.compare(
            baseline, candidate, references=references, metric="macro_f1"
        ),
        peers=tuple(
            Peer(
                name=f"arch, label codes, {method}",
                ends=lambda r, method=method: peers.arch_macro_f1(
                    references, baseline, candidate, r, method=method
                ),
                n_resamples=few or RESAMPLES,
            )
            for method in (("percentile", "bca") if bca else ("percentile",))
        ),
    )


def side_by_side(cases: list[Case], *, repeats: int) -> None:
    """Print the seconds of every case and how many times ours each peer takes."""
    rows: list[tuple[object, ...]] = []
    for case in cases:
        ours = call_seconds(case.ours, repeats=repeats)
        interval = case.ours().to_dict()["difference"]["interval"]
        shown = f"{100 * interval['low']:+.2f} to {100 * interval['high']:+.2f}"
        who = f"**deadheat**, {interval['method']}"
        rows.append((case.name, f"{case.n:,}", who, f"{ours:.4g}", "1", shown, ""))
        for peer in case.peers:
            ends: list[peers.Ends] = []
            measured = call_seconds(
                lambda peer=peer, ends=ends: ends.append(peer.ends(peer.n_resamples)), repeats=2
            )
            scale = RESAMPLES / peer.n_resamples
            seconds = measured * scale
            note = "" if scale == 1 else f"scaled from {peer.n_resamples:,} resamples"
            shown = f"{100 * ends[0][0]:+.2f} to {100 * ends[0][1]:+.2f}" if scale == 1 else ""
            ratio = f"{seconds / ours:,.0f}" if seconds > 10 * ours else f"{seconds / ours:.1f}"
            rows.append((case.name, f"{case.n:,}", peer.name, f"{seconds:.4g}", ratio, shown, note))
    table("comparison | items | by | CPU s | times ours | 95% interval, points | note", rows)


def against_n(*, repeats: int) -> None:
    """Print the seconds of the whole call and of the resampling inside it, by number of items."""
    from deadheat.resampling import exact, inversion

    rows: list[tuple[object, ...]] = []
    for n in SIZES:
        baseline, candidate = right_or_wrong(n)
        only_baseline = int(np.sum(baseline > candidate))
        only_candidate = int(np.sum(candidate > baseline))
        first, second = real_scores(n)
        differences = second - first
        calls: tuple[Callable[[], object], ...] = (
            lambda b=baseline, c=candidate: deadheat.compare(b, c, metric="accuracy"),
            lambda b=only_baseline, c=only_candidate, n=n: exact.paired_counts(b, c, n),
            lambda b=first, c=second: deadheat.compare(b, c, metric="mean"),
            lambda d=differences: inversion.inverted_mean(d),
        )
        seconds = [call_seconds(call, repeats=repeats) for call in calls]
        rows.append((f"{n:,}", *(f"{1000 * s:.3g} ({1e9 * s / n:,.0f})" for s in seconds)))
    table(
        "items | compare, accuracy | its exact distribution | compare, mean | its inversion", rows
    )


def processes(*, repeats: int) -> None:
    """Print the CPU seconds of whole commands."""
    program = str(Path(sys.executable).with_name("deadheat"))
    commands = {"--help": ["--help"], "compare, 500 rows": ["compare", str(GAP500)]}
    rows: list[tuple[object, ...]] = [
        (f"deadheat {name}", f"{process_seconds([program, *words], repeats=repeats):.3f}")
        for name, words in commands.items()
    ]
    bare = process_seconds([sys.executable, "-c", "import numpy"], repeats=repeats)
    table("process | CPU s", [*rows, ("python -c 'import numpy', for scale", f"{bare:.3f}")])


def main() -> None:
    """Print every table."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few repeats, peers scaled, no BCa")
    quick = parser.parse_args().quick
    repeats = 3 if quick else 9
    few, bca = (500, False) if quick else (None, True)
    print("# Means and labels\n")
    print(f"{versions('deadheat', 'numpy', 'scipy', 'arch', 'polars')};")
    print(f"{RESAMPLES:,} resamples where a method draws them.\n")
    print("## Beside other libraries\n")
    side_by_side(
        [
            of_means(10_000, "accuracy, paired", "accuracy", few, bca=bca),
            of_means(1_000_000, "accuracy, paired", "accuracy", 20 if quick else 50, bca=False),
            of_means(100_000, "mean of real scores", "mean", 100 if quick else 1_000, bca=False),
            of_macro_f1(10_000, few, bca=bca),
        ],
        repeats=repeats,
    )
    print("## Against the number of items: milliseconds (nanoseconds an item)\n")
    against_n(repeats=repeats)
    print("## Whole processes\n")
    processes(repeats=repeats)


if __name__ == "__main__":
    main()
