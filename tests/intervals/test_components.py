"""Components of variance: against lme4, statsmodels, and tables whose components are known."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.regression.mixed_linear_model import MixedLM
from statsmodels.stats.anova import anova_lm

from deadheat.errors import InferenceError
from deadheat.intervals import cr2, student_t
from deadheat.intervals.components import (
    Part,
    RunParts,
    mean_over_runs,
    over_runs,
    part_of_rows,
    parts_of_runs,
    two_way_components,
)
from vectors import close, vectors

RNG = np.random.default_rng(5)
TABLE = RNG.normal(size=(12, 1)) + 0.7 * RNG.normal(size=4) + 0.5 * RNG.normal(size=(12, 4))


def single(table):
    return mean_over_runs(
        float(np.mean(table)), part_of_rows(np.mean(table, axis=1)), [parts_of_runs(table)]
    )


def long(table) -> pd.DataFrame:
    items, runs = np.indices(table.shape)
    return pd.DataFrame({"y": table.ravel(), "item": items.ravel(), "run": runs.ravel()})


def test_components_are_those_of_lme4():
    (vector,) = vectors("dependence.seeds", "two_way_components")
    found = two_way_components(vector["input"]["table"])
    assert close(vector, "var_item", found.var_item)
    assert close(vector, "var_seed", found.var_run)
    assert close(vector, "var_residual", found.var_residual)
    assert close(vector, "se_both_random", found.standard_error)
    over = single(np.array(vector["input"]["table"]))
    assert close(vector, "se_both_random", over.standard_error)


def test_mean_squares_are_those_of_the_analysis_of_variance():
    table = anova_lm(smf.ols("y ~ C(item) + C(run)", long(TABLE)).fit())
    found = two_way_components(TABLE)
    assert found.ms_item == pytest.approx(table["mean_sq"]["C(item)"], rel=1e-9)
    assert found.ms_run == pytest.approx(table["mean_sq"]["C(run)"], rel=1e-9)
    assert found.ms_residual == pytest.approx(table["mean_sq"]["Residual"], rel=1e-9)


def test_balanced_components_are_those_of_restricted_maximum_likelihood():
    parts = {"item": "0 + C(item)", "run": "0 + C(run)"}
    data = long(TABLE).assign(whole=1)
    fit = MixedLM.from_formula(
        "y ~ 1", groups="whole", vc_formula=parts, re_formula="0", data=data
    ).fit(reml=True)
    found = two_way_components(TABLE)
    by_name = dict(zip(fit.model.exog_vc.names, fit.vcomp, strict=True))
    assert by_name["item"] == pytest.approx(found.var_item, rel=1e-3)
    assert by_name["run"] == pytest.approx(found.var_run, rel=1e-3)
    assert fit.scale == pytest.approx(found.var_residual, rel=1e-3)
    assert float(fit.bse["Intercept"]) == pytest.approx(found.standard_error, rel=1e-3)


def test_a_table_without_residuals_has_the_variances_of_its_margins():
    items, runs = np.array([0.0, 2.0, 7.0, 3.0]), np.array([1.0, 4.0, 4.0])
    found = two_way_components(items[:, None] + runs)
    assert found.var_item == pytest.approx(np.var(items, ddof=1))
    assert found.var_run == pytest.approx(np.var(runs, ddof=1))
    assert found.var_residual == pytest.approx(0.0, abs=1e-12)


def test_what_the_residuals_explain_is_no_variance_of_runs_or_items():
    checkered = np.array([[0.0, 1.0], [1.0, 0.0]])
    found = two_way_components(checkered)
    assert (found.var_item, found.var_run) == (0.0, 0.0)
    assert found.var_residual == pytest.approx(1.0)


def test_one_item_or_one_run_leaves_components_unknown():
    one_run, one_item = two_way_components([[1.0], [2.0]]), two_way_components([[1.0, 2.0]])
    assert math.isnan(one_run.var_run)
    assert math.isnan(one_run.standard_error)
    assert one_run.error_of_these_runs == pytest.approx(0.5)
    assert math.isnan(one_item.var_item)
    assert math.isnan(one_item.error_of_these_runs)


@pytest.mark.parametrize("table", [[1.0, 2.0], [[]], [[1.0, math.nan]], [[[1.0]]]])
def test_what_is_no_table_is_refused(table):
    with pytest.raises(InferenceError, match="items by runs"):
        two_way_components(table)


def test_one_run_is_refused():
    with pytest.raises(InferenceError, match="one run"):
        parts_of_runs(np.array([[1.0], [2.0]]))


def test_equal_runs_leave_the_t_interval_of_items():
    column = np.array([0.1, 0.7, 0.3, 0.9, 0.4])
    found = over_runs(single(np.tile(column[:, None], 3)), confidence_level=0.9)
    items = student_t.one_mean(column, confidence_level=0.9)
    assert (found.low, found.high) == pytest.approx((items.low, items.high))


def test_equal_items_leave_the_t_interval_of_runs():
    values = np.array([0.838, 0.840, 0.843, 0.846])
    found = over_runs(single(np.tile(values, (50, 1))), confidence_level=0.95)
    runs = student_t.one_mean(values, confidence_level=0.95)
    assert (found.low, found.high) == pytest.approx((runs.low, runs.high))


def test_the_difference_adds_items_and_the_runs_of_either_system():
    """Var = var of item-mean differences / N + var_runA / S_A + var_runB / S_B."""
    n = 40
    item = RNG.normal(size=(n, 1))
    a = item + 0.4 * RNG.normal(size=5) + 0.3 * RNG.normal(size=(n, 5))
    b = item + 0.5 * RNG.normal(size=3) + RNG.normal(size=(n, 1)) + 0.3 * RNG.normal(size=(n, 3))
    gaps = b.mean(axis=1) - a.mean(axis=1)
    found = mean_over_runs(
        float(gaps.mean()), part_of_rows(gaps), [parts_of_runs(a), parts_of_runs(b)]
    )
    first, second = two_way_components(a), two_way_components(b)
    variance = gaps.var(ddof=1) / n + first.var_run / 5 + second.var_run / 3
    assert found.variance == pytest.approx(variance)
    squares = [
        (gaps.var(ddof=1) / n, n - 1),
        (first.ms_run / (n * 5), 4),
        (second.ms_run / (n * 3), 2),
        (first.ms_residual / (n * 5), 4 * (n - 1)),
        (second.ms_residual / (n * 3), 2 * (n - 1)),
    ]
    df = variance**2 / sum(square**2 / df for square, df in squares)
    assert found.df == pytest.approx(df)
    half = stats.t.ppf(0.975, df) * math.sqrt(variance)
    interval = over_runs(found, confidence_level=0.95)
    assert (interval.low, interval.high) == pytest.approx((gaps.mean() - half, gaps.mean() + half))
    assert sum(found.shares.values()) == pytest.approx(1.0)
    assert found.error_of_these_runs == pytest.approx(gaps.std(ddof=1) / math.sqrt(n))


def test_runs_that_vary_most_leave_the_degrees_of_freedom_of_runs():
    table = 10.0 * np.array([0.0, 1.0, 5.0]) + 0.01 * RNG.normal(size=(30, 3))
    assert single(table).df == pytest.approx(2.0, rel=1e-3)
    assert single(table).shares["run"] > 0.999


def test_one_sided_intervals_are_open_on_one_side():
    found = single(TABLE)
    both = over_runs(found, confidence_level=0.9)
    above = over_runs(found, confidence_level=0.95, alternative="greater")
    below = over_runs(found, confidence_level=0.95, alternative="less")
    assert (above.low, above.high) == (pytest.approx(both.low), math.inf)
    assert (below.low, below.high) == (-math.inf, pytest.approx(both.high))


def test_nothing_that_varies_has_no_interval():
    nothing = over_runs(single(np.full((4, 3), 0.3)), confidence_level=0.95)
    one_item = over_runs(single(np.array([[0.0, 1.0, 1.0]])), confidence_level=0.95)
    assert not nothing.defined
    assert "vary" in nothing.note
    assert not one_item.defined
    assert "one item" in one_item.note


def test_scores_that_differ_by_rounding_do_not_vary():
    assert single(np.full((7, 3), 0.1) * np.array([1.0, 1.0 + 1e-16, 1.0])).variance == 0.0


def test_rows_without_clusters_have_the_simple_variance():
    found = part_of_rows(TABLE[:, 0])
    assert found.variance == pytest.approx(TABLE[:, 0].var(ddof=1) / 12)
    assert found.df == pytest.approx(11.0)


def test_rows_in_clusters_have_cr2():
    clusters = np.array([0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 4, 4])
    totals = np.bincount(clusters, TABLE[:, 0])
    known = cr2.moments_of_clusters(totals, np.bincount(clusters), squares=0.0)
    found = part_of_rows(TABLE[:, 0], clusters)
    assert (found.variance, found.df) == pytest.approx((known.standard_error**2, known.df))


@pytest.mark.parametrize("vector", vectors("dependence.strata"), ids=lambda v: v["name"])
def test_rows_within_strata(vector):
    """Weights other than the sizes of strata are a matter of scaling the rows."""
    groups = [np.array(values) for values in vector["input"]["strata_values"]]
    weights = np.array(vector["input"]["weights"], float) / sum(vector["input"]["weights"])
    n = sum(map(len, groups))
    rows = np.concatenate([g * w * n / len(g) for g, w in zip(groups, weights, strict=True)])
    strata = np.repeat(np.arange(len(groups)), list(map(len, groups)))
    assert close(vector, "estimate", float(rows.mean()))
    assert close(vector, "se", math.sqrt(part_of_rows(rows, strata=strata).variance))


def test_clusters_of_one_row_are_rows():
    alone, strata = np.arange(12), np.repeat([0, 1, 2], 4)
    plain, clustered = parts_of_runs(TABLE, None, strata), parts_of_runs(TABLE, alone, strata)
    assert clustered.residual.variance == pytest.approx(plain.residual.variance)
    assert clustered.residual.df == pytest.approx(plain.residual.df)
    assert clustered.between == plain.between


def test_a_stratum_with_one_row_leaves_the_variance_unknown():
    assert math.isnan(part_of_rows(np.array([1.0, 2.0, 3.0]), strata=np.array([0, 0, 1])).variance)


def test_a_run_effect_that_residuals_explain_is_none_but_uncertain():
    quiet = RunParts(n=3, between=Part(variance=1.0, df=2.0), residual=Part(variance=1.5, df=100.0))
    found = mean_over_runs(0.0, Part(variance=4.0, df=50.0), [quiet])
    assert found.runs == (0.0,)
    assert found.variance == pytest.approx(4.0)
    assert found.df == pytest.approx(16.0 / (16.0 / 50.0 + 1.0 / 2.0 + 2.25 / 100.0))


SCORES = st.lists(
    st.lists(st.floats(-8.0, 8.0), min_size=3, max_size=3), min_size=2, max_size=8
).map(np.array)


@given(SCORES, st.sampled_from([-3.0, 0.25, 7.0]), st.integers(-5, 5))
def test_variances_follow_the_scale_and_ignore_the_origin(table, factor, shift):
    here, there = single(table), single(factor * table + shift)
    assert there.variance == pytest.approx(factor**2 * here.variance, rel=1e-6, abs=1e-9)
    assert there.error_of_these_runs**2 == pytest.approx(
        factor**2 * here.error_of_these_runs**2, rel=1e-6, abs=1e-9
    )


@given(SCORES, st.randoms(use_true_random=False))
def test_the_order_of_items_and_runs_changes_nothing(table, random):
    rows, columns = list(range(len(table))), [0, 1, 2]
    random.shuffle(rows)
    random.shuffle(columns)
    turned = single(table[np.ix_(rows, columns)])
    assert turned.variance == pytest.approx(single(table).variance, rel=1e-9, abs=1e-12)
