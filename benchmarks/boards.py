"""Whole boards: every pair of many systems on the same items."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import inputs
import numpy as np
from ways import RESAMPLES, Call, Way

PAIRS = 3
"""Pairs that are timed where all of them would take hours."""


def cases() -> Iterator[Way]:
    """Yield every way of every case."""
    for n_systems, n_items in ((10, 500), (20, 2_000), (50, 2_000), (50, 14_000)):
        case = f"board, {n_systems} x {n_items:,}, all pairs"
        data = partial(inputs.board, n_systems, n_items)
        yield Way(case=case, name="rank", package="deadheat", make=partial(_ours, data))
        few = 2_000 if n_items < 14_000 else 500
        yield Way(
            case=case,
            name="bootstrap, all systems in one statistic",
            package="scipy",
            make=partial(_scipy_together, data, few),
            scale=RESAMPLES / few,
            note="no correction for many comparisons",
        )
        n_pairs = n_systems * (n_systems - 1) // 2
        yield Way(
            case=case,
            name="bootstrap, pair by pair",
            package="scipy",
            make=partial(_scipy_pairs, data, few),
            scale=RESAMPLES / few * n_pairs / PAIRS,
            note=f"scaled from {PAIRS} pairs; no correction for many comparisons",
        )
        yield Way(
            case=case,
            name="build_leaderboard",
            package="errorbars",
            make=partial(_errorbars, data),
            note="t tests with Holm's correction, no resamples",
        )
        if n_items <= 2_000:
            few = {10: RESAMPLES, 20: 5_000, 50: 1_000}[n_systems]
            yield Way(
                case=case,
                name="all_pairwise and bootstrap_ranks",
                package="evalstats",
                make=partial(_evalstats, data, few),
                scale=RESAMPLES / few,
                note="Romano and Wolf's correction"
                + (f"; scaled from {few:,} resamples, fixed costs too" if few < RESAMPLES else ""),
            )
            yield Way(
                case=case,
                name="run_audit, all pairs",
                package="evaltrust",
                make=partial(_evaltrust, data),
                note="exact tests with Holm's correction, ranks from resamples",
            )
            yield Way(
                case=case,
                name="performance and all_differences",
                package="CompStats",
                make=partial(_compstats, data, 50),
                scale=RESAMPLES / 50,
                note="no correction for many comparisons",
            )
        few = RESAMPLES if n_items <= 2_000 else 1_000
        yield Way(
            case=case,
            name="rank_summary and confidence_set_best",
            package="honestboard",
            make=partial(_honestboard, data, few),
            scale=RESAMPLES / few,
            note="ranks and the set of the best, no pairs",
        )


def _ours(data: Any) -> Call:
    """Rank: simultaneous intervals, step-down p-values, rank sets, bands, all pairs."""
    import deadheat

    scores = inputs.named(data())

    def call() -> str:
        found = deadheat.rank(scores, n_resamples=RESAMPLES)
        assert isinstance(found, deadheat.Leaderboard)
        return f"{int(found.pairs.separated.sum())} pairs apart"

    return call


def _apart(low: np.ndarray[Any, Any], high: np.ndarray[Any, Any]) -> str:
    return f"{int(((low > 0.0) | (high < 0.0)).sum())} pairs apart"


def _scipy_together(data: Any, n_resamples: int) -> Call:
    from scipy import stats

    scores = data().astype(bool)
    first, second = np.triu_indices(len(scores), 1)

    def values(index: Any, axis: int = -1) -> np.ndarray[Any, Any]:
        # A gather of truths for each system stays in the cache: the fastest form of those tried.
        return np.stack([row[index].mean(axis=-1) for row in scores])

    def call() -> str:
        found = stats.bootstrap(
            (np.arange(scores.shape[1]),),
            values,
            vectorized=True,
            n_resamples=n_resamples,
            batch=25,
            method="percentile",
            rng=0,
        ).bootstrap_distribution
        low, high = np.percentile(found[second] - found[first], [2.5, 97.5], axis=-1)
        return _apart(low, high)

    return call


def _scipy_pairs(data: Any, n_resamples: int) -> Call:
    from scipy import stats

    scores = data().astype(np.float64)
    pairs = [(0, len(scores) - 1), (0, 1), (1, 2)]

    def gap(first: Any, second: Any, axis: int = -1) -> Any:
        return second.mean(axis=axis) - first.mean(axis=axis)

    def call() -> str:
        for first, second in pairs:
            stats.bootstrap(
                (scores[first], scores[second]),
                gap,
                paired=True,
                vectorized=True,
                n_resamples=n_resamples,
                batch=100,
                method="percentile",
                rng=0,
            )
        return f"{len(pairs)} pairs"

    return call


def _errorbars(data: Any) -> Call:
    import pandas as pd
    from errorbars.io import load_dataframe
    from errorbars.leaderboard import build_leaderboard

    scores = inputs.named(data())
    names, n = list(scores), len(next(iter(scores.values())))
    frame = pd.DataFrame(
        {
            "model": np.repeat(names, n),
            "question_id": np.tile([f"q{at}" for at in range(n)], len(names)),
            "score": np.concatenate(list(scores.values())).astype(float),
        }
    )
    held = load_dataframe(frame)

    def call() -> str:
        found = build_leaderboard(held)
        return f"{sum(pair.p_holm < 0.05 for pair in found.pairwise)} pairs apart"

    return call


def _evalstats(data: Any, n_resamples: int) -> Call:
    """Compare all pairs by the bootstrap with Romano and Wolf's correction, and rank."""
    import evalstats

    scores = inputs.named(data())
    # A row for each system: a table the other way round is taken for one of many systems.
    table = np.stack(list(scores.values())).astype(float)
    names = list(scores)

    def call() -> str:
        pairs = evalstats.all_pairwise(
            table, names, n_bootstrap=n_resamples, rng=np.random.default_rng(0)
        )
        evalstats.bootstrap_ranks(
            table, names, n_bootstrap=n_resamples, rng=np.random.default_rng(0)
        )
        return f"{sum(pair.p_value < 0.05 for pair in pairs.results.values())} pairs apart"

    return call


def _evaltrust(data: Any) -> Call:
    from evaltrust import EvalData, Example, run_audit
    from evaltrust.config import AuditConfig

    scores = inputs.named(data())
    names = list(scores)
    examples = [
        Example(id=f"q{at}", scores=dict(zip(names, row, strict=True)))
        for at, row in enumerate(np.stack(list(scores.values()), axis=1).astype(float).tolist())
    ]
    held = EvalData(models=names, examples=examples, source_format="python")
    config = AuditConfig(n_resamples=RESAMPLES, all_pairs=True, correction="holm")

    def call() -> str:
        details = [one.details for one in run_audit(held, config=config).findings]
        return f"{next(d['n_separable'] for d in details if 'n_separable' in d)} pairs apart"

    return call


def _compstats(data: Any, n_resamples: int) -> Call:
    import pandas as pd
    from CompStats import all_differences, performance

    scores = inputs.named(data())
    frame = pd.DataFrame({name: row.astype(int) for name, row in scores.items()})
    frame["y"] = 1

    def call() -> str:
        samples = performance(frame, num_samples=n_resamples, n_jobs=1)
        drawn = np.array(list(all_differences(samples).calls.values()))
        return _apart(*np.percentile(drawn, [2.5, 97.5], axis=-1))

    return call


def _honestboard(data: Any, n_resamples: int) -> Call:
    from honestboard import Board

    scores = inputs.named(data())
    board = Board(list(scores), np.stack(list(scores.values())))

    def call() -> str:
        board.rank_summary(B=n_resamples)
        board.confidence_set_best(B=n_resamples)
        return ""

    return call
