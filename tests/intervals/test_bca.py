"""BCa: its parts, its fall-backs and its level map."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bootstrap_cases import acceleration_of, paired
from deadheat.distributions import Replicates
from deadheat.intervals import bca, bca_t, percentile
from deadheat.intervals.acceleration import acceleration
from vectors import close, vectors


def named(name: str) -> dict[str, Any]:
    return next(v for v in vectors("intervals.bootstrap") if v["name"] == name)


def test_parts_vector() -> None:
    vector = named("bootci.bca.parts.lattice")
    given_ = vector["input"]
    a = acceleration(given_["jack"])
    corrected = bca.correction(
        Replicates.of(np.array(given_["reps"]), estimate=given_["estimate"]),
        given_["estimate"],
        a,
    )
    assert close(vector, "z0", corrected.z0)
    assert close(vector, "a", a)


def test_norm_inter_vector_of_r_with_its_own_z0() -> None:
    vector = named("bootci.bca.norminter.90")
    given_ = vector["input"]
    interval = bca.at_tail(
        Replicates.of(np.array(given_["reps"]), rule="norm_inter"),
        0.05,
        bca.Correction(z0=given_["z0"], a=acceleration(given_["jack"])),
        method="bca",
        confidence_level=0.9,
        alternative="two-sided",
    )
    assert close(vector, "lower", interval.low)
    assert close(vector, "upper", interval.high)


@pytest.mark.parametrize("vector", vectors("pvalues.bootstrap", "bca_p"), ids=lambda v: v["name"])
def test_p_vector(vector: dict[str, Any]) -> None:
    given_ = vector["input"]
    p = bca.p_of_share(given_["share_midrank_at_zero"], given_["z0"], given_["a"])
    assert close(vector, "p_value", p)


@given(
    tail=st.floats(1e-4, 0.5),
    z0=st.floats(-0.5, 0.5),
    a=st.floats(-0.1, 0.1),
)
def test_level_map_has_its_inverse(tail: float, z0: float, a: float) -> None:
    corrected = bca.Correction(z0=z0, a=a)
    assert corrected.defined(tail)
    assert corrected.nominal(corrected.adjusted(tail)) == pytest.approx(tail, rel=1e-6)


def test_without_bias_and_acceleration_it_is_the_percentile_interval() -> None:
    draws = Replicates.of(np.arange(-999.0, 1000.0))
    plain = percentile.from_distribution(draws, estimate=0.0)
    corrected = bca.from_distribution(draws, estimate=0.0)
    assert (corrected.low, corrected.high) == (plain.low, plain.high)


def test_exact_levels_on_seed_2() -> None:
    """The levels by hand: z0 from the mid-rank, a from the counts, ends by the outer rule."""
    distribution = paired(67, 85, 500)
    a = acceleration_of(67, 85, 500)
    interval = bca.from_distribution(distribution, estimate=0.036, acceleration=a)
    below = np.cumsum(distribution.pmf)
    at = 500 + 18
    share = below[at] - distribution.pmf[at] / 2.0
    from scipy.stats import norm

    z0 = norm.ppf(share)
    level = norm.cdf(z0 + (z0 - 1.959963984540054) / (1 - a * (z0 - 1.959963984540054)))
    low = (np.flatnonzero(below >= level)[0] - 500) / 500
    assert interval.low == pytest.approx(low)


def test_wild_acceleration_falls_back_to_percentile_and_says_so() -> None:
    draws = Replicates.of(np.random.default_rng(0).standard_normal(1_999))
    for method in (bca, bca_t):
        interval = method.from_distribution(draws, estimate=0.0, n_units=50, acceleration=1.5)
        plain = percentile.from_distribution(draws, estimate=0.0)
        assert interval.method == "percentile"
        assert (interval.low, interval.high) == (plain.low, plain.high)
        assert "turns the levels over" in interval.note


def test_one_sided_fall_back_looks_at_the_closed_end_only() -> None:
    draws = Replicates.of(np.random.default_rng(0).standard_normal(1_999))
    case = {"estimate": 0.0, "acceleration": 0.8}
    assert bca.from_distribution(draws, **case, alternative="greater").method == "bca"
    assert bca.from_distribution(draws, **case, alternative="less").method == "percentile"


def test_undefined_acceleration_falls_back() -> None:
    draws = Replicates.of(np.random.default_rng(0).standard_normal(1_999))
    interval = bca.from_distribution(draws, estimate=0.0, acceleration=math.nan)
    assert interval.method == "percentile"
    assert "acceleration is undefined" in interval.note


@pytest.mark.parametrize(("undefined", "method"), [(10, "bca"), (11, "percentile")])
def test_more_than_one_percent_undefined_refuses_bca(undefined: int, method: str) -> None:
    draws = np.random.default_rng(0).standard_normal(1_000)
    draws[:undefined] = np.nan
    interval = bca.from_distribution(Replicates.of(draws), estimate=0.0)
    assert interval.method == method
    assert (f"undefined in {undefined} of 1,000" in interval.note) == (method == "percentile")


def test_level_beyond_the_draws_is_clipped_and_said() -> None:
    draws = np.sort(np.random.default_rng(0).standard_normal(99))
    estimate = float(np.quantile(draws, 0.9))
    interval = bca.from_distribution(Replicates.of(draws), estimate=estimate)
    assert interval.high == draws[-1]
    assert "outermost draw" in interval.note
    assert interval.method == "bca"


def test_piled_up_on_a_bound() -> None:
    """CASES 8: max(mean, 0), half of the draws on 0, must not be undefined."""
    draws = np.maximum(np.random.default_rng(4).standard_normal(1_999), 0.0)
    interval = bca.from_distribution(Replicates.of(draws), estimate=0.0, acceleration=0.0)
    assert interval.defined
    assert interval.low == 0.0


def test_equal_jackknife_values_leave_only_the_bias_correction() -> None:
    """CASES 7: the median of 1, 2, 3, 3, 4, 5; every leave-one-out median is 3."""
    rng = np.random.default_rng(0)
    data = np.array([1.0, 2.0, 3.0, 3.0, 4.0, 5.0])
    draws = np.median(rng.choice(data, (9_999, 6)), axis=1)
    interval = bca.from_distribution(
        Replicates.of(draws), estimate=3.0, acceleration=acceleration([3.0] * 6)
    )
    assert interval.method == "bca"
    assert (interval.low, interval.high) == (1.5, 4.5)
