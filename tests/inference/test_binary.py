"""0/1 scores: far tails, differences without spread, and planning figures."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

import deadheat
from deadheat.inference import binary
from deadheat.inference.result import Counts
from deadheat.power import connor, minimum_detectable
from deadheat.settings import Settings
from vectors import vectors


def counts(both: int, only_baseline: int, only_candidate: int, neither: int) -> Counts:
    return Counts(
        both=both, only_baseline=only_baseline, only_candidate=only_candidate, neither=neither
    )


@pytest.mark.parametrize(
    "vector", vectors("intervals.paired", "paired_prop_ci"), ids=lambda v: v["name"]
)
def test_estimate_vectors(vector: dict) -> None:
    given = vector["input"]
    table = counts(given["both"], given["a_only"], given["b_only"], given["neither"])
    assert binary.paired(table, Settings()).estimate == pytest.approx(
        vector["expected"]["estimate"], abs=1e-12
    )


@pytest.mark.parametrize("n", [2, 10, 60])
@pytest.mark.parametrize("method", ["percentile", "basic", "normal", "expanded", "bca", "bca_t"])
def test_a_difference_without_spread_has_no_p_value_of_its_own(n: int, method: str) -> None:
    """All of n items are gained: every resample says 1, which measures nothing."""
    found = deadheat.compare([0] * n, [1] * n, method=method)
    assert math.isnan(found.difference.p_value)
    assert found.reading.code == "degenerate"
    assert "candidate" in found.reading.text
    assert found.difference.tests[0].p_value == pytest.approx(2.0 ** (1 - n), rel=1e-12)


def test_the_share_is_one_number_in_the_far_tail() -> None:
    """P(T <= 0) with 200 gains and 2 losses of 402, by whole numbers."""
    n, gains, losses = 402, 200, 2
    share = Fraction(0)
    for discordant in range(n + 1):
        weight = math.comb(n, discordant) * (gains + losses) ** discordant
        weight *= (n - gains - losses) ** (n - discordant)
        inside = sum(
            math.comb(discordant, up) * gains**up * losses ** (discordant - up)
            for up in range(discordant // 2 + 1)
        )
        share += Fraction(weight * inside, n**n * (gains + losses) ** discordant)
    found = binary.paired(counts(100, losses, gains, 100), Settings())
    shares = [test.p_value for test in found.tests if test.name == "bootstrap"]
    for p_value in (found.p_value, *shares):
        assert p_value == pytest.approx(float(2 * share), rel=1e-9)


@pytest.mark.parametrize(("n", "alpha"), [(2, 0.10), (3, 0.05), (6, 0.01), (10, 0.001)], ids=str)
def test_no_gap_is_detectable_where_even_the_largest_needs_more_items(n: int, alpha: float) -> None:
    assert connor(1.0, 1.0, alpha=alpha) > n
    assert math.isnan(minimum_detectable(n, discordance=1.0, alpha=alpha))


def test_one_sided_planning_takes_the_one_sided_level() -> None:
    """Connor's formula with z of 1 - alpha in place of 1 - alpha / 2."""
    found = binary.paired(counts(289, 67, 85, 59), Settings(alternative="greater"))
    two_sided = binary.paired(counts(289, 67, 85, 59), Settings())
    assert found.resolving is not None
    assert two_sided.resolving is not None
    # (1.6449 + .8416)^2 / (1.9600 + .8416)^2 = .788, all else equal
    assert found.resolving[0] / two_sided.resolving[0] == pytest.approx(0.788, abs=0.01)


def test_levels_beyond_the_digits_of_a_pmf_are_said() -> None:
    """An adjusted level of 1e-20 is no quantile of a distribution known to 1e-16."""
    found = deadheat.compare(
        [1] * 18 + [0] * 29, [1] * 17 + [0] * 30, method="bca_t", confidence_level=0.999
    )
    assert found.difference.interval.low > -0.41  # the exact rational one
    assert "too far out" in found.difference.interval.note
