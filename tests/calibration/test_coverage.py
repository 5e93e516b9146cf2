"""How often intervals hold the truth and tests reject a true null.

Coverage of the automatic interval for 0/1 scores is not simulated: every table of n items is
weighed by its probability. The expected values are those of an independent enumeration
(STATISTICS.md 0.3). `docs/calibration.md` keeps what the slow tests gave.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from scipy import stats

import deadheat
from deadheat.inference import binary
from deadheat.inference.result import Counts
from deadheat.settings import Settings

SETTINGS = Settings()


def tables(n: int, p_candidate: float, p_baseline: float) -> Iterator[tuple[float, Counts]]:
    """Every table of n items with its probability."""
    for discordant in range(n + 1):
        weight = stats.binom.pmf(discordant, n, p_candidate + p_baseline)
        for candidate in range(discordant + 1):
            share = p_candidate / (p_candidate + p_baseline)
            yield (
                float(weight * stats.binom.pmf(candidate, discordant, share)),
                Counts(
                    both=0,
                    only_baseline=discordant - candidate,
                    only_candidate=candidate,
                    neither=n - discordant,
                ),
            )


def coverage(n: int, p_candidate: float, p_baseline: float) -> float:
    """Probability that the automatic interval holds the true difference."""
    truth = p_candidate - p_baseline
    covered = 0.0
    for weight, counts in tables(n, p_candidate, p_baseline):
        if weight < 1e-9:
            continue
        found = binary.paired(counts, SETTINGS).interval
        covered += weight * (not found.excludes(truth))
    return covered


@pytest.mark.parametrize(
    ("n", "p_candidate", "p_baseline", "expected"),
    [
        (20, 0.10, 0.10, 0.956),
        (20, 0.10, 0.05, 0.982),
        (50, 0.05, 0.05, 0.953),
        (50, 0.10, 0.05, 0.952),
        pytest.param(100, 0.15, 0.05, 0.956, marks=pytest.mark.slow),
        pytest.param(200, 0.10, 0.05, 0.958, marks=pytest.mark.slow),
    ],
)
def test_exact_coverage_of_the_automatic_interval(
    n: int, p_candidate: float, p_baseline: float, expected: float
) -> None:
    assert coverage(n, p_candidate, p_baseline) == pytest.approx(expected, abs=6e-4)


def null_p_values(kind: str, n_sets: int) -> np.ndarray:
    """P-values of the companion test where the two systems are exchangeable within items."""
    found = []
    for seed in range(n_sets):
        rng = np.random.default_rng([20260, seed])
        n = 120
        if kind == "macro_f1":
            y = rng.choice(4, n, p=[0.55, 0.25, 0.15, 0.05])
            a, b = (np.where(rng.random(n) < 0.75, y, rng.integers(0, 4, n)) for _ in range(2))
            options = {"references": y, "metric": "macro_f1"}
        else:
            hard = rng.exponential(size=n)
            a, b = (hard + rng.exponential(size=n) for _ in range(2))
            options = {}
        compared = deadheat.compare(a, b, n_resamples=999, rng=seed, **options)
        found.append(compared.difference.tests[0].p_value)
    return np.array(found)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["macro_f1", "mean"])
def test_a_true_null_is_rejected_at_its_level(kind: str) -> None:
    """Of 2,000 comparisons 5% reject, within 3 standard errors (the test is exact)."""
    n_sets = 2_000
    rejected = float((null_p_values(kind, n_sets) <= 0.05).mean())
    assert abs(rejected - 0.05) < 3.0 * math.sqrt(0.05 * 0.95 / n_sets)
