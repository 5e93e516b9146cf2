"""How often the automatic interval for 0/1 scores holds the truth, by enumeration.

Every table of n items is weighed by its probability; nothing is simulated. The expected values
are those of an independent enumeration (STATISTICS.md 0.3).
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from scipy import stats

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
