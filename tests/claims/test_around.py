"""True intervals around the estimate, by draws, are never called impossible; false ones are."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from deadheat.claims import claim
from deadheat.claims.around import normal_drawn
from deadheat.claims.outcome import Outcome
from deadheat.claims.printed import points

CASES = [(541, 99, 134), (164, 15, 13), (817, 165, 200), (198, 28, 15), (198, 16, 3)]
"""Items, only the candidate right, only the baseline."""


def published(n: int, ahead: int, behind: int, method: str, seed: int) -> tuple[float, float]:
    """The interval in points, of 2,000 draws."""
    rng = np.random.default_rng(seed)
    drawn = rng.multinomial(n, [ahead / n, behind / n, 1 - (ahead + behind) / n], 2_000)
    gaps = 100 * (drawn[:, 0] - drawn[:, 1]) / n
    gap = 100 * (ahead - behind) / n
    if method == "normal":
        return gap - 1.96 * gaps.std(), gap + 1.96 * gaps.std()
    low, high = np.quantile(gaps, [0.025, 0.975])
    return 2 * gap - high, 2 * gap - low


@pytest.mark.parametrize("method", ["basic", "normal"])
@pytest.mark.parametrize(("n", "ahead", "behind"), CASES)
def test_drawn_ones_are_possible(n: int, ahead: int, behind: int, method: str) -> None:
    for seed in range(5):
        low, high = published(n, ahead, behind, method, seed)
        found = claim(
            n=n,
            gap=f"{ahead - behind}/{n}",
            discordant=ahead + behind,
            interval=(f"{low:.1f}", f"{high:.1f}"),
            n_resamples=2_000,
        )
        assert found.findings == (), (low, high)


@pytest.mark.parametrize("off", [(-1.0, 1.0), (1.0, 1.0)])
def test_others_are_not(off: tuple[float, float]) -> None:
    low, high = published(541, 99, 134, "normal", 0)
    found = claim(
        n=541,
        gap="-35/541",
        discordant=233,
        interval=(f"{low + off[0]:.1f}", f"{high + off[1]:.1f}"),
        n_resamples=2_000,
    )
    assert found.reading.code == "inconsistent"


def test_the_chance_of_a_normal_one_is_that_of_its_error() -> None:
    outcome = Outcome.of(200, 20, 60, 0.95)
    found = normal_drawn(outcome, (points("2.7", "low", 200), points("17.3", "high", 200)), 1_000)
    sigma = 100 * np.sqrt((0.3 - 0.01) / 200)
    draws = sigma * np.sqrt(stats.chi2.rvs(999, size=200_000, random_state=1) / 999)
    low, high = 10 - 1.96 * draws, 10 + 1.96 * draws
    printed = (abs(low - 2.7) <= 0.05) & (abs(high - 17.3) <= 0.05)
    assert found.chance == pytest.approx(printed.mean(), abs=0.005)
