"""Plans from pilots: what is estimated, by analyses of variance and counts of others."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

import deadheat
from deadheat import DeadheatError, Plan
from tables import wide


def binary(both: int, only_a: int, only_b: int, neither: int) -> dict[str, list[int]]:
    cells = [(1, 1)] * both + [(1, 0)] * only_a + [(0, 1)] * only_b + [(0, 0)] * neither
    return {"a": [a for a, _ in cells], "b": [b for _, b in cells]}


SEED2 = binary(289, 67, 85, 59)


def codes(plan: Plan) -> set[str]:
    return {note.code for note in plan.notes}


def test_counts_of_a_pilot() -> None:
    """Phi of the four counts by Pearson's correlation; .231 in the article that has them."""
    plan = deadheat.plan(pilot=SEED2)
    design, pilot = plan.design, plan.design.pilot
    assert pilot is not None
    assert (pilot.systems, pilot.values, pilot.discordant) == (("a", "b"), (0.712, 0.748), 152)
    assert design.discordance == 0.304
    assert design.phi == pytest.approx(stats.pearsonr(SEED2["a"], SEED2["b"]).statistic)
    assert design.sd == pytest.approx(np.subtract(SEED2["b"], SEED2["a"]).std())


def test_latent_correlation_is_that_of_the_copula() -> None:
    design = deadheat.plan(pilot=SEED2).design
    rho = design.latent_correlation
    law = stats.multivariate_normal(cov=[[1.0, rho], [rho, 1.0]])
    assert law.cdf(stats.norm.ppf([0.712, 0.748])) == pytest.approx(289 / 500, abs=1e-5)


def test_usual_gaps_and_the_observed_one() -> None:
    """The same range of items as `compare` quotes for the observed gap: 1,605 to 2,092."""
    rows = deadheat.plan(pilot=SEED2).table
    assert [round(row.gap, 4) for row in rows] == [0.005, 0.01, 0.02, 0.03, 0.036, 0.05]
    (observed,) = [row for row in rows if row.what == "observed"]
    assert observed.gap == 0.036
    low, high = proportion_confint(152, 500, method="wilson")
    for discordance, found in (
        (0.304, observed.items),
        (low, observed.items_low),
        (high, observed.items_high),
    ):
        ends = stats.norm.ppf(0.975) * math.sqrt(discordance) + stats.norm.ppf(0.8) * math.sqrt(
            discordance - 0.036**2
        )
        assert found == math.ceil((ends / 0.036) ** 2)
    found = deadheat.compare(SEED2).difference.resolving
    assert found == (observed.items_low, observed.items_high)


def test_observed_gap_is_called_optimistic() -> None:
    plan = deadheat.plan(pilot=SEED2)
    assert "observed_gap" in codes(plan)
    assert "optimistic" in plan.to_text()


def test_no_gap_observed_has_no_number() -> None:
    plan = deadheat.plan(pilot=binary(30, 10, 10, 20))
    assert [row.what for row in plan.table] == ["usual"] * 5
    assert "no_observed_gap" in codes(plan)
    assert "observed_gap" not in codes(plan)


def test_wanted_gap_keeps_the_discordance_of_the_pilot() -> None:
    plan = deadheat.plan(pilot=SEED2, gap=0.02)
    assert plan.design.only_candidate - plan.design.only_baseline == pytest.approx(0.02)
    assert plan.design.discordance == pytest.approx(0.304)
    by_numbers = deadheat.plan(gap=0.02, discordance=0.304)
    paired = [need for need in plan.needed if need.by != "unpaired"]
    assert [(n.by, n.items) for n in paired] == [(n.by, n.items) for n in by_numbers.needed]


def test_wanted_gap_goes_the_way_of_the_observed_one() -> None:
    worse = {"a": SEED2["b"], "b": SEED2["a"]}
    design = deadheat.plan(pilot=worse, gap=0.02).design
    assert design.gap == -0.02
    assert design.candidate == pytest.approx(0.728)


DOORS: dict[str, Any] = {
    "mapping": SEED2,
    "polars": pl.DataFrame({"item": range(500), **SEED2}),
    "pandas": pd.DataFrame({"item": range(500), **SEED2}),
    "arrow": pa.table({"item": range(500), **SEED2}),
    "two arrays": (np.array(SEED2["a"]), np.array(SEED2["b"])),
    "two lists": [SEED2["a"], SEED2["b"]],
}


@pytest.mark.parametrize("door", DOORS)
def test_every_door(door: str) -> None:
    plan = deadheat.plan(pilot=DOORS[door], gap=0.25)
    assert plan.items == deadheat.plan(pilot=SEED2, gap=0.25).items
    pilot = plan.design.pilot
    assert pilot is not None
    assert pilot.discordant == 152


def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    whole = wide(tmp_path / "t.csv", both=289, only_a=67, only_b=85, neither=59)
    for name, column in SEED2.items():
        rows = [f"{i},{x}" for i, x in enumerate(column)]
        Path(f"{name}.csv").write_text("\n".join(["item,score", *rows]), encoding="utf-8")
    found = [
        deadheat.plan(pilot=pilot, gap=0.25)
        for pilot in (str(whole), whole, ["a.csv", "b.csv"], ("x=a.csv", Path("b.csv")))
    ]
    assert len({plan.items for plan in found}) == 1
    pilots = [plan.design.pilot for plan in found]
    assert [pilot.systems for pilot in pilots if pilot is not None][2:] == [("a", "b"), ("x", "b")]


def test_outputs_with_references() -> None:
    outputs = {"a": [*"xyxy"] * 10, "b": [*"xxyy"] * 10}
    plan = deadheat.plan(pilot=outputs, references=[*"xyyy"] * 10)
    pilot = plan.design.pilot
    assert pilot is not None
    assert (pilot.metric, pilot.values, pilot.discordant) == ("accuracy", (0.75, 0.75), 20)


def test_named_pair_of_several_systems() -> None:
    three = {**SEED2, "c": [1, 0] * 250}
    plan = deadheat.plan(pilot=three, baseline="c", candidate="a")
    assert plan.design.pilot is not None
    assert plan.design.pilot.systems == ("c", "a")
    with pytest.raises(DeadheatError, match="3 systems were found"):
        deadheat.plan(pilot=three)


def test_real_scores() -> None:
    generator = np.random.default_rng(4)
    first = generator.gamma(2.0, size=80)
    second = first + generator.normal(0.1, 0.5, size=80)
    plan = deadheat.plan(pilot=(first, second), gap=0.1)
    sd = (second - first).std(ddof=1)
    assert plan.design.sd == pytest.approx(sd)
    found = {need.by: need.items for need in plan.needed}
    reach = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    apart = first.var(ddof=1) + second.var(ddof=1)
    assert found["normal"] == math.ceil((reach * sd / 0.1) ** 2)
    assert found["unpaired"] == math.ceil(reach**2 * apart / 0.01)
    (observed,) = [row for row in plan.table if row.what == "observed"]
    assert observed.items_low is not None
    assert observed.items is not None
    assert observed.items_high is not None
    assert observed.items_low < observed.items < observed.items_high


def test_range_of_items_is_that_of_the_standard_deviation() -> None:
    """The chi-square interval of a variance over 40 normal differences."""
    second = np.random.default_rng(2).normal(size=40)
    plan = deadheat.plan(pilot=(np.zeros(40), second))
    squares = 39 * second.var(ddof=1) / stats.chi2.ppf([0.975, 0.025], 39)
    for row in plan.table:
        ends = [deadheat.plan(gap=row.gap, sd=float(s)).items for s in np.sqrt(squares)]
        assert [row.items_low, row.items_high] == ends


def runs(n: int, k: int, seed: int) -> dict[str, list[list[float]]]:
    generator = np.random.default_rng(seed)
    items = generator.normal(size=n)
    return {
        name: (items[:, None] + shift + generator.normal(scale=scale, size=(n, k))).tolist()
        for name, shift, scale in (("a", 0.0, 0.8), ("b", 0.2, 0.5))
    }


def test_variances_of_repeated_answers() -> None:
    """Mean squares within items by hand; that between items is what is left of the differences."""
    pilot = runs(120, 4, 1)
    plan = deadheat.plan(pilot=pilot, gap=0.1)
    table = {name: np.array(scores) for name, scores in pilot.items()}
    within = [sum(stats.tvar(answers) for answers in table[name]) / 120 for name in ("a", "b")]
    total = stats.tvar(table["b"].mean(axis=1) - table["a"].mean(axis=1))
    variances = plan.design.variances
    assert variances is not None
    assert variances.within == pytest.approx(within)
    assert variances.between == pytest.approx(max(total - sum(within) / 4, 0.0))
    assert variances.answers == (4, 4)
    assert plan.design.pilot is not None
    assert plan.design.pilot.runs == (4, 4)


def test_other_numbers_of_answers_than_in_the_pilot() -> None:
    pilot = runs(120, 4, 1)
    once = deadheat.plan(pilot=pilot, gap=0.1, answers=1)
    often = deadheat.plan(pilot=pilot, gap=0.1, answers=4)
    assert often.needed == deadheat.plan(pilot=pilot, gap=0.1).needed
    variances = often.design.variances
    assert variances is not None
    assert once.design.sd == pytest.approx(math.sqrt(variances.between + sum(variances.within)))
    items = [{(row.baseline, row.candidate): row.items for row in p.answers} for p in (once, often)]
    assert items[1] == items[0] | {(4, 4): items[1][4, 4]}


def test_variance_between_items_is_not_below_zero() -> None:
    """Answers that are noise alone differ between items by less than their variance says."""
    generator = np.random.default_rng(0)
    noise = generator.normal(size=(2, 60, 3))
    plan = deadheat.plan(pilot={"a": noise[0].tolist(), "b": noise[1].tolist()}, gap=0.3)
    means = noise.mean(axis=2)
    within = noise.var(axis=2, ddof=1).mean(axis=1)
    assert (means[1] - means[0]).var(ddof=1) < within.sum() / 3
    assert plan.design.variances is not None
    assert plan.design.variances.between == 0.0
    assert "no_variance_between_items" in codes(plan)


def test_one_system_with_one_answer() -> None:
    rows = [
        {"item": i, "system": s, "seed": k, "score": (i * 7 + 3 * k + (s == "b")) % 5 / 4}
        for i in range(40)
        for s, n in (("a", 3), ("b", 1))
        for k in range(n)
    ]
    plan = deadheat.plan(pilot=pl.DataFrame(rows), gap=0.1)
    assert plan.design.variances is None
    assert "answers_not_apart" in codes(plan)


def clustered(n: int, m: int) -> pl.DataFrame:
    generator = np.random.default_rng(6)
    own = np.repeat(generator.normal(size=n), m)
    scores = own + generator.normal(size=n * m)
    return pl.DataFrame(
        {
            "item": range(n * m),
            "cluster": np.repeat(np.arange(n), m),
            "a": np.zeros(n * m),
            "b": scores,
        }
    )


def test_clusters_of_a_pilot() -> None:
    """For clusters of one size the correlation is (F - 1) / (F - 1 + m), F by scipy."""
    frame = clustered(30, 6)
    plan = deadheat.plan(pilot=frame, systems=("a", "b"), gap=0.3)
    groups = frame["b"].to_numpy().reshape(30, 6)
    f = stats.f_oneway(*groups).statistic
    icc = (f - 1.0) / (f - 1.0 + 6.0)
    clustering = plan.design.clustering
    assert clustering.icc == pytest.approx(icc)
    assert clustering.design_effect == pytest.approx(1.0 + 5.0 * icc)
    assert plan.design.pilot is not None
    assert plan.design.pilot.clusters == 30
    alone = deadheat.plan(gap=0.3, sd=plan.design.sd).items
    assert alone is not None
    assert plan.items == math.ceil(alone * clustering.design_effect - 1e-9)


def test_clusters_of_another_size_than_in_the_pilot() -> None:
    frame = clustered(30, 6)
    found = deadheat.plan(pilot=frame, systems=("a", "b"), gap=0.3, cluster_size=2).design
    icc = deadheat.plan(pilot=frame, systems=("a", "b"), gap=0.3).design.clustering.icc
    assert found.clustering.design_effect == pytest.approx(1.0 + icc)


def test_items_of_a_cluster_that_differ_more_than_others() -> None:
    """Alternating signs within clusters: an intra-class correlation below 0 buys no items."""
    frame = pl.DataFrame(
        {
            "item": range(60),
            "cluster": [i // 2 for i in range(60)],
            "a": [0.0] * 60,
            "b": [1.0 + 0.01 * (i // 2 % 3) if i % 2 else -1.0 for i in range(60)],
        }
    )
    plan = deadheat.plan(pilot=frame, systems=("a", "b"), gap=0.3)
    assert plan.design.clustering.icc < 0.0
    assert plan.design.clustering.design_effect == 1.0
    assert "design_effect_below_one" in codes(plan)


def test_one_system_is_planned_on_its_own() -> None:
    plan = deadheat.plan(pilot=[1] * 70 + [0] * 30, items=400)
    assert plan.design.kind == "single_binary"
    assert plan.at is not None
    assert plan.at.half_width == pytest.approx(stats.norm.ppf(0.975) * math.sqrt(0.21 / 400))
    assert "single_system" in codes(plan)
    values = np.random.default_rng(3).normal(size=50)
    real = deadheat.plan(pilot=(values,), half_width=0.1)
    assert real.items == math.ceil((stats.norm.ppf(0.975) * values.std(ddof=1) / 0.1) ** 2)


def test_one_system_and_a_gap_give_the_table_by_discordance() -> None:
    plan = deadheat.plan(pilot=[1] * 70 + [0] * 30, gap=0.05)
    by_numbers = deadheat.plan(baseline=0.7, candidate=0.75)
    assert plan.table == by_numbers.table
    assert plan.needed == by_numbers.needed


def test_small_pilots_and_strata_are_pointed_out() -> None:
    small = {"item": range(12), "task": [*"xy"] * 6, **binary(4, 2, 3, 3)}
    assert {"small_pilot", "strata_not_used"} <= codes(deadheat.plan(pilot=pl.DataFrame(small)))
    assert codes(deadheat.plan(pilot=SEED2)).isdisjoint({"small_pilot", "strata_not_used"})


REFUSED: dict[str, tuple[Any, dict[str, Any], str]] = {
    "one item": (([1], [0]), {}, "1 item"),
    "no discordant item": (binary(20, 0, 0, 20), {}, r"discordance of up to 0\.088"),
    "the same gap everywhere": (([0.0, 1.0, 2.0], [0.5, 1.5, 2.5]), {}, "same on every item"),
    "nothing but wins": (binary(0, 0, 20, 0), {}, "same on every item"),
    "one system, all right": ([1] * 20, {"items": 50}, "always right"),
    "one system, equal scores": ([0.5] * 20, {"items": 50}, "alike"),
    "one system of real scores and a gap": ([0.5, 1.5, 2.0], {"gap": 0.1}, "one system"),
    "no room for the gap": (SEED2, {"gap": 0.3}, "room for 0.288"),
    "no room in the discordance": (binary(90, 2, 3, 5), {"gap": 0.06}, "0.06"),
    "a metric of the whole set": (
        {"a": [*"xyz"] * 9, "b": [*"xxz"] * 9},
        {"references": [*"xyy"] * 9, "metric": "macro_f1"},
        "whole set",
    ),
    "several metrics": (SEED2, {"metric": "accuracy,mean"}, "one metric"),
    "an accuracy for a name": (SEED2, {"baseline": 0.7}, "names a system"),
    "a name that is not there": (SEED2, {"candidate": "zz"}, "no system 'zz'"),
    "answers of a pilot without": (SEED2, {"answers": 3}, "answered every item several times"),
    "a discordance beside it": (SEED2, {"discordance": 0.3}, "beside --pilot"),
    "a spread beside it": (SEED2, {"sd": 0.3}, "beside --pilot"),
    "a gap in points": (SEED2, {"gap": 4}, "4 points are 0.04"),
    "nothing": ((), {}, "nothing to read"),
    "missing scores": (([1, None, 1], [1, 0, 1]), {}, "--missing"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    pilot, options, said = REFUSED[name]
    with pytest.raises(DeadheatError) as caught:
        deadheat.plan(pilot=pilot, **options)
    assert re.search(said, str(caught.value)), str(caught.value)
