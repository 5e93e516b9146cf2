"""Claims about recipes: numbers worked out beside the library, and what must not be claimed."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.metrics import f1_score

import deadheat
from deadheat.errors import MetricError, UsageError
from deadheat.inference.run_tables import tables_of
from deadheat.intervals.components import two_way_components
from deadheat.measuring import measured
from deadheat.metrics import metrics_of
from recipes import codes, ends, frame, graded, nested

TABLES = graded()
FRAME = frame(TABLES)
FOUND = deadheat.compare(FRAME, runs="random")


def test_the_interval_is_that_of_the_components():
    a, b = TABLES["a"], TABLES["b"]
    gaps = b.mean(axis=1) - a.mean(axis=1)
    first, second = two_way_components(a), two_way_components(b)
    n = len(gaps)
    variance = gaps.var(ddof=1) / n + first.var_run / 5 + second.var_run / 4
    squares = [
        (gaps.var(ddof=1) / n, n - 1),
        (first.ms_run / (n * 5), 4),
        (second.ms_run / (n * 4), 3),
        (first.ms_residual / (n * 5), 4 * (n - 1)),
        (second.ms_residual / (n * 4), 3 * (n - 1)),
    ]
    df = variance**2 / sum(square**2 / df for square, df in squares)
    half = stats.t.ppf(0.975, df) * math.sqrt(variance)
    assert FOUND.difference.estimate == pytest.approx(gaps.mean())
    assert ends(FOUND) == pytest.approx((gaps.mean() - half, gaps.mean() + half))
    assert FOUND.difference.interval.method == "components"
    p_value = 2 * stats.t.sf(abs(gaps.mean()) / math.sqrt(variance), df)
    assert FOUND.difference.p_value == pytest.approx(p_value, rel=1e-6)
    assert FOUND.difference.tests[0].p_value == pytest.approx(p_value, rel=1e-9)
    assert FOUND.baseline.value == pytest.approx(a.mean())
    assert FOUND.candidate.value == pytest.approx(b.mean())


def test_exchanging_the_systems_flips_the_signs():
    other = deadheat.compare(FRAME, runs="random", baseline="b")
    assert other.difference.estimate == pytest.approx(-FOUND.difference.estimate)
    assert ends(other) == pytest.approx((-ends(FOUND)[1], -ends(FOUND)[0]))
    assert other.difference.runs.pairs.differences == pytest.approx(
        -FOUND.difference.runs.pairs.differences.T
    )


@pytest.mark.parametrize("method", ["components", "crossed"])
def test_the_order_of_rows_changes_nothing(method):
    data = frame(graded(runs=(5, 5)))
    one = deadheat.compare(data, runs="random", method=method, n_resamples=499)
    shuffled = data.sample(frac=1.0, random_state=1)
    two = deadheat.compare(
        shuffled, runs="random", method=method, n_resamples=499, baseline="a", candidate="b"
    )
    assert ends(one) == ends(two)
    assert one.items.hash == two.items.hash


def test_runs_that_are_all_the_same_leave_items_only():
    column = {name: np.tile(table[:, :1], 3) for name, table in TABLES.items()}
    found = deadheat.compare(frame(column), runs="random")
    once = deadheat.compare(
        frame({name: table[:, :1] for name, table in column.items()}), method="student_t"
    )
    assert ends(found) == pytest.approx(ends(once))
    assert found.difference.runs.mean.shares["run"] == 0.0


def test_these_checkpoints_are_narrower_than_this_recipe():
    fixed = deadheat.compare(FRAME)
    assert fixed.difference.runs is None
    assert fixed.difference.estimate == pytest.approx(FOUND.difference.estimate)
    error = FOUND.difference.runs.mean.error_of_these_runs
    assert fixed.difference.standard_error == pytest.approx(error)
    assert FOUND.difference.standard_error > error
    assert "runs_averaged" in codes(fixed)


def test_shares_are_those_of_what_varies():
    rng = np.random.default_rng(9)
    runs = {"a": np.tile([0.0, 3.0, 6.0], (50, 1)), "b": np.tile([1.0, 4.0, 9.0], (50, 1))}
    noise = {name: rng.normal(size=(50, 5)) for name in "ab"}
    assert deadheat.compare(frame(runs), runs="random").difference.runs.mean.shares["run"] == 1.0
    shares = deadheat.compare(frame(noise), runs="random").difference.runs.mean.shares
    assert shares["residual"] > 0.6
    assert sum(shares.values()) == pytest.approx(1.0)


def test_an_interval_of_one_system():
    (row, _) = deadheat.score(FRAME, runs="random").systems
    found = two_way_components(TABLES["a"])
    assert row.value == pytest.approx(found.mean)
    assert row.standard_error == pytest.approx(found.standard_error)
    assert row.interval.method == "components"
    assert row.runs.systems[0].components == found


def test_unpaired_recipes_add_the_variances_of_both():
    found = deadheat.compare(FRAME, runs="random", paired=False)
    alone = deadheat.score(FRAME, runs="random").systems
    assert found.difference.standard_error == pytest.approx(
        math.hypot(*(row.standard_error for row in alone))
    )
    assert found.difference.runs.pairs is None
    assert "pairing_discarded" in codes(found)


class TestDependence:
    def test_clusters_of_one_item_are_items(self):
        found = deadheat.compare(frame(TABLES, cluster=np.arange(60)), runs="random")
        assert ends(found) == pytest.approx(ends(FOUND))

    def test_clusters_of_equal_runs_have_cr2(self):
        clusters = np.repeat(np.arange(12), 5)
        column = {name: np.tile(table[:, :1], 3) for name, table in TABLES.items()}
        once = {name: table[:, :1] for name, table in TABLES.items()}
        found = deadheat.compare(frame(column, cluster=clusters), runs="random")
        single = deadheat.compare(frame(once, cluster=clusters), method="cr2")
        assert ends(found) == pytest.approx(ends(single))
        assert found.difference.design_effect == pytest.approx(single.difference.design_effect)
        assert "few_clusters" in codes(found)

    def test_one_stratum_is_none(self):
        found = deadheat.compare(frame(TABLES, stratum=np.zeros(60, int)), runs="random")
        assert ends(found) == pytest.approx(ends(FOUND))

    def test_strata_of_one_size_are_the_same_pooled_and_averaged(self):
        data = frame(TABLES, stratum=np.repeat([0, 1, 2], 20))
        pooled = deadheat.compare(data, runs="random")
        macro = deadheat.compare(data, runs="random", weighting="macro")
        assert ends(macro) == pytest.approx(ends(pooled))
        assert macro.difference.runs.mean.shares == pytest.approx(
            pooled.difference.runs.mean.shares
        )

    def test_random_strata_are_the_items_of_a_macro_average(self):
        data = frame(TABLES, stratum=np.repeat(np.arange(12), 5))
        means = {k: t.reshape(12, 5, -1).mean(axis=1) for k, t in TABLES.items()}
        found = deadheat.compare(data, runs="random", strata="random", weighting="macro")
        assert ends(found) == pytest.approx(ends(deadheat.compare(frame(means), runs="random")))

    def test_strata_take_what_differs_between_them_out(self):
        apart = np.repeat([0.0, 5.0, 9.0], 20)
        tables = {k: t + (k == "b") * apart[:, None] for k, t in TABLES.items()}
        within = deadheat.compare(frame(tables, stratum=apart), runs="random").difference
        assert within.standard_error == pytest.approx(FOUND.difference.standard_error, rel=0.05)
        assert deadheat.compare(frame(tables), runs="random").difference.standard_error > 0.3


class TestMetricsOfTheWholeSet:
    def labelled(self, n: int = 40) -> tuple[pd.DataFrame, np.ndarray, dict[str, np.ndarray]]:
        rng = np.random.default_rng(12)
        right = rng.choice(["x", "y", "z"], n)
        outputs = {
            name: np.where(rng.random((n, 3)) < p, right[:, None], rng.choice(["x", "y"], (n, 3)))
            for name, p in (("a", 0.5), ("b", 0.7))
        }
        data = frame(outputs, reference=right).rename(columns={"score": "output"})
        return data, right, outputs

    def test_the_value_is_the_mean_of_those_of_the_runs(self):
        data, right, outputs = self.labelled()
        found = deadheat.compare(data, runs="random", metric="macro_f1")
        for side, name in ((found.baseline, "a"), (found.candidate, "b")):
            runs = [f1_score(right, column, average="macro") for column in outputs[name].T]
            assert side.value == pytest.approx(np.mean(runs))

    def test_equal_runs_leave_the_jackknife_of_items(self):
        data, right, outputs = self.labelled()
        first = data[data["run"] == "s0"]
        same = pd.concat([first.assign(run=run) for run in ("s0", "s1", "s2")])
        found = deadheat.compare(same, runs="random", metric="macro_f1")
        n = len(right)
        left_out = [
            np.subtract(
                *(
                    f1_score(right[keep], outputs[name][keep, 0], average="macro")
                    for name in ("b", "a")
                )
            )
            for keep in (np.arange(n) != i for i in range(n))
        ]
        expected = math.sqrt((n - 1) / n * ((left_out - np.mean(left_out)) ** 2).sum())
        assert found.difference.standard_error == pytest.approx(expected)

    def test_accuracy_of_outputs_is_the_mean_of_their_scores(self):
        data, right, outputs = self.labelled()
        scores = {name: (out == right[:, None]).astype(float) for name, out in outputs.items()}
        found = deadheat.compare(data, runs="random")
        assert ends(found) == pytest.approx(ends(deadheat.compare(frame(scores), runs="random")))
        assert found.metric == "accuracy"

    def test_pseudo_values_of_a_mean_are_its_scores(self):
        """A macro average over equal strata is the mean, but takes the way of other metrics."""
        data = frame(TABLES, stratum=np.repeat([0, 1], 30))
        (part,) = measured(
            [data], {}, metrics_of("mean"), lambda systems: [systems],
            missing="error", unparseable="wrong", weighting="macro", runs="random",
        )  # fmt: skip
        assert part.scores[0].per_item is None
        (table, _) = tables_of(part.scores[0], part.n_runs[0])
        within = table.rows - table.rows.reshape(2, 30, -1).mean(axis=1)[table.strata]
        scores = np.sort(within, axis=0)
        known = TABLES["a"] - TABLES["a"].reshape(2, 30, -1).mean(axis=1)[np.repeat([0, 1], 30)]
        assert scores == pytest.approx(np.sort(known, axis=0))
        assert table.values == pytest.approx(TABLES["a"].mean(axis=0))

    def test_a_metric_undefined_in_a_run_is_refused(self):
        data = frame({"a": nested(3, 3, n=9), "b": nested(4, 5, n=9)}, reference=["x"] * 9)
        data["output"] = np.where(data["score"] == 1, "x", "y")
        data = data.drop(columns="score")
        with pytest.raises(MetricError, match="undefined in 4 of 4 runs"):
            deadheat.compare(
                data, runs="random", metric="recall", positive="y", zero_division=math.nan
            )

    def test_several_metrics_have_each_their_own(self):
        data, _, _ = self.labelled()
        both = deadheat.compare(data, runs="random", metric="accuracy,macro_f1")
        alone = deadheat.compare(data, runs="random", metric="macro_f1")
        assert ends(both["macro_f1"]) == ends(alone)


class TestCrossed:
    def test_it_is_labelled_and_its_error_is_that_of_its_draws(self):
        rng = np.random.default_rng(21)
        data = frame({name: rng.normal(size=(200, 8)) for name in "ab"})
        found = deadheat.compare(data, runs="random", method="crossed", n_resamples=1_999)
        components = deadheat.compare(data, runs="random")
        assert found.difference.interval.method == "crossed"
        assert any("conservative" in note.message for note in found.notes)
        assert found.difference.standard_error > 1.3 * components.difference.standard_error
        assert found.difference.interval.monte_carlo_error > 0.0
        assert found.signature.count("runs:random-8x8") == 1

    def test_its_variance_is_that_of_enumeration(self):
        """The variance over all resamples has a closed form for means."""
        n, s = 30, 5
        a, b = graded(n=n, runs=(s, s)).values()
        data = frame({"a": a, "b": b})
        found = deadheat.compare(data, runs="random", method="crossed", n_resamples=9_999)
        twice_items = (np.eye(n) - 1 / n) / n**2 * 1.0 + 1 / n**2
        twice_runs = (np.eye(s) - 1 / s) / s**2 + 1 / s**2
        # E[(sum w v x)^2] of either system, and of their product, whose runs are independent.
        square = [np.einsum("ir,ij,js,rs", x, twice_items, x, twice_runs) for x in (a, b)]
        mixed = a.mean(axis=1) @ twice_items @ b.mean(axis=1)
        variance = sum(square) - 2 * mixed - (b.mean() - a.mean()) ** 2
        assert found.difference.standard_error == pytest.approx(math.sqrt(variance), rel=0.03)

    def test_swapped_sides_have_the_same_draws(self):
        data = frame(graded(runs=(6, 5)))
        one, two = (
            deadheat.compare(data, runs="random", method="crossed", n_resamples=499, baseline=name)
            for name in "ab"
        )
        assert ends(two) == pytest.approx((-ends(one)[1], -ends(one)[0]), abs=1e-12)

    def test_fewer_than_five_runs_are_not_resampled(self):
        with pytest.raises(UsageError, match=r"4 runs .* too few .* components"):
            deadheat.compare(FRAME, runs="random", method="crossed")

    def test_unpaired_sides_and_single_systems_are_drawn_alone(self):
        data = frame(graded(runs=(5, 5)))
        alone = deadheat.score(data, runs="random", method="crossed").systems
        apart = deadheat.compare(data, runs="random", method="crossed", paired=False)
        assert apart.difference.standard_error == pytest.approx(
            math.hypot(*(row.standard_error for row in alone)), rel=0.05
        )


def test_few_runs_are_flagged():
    assert "few_runs" in codes(FOUND)
    assert "few_runs" not in codes(deadheat.compare(frame(graded(runs=(5, 6))), runs="random"))


def test_runs_as_lists_of_scores():
    lists = pd.DataFrame(
        [
            {"item": i, "system": name, "score": table[i].tolist()}
            for name, table in TABLES.items()
            for i in range(60)
        ]
    )
    assert ends(deadheat.compare(lists, runs="random")) == pytest.approx(ends(FOUND))


def test_epochs_are_never_items():
    """Four questions in three epochs are four items, whichever claim is made."""
    tables = {"a": nested(1, 2, 2, n=4), "b": nested(2, 3, 3, n=4)}
    for runs in ("fixed", "random"):
        found = deadheat.compare(frame(tables), runs=runs)
        assert found.items.n == 4
        assert found.units[0].n == 4


def test_repeats_that_agree_are_worth_one():
    """30 items answered 10 times alike: 15 of 30, not 150 of 300."""
    table = {"a": nested(*[15] * 10, n=30)}
    (row,) = deadheat.score(frame(table), runs="random").systems
    half = stats.t.ppf(0.975, 29) * math.sqrt(0.25 * 30 / 29 / 30)
    assert (row.interval.low, row.interval.high) == pytest.approx((0.5 - half, 0.5 + half))
    (fixed,) = deadheat.score(frame(table)).systems
    assert (fixed.interval.low, fixed.interval.high) == pytest.approx((0.332, 0.668), abs=5e-4)


@pytest.mark.parametrize(
    "table", [np.full((9, 3), 1.0), np.tile([[0.0, 1.0]], (9, 1)).repeat(2, 1)]
)
def test_what_does_not_vary_is_degenerate_or_of_runs(table):
    found = deadheat.compare(frame({"a": table, "b": table}), runs="random")
    if np.ptp(table) == 0.0:
        assert found.reading.code == "degenerate"
        assert found.difference.tests[0].p_value == 1.0
    else:
        assert found.difference.runs.mean.shares["run"] == 1.0


def test_one_item_has_no_interval():
    one = {name: table[:1] for name, table in TABLES.items()}
    found = deadheat.compare(frame(one), runs="random")
    assert found.reading.code == "degenerate"
    assert not found.difference.interval.defined


def test_the_smallest_gap_counts_the_degrees_of_freedom():
    found = FOUND.difference
    quantiles = stats.t.ppf([0.975, 0.8], found.runs.mean.df).sum()
    assert found.detectable == pytest.approx(quantiles * found.standard_error)
    assert found.resolving is None


def test_a_margin_is_held_against_the_same_interval():
    found = deadheat.compare(FRAME, runs="random", margin=5.0)
    assert found.reading.code == "equivalent"
    assert found.difference.margin_interval.method == "components"


def test_the_json_says_what_it_rests_on():
    runs = FOUND.to_dict()["runs"]
    assert runs["claim"] == "random"
    assert (runs["baseline"]["n"], runs["candidate"]["n"]) == (5, 4)
    assert runs["baseline"]["values"] == pytest.approx(TABLES["a"].mean(axis=0).tolist())
    assert runs["candidate"]["variance"]["run"] == two_way_components(TABLES["b"]).var_run
    assert sum(runs["shares"].values()) == pytest.approx(1.0)
    assert runs["df"] == FOUND.difference.runs.mean.df
    assert "|runs:random-5x4|" in FOUND.signature
    assert deadheat.compare(FRAME).to_dict()["runs"] is None
