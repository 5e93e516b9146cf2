"""How often two recipes that are the same are told apart, by what is taken for a sample.

`docs/methods/runs.md` keeps what the slow test gave.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from deadheat.inference.run_tables import RunTable
from deadheat.intervals.components import mean_over_runs, over_runs
from deadheat.resampling.crossed import crossed, run_weights
from deadheat.rng import Purpose

N_ITEMS, N_SETS, N_DRAWN, N_RESAMPLES = 200, 2_000, 500, 999


def two_recipes(rng: np.random.Generator, n_runs: int, run_sd: float) -> list[np.ndarray]:
    """0/1 scores of two recipes that differ by item and by run, but not on average.

    On the logit scale, items have a standard deviation of 1.5, what is particular to a recipe on
    an item one of 1.
    """
    hard = 0.8 + rng.normal(0.0, 1.5, N_ITEMS)
    found = []
    for _ in range(2):
        own = hard + rng.normal(0.0, 1.0, N_ITEMS)
        logits = own[:, None] + rng.normal(0.0, run_sd, n_runs)
        found.append((rng.random((N_ITEMS, n_runs)) < 1.0 / (1.0 + np.exp(-logits))) * 1.0)
    return found


def by_components(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether new items and new runs are told apart."""
    first, second = RunTable(rows=a), RunTable(rows=b)
    gaps = b.mean(axis=1) - a.mean(axis=1)
    found = mean_over_runs(float(gaps.mean()), first.part(gaps), [first.parts(), second.parts()])
    return over_runs(found, confidence_level=0.95).excludes(0.0)


def by_items(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether the averages of these runs are told apart."""
    return bool(stats.ttest_rel(b.mean(axis=1), a.mean(axis=1)).pvalue <= 0.05)


def by_rows(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether rows are told apart when every run of an item is taken for an item."""
    return bool(stats.ttest_rel(b.ravel(), a.ravel()).pvalue <= 0.05)


def by_crossed(a: np.ndarray, b: np.ndarray, seed: int) -> bool:
    """Whether the crossed bootstrap tells them apart."""
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(N_ITEMS, np.full(N_ITEMS, 1.0 / N_ITEMS), N_RESAMPLES) / N_ITEMS
    values = [
        crossed(
            counts @ table,
            run_weights(table.shape[1], n_resamples=N_RESAMPLES, seed=seed, purpose=purpose),
        )
        for table, purpose in ((a, Purpose.FIRST_RUNS), (b, Purpose.SECOND_RUNS))
    ]
    gaps = np.sort(values[1] - values[0])
    return bool(gaps[24] > 0.0 or gaps[-25] < 0.0)


def rejected(n_runs: int, run_sd: float) -> dict[str, float]:
    """Share of data sets in which each way of comparing finds a difference."""
    found: dict[str, list[bool]] = {"components": [], "items": [], "rows": [], "crossed": []}
    for seed in range(N_SETS):
        rng = np.random.default_rng([404, n_runs, int(100 * run_sd), seed])
        a, b = two_recipes(rng, n_runs, run_sd)
        found["components"].append(by_components(a, b))
        found["items"].append(by_items(a, b))
        found["rows"].append(by_rows(a, b))
        if n_runs >= 5 and seed < N_DRAWN:
            found["crossed"].append(by_crossed(a, b, seed))
    return {way: float(np.mean(hits)) if hits else math.nan for way, hits in found.items()}


@pytest.mark.slow
@pytest.mark.parametrize("run_sd", [0.0, 0.2, 0.4])
@pytest.mark.parametrize("n_runs", [2, 3, 5, 10])
def test_recipes_that_are_the_same(n_runs: int, run_sd: float) -> None:
    """Components hold 5% (within 3 standard errors) from three runs on; rows as items do not."""
    found = rejected(n_runs, run_sd)
    error = math.sqrt(0.05 * 0.95 / N_SETS)
    assert found["components"] <= (0.05 if n_runs > 2 else 0.06) + 3.0 * error
    if run_sd == 0.0:
        # These checkpoints are a fair sample of recipes whose runs do not differ.
        assert abs(found["items"] - 0.05) <= 3.0 * error
    if run_sd >= 0.2:
        assert found["items"] > 0.10
    if n_runs >= 5:
        assert found["rows"] > (0.11 if n_runs == 5 else 0.18)
        # Conservative, unless few runs vary most: then it is too short.
        assert (found["crossed"] < found["components"]) == (n_runs > 5 or run_sd < 0.4)
