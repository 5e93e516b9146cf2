"""The study of the automatic choices: its arithmetic, its record and its page.

The slow tests measure every cell again, hold it against the record, and print it.
"""

from __future__ import annotations

import math
import sys
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats
from sklearn.metrics import f1_score

import deadheat
from calibration import choices, corpora, ends, pairs, record
from calibration.choices import CLUSTERED, CLUSTERS, MEANS, SIZES, SKEWED
from calibration.ends import Ends, Floats
from deadheat.intervals import agresti_min, bonett_price, wald

FEW_DRAWS = 999
PAGE = record.PAGE.read_text(encoding="utf-8")


def compared(source: Any, method: str, *, seed: int = 0, **options: Any) -> Any:
    return deadheat.compare(
        *source, method=method, rng=seed, n_resamples=FEW_DRAWS, threads=1, **options
    ).difference.interval


def some_scores(name: str, n: int, sets: int) -> Floats:
    return choices.scores_of(name, n, 0)[:sets]


@cache
def of_some(name: str, n: int, sets: int, n_resamples: int, seed: int) -> dict[str, Ends]:
    """Ends by every method, of some of the scores of a design."""
    return ends.of_means(some_scores(name, n, sets), ends.drawn_counts(n, n_resamples, seed))


@cache
def error_of_draws(name: str, n: int, at: int) -> float:
    """95% error of an end that 9,999 resamples leave open."""
    one = some_scores(name, n, at + 1)[at]
    drawn = deadheat.compare(np.zeros(n), one, method="studentized").difference.interval
    assert drawn.monte_carlo_error is not None
    return float(drawn.monte_carlo_error)


# The same ends as deadheat


@pytest.mark.parametrize("method", ["percentile", "expanded", "bca", "bca_t", "studentized"])
@pytest.mark.parametrize("name", ["normal", "beta", "lognormal", "saturated_pair"])
def test_means_are_those_of_compare_on_the_same_draws(name: str, method: str) -> None:
    """Of 20 scores without ties the distribution has to be drawn: the seed gives the same draws."""
    low, high = of_some(name, 20, 3, FEW_DRAWS, 7)[method]
    for at, one in enumerate(some_scores(name, 20, 3)):
        ours = compared((np.zeros(20), one), method, seed=7)
        assert ours.monte_carlo_error is not None
        assert (low[at], high[at]) == pytest.approx((ours.low, ours.high), rel=1e-7, abs=1e-9)


@pytest.mark.parametrize("method", ["percentile", "expanded", "bca", "bca_t"])
@pytest.mark.parametrize(
    ("name", "step"),
    [("lognormal", 0.0), ("half_ties", 0.0), ("graded_pair", 1 / 1_000), ("graded_top", 1 / 800)],
)
def test_means_are_those_of_compare_on_the_exact_distribution(
    name: str, step: float, method: str
) -> None:
    """Within what 9,999 draws leave open: twice the 95% error of an end, and a lattice step."""
    n, sets = 200, 4
    low, high = of_some(name, n, sets, choices.N_RESAMPLES, 3)[method]
    for at, one in enumerate(some_scores(name, n, sets)):
        exact = compared((np.zeros(n), one), method)
        assert exact.monte_carlo_error is None
        room = 2.0 * error_of_draws(name, n, at) + step
        assert (low[at], high[at]) == pytest.approx((exact.low, exact.high), abs=room)


@pytest.mark.parametrize("name", ["lognormal", "t3", "graded_pair"])
def test_student_t_is_that_of_scipy(name: str) -> None:
    scores = some_scores(name, 50, 8)
    low, high = ends.of_means(scores, ends.drawn_counts(50, 99, 0))["student_t"]
    theirs = stats.ttest_1samp(scores, 0.0, axis=1).confidence_interval()
    assert low == pytest.approx(theirs.low)
    assert high == pytest.approx(theirs.high)


def test_bootstrap_t_is_refused_where_deadheat_refuses_it() -> None:
    scores = some_scores("rare_wins", 50, 30)
    low, _ = ends.of_means(scores, ends.drawn_counts(50, FEW_DRAWS, 1))["studentized"]
    for at, one in enumerate(scores):
        if np.ptp(one) == 0.0:
            continue
        # Ties are one type there, so that its draws are others: refused is what is far beyond 1%.
        share = float((1.0 - np.mean(one != 0.0)) ** 50)
        if share > 0.03:
            with pytest.raises(deadheat.DeadheatError, match="standard error of zero"):
                compared((np.zeros(50), one), "studentized", seed=1)
            assert math.isnan(low[at])
        elif share < 0.003:
            assert compared((np.zeros(50), one), "studentized", seed=1).defined
            assert not math.isnan(low[at])


def test_halls_interval_inverts_his_transformation() -> None:
    """g(t) of the standardised ends is the quantile of Student's t (Hall 1992, section 2)."""
    scores = some_scores("lognormal", 30, 20)
    low, high = ends.of_means(scores, ends.drawn_counts(30, 99, 0))["hall_t"]
    mean, error = scores.mean(axis=1), stats.sem(scores, axis=1)
    skewness = stats.skew(scores, axis=1)

    def transformed(t: Floats) -> Floats:
        a = skewness / math.sqrt(30)
        return t + a * t**2 / 3 + a**2 * t**3 / 27 + a / 6

    quantile = stats.t.ppf(0.975, 29)
    assert transformed((mean - low) / error) == pytest.approx(quantile)
    assert transformed((mean - high) / error) == pytest.approx(-quantile)


def clustered_frame(totals: Floats, sizes: Floats) -> pl.DataFrame:
    """Items that share what their cluster totals: neither method looks further."""
    cluster = np.repeat(np.arange(sizes.size), sizes.astype(int))
    return pl.DataFrame(
        {
            "item": [f"i{at}" for at in range(cluster.size)],
            "a": np.zeros(cluster.size),
            "b": (totals / sizes)[cluster],
            "cluster": [f"c{at:03}" for at in cluster],
        }
    )


@pytest.mark.parametrize("name", ["normal", "skewed"])
@pytest.mark.parametrize("equal", [True, False])
def test_clusters_are_those_of_compare(name: str, equal: bool) -> None:
    totals, sizes = choices.clusters_of(name, 30, 0.3, equal, 0)
    found = ends.of_clusters(totals[:2], sizes[:2], ends.drawn_counts(30, choices.N_RESAMPLES, 0))
    for at in range(2):
        table = clustered_frame(totals[at], sizes[at])
        ours = deadheat.compare(table, systems=["a", "b"], method="cr2").difference.interval
        low, high = found["cr2"]
        assert (low[at], high[at]) == pytest.approx((ours.low, ours.high))
        for method in ("percentile", "expanded", "bca", "bca_t"):
            again = deadheat.compare(table, systems=["a", "b"], method=method, rng=5)
            ours = again.difference.interval
            # Two sets of 9,999 draws: sqrt(2) of the 95% error of either, and half of that again.
            room = 2.1 * ours.monte_carlo_error
            low, high = found[method]
            assert (low[at], high[at]) == pytest.approx((ours.low, ours.high), abs=room)


@pytest.mark.parametrize("method", corpora.METHODS)
@pytest.mark.parametrize("metric", ["f1", "macro_f1", "auroc"])
def test_metrics_of_totals_are_those_of_compare(metric: str, method: str) -> None:
    drawn = corpora.data(metric, 60, 4)
    found = deadheat.compare(
        drawn.baseline,
        drawn.candidate,
        references=drawn.references,
        metric=metric,
        positive=corpora.CORPORA[metric].positive,
        method=method,
        n_resamples=corpora.N_RESAMPLES,
        rng=4,
    ).difference.interval
    assert corpora.intervals(drawn, metric, 4)[method] == (found.low, found.high)


@pytest.mark.parametrize(
    ("method", "module"),
    [("wald", wald), ("agresti_min", agresti_min), ("bonett_price", bonett_price)],
)
def test_closed_forms_of_pairs_are_those_of_deadheat(method: str, module: Any) -> None:
    wins, losses = (np.array(side, dtype=float) for side in ([0, 3, 10, 25], [0, 1, 12, 0]))
    low, high = pairs.CLOSED[method](25, wins, losses)
    for at in range(4):
        rest = 25 - losses[at] - wins[at]
        ours = module.paired_proportions(0, losses[at], wins[at], rest)
        assert (low[at], high[at]) == pytest.approx((ours.low, ours.high))


# What is known of the designs


@pytest.mark.parametrize("name", MEANS)
def test_the_truth_of_a_design_is_the_mean_of_many_scores(name: str) -> None:
    scores = MEANS[name].draw(np.random.default_rng(1), (1, 400_000))
    assert abs(scores.mean() - MEANS[name].truth) < 4.0 * stats.sem(scores, axis=None)


@pytest.mark.parametrize("name", CLUSTERED)
@pytest.mark.parametrize("correlation", [0.1, 0.3])
def test_clusters_have_their_mean_and_their_correlation(name: str, correlation: float) -> None:
    """The variance of a total of m items is m v (1 + (m - 1) rho); m = 1 gives v."""
    rng, many = np.random.default_rng(2), (1, 200_000)
    single, totals = (CLUSTERED[name].totals(rng, np.full(many, m), correlation) for m in (1, 10))
    error = stats.sem(totals, axis=None)
    assert abs(totals.mean() - 10.0 * CLUSTERED[name].truth) < 4.0 * error
    effect = totals.var() / (10.0 * single.var())
    assert effect == pytest.approx(1.0 + 9.0 * correlation, rel=0.03)


@pytest.mark.parametrize("metric", ["f1", "macro_f1"])
def test_the_true_f1_is_that_of_many_items(metric: str) -> None:
    drawn = corpora.CORPORA[metric].draw(np.random.default_rng(3), 400_000)
    average = "binary" if metric == "f1" else "macro"
    found = [
        f1_score(drawn.references, side, average=average)
        for side in (drawn.baseline, drawn.candidate)
    ]
    assert corpora.CORPORA[metric].values() == pytest.approx(found, abs=0.004)


def test_all_tables_of_pairs_are_weighed() -> None:
    wins, losses, mass = pairs.tables(50, 0.1, 0.05)
    assert mass.sum() == pytest.approx(1.0, abs=1e-10)
    assert (wins * mass).sum() == pytest.approx(5.0)
    assert (losses * mass).sum() == pytest.approx(2.5)


def test_what_is_counted() -> None:
    """Held, above, below, a point: one of each."""
    four: Ends = (np.array([0.0, 2.0, -2.0, 1.0]), np.array([2.0, 3.0, 0.5, 1.0]))
    found = choices.Covered.of(four, 1.0)
    assert (found.held, found.too_high, found.too_low, found.none) == (0.25, 0.25, 0.25, 0.25)
    assert found.width == pytest.approx((2.0 + 1.0 + 2.5) / 3)
    assert found.bounds == pytest.approx(
        tuple(stats.binomtest(1, 4).proportion_ci(method="wilson")), abs=1e-12
    )


# The record


def cell(study: str, design: str, n: int) -> Any:
    return record.recorded()[study, design, n]


def off(coverage: float) -> float:
    return abs(coverage - 0.95)


def test_every_cell_is_recorded_and_none_else() -> None:
    assert set(record.recorded()) == {(one.study, one.design, one.n) for one in record.cells()}


def test_shares_of_the_record_are_complete() -> None:
    """Held, above, below and none; of 0/1 pairs at no discordance a point may hold the truth."""
    for (study, design, n), methods in record.recorded().items():
        for method, one in methods.items():
            total = one.coverage + one.too_high + one.too_low + one.none
            assert total == pytest.approx(1.0, abs=5e-5), (study, design, n, method)


def test_pairs_are_covered_whatever_the_design() -> None:
    """The rule for 0/1 pairs stays: never below 94.3%, and below 94.9% in two designs of 54."""
    auto = [
        cell("pairs", record.split_of(*split), n)["auto"].coverage
        for split, n in product(pairs.SPLITS, pairs.SIZES)
    ]
    assert min(auto) > 0.943
    assert sum(coverage < 0.949 for coverage in auto) == 2
    bca_t = [cell("pairs", record.split_of(*split), 20)["bca_t"].coverage for split in pairs.SPLITS]
    assert min(bca_t) < 0.5


def test_bootstrap_t_gains_a_point_only_where_it_is_refused_or_wild() -> None:
    """So bca_t stays; Hall's t gains more on few items and is as much wider."""
    for n in SIZES:
        gained, (_, greatest) = record.gain("studentized, else bca_t", n)
        assert (gained >= 0.01) == (n <= 50)
        assert (greatest > 1.8) == (n <= 50)
    assert cell("means", "rare_wins", 50)["studentized"].none > 0.4
    gained, (wider, _) = record.gain("hall_t", 50)
    assert 0.02 < gained < 0.025
    assert 1.35 < wider < 1.45
    for n in (100, 200, 500, 2_000):
        assert record.gain("hall_t", n)[0] < 0.01


def test_bca_t_is_the_better_of_bca_and_percentile_on_skewed_scores() -> None:
    for name, n in product(SKEWED, (20, 50, 100)):
        found = cell("means", name, n)
        for other in ("percentile", "expanded", "bca", "student_t"):
            assert off(found["bca_t"].coverage) < off(found[other].coverage), (name, n, other)


def test_a_t_interval_over_clusters_covers_better_than_resampling_them() -> None:
    """Of equal sizes the same within a point; of unequal ones better at every number from 30."""
    for name, correlation, n in product(CLUSTERED, (0.1, 0.3), CLUSTERS):
        for equal in (True, False):
            found = cell("clusters", record.cluster_design(name, equal, correlation), n)
            ahead = found["cr2"].coverage - found["bca_t"].coverage
            if equal and n >= 30:
                assert abs(ahead) < 0.018, (name, correlation, n)
            elif n >= 30:
                assert ahead > 0.0, (name, correlation, n)
                assert found["cr2"].width < 1.105 * found["bca_t"].width


def test_widened_percentiles_cover_small_sets_better_than_bca_t() -> None:
    for name, corpus in corpora.CORPORA.items():
        for n in corpus.sizes:
            found = cell("corpora", name, n)
            ahead = off(found["bca_t"].coverage) - off(found["expanded"].coverage)
            assert ahead > (0.0 if n < 100 else -0.006), (name, n)
    assert cell("corpora", "macro_f1", 50)["bca_t"].coverage < 0.88
    assert cell("corpora", "macro_f1", 50)["expanded"].coverage > 0.92


# The page


def test_the_page_has_the_tables_of_the_record() -> None:
    assert record.with_tables(PAGE) == PAGE


def test_the_page_says_how_it_was_made() -> None:
    page = " ".join(PAGE.split())
    assert f"seed {choices.SEED}" in page
    for n_sets in {*record.N_SETS.values(), *(one.n_sets for one in corpora.CORPORA.values())}:
        assert f"{n_sets:,} data sets" in page
    assert f"{choices.N_RESAMPLES:,} resamples" in page
    assert f"{corpora.N_RESAMPLES:,} resamples" in page
    for design in (*MEANS.values(), *CLUSTERED.values(), *corpora.CORPORA.values()):
        assert design.about in page


# Everything again


@pytest.mark.slow
@pytest.mark.parametrize(
    ("study", "design"), dict.fromkeys((one.study, one.design) for one in record.cells())
)
def test_the_record_is_what_is_measured(study: str, design: str) -> None:
    """Two data sets in a thousand may fall on the other side with another BLAS or NumPy."""
    for one in record.cells():
        if (one.study, one.design) != (study, design):
            continue
        kept = cell(study, design, one.n)
        for method, found in one.run().items():
            sys.stdout.write(
                f"{study} | {design} | {one.n} | {method} | {100 * found.held:.2f}% | "
                f"{100 * found.too_low:.2f}% below, {100 * found.too_high:.2f}% above | "
                f"width {found.width:.4g}, 90% of them below {found.wide:.4g}\n"
            )
            assert found.held == pytest.approx(kept[method].coverage, abs=0.002)
            assert found.width == pytest.approx(kept[method].width, rel=0.002, nan_ok=True)
