"""What every method that reads a bootstrap distribution has to hold, and their vectors."""

from __future__ import annotations

import math
from itertools import pairwise
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bootstrap_cases import METHODS, drawn_cases, exact_cases, mirrored, paired
from deadheat.distributions import Lattice, Replicates
from deadheat.errors import InferenceError
from deadheat.intervals import basic, bca, bca_t, expanded, normal, percentile
from deadheat.intervals.acceleration import acceleration
from vectors import close, vectors

ALL = pytest.mark.parametrize("method", METHODS.values(), ids=METHODS.keys())
CASES = st.one_of(exact_cases(), drawn_cases())
LEVELS = (0.9, 0.95, 0.99)


def ends(method: ModuleType, case: dict[str, Any], **more: Any) -> tuple[float, float]:
    interval = method.from_distribution(**case, **more)
    return interval.low, interval.high


@pytest.mark.parametrize(
    "vector",
    [
        v
        for v in vectors("intervals.bootstrap", "boot_ci")
        if v["input"]["method"] in METHODS and "z0" not in v["input"]
    ],
    ids=lambda v: v["name"],
)
def test_vector(vector: dict[str, Any]) -> None:
    """Order statistics by R's boot, NumPy's linear rule by scipy."""
    given_ = vector["input"]
    distribution = Replicates.of(
        np.array(given_["reps"]), estimate=given_["estimate"], rule=given_.get("rule", "order")
    )
    interval = METHODS[given_["method"]].from_distribution(
        distribution,
        estimate=given_["estimate"],
        confidence_level=given_["conf"],
        acceleration=acceleration(given_["jack"]) if "jack" in given_ else 0.0,
    )
    assert close(vector, "lower", interval.low)
    assert close(vector, "upper", interval.high)


@pytest.mark.parametrize(
    "vector", vectors("intervals.bootstrap", "expanded_alpha"), ids=lambda v: v["name"]
)
def test_expanded_vector(vector: dict[str, Any]) -> None:
    n, tail = vector["input"]["n"], (1.0 - vector["input"]["conf"]) / 2.0
    # The vectors carry the t quantile of scipy 1.12, which is off by 1e-9 relative (n = 50).
    expected = vector["expected"]["alpha_half"]
    assert expanded.widened(tail, n) == pytest.approx(expected, abs=2e-10, rel=0)
    t = stats.norm.ppf(expanded.widened(tail, n)) / math.sqrt(n / (n - 1))
    assert stats.t.cdf(t, n - 1) == pytest.approx(tail, rel=1e-12)
    assert expanded.nominal(expanded.widened(tail, n), n) == pytest.approx(tail, rel=1e-9)


@ALL
@given(case=CASES)
def test_levels_nest(method: ModuleType, case: dict[str, Any]) -> None:
    found = [ends(method, case, confidence_level=level) for level in LEVELS[:2]]
    if case["distribution"].n_resamples is None:
        found.append(ends(method, case, confidence_level=LEVELS[2]))
    for (low, high), (lower, higher) in pairwise(found):
        assert lower <= low + 1e-12
        assert high <= higher + 1e-12


@ALL
@given(case=CASES)
def test_swapping_the_systems_negates_the_interval(
    method: ModuleType, case: dict[str, Any]
) -> None:
    low, high = ends(method, case, confidence_level=0.9)
    swapped = ends(method, mirrored(case), confidence_level=0.9)
    assert swapped == pytest.approx((-high, -low), abs=1e-12)


@ALL
@given(case=CASES)
def test_one_sided_ends_are_those_of_twice_alpha(method: ModuleType, case: dict[str, Any]) -> None:
    low, high = ends(method, case, confidence_level=0.9)
    assert ends(method, case, alternative="greater") == (pytest.approx(low), math.inf)
    assert ends(method, case, alternative="less") == (-math.inf, pytest.approx(high))


@pytest.mark.parametrize("method", [percentile, expanded, bca, bca_t])
@given(case=drawn_cases())
def test_percentile_methods_follow_a_rising_map(method: ModuleType, case: dict[str, Any]) -> None:
    """Monotone invariance: the interval of exp(T) is exp of the interval of T."""
    distribution = case["distribution"]
    # The case is made so that its draws lie well within what exp and the tie rule can hold.
    estimate = float(distribution.values[np.abs(distribution.values - case["estimate"]).argmin()])
    plain = ends(method, case | {"estimate": estimate}, confidence_level=0.9)
    mapped = ends(
        method,
        case
        | {
            "distribution": Replicates.of(np.exp(distribution.values)),
            "estimate": math.exp(estimate),
        },
        confidence_level=0.9,
    )
    assert mapped == pytest.approx((math.exp(plain[0]), math.exp(plain[1])), rel=1e-12)


@pytest.mark.parametrize("name", ["percentile", "basic", "BCa"])
def test_scipy_bootstrap_agrees_on_its_own_draws(name: str) -> None:
    data = np.random.default_rng(5).gamma(2.0, size=60)
    theirs = stats.bootstrap(
        (data,), np.mean, n_resamples=1_999, method=name, rng=np.random.default_rng(1)
    )
    jackknife = (data.sum() - data) / (data.size - 1)
    interval = METHODS[name.lower()].from_distribution(
        Replicates.of(theirs.bootstrap_distribution, estimate=data.mean(), rule="linear"),
        estimate=float(data.mean()),
        acceleration=acceleration(jackknife),
    )
    assert interval.low == pytest.approx(theirs.confidence_interval.low, rel=1e-9)
    assert interval.high == pytest.approx(theirs.confidence_interval.high, rel=1e-9)


def test_exact_percentile_leaves_no_more_than_the_tail_outside() -> None:
    """The outer rule on the trinomial of seed 2, vector exactboot.paired.seed2."""
    interval = percentile.from_distribution(paired(67, 85, 500), estimate=0.036)
    assert (interval.low, interval.high) == (pytest.approx(-0.012), pytest.approx(0.084))
    assert interval.monte_carlo_error is None


@pytest.mark.parametrize("rule", ["linear", "order"])
def test_seed_0_function_on_the_counts_of_seed_2(rule: Any) -> None:
    """Its draws, NumPy's Generator row by row, through our ends; vector seeds.reproduction."""
    (vector,) = vectors("seeds.reproduction")
    given_ = vector["input"]
    delta = np.zeros(given_["n"])
    delta[: given_["b_only"]] = 1.0
    delta[given_["b_only"] : given_["b_only"] + given_["a_only"]] = -1.0
    rng = np.random.default_rng(given_["seed"])
    draws = np.array(
        [delta[rng.integers(0, delta.size, delta.size)].mean() for _ in range(given_["draws"])]
    )
    estimate = float(delta.mean())
    assert close(vector, "estimate", estimate)
    interval = percentile.from_distribution(
        Replicates.of(draws, estimate=estimate, rule=rule), estimate=estimate
    )
    assert close(vector, "lower", interval.low)
    assert close(vector, "upper", interval.high)


def test_basic_leaves_the_range_of_an_accuracy() -> None:
    """CASES 9: nine right of ten: percentile [0.7, 1.0], basic [0.8, 1.1]."""
    nine_of_ten = Lattice(pmf=stats.binom.pmf(np.arange(11), 10, 0.9), start=0, denominator=10)
    assert ends(percentile, {"distribution": nine_of_ten, "estimate": 0.9}) == (0.7, 1.0)
    assert ends(basic, {"distribution": nine_of_ten, "estimate": 0.9}) == pytest.approx((0.8, 1.1))


@ALL
@pytest.mark.parametrize("value", [1.0, 0.0, 0.1])
def test_no_spread_is_degenerate_and_named_so(method: ModuleType, value: float) -> None:
    """CASES 1 and 2: also where only rounding varies."""
    draws = value * (1.0 + 5e-17 * np.random.default_rng(0).standard_normal(999))
    interval = method.from_distribution(Replicates.of(draws), estimate=value, n_units=10)
    assert interval.method == "degenerate"
    assert (interval.low, interval.high) == (value, value)
    assert "same value" in interval.note


@ALL
def test_one_unit_is_undefined(method: ModuleType) -> None:
    """CASES 5: neither [x, x] nor [0, 1]."""
    interval = method.from_distribution(paired(3, 5, 10), estimate=0.2, n_units=1)
    assert not interval.defined
    assert "one item" in interval.note


@ALL
@pytest.mark.parametrize("draws", [[], [0.3], [math.nan, math.nan, 0.3]])
def test_fewer_than_two_draws_are_refused(method: ModuleType, draws: list[float]) -> None:
    """CASES 35."""
    with pytest.raises(InferenceError, match="at least 2"):
        method.from_distribution(Replicates.of(np.array(draws)), estimate=0.3, n_units=10)


@ALL
def test_undefined_estimate_is_undefined(method: ModuleType) -> None:
    interval = method.from_distribution(paired(3, 5, 10), estimate=math.nan, n_units=10)
    assert not interval.defined


@pytest.mark.parametrize("method", [percentile, basic])
def test_too_few_draws_name_the_number_needed(method: ModuleType) -> None:
    draws = Replicates.of(np.linspace(-1.0, 1.0, 38))
    with pytest.raises(InferenceError, match="at least") as caught:
        method.from_distribution(draws, estimate=0.0)
    needed = int(caught.value.fix.split()[3].replace(",", ""))
    assert needed == 39
    enough = Replicates.of(np.linspace(-1.0, 1.0, needed))
    assert method.from_distribution(enough, estimate=0.0).defined


def test_expanded_needs_more_draws_than_percentile() -> None:
    with pytest.raises(InferenceError, match="at least 1,048 "):
        expanded.from_distribution(
            Replicates.of(np.linspace(-1.0, 1.0, 1_000)), estimate=0.0, n_units=5
        )


@pytest.mark.parametrize("method", [expanded, bca_t])
def test_expansion_needs_the_number_of_units(method: ModuleType) -> None:
    with pytest.raises(InferenceError, match="number of units"):
        method.from_distribution(paired(3, 5, 10), estimate=0.2)


@pytest.mark.parametrize(("method", "plain"), [(expanded, percentile), (bca_t, bca)])
def test_expansion_widens_and_fades(method: ModuleType, plain: ModuleType) -> None:
    draws = Replicates.of(np.random.default_rng(3).standard_normal(9_999))
    base = plain.from_distribution(draws, estimate=0.0)
    small = method.from_distribution(draws, estimate=0.0, n_units=10)
    large = method.from_distribution(draws, estimate=0.0, n_units=10_000_000)
    assert small.low < base.low
    assert base.high < small.high
    assert (large.low, large.high) == pytest.approx((base.low, base.high), abs=2e-3)


def test_normal_is_bias_corrected() -> None:
    draws = Replicates.of(np.array([0.0, 1.0, 2.0, 3.0, 4.0]))
    interval = normal.from_distribution(draws, estimate=1.0, confidence_level=0.9)
    half = stats.norm.isf(0.05) * math.sqrt(2.5)
    assert (interval.low, interval.high) == pytest.approx((-half, half))


@pytest.mark.parametrize("method", [percentile, basic, normal, bca])
def test_monte_carlo_error_is_how_far_the_ends_move(method: ModuleType) -> None:
    """95% half-width: 1.96 standard deviations of the ends over fresh draws."""
    rng = np.random.default_rng(11)
    found = [
        method.from_distribution(
            Replicates.of(rng.standard_normal(999)), estimate=0.0, alternative="greater"
        )
        for _ in range(400)
    ]
    spread = 1.96 * np.std([interval.low for interval in found])
    stated = np.mean([i.monte_carlo_error for i in found])
    assert stated == pytest.approx(spread, rel=0.15)


def test_one_sided_monte_carlo_error_is_of_the_closed_end() -> None:
    draws = Replicates.of(np.random.default_rng(2).exponential(size=999))
    less = percentile.from_distribution(draws, estimate=1.0, alternative="less")
    greater = percentile.from_distribution(draws, estimate=1.0, alternative="greater")
    assert less.monte_carlo_error == pytest.approx(draws.upper_error(0.05))
    assert greater.monte_carlo_error == pytest.approx(draws.lower_error(0.05))
