"""The intra-class correlation against other estimators of it, and against algebra."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.intraclass import intra_class_correlation, kish_design_effect


def drawn(seed: int, sizes: list[int], sigma: float) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    clusters = np.repeat(np.arange(len(sizes)), sizes)
    effects = rng.normal(0.0, sigma, len(sizes))
    return effects[clusters] + rng.normal(0.0, 1.0, clusters.size), clusters


def test_shrout_and_fleiss_table_of_ratings() -> None:
    # Shrout & Fleiss (1979), table 2: six targets, four judges; ICC(1,1) is .17 in their table 4.
    ratings = np.array(
        [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], float
    )
    found = intra_class_correlation(ratings.ravel(), np.repeat(np.arange(6), 4))
    assert round(float(found), 2) == 0.17


@pytest.mark.usefixtures("cheap_collection")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_components_of_a_mixed_model_by_restricted_likelihood(seed: int) -> None:
    import statsmodels.api as sm

    values, clusters = drawn(seed, [5] * 40, 0.7)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = sm.MixedLM(values, np.ones(values.size), groups=clusters).fit(reml=True)
    between = float(np.asarray(fitted.cov_re).item())
    # For clusters of one size the estimators are one, where the correlation is positive.
    assert float(intra_class_correlation(values, clusters)) == pytest.approx(
        between / (between + fitted.scale), abs=2e-5
    )


@pytest.mark.usefixtures("cheap_collection")
def test_mean_squares_of_an_analysis_of_variance_with_unequal_clusters() -> None:
    import pandas as pd
    import statsmodels.formula.api as smf
    from statsmodels.stats.anova import anova_lm

    sizes = [1, 2, 2, 5, 9, 3, 1, 7]
    values, clusters = drawn(4, sizes, 1.0)
    frame = pd.DataFrame({"y": values, "g": clusters})
    table = anova_lm(smf.ols("y ~ C(g)", frame).fit())
    msb, msw = table["mean_sq"].to_list()
    usual = (sum(sizes) - sum(m * m for m in sizes) / sum(sizes)) / (len(sizes) - 1)
    assert float(intra_class_correlation(values, clusters)) == pytest.approx(
        (msb - msw) / (msb + (usual - 1.0) * msw), rel=1e-10
    )


@given(st.integers(0, 10_000), st.floats(-1e6, 1e6), st.floats(0.01, 100.0))
def test_no_unit_and_no_zero_point(seed: int, shift: float, factor: float) -> None:
    values, clusters = drawn(seed, [2, 3, 4, 6], 0.5)
    one = intra_class_correlation(values, clusters)
    assert np.allclose(intra_class_correlation(factor * values + shift, clusters), one, atol=1e-6)


def test_ends_of_the_range() -> None:
    clusters = np.repeat(np.arange(3), 4)
    alike = np.array([0.0, 1.0, 5.0])[clusters]
    opposed = np.tile([0.0, 1.0, 0.0, 1.0], 3)
    assert float(intra_class_correlation(alike, clusters)) == 1.0
    # Clusters with one mean: all variation is inside them.
    assert float(intra_class_correlation(opposed, clusters)) == pytest.approx(-1 / 3)


@pytest.mark.parametrize(
    ("values", "clusters"),
    [
        ([1.0, 1.0, 1.0, 1.0], [0, 0, 1, 1]),
        ([0.1 + 0.2, 0.3, 0.1 + 0.2, 0.3], [0, 0, 1, 1]),
        ([1.0, 2.0, 3.0], [0, 0, 0]),
        ([1.0, 2.0, 3.0], [0, 1, 2]),
    ],
    ids=["constant", "constant up to rounding", "one cluster", "clusters of one"],
)
def test_undefined(values: list[float], clusters: list[int]) -> None:
    assert np.isnan(intra_class_correlation(np.array(values), np.array(clusters)))


def test_columns_are_independent() -> None:
    values, clusters = drawn(5, [3, 3, 4], 1.0)
    both = np.stack([values, -values[::-1]], axis=1)
    each = [intra_class_correlation(column, clusters) for column in both.T]
    assert intra_class_correlation(both, clusters).tolist() == [float(c) for c in each]


def test_design_effect_is_the_variance_of_a_mean_over_that_of_independent_items() -> None:
    sizes = np.array([1, 2, 5, 8])
    clusters = np.repeat(np.arange(4), sizes)
    rho = 0.3
    covariance = np.where(clusters[:, None] == clusters, rho, 0.0) + (1.0 - rho) * np.eye(16)
    ones = np.ones(16)
    assert float(kish_design_effect(np.array(rho), clusters)) == pytest.approx(
        ones @ covariance @ ones / 16
    )
