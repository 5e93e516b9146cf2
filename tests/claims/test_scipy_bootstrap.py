"""Intervals that scipy.stats.bootstrap prints are never called impossible."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from deadheat.claims import claim
from deadheat.claims.outcome import Outcome

COUNTS = [(3, 0), (4, 0), (6, 0), (8, 1), (0, 5), (12, 3), (20, 12), (30, 0), (85, 67)]
"""Only the candidate right, only the baseline."""


def drawn(values: np.ndarray, method: str, n_resamples: int, seed: int) -> tuple[float, float]:
    """The interval in points."""
    found = stats.bootstrap(
        (values,),
        np.mean,
        method=method,
        n_resamples=n_resamples,
        batch=200,
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return 100.0 * found.low, 100.0 * found.high


def differences(n: int, ahead: int, behind: int) -> np.ndarray:
    return np.array([1.0] * ahead + [-1.0] * behind + [0.0] * (n - ahead - behind))


@pytest.mark.parametrize("method", ["BCa", "percentile"])
@pytest.mark.parametrize("n", [50, 400, 1_000])
@pytest.mark.parametrize(("ahead", "behind"), COUNTS)
def test_a_gap(n: int, ahead: int, behind: int, method: str) -> None:
    if ahead + behind > n:
        pytest.skip("more discordant items than items")
    values = differences(n, ahead, behind)
    for n_resamples in (9_999, 1_000):
        low, high = drawn(values, method, n_resamples, seed=ahead)
        for places in (1, 2):
            found = claim(
                n=n,
                gap=f"{100 * (ahead - behind) / n:.{places}f}",
                interval=(f"{low:.{places}f}", f"{high:.{places}f}"),
                n_resamples=n_resamples,
            )
            assert found.findings == (), (low, high)
            assert found.matches != ()


@pytest.mark.parametrize(("right", "n"), [(3, 40), (37, 40), (4, 200), (150, 200), (498, 500)])
@pytest.mark.parametrize("method", ["BCa", "percentile"])
def test_one_value(right: int, n: int, method: str) -> None:
    low, high = drawn(np.array([1.0] * right + [0.0] * (n - right)), method, 9_999, seed=right)
    found = claim(n=n, baseline=f"{right}/{n}", interval=(f"{low:.1f}", f"{high:.1f}"))
    assert found.findings == ()


@pytest.mark.parametrize(("ahead", "behind"), [(6, 0), (8, 1), (20, 12)])
def test_the_exact_one_is_what_many_draws_come_to(ahead: int, behind: int) -> None:
    """Ends of 200,000 draws, between whose neighbours the exact ends lie: one step of 1/n."""
    n = 100
    low, high = drawn(differences(n, ahead, behind), "BCa", 200_000, seed=1)
    exact = Outcome.of(n, ahead - behind, ahead + behind, 0.95).interval("bca")
    assert abs(100 * exact.low - low) <= 1.0 + 1e-9
    assert abs(100 * exact.high - high) <= 1.0 + 1e-9


def test_an_unpaired_interval_beside_discordant_items() -> None:
    """Newcombe's for 356 and 374 of 500, with 60 discordant items: too wide for pairs."""
    found = claim(n=500, baseline="71.2", candidate="74.8", interval=("-1.9", "9.1"), discordant=60)
    codes = [note.code for note in found.notes]
    assert "unpaired" in codes
    assert "too_wide" not in codes
    assert found.findings == ()
