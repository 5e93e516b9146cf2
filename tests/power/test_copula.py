"""Four cells of two accuracies against scipy's bivariate normal, closed forms and their inverse."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from deadheat.errors import InferenceError
from deadheat.power import Cells, cells, cells_of_discordance, correlation_of

SHARES = st.floats(0.01, 0.99)
CORRELATIONS = st.floats(-0.999, 0.999)

few = settings(max_examples=30)


@pytest.mark.parametrize("correlation", [-0.95, -0.4, 0.0, 0.3, 0.8, 0.99])
@pytest.mark.parametrize(
    ("first", "second"), [(0.72, 0.76), (0.5, 0.5), (0.5, 0.9), (0.03, 0.5), (0.02, 0.98)]
)
def test_both_right_against_scipy(first: float, second: float, correlation: float) -> None:
    judge = stats.multivariate_normal(mean=[0, 0], cov=[[1, correlation], [correlation, 1]])
    both = judge.cdf([stats.norm.ppf(first), stats.norm.ppf(second)])
    assert cells(first, second, correlation).both == pytest.approx(both, abs=2e-6)


@few
@given(first=SHARES, second=SHARES, correlation=st.floats(-0.95, 0.95))
def test_both_right_by_integration(first: float, second: float, correlation: float) -> None:
    k, scale = stats.norm.ppf(second), math.sqrt(1.0 - correlation**2)
    both, _ = integrate.quad(
        lambda x: stats.norm.pdf(x) * stats.norm.cdf((k - correlation * x) / scale),
        -9.0,
        stats.norm.ppf(first),
        epsabs=1e-12,
    )
    assert cells(first, second, correlation).both == pytest.approx(both, abs=1e-10)


@given(correlation=CORRELATIONS)
def test_two_halves(correlation: float) -> None:
    """Sheppard (1899): 1/4 + arcsin(rho) / 2 pi."""
    expected = 0.25 + math.asin(correlation) / (2.0 * math.pi)
    assert cells(0.5, 0.5, correlation).both == pytest.approx(expected, abs=1e-15)


@given(first=SHARES, second=SHARES, correlation=st.floats(-1, 1))
def test_margins_sum_and_swap(first: float, second: float, correlation: float) -> None:
    found = cells(first, second, correlation)
    swapped = cells(second, first, correlation)
    flipped = cells(1.0 - first, 1.0 - second, correlation)
    assert found.baseline == pytest.approx(first, abs=1e-15)
    assert found.candidate == pytest.approx(second, abs=1e-15)
    assert found.gap == pytest.approx(second - first, abs=1e-15)
    assert found.only_baseline == pytest.approx(swapped.only_candidate, abs=1e-15)
    assert found.both == pytest.approx(flipped.neither, abs=2e-15)


@given(first=SHARES, second=SHARES, lower=CORRELATIONS, higher=CORRELATIONS)
def test_discordance_falls_with_the_correlation(
    first: float, second: float, lower: float, higher: float
) -> None:
    lower, higher = sorted((lower, higher))
    less, more = cells(first, second, lower), cells(first, second, higher)
    assert more.discordance <= less.discordance + 1e-15


@few
@given(first=st.floats(0.2, 0.8), second=st.floats(0.2, 0.8), correlation=st.floats(-0.9, 0.9))
def test_the_correlation_is_found_again(first: float, second: float, correlation: float) -> None:
    assert correlation_of(cells(first, second, correlation)) == pytest.approx(correlation, abs=1e-9)


@given(first=SHARES, second=SHARES, correlation=st.floats(-1, 1))
def test_the_correlation_gives_the_cells_again(
    first: float, second: float, correlation: float
) -> None:
    """Also where it is hardly defined: near 1 in size, or with accuracies near 0 or 1."""
    found = cells(first, second, correlation)
    again = cells(found.baseline, found.candidate, correlation_of(found))
    assert again.both == pytest.approx(found.both, abs=2e-15)


@given(first=SHARES, second=SHARES)
def test_independence_and_the_bounds_of_frechet(first: float, second: float) -> None:
    assert cells(first, second, 0.0).both == pytest.approx(first * second, abs=1e-15)
    assert cells(first, second, 1.0).both == min(first, second)
    assert cells(first, second, -1.0).both == max(0.0, first + second - 1.0)


@pytest.mark.parametrize("correlation", [-1.0, 1.0])
def test_certain_agreement_is_found_again(correlation: float) -> None:
    assert correlation_of(cells(0.75, 0.5, correlation)) == correlation


def test_loading_and_correlation_are_not_one_thing() -> None:
    """Seed 2's simulator loads both scores on one factor with 0.6: their correlation is 0.36."""
    found = cells(0.72, 0.76, 0.6**2)
    assert found.discordance == pytest.approx(0.30369, abs=5e-6)
    assert found.phi == pytest.approx(0.2136, abs=5e-5)
    assert cells(0.72, 0.76, 0.6).discordance == pytest.approx(0.23802, abs=5e-6)


@given(first=SHARES, second=SHARES, correlation=CORRELATIONS)
def test_phi_and_sd_by_their_definitions(first: float, second: float, correlation: float) -> None:
    found = cells(first, second, correlation)
    covariance = found.both - first * second
    spreads = math.sqrt(first * (1.0 - first)), math.sqrt(second * (1.0 - second))
    assert found.phi == pytest.approx(covariance / (spreads[0] * spreads[1]), abs=1e-9)
    # Var(candidate - baseline) from the variances and the covariance of the two scores.
    variance = spreads[0] ** 2 + spreads[1] ** 2 - 2.0 * covariance
    assert found.sd == pytest.approx(math.sqrt(max(variance, 0.0)), abs=1e-7)


@pytest.mark.parametrize("correlation", [-1.0, 0.3, 1.0])
@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (1.0, 1.0, (1.0, 0.0, 0.0, 0.0)),
        (0.0, 1.0, (0.0, 0.0, 1.0, 0.0)),
        (0.0, 0.0, (0.0, 0.0, 0.0, 1.0)),
        (1.0, 0.75, (0.75, 0.25, 0.0, 0.0)),
        (0.25, 0.0, (0.0, 0.25, 0.0, 0.75)),
    ],
)
def test_always_right_and_always_wrong(
    first: float, second: float, expected: tuple[float, ...], correlation: float
) -> None:
    found = cells(first, second, correlation)
    assert (found.both, found.only_baseline, found.only_candidate, found.neither) == expected
    assert math.isnan(found.phi)
    assert math.isnan(correlation_of(found))


@given(first=st.floats(0, 1), second=st.floats(0, 1), where=st.floats(0, 1))
def test_every_feasible_discordance_is_met(first: float, second: float, where: float) -> None:
    least, most = abs(first - second), min(first + second, 2.0 - first - second)
    found = cells_of_discordance(first, second, least + where * (most - least))
    assert found.discordance == pytest.approx(least + where * (most - least), abs=1e-14)
    assert found.baseline == pytest.approx(first, abs=1e-14)
    assert found.candidate == pytest.approx(second, abs=1e-14)


@pytest.mark.parametrize("discordance", [0.03, 0.26])
def test_impossible_discordance_names_the_feasible_range(discordance: float) -> None:
    with pytest.raises(InferenceError, match=r"not possible .* Give a share from 0\.05 to 0\.25"):
        cells_of_discordance(0.85, 0.9, discordance)


@pytest.mark.parametrize("bad", [-0.1, 1.1, math.nan, math.inf, True, "0.5", None])
def test_what_is_no_share_is_refused(bad: object) -> None:
    for made in (
        lambda: cells(bad, 0.5, 0.0),
        lambda: cells(0.5, bad, 0.0),
        lambda: cells_of_discordance(bad, 0.5, 0.1),
        lambda: cells_of_discordance(0.5, 0.5, bad),
        lambda: Cells(both=bad, only_baseline=0.0, only_candidate=0.5, neither=0.5),
    ):
        with pytest.raises(InferenceError, match=r" is .*\. Give a number from 0 to 1"):
            made()


@pytest.mark.parametrize("bad", [-1.01, 1.01, math.nan, True, "0.5"])
def test_what_is_no_correlation_is_refused(bad: object) -> None:
    with pytest.raises(InferenceError, match="the correlation is"):
        cells(0.5, 0.5, bad)


def test_cells_add_up() -> None:
    with pytest.raises(InferenceError, match=r"add up to 1\.2"):
        Cells(both=0.5, only_baseline=0.2, only_candidate=0.2, neither=0.3)
    rounded = Cells(both=1 - 0.7 - 0.3, only_baseline=0.3, only_candidate=0.7, neither=0.0)
    assert rounded.both >= 0.0
