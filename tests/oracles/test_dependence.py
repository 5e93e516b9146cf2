"""Clusters and strata against regressions, matrices and resamples that judges score again."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest
import statsmodels.api as sm
from numpy.typing import NDArray
from scipy import linalg, stats
from sklearn.metrics import f1_score, roc_auc_score

import deadheat

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

EQUAL = (4,) * 12
UNEQUAL = (1, 2, 3, 5, 8, 13)
HALF = (20, *(1,) * 12, 3, 5)
TWO = (3, 7)


def table(sizes: Sequence[int], seed: int, *, binary: bool = False) -> pl.DataFrame:
    """Two systems on items in clusters of these sizes; clusters differ in how hard they are."""
    rng = np.random.default_rng([seed, len(sizes)])
    codes = np.repeat(np.arange(len(sizes)), sizes)
    hard = rng.normal(size=(2, len(sizes)))[:, codes]
    scores = hard + rng.normal(size=hard.shape) + [[0.0], [0.4]]
    a, b = (scores > 0).astype(float) if binary else scores
    return pl.DataFrame(
        {
            "item": [f"q{i:03}" for i in range(len(codes))],
            "cluster": [f"c{c:02}" for c in codes],
            "a": a,
            "b": b,
        }
    )


def groups(data: pl.DataFrame) -> Ints:
    return np.unique(data["cluster"].to_numpy(), return_inverse=True)[1]


def gaps(data: pl.DataFrame) -> Floats:
    return (data["b"] - data["a"]).to_numpy()


def by_matrices(y: Floats, design: Floats, codes: Ints, contrast: Floats) -> tuple[float, float]:
    """CR2 and Satterthwaite's degrees of freedom of a contrast, as Pustejovsky & Tipton write them.

    The hat matrix, the adjustments A_c = (I - H_cc)^(-1/2) and the quadratic form P are made in
    full, of size items x items.
    """
    n = len(y)
    bread = np.linalg.inv(design.T @ design)
    residual_maker = np.eye(n) - design @ bread @ design.T
    residuals = residual_maker @ y
    columns, variance = [], 0.0
    for code in np.unique(codes):
        own = np.flatnonzero(codes == code)
        adjusted = linalg.inv(linalg.sqrtm(residual_maker[np.ix_(own, own)]).real)
        weights = contrast @ bread @ design[own].T @ adjusted
        variance += float(weights @ residuals[own]) ** 2
        columns.append(residual_maker[:, own] @ weights)
    form = np.array(columns) @ np.array(columns).T
    return math.sqrt(variance), float(np.trace(form) ** 2 / (form**2).sum())


@pytest.mark.parametrize("binary", [False, True], ids=["numbers", "0/1"])
@pytest.mark.parametrize("sizes", [EQUAL, UNEQUAL, HALF, TWO], ids=["equal", "1-13", "half", "two"])
def test_few_clusters_against_matrices(sizes: Sequence[int], binary: bool) -> None:
    data = table(sizes, 3, binary=binary)
    y, codes = gaps(data), groups(data)
    error, df = by_matrices(y, np.ones((len(y), 1)), codes, np.ones(1))
    found = deadheat.compare(data, method="cr2").difference
    half = stats.t.isf(0.025, df) * error
    assert found.standard_error == pytest.approx(error, rel=1e-9)
    assert (found.interval.low, found.interval.high) == pytest.approx(
        (y.mean() - half, y.mean() + half), rel=1e-8
    )
    assert found.p_value == pytest.approx(2 * stats.t.sf(abs(y.mean()) / error, df), rel=1e-6)
    simple = y.std(ddof=1) / math.sqrt(len(y))
    assert found.design_effect == pytest.approx((error / simple) ** 2, rel=1e-9)


@pytest.mark.parametrize(
    "sizes", [EQUAL, UNEQUAL, HALF, (3,) * 29], ids=["equal", "1-13", "half", "29"]
)
def test_against_cluster_robust_regression(sizes: Sequence[int]) -> None:
    """statsmodels has CR0 and CR1: CR2 is CR1 where clusters are alike, and else above CR0."""
    data = table(sizes, 5)
    y, codes = gaps(data), groups(data)
    model = sm.OLS(y, np.ones(len(y)))
    plain, corrected = (
        float(
            model.fit(
                cov_type="cluster", cov_kwds={"groups": codes, "use_correction": correction}
            ).bse[0]
        )
        for correction in (False, True)
    )
    found = deadheat.compare(data, method="cr2").difference.standard_error
    assert corrected == pytest.approx(plain * math.sqrt(len(sizes) / (len(sizes) - 1)))
    if len(set(sizes)) == 1:
        assert found == pytest.approx(corrected, rel=1e-9)
    else:
        # Each squared total is divided by 1 - its share of the items.
        totals = np.bincount(codes, y - y.mean())
        shares = np.array(sizes) / len(y)
        assert plain == pytest.approx(math.sqrt((totals**2).sum()) / len(y), rel=1e-9)
        assert found == pytest.approx(
            math.sqrt((totals**2 / (1 - shares)).sum()) / len(y), rel=1e-9
        )
        assert found > plain


@pytest.mark.parametrize("binary", [False, True], ids=["numbers", "0/1"])
def test_unpaired_clusters_against_matrices(binary: bool) -> None:
    """A regression on two dummies; each side's df by its own matrices, combined as Welch's."""
    first = table(UNEQUAL, 7, binary=binary).drop("b")
    second = table(EQUAL, 8, binary=binary).drop("a")
    second = second.with_columns(cluster="x" + pl.col("cluster"), item="x" + pl.col("item"))
    x, y = first["a"].to_numpy(), second["b"].to_numpy()
    codes = np.concatenate([groups(first), 100 + groups(second)])
    side = np.repeat([0, 1], [len(x), len(y)])
    design = np.eye(2)[side]
    error, _ = by_matrices(np.concatenate([x, y]), design, codes, np.array([-1.0, 1.0]))
    parts = [
        by_matrices(values, np.ones((len(values), 1)), own, np.ones(1))
        for values, own in ((x, groups(first)), (y, groups(second)))
    ]
    df = error**4 / sum(e**4 / own for e, own in parts)
    found = deadheat.compare(first, second, paired=False).difference
    assert found.interval.method == "cr2"
    assert found.standard_error == pytest.approx(error, rel=1e-9)
    half = stats.t.isf(0.025, df) * error
    assert (found.interval.low, found.interval.high) == pytest.approx(
        (y.mean() - x.mean() - half, y.mean() - x.mean() + half), rel=1e-8
    )
    assert found.design_effect > 1.5


def test_unpaired_clusters_of_one_item_are_items() -> None:
    data = table((1,) * 25, 9, binary=True)
    alone, plain = (
        deadheat.compare(given, paired=False).difference for given in (data, data.drop("cluster"))
    )
    assert alone.interval == plain.interval
    assert alone.p_value == plain.p_value


def test_unpaired_totals_of_four_clusters_are_not_resampled() -> None:
    data = table((6,) * 4, 2, binary=True).with_columns(reference=pl.Series([0, 1] * 12))
    data = data.with_columns(pl.col("a", "b").cast(int))
    found = deadheat.compare(data, metric="macro_f1", systems=("a", "b"), paired=False)
    assert not found.difference.interval.defined
    assert "too few to be resampled" in found.difference.interval.note
    assert found.reading.code == "degenerate"


# -- resamples that a judge scores again -----------------------------------------------------------

Score = Callable[[Any, Any], float]


def macro_f1(y: Any, output: Any) -> float:
    return float(f1_score(y, output, average="macro", zero_division=0.0))


def judged(
    data: pl.DataFrame,
    score: Score,
    *,
    n_resamples: int,
    by_stratum: bool = False,
    seed: int = 11,
) -> Floats:
    """Draw clusters with replacement within strata, put their items together, and score these."""
    rng = np.random.default_rng(seed)
    y, a, b = (data[name].to_numpy() for name in ("reference", "a", "b"))
    codes = groups(data)
    strata = data["stratum"].to_numpy() if "stratum" in data.columns else np.zeros(len(y))
    items = [np.flatnonzero(codes == code) for code in range(codes.max() + 1)]
    of_cluster = np.array([strata[own[0]] for own in items])
    within = [np.flatnonzero(of_cluster == s) for s in np.unique(of_cluster)]
    found = np.empty(n_resamples)
    for at in range(n_resamples):
        parts = [
            np.concatenate([items[c] for c in rng.choice(clusters, len(clusters))])
            for clusters in within
        ]
        parts = parts if by_stratum else [np.concatenate(parts)]
        found[at] = np.mean([score(y[own], b[own]) - score(y[own], a[own]) for own in parts])
    return found


def labelled(n_clusters: int, *, scores: bool = False, strata: bool = False) -> pl.DataFrame:
    rng = np.random.default_rng([n_clusters, scores])
    sizes = rng.integers(2, 6, n_clusters)
    codes = np.repeat(np.arange(n_clusters), sizes)
    y = rng.integers(0, 2 if scores else 3, len(codes))
    hard = rng.normal(size=(2, n_clusters))[:, codes] + rng.normal(size=(2, len(codes)))
    columns = {}
    for name, row, gain in (("a", hard[0], 0.0), ("b", hard[1], 0.6)):
        wrong = rng.integers(0, 3, len(codes))
        columns[name] = y + row - gain if scores else np.where(row < gain, y, wrong)
    more = {"stratum": np.where(codes < n_clusters // 3, "s", "t")} if strata else {}
    return pl.DataFrame(
        {
            "item": [f"q{i:03}" for i in range(len(codes))],
            "cluster": [f"c{c:02}" for c in codes],
            "reference": y,
            **columns,
            **more,
        }
    )


def assert_quantiles(found: Any, draws: Floats) -> None:
    """Both ends lie where 2.5% of the judge's resamples are beyond them, up to chance."""
    spread = 4.5 * math.sqrt(0.025 * 0.975 * (1 / len(draws) + 1 / 9999))
    for beyond in ((draws < found.interval.low).mean(), (draws > found.interval.high).mean()):
        assert beyond == pytest.approx(0.025, abs=spread)
    assert found.standard_error == pytest.approx(draws.std(), rel=4.5 / math.sqrt(2 * len(draws)))


@pytest.mark.parametrize("strata", [False, True], ids=["clusters", "in strata"])
@pytest.mark.parametrize("metric", ["macro_f1", "auroc"])
def test_resampled_clusters_against_scikit_learn(metric: str, strata: bool) -> None:
    data = labelled(40, scores=metric == "auroc", strata=strata)
    score = {"macro_f1": macro_f1, "auroc": lambda y, s: float(roc_auc_score(y, s))}[metric]
    draws = judged(data, score, n_resamples=800)
    found = deadheat.compare(data, metric=metric, systems=("a", "b"), method="percentile")
    assert_quantiles(found.difference, draws)


def test_macro_average_over_strata_against_scikit_learn() -> None:
    data = labelled(45, strata=True)
    draws = judged(data, macro_f1, n_resamples=800, by_stratum=True)
    found = deadheat.compare(
        data, metric="macro_f1", systems=("a", "b"), method="percentile", weighting="macro"
    )
    within = [part for _, part in data.group_by("stratum", maintain_order=True)]
    right = np.mean(
        [macro_f1(p["reference"], p["b"]) - macro_f1(p["reference"], p["a"]) for p in within]
    )
    assert found.difference.estimate == pytest.approx(right)
    assert_quantiles(found.difference, draws)


# -- strata by hand --------------------------------------------------------------------------------


def test_strata_that_are_the_units_have_the_t_test_of_their_means() -> None:
    data = table((3, 9, 4, 6, 12, 5, 7), 4).rename({"cluster": "stratum"})
    means = data.group_by("stratum").agg((pl.col("b") - pl.col("a")).mean())["b"].to_numpy()
    right = stats.ttest_1samp(means, 0.0)
    found = deadheat.compare(data, strata="random", weighting="macro").difference
    ends = right.confidence_interval(0.95)
    assert found.estimate == pytest.approx(means.mean())
    assert (found.interval.low, found.interval.high) == pytest.approx((ends.low, ends.high))
    assert found.p_value == pytest.approx(right.pvalue)


@pytest.mark.parametrize("weighting", ["pooled", "macro"])
def test_fixed_strata_have_the_variance_of_a_stratified_sample(weighting: Any) -> None:
    data = table((30, 80, 50), 6).rename({"cluster": "stratum"})
    parts = [gaps(part) for _, part in data.group_by("stratum", maintain_order=True)]
    n = sum(map(len, parts))
    shares = [len(part) / n if weighting == "pooled" else 1 / 3 for part in parts]
    error = math.sqrt(sum(w**2 * p.var() / len(p) for w, p in zip(shares, parts, strict=True)))
    found = deadheat.compare(data, weighting=weighting).difference
    assert found.estimate == pytest.approx(
        sum(w * p.mean() for w, p in zip(shares, parts, strict=True))
    )
    assert found.standard_error == pytest.approx(error, rel=0.03)


def simpson() -> pl.DataFrame:
    """Easy: 50 and 45 right of 100. Hard: 0 and 4 right of 10. Over all b is behind by 1 of 110."""
    return pl.DataFrame(
        {
            "item": range(110),
            "stratum": ["easy"] * 100 + ["hard"] * 10,
            "a": [1] * 50 + [0] * 60,
            "b": [1] * 45 + [0] * 55 + [1] * 4 + [0] * 6,
            "c": [1] * 20 + [0] * 90,
        }
    )


@pytest.mark.parametrize(("weighting", "gap"), [("pooled", -1 / 110), ("macro", (-0.05 + 0.4) / 2)])
def test_simpsons_paradox_by_hand(weighting: Any, gap: float) -> None:
    found = deadheat.compare(simpson(), systems=("a", "b"), weighting=weighting, n_resamples=199)
    assert found.difference.estimate == pytest.approx(gap)
    assert "Simpson" in {n.code: n.message for n in found.notes}["strata_reverse"]
    ranked = deadheat.rank(simpson(), weighting=weighting, n_resamples=199)
    assert [row.system for row in ranked.systems] == (
        ["a", "b", "c"] if gap < 0 else ["b", "a", "c"]
    )
    said = {n.code: n.message for n in ranked.notes}["strata_reverse"]
    assert said.split("(Simpson's paradox): ")[1].startswith("a and b. ")


def test_orders_that_agree_are_no_paradox() -> None:
    data = simpson().with_columns(b=pl.Series([1] * 55 + [0] * 45 + [1] * 4 + [0] * 6))
    for found in (deadheat.compare(data, systems=("a", "b")), deadheat.rank(data)):
        assert "strata_reverse" not in {note.code for note in found.notes}
