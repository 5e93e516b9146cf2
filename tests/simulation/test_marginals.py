"""A score is the quantile of its distribution at Phi(z), by SciPy's distributions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from deadheat.errors import InferenceError, UsageError
from deadheat.rng import Purpose, Stream
from deadheat.simulation import SHAPES, Points
from deadheat.simulation.marginals import Beta, Gamma, Lognormal, Normal, Zeros, scored
from deadheat.simulation.normals import normals, uniforms

Z = np.random.default_rng(0).standard_normal(2_000) * 1.5


@pytest.mark.parametrize("points", [1, 2, 4, 7, 100])
@pytest.mark.parametrize("mean", [0.02, 0.5, 0.72, 0.999])
def test_points_are_binomial_quantiles(points: int, mean: float) -> None:
    found = Points(points, mean).of(Z) * points
    assert np.array_equal(np.rint(found), stats.binom.ppf(stats.norm.cdf(Z), points, mean))


def test_one_point_is_right_or_wrong_as_often_as_the_accuracy_says() -> None:
    edge = stats.norm.isf(0.72)
    assert Points(1, 0.72).of(np.array([edge - 1e-9, edge + 1e-9])).tolist() == [0.0, 1.0]
    assert Points(1, 0.0).of(np.array([-9.0, 9.0])).tolist() == [0.0, 0.0]
    assert Points(1, 1.0).of(np.array([-9.0, 9.0])).tolist() == [1.0, 1.0]
    # Where nearly all are right, the threshold keeps its digits.
    rare = Points(1, 1.0 - 1e-12)
    edge = stats.norm.ppf(1e-12)
    assert rare.of(np.array([edge - 1e-3, edge + 1e-3])).tolist() == [0.0, 1.0]


def size(mean: float, sd: float) -> float:
    return mean * (1 - mean) / sd**2 - 1


JUDGES = {
    "normal": (Normal(3.0, 2.0), stats.norm(3.0, 2.0)),
    "beta": (
        Beta(0.9, 0.2),
        stats.beta(0.9 * size(0.9, 0.2), 0.1 * size(0.9, 0.2)),
    ),
    "gamma": (Gamma(0.5, 1.0), stats.gamma(0.25, scale=2.0)),
    "exponential": (Gamma(2.0, 2.0), stats.expon(scale=2.0)),
    "lognormal": (
        Lognormal(math.exp(0.5), math.exp(0.5) * math.sqrt(math.e - 1)),
        stats.lognorm(1.0),
    ),
}


@pytest.mark.parametrize("name", JUDGES)
def test_real_scores_are_quantiles(name: str) -> None:
    marginal, judge = JUDGES[name]
    wanted = judge.ppf(stats.norm.cdf(Z))
    # SciPy's beta quantile is itself good to about 1e-8 far out.
    assert marginal.of(Z) == pytest.approx(wanted, rel=1e-6, abs=1e-12)
    assert (marginal.mean, marginal.sd) == pytest.approx((judge.mean(), judge.std()), rel=1e-12)


def test_zeros_are_mixed_with_an_exponential() -> None:
    marginal = Zeros(0.1, math.sqrt(0.19))  # 90% are 0, the others have a mean of 1
    z = np.sort(Z)
    u = stats.norm.cdf(z)
    wanted = np.where(u <= 0.9, 0.0, stats.expon.ppf(np.clip((u - 0.9) / 0.1, 0.0, 1.0)))
    assert marginal.of(z) == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize(("mean", "sd"), [(0.2, 0.25), (0.6, 0.48)])
def test_mean_and_standard_deviation_are_as_asked(name: str, mean: float, sd: float) -> None:
    if name == "zeros":
        sd += 0.5
    marginal = SHAPES[name](mean, sd)

    def moment(power: int) -> float:
        def integrand(z: float) -> float:
            return float(marginal.of(np.array([z]))[0]) ** power * stats.norm.pdf(z)

        return sum(
            integrate.quad(integrand, a, b, limit=200)[0]
            for a, b in ((-9, -2), (-2, 0), (0, 1), (1, 2), (2, 4), (4, 9))
        )

    assert moment(1) == pytest.approx(mean, rel=1e-5)
    assert moment(2) - mean**2 == pytest.approx(sd**2, rel=1e-4)


@given(
    st.sampled_from([Points(5, 0.3), *(judge for judge, _ in JUDGES.values()), Zeros(0.1, 0.5)]),
    st.floats(-14.0, 14.0),
    st.floats(-14.0, 14.0),
)
def test_a_greater_latent_number_is_no_lesser_score(
    marginal: Any, one: float, other: float
) -> None:
    low, high = marginal.of(np.array([min(one, other), max(one, other)]))
    assert -math.inf < low <= high < math.inf


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Points(1, 1.2), "0.72"),
        (lambda: Points(1, math.nan), "nan"),
        (lambda: Points(0, 0.5), "--levels is 0"),
        (lambda: Points(10_001, 0.5), "--levels is 10,001"),
        (lambda: Normal(0.5, 0.0), "--sd is 0"),
        (lambda: Normal(math.inf, 1.0), "inf"),
        (lambda: Normal(True, 1.0), "True"),
        (lambda: Beta(0.5, 0.5), "below 0.5"),
        (lambda: Beta(1.0, 0.1), "between 0 and 1"),
        (lambda: Lognormal(0.0, 1.0), "above 0"),
        (lambda: Gamma(-1.0, 1.0), "above 0"),
        (lambda: Gamma(1.0, 1e9), "too far apart"),
        (lambda: Zeros(0.5, 0.2), "no zeros"),
        (lambda: Beta(0.5, 1e-9), "computed for 5e-07 or more"),
        (lambda: Beta(1e-12, 1e-13), "computed for 1e-12 or more"),
        (lambda: Beta(0.5, 0.5 * (1 - 1e-15)), "below 0.5"),
        (lambda: Normal(1.0, 1e-12), "lost in the digits"),
    ],
)
def test_what_is_no_distribution_is_refused(make: Any, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        make()


EDGES = [
    *(Normal(mean, sd) for mean, sd in [(1e50, 1e42), (-1e50, 1e50), (0.0, 1e-50)]),
    *(shape(mean, mean * ratio) for shape in (Lognormal, Gamma, Zeros) for mean in (1e-43, 1e43)
      for ratio in (1.0, 0.99e6)),
    *(shape(1.0, 1e-6) for shape in (Lognormal, Gamma)),
    *(Beta(mean, math.sqrt(mean * (1 - mean)) * part)
      for mean in (1e-30, 1e-9, 0.2, 0.5, 0.8, 1 - 1e-9, 1 - 1e-15)
      for part in (1.01e-6, 1e-3, 0.5, 1 - 1e-8)),
    *(Points(points, mean) for points in (1, 10_000) for mean in (0.0, 1e-300, 1 - 1e-16, 1.0)),
]  # fmt: skip
"""The ends of what is not refused."""


@pytest.mark.parametrize("marginal", EDGES, ids=repr)
def test_scores_at_the_ends_of_what_is_allowed_are_finite(marginal: Any) -> None:
    """Down to the least and up to the greatest normal number that is ever drawn."""
    ends = stats.norm.ppf(uniforms(np.array([0, 2**64 - 1], dtype=np.uint64)))
    found = scored(marginal, np.concatenate([ends, np.linspace(-3.0, 3.0, 41)]))
    assert np.isfinite(found).all()


def test_a_score_that_is_not_finite_is_refused() -> None:
    class Broken:
        mean = 0.5

        def of(self, z: np.ndarray) -> np.ndarray:
            return np.where(z > 0, math.nan, z)

    with pytest.raises(InferenceError, match="no finite number"):
        scored(Broken(), Z)


# -- words to numbers ------------------------------------------------------------------------------


def test_uniform_numbers_are_inside_and_symmetric() -> None:
    words = np.array([0, 2**64 - 1, 1 << 63, 12345678901234567890], dtype=np.uint64)
    found = uniforms(words)
    assert found[:2].tolist() == [2.0**-53, 1.0 - 2.0**-53]
    assert np.array_equal(uniforms(~words), 1.0 - found)


def test_normal_numbers_are_normal() -> None:
    drawn = normals(Stream(1, Purpose.SIMULATION, 0), 100, 200).reshape(-1)
    # One seed in a thousand would fail.
    assert stats.kstest(drawn, "norm").pvalue > 1e-3
    again = Stream(1, Purpose.SIMULATION, 0)
    parts = [normals(again, 7), normals(again, 3, 11), normals(again, 19_960)]
    assert np.array_equal(np.concatenate([part.reshape(-1) for part in parts]), drawn)
