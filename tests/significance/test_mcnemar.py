"""McNemar's test against R, statsmodels and exact integers."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from deadheat.errors import InferenceError, UsageError
from deadheat.significance.mcnemar import mcnemar
from vectors import close, vectors

COUNTS = st.integers(0, 60)
VARIANTS = ("exact", "midp", "chi2", "chi2_cc")


@pytest.mark.parametrize("vector", vectors("pvalues.mcnemar"), ids=lambda v: v["name"])
def test_vector(vector: dict[str, Any]) -> None:
    given_ = vector["input"]
    found = mcnemar(given_["a_only"], given_["b_only"], variant=given_.get("method", "exact"))
    assert close(vector, "p_value", found.p_value)
    if "statistic" in vector["expected"]:
        assert close(vector, "statistic", found.statistic)


@pytest.mark.parametrize(
    ("b", "c", "p"),
    [(5, 5, 1.0), (1, 11, 0.00634765625), (0, 6, 0.03125), (300, 220, 0.000519416)],
)
def test_exact_never_exceeds_one_and_is_symmetric(b: int, c: int, p: float) -> None:
    """CASES 28."""
    assert mcnemar(b, c).p_value == pytest.approx(p, rel=1e-6)
    assert mcnemar(c, b).p_value == mcnemar(b, c).p_value


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("side", ["two-sided", "less", "greater"])
def test_nothing_discordant_is_one(variant: str, side: Any) -> None:
    """CASES 27."""
    found = mcnemar(0, 0, variant=variant, alternative=side)
    assert (found.p_value, found.statistic) == (1.0, 0.0)
    assert found.note == "no item separates the systems"


@pytest.mark.parametrize("ties", [1, 5, 40])
def test_correction_never_turns_a_tie_into_a_difference(ties: int) -> None:
    """CASES 27: statsmodels gives 0.1 and p = 0.75 for 5 and 5."""
    found = mcnemar(ties, ties, variant="chi2_cc")
    assert (found.statistic, found.p_value) == (0.0, 1.0)


def test_documents_compared_as_pairs() -> None:
    """CASES 37: only A 25, only B 10."""
    assert mcnemar(25, 10).p_value == pytest.approx(0.016674, abs=1e-6)


@given(losses=COUNTS, wins=COUNTS)
def test_one_sided_exact_and_midp_by_whole_numbers(losses: int, wins: int) -> None:
    total = losses + wins
    point = Fraction(math.comb(total, wins), 2**total)
    at_least = sum(Fraction(math.comb(total, k), 2**total) for k in range(wins, total + 1))
    exact = mcnemar(losses, wins, alternative="greater").p_value
    assert exact == pytest.approx(float(at_least), rel=1e-12)
    if total:
        midp = mcnemar(losses, wins, variant="midp", alternative="greater").p_value
        assert midp == pytest.approx(float(at_least - point / 2), rel=1e-12)


@given(losses=COUNTS, wins=COUNTS)
def test_exact_is_the_binomial_test(losses: int, wins: int) -> None:
    if losses + wins:
        theirs = stats.binomtest(wins, losses + wins).pvalue
        assert mcnemar(losses, wins).p_value == pytest.approx(theirs, rel=1e-9)


@pytest.mark.parametrize("variant", VARIANTS)
@given(losses=COUNTS, wins=COUNTS)
def test_swapping_turns_the_side(variant: str, losses: int, wins: int) -> None:
    greater = mcnemar(losses, wins, variant=variant, alternative="greater").p_value
    less = mcnemar(wins, losses, variant=variant, alternative="less").p_value
    assert greater == less
    two = mcnemar(losses, wins, variant=variant).p_value
    other = mcnemar(losses, wins, variant=variant, alternative="less").p_value
    assert two == pytest.approx(min(1.0, 2.0 * min(greater, other)))


@given(losses=COUNTS, wins=COUNTS)
def test_chi2_one_sided_is_the_signed_root(losses: int, wins: int) -> None:
    if losses + wins:
        z = (wins - losses) / math.sqrt(wins + losses)
        found = mcnemar(losses, wins, variant="chi2", alternative="greater")
        assert found.p_value == pytest.approx(stats.norm.sf(z), rel=1e-9)


def test_far_tail_is_relative_and_underflow_is_a_bound() -> None:
    assert mcnemar(0, 1_000).p_value == pytest.approx(2.0**-999, rel=1e-9)
    found = mcnemar(0, 5_000)
    assert 0.0 < found.p_value == found.p_value_bound


@pytest.mark.parametrize(("wins", "smallest"), [(1, 1.0), (4, 0.125), (5, 0.0625)])
def test_too_few_discordant_items_say_what_they_can_reach(wins: int, smallest: float) -> None:
    found = mcnemar(0, wins)
    assert found.p_value == smallest
    assert f"only {wins} discordant item" in found.note
    assert f"{smallest:g}" in found.note
    assert mcnemar(0, 6).note == ""


def test_detail_and_direction() -> None:
    """CASES 32."""
    found = mcnemar(3, 17, alternative="greater")
    assert found.detail == {"only_baseline": 3, "only_candidate": 17}
    assert found.p_value < 0.01 < mcnemar(3, 17, alternative="less").p_value


def test_refusals() -> None:
    with pytest.raises(UsageError, match="Did you mean chi2"):
        mcnemar(1, 2, variant="chi")
    with pytest.raises(UsageError, match="alternative"):
        mcnemar(1, 2, alternative="bigger")  # type: ignore[arg-type]
    with pytest.raises(InferenceError, match="not a count"):
        mcnemar(-1, 2)
    with pytest.raises(InferenceError, match="not a count"):
        mcnemar(1, 2.5)  # type: ignore[arg-type]
