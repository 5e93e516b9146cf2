"""Boards of clusters and strata, columns on request, several metrics, and what is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest
from statsmodels.stats.multitest import multipletests

import deadheat
from five import GRADED, RNG, N, frame, messages, pairs_of

# -- clusters and strata ---------------------------------------------------------------------------

DOCUMENTS = [f"d{i % 15:02}" for i in range(N)]


@pytest.mark.parametrize("baseline", [None, "owl"])
def test_few_clusters_have_what_compare_gives_each_pair_at_bonferronis_level(
    baseline: str | None,
) -> None:
    data = frame(GRADED, cluster=DOCUMENTS)
    found = deadheat.rank(data, baseline=baseline)
    size = 10 if baseline is None else 4
    listed = pairs_of(found)
    assert len(listed) == size
    for (one, other), pair in listed.items():
        alone = deadheat.compare(
            data.select("item", "cluster", one, other),
            baseline=one,
            confidence_level=1 - 0.05 / size,
        ).difference
        assert alone.interval.method == "cr2"
        assert pair["interval"]["method"] == "cr2_bonferroni"
        assert pair["estimate"] == pytest.approx(alone.estimate)
        assert pair["standard_error"] == pytest.approx(alone.standard_error)
        assert pair["interval"]["low"] == pytest.approx(alone.interval.low)
        assert pair["interval"]["high"] == pytest.approx(alone.interval.high)
        assert pair["p_value"] == pytest.approx(alone.p_value)
    right = multipletests([pair["p_value"] for pair in listed.values()], method="holm")[1]
    assert [pair["p_adjusted"] for pair in listed.values()] == pytest.approx(right)
    assert found.correction == "holm"
    assert "Holm" in messages(found)["family"]
    assert (found.exact, found.optimism) == (True, None)
    assert found.to_dict()["resampling"]["n_resamples"] is None


def test_thirty_clusters_are_drawn() -> None:
    found = deadheat.rank(frame(GRADED, cluster=[f"d{i % 50:02}" for i in range(N)]))
    assert (found.exact, found.correction, found.unit.kind, found.unit.n) == (
        *(False, "max-t"),
        *("cluster", 50),
    )


def test_few_clusters_within_strata_are_drawn_within_them() -> None:
    strata = ["s" if i % 15 < 7 else "t" for i in range(N)]
    data = frame(GRADED, cluster=DOCUMENTS, stratum=strata)
    found = deadheat.rank(data)
    alone = deadheat.compare(data.select("item", "cluster", "stratum", "elk", "owl"))
    assert not found.exact
    pair = pairs_of(found)["elk", "owl"]
    assert pair["standard_error"] == pytest.approx(alone.difference.standard_error, rel=0.04)


@pytest.mark.parametrize("weighting", ["pooled", "macro"])
def test_strata_of_a_board_are_those_of_compare(weighting: Any) -> None:
    data = frame(GRADED, task=["x"] * 90 + ["y"] * 60)
    found = deadheat.rank(data, weighting=weighting)
    for (one, other), pair in pairs_of(found).items():
        alone = deadheat.compare(
            data.select("item", "task", one, other), baseline=one, weighting=weighting
        )
        assert pair["estimate"] == pytest.approx(alone.difference.estimate)
        error = alone.difference.standard_error
        assert pair["standard_error"] == pytest.approx(error, rel=0.04)
    assert found.to_dict()["unit"] == {
        "kind": "item",
        "n": N,
        "n_strata": 2,
        "strata": "fixed",
        "weighting": weighting,
    }


# -- more columns ----------------------------------------------------------------------------------


def test_front_of_value_against_cost_by_hand() -> None:
    values = {"a": 0.9, "b": 0.8, "c": 0.8, "d": 0.7, "e": 0.9}
    costs = {"a": 5.0, "b": 2.0, "c": 3.0, "d": 2.0, "e": 5.0}
    rows = [
        {"item": i, "system": name, "score": values[name] + s * 0.1, "usd": costs[name] + s}
        for name in values
        for i, s in enumerate((-1, 0, 1))
    ]
    found = deadheat.rank(pl.DataFrame(rows), cost="usd", n_resamples=99)
    assert {row.system: row.cost for row in found.systems} == pytest.approx(costs)
    # c costs more than b for the same value, d is worse than b at its cost; a and e are equal.
    assert {row.system for row in found.systems if row.on_front} == {"a", "b", "e"}


def test_what_is_asked_for_besides() -> None:
    plain = deadheat.rank(frame(GRADED)).to_dict()
    found = deadheat.rank(frame(GRADED), descriptive=True, confidence_set=True, arena=True)
    asked = {"best_share", "in_confidence_set", "arena_rank"}
    assert not asked & plain["systems"][0].keys()
    assert asked <= found.to_dict()["systems"][0].keys()
    assert math.fsum(row.best_share or 0.0 for row in found.systems) == pytest.approx(1.0)
    ends = {row.system: row.interval for row in found.systems}
    for row in found.systems:
        above = sum(other.low > row.interval.high for other in ends.values())
        assert row.arena_rank == 1 + above
    assert found.systems[0].in_confidence_set


def test_being_first_among_equals_is_worth_the_expected_maximum() -> None:
    """Five equal systems on items of their own luck: 1.163 standard errors (Harter 1961)."""
    rng = np.random.default_rng(4)
    noise = rng.normal(size=(5, 400))
    equal = noise - noise.mean(axis=1, keepdims=True)
    found = deadheat.rank({f"s{i}": column for i, column in enumerate(equal)})
    assert found.optimism == pytest.approx(1.163 / math.sqrt(400), rel=0.08)


def test_several_metrics_are_found_by_name() -> None:
    labels = np.array(list("xyz"))[RNG.integers(0, 3, 90)]
    outputs = {n: np.where(RNG.random(90) < p, labels, "x") for n, p in (("a", 0.5), ("b", 0.9))}
    found = deadheat.rank(
        outputs, references=labels, metric=("accuracy", "macro_f1"), n_resamples=199
    )
    assert isinstance(found, deadheat.Leaderboards)
    assert [board.metric for board in found] == ["accuracy", "macro_f1"]
    assert found["macro_f1"] is found[1]
    assert len(found) == 2
    with pytest.raises(KeyError, match="accuracy"):
        _ = found["acuracy"]
    alone = deadheat.rank(outputs, references=labels, metric="macro_f1", n_resamples=199)
    assert found["macro_f1"].systems == alone.systems


def test_metrics_of_the_whole_set_agree_with_compare() -> None:
    labels = np.array(list("xyz"))[RNG.integers(0, 3, 120)]
    outputs = {
        n: np.where(RNG.random(120) < p, labels, "x")
        for n, p in (("a", 0.5), ("b", 0.6), ("c", 0.9))
    }
    found = deadheat.rank(outputs, references=labels, metric="macro_f1")
    for (one, other), pair in pairs_of(found).items():
        alone = deadheat.compare(
            {n: outputs[n] for n in (one, other)}, references=labels, metric="macro_f1"
        )
        assert pair["estimate"] == pytest.approx(alone.difference.estimate)
        error = alone.difference.standard_error
        assert pair["standard_error"] == pytest.approx(error, rel=0.04)


# -- what cannot be ranked -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sources", "options", "message"),
    [
        ({"a": [1, 0]}, {}, "only one system was found: a"),
        ({"a": [1, 0], "b": [0, 1]}, {"baseline": "c"}, r"no system 'c' .*Known: a, b"),
        ({"a": [1, 0], "b": [0, 1]}, {"correction": "bonf"}, "the correction is 'bonf'"),
        ({"a": [0.5], "b": [1.0]}, {}, "there is one item"),
        ({"a": [1], "b": [0]}, {}, "there is one item"),
        ({"a": [1, 0], "b": [0, 1]}, {"n_resamples": 9}, "9 resamples cannot place"),
        ({"a": [1, 0], "b": [0, None]}, {}, "b: 1 no score"),
    ],
)
def test_refused(sources: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(deadheat.DeadheatError, match=message):
        deadheat.rank(sources, **options)


def test_a_metric_that_is_undefined_for_one_system_names_it() -> None:
    with pytest.raises(deadheat.DeadheatError, match="pearson is undefined for flat"):
        deadheat.rank(
            {"flat": np.ones(9), "steep": np.arange(9.0)},
            references=np.arange(9.0),
            metric="pearson",
        )


def test_a_cost_that_is_not_there_is_called_by_its_option() -> None:
    data = pl.DataFrame({"item": [1, 1, 2, 2], "system": [*"abab"], "score": [1, 0, 0, 1]})
    with pytest.raises(deadheat.DeadheatError, match="--cost") as caught:
        deadheat.rank(data, cost="usd")
    assert "--score" not in str(caught.value)


def test_systems_with_no_item_in_common() -> None:
    first = pl.DataFrame({"item": ["q1", "q2"], "score": [1, 0]})
    second = pl.DataFrame({"item": ["q3", "q4"], "score": [1, 0]})
    with pytest.raises(deadheat.DeadheatError):
        deadheat.rank({"a": first, "b": second})
    with pytest.raises(deadheat.DeadheatError):
        deadheat.rank({"a": first, "b": second}, missing="drop")


# -- clusters that nobody declared -----------------------------------------------------------------


def test_ids_that_look_like_clusters_are_pointed_out() -> None:
    ids = [f"repo{i % 15}__{i}" for i in range(N)]
    found = deadheat.rank(pl.DataFrame({"item": ids, **GRADED}))
    assert "15 different prefixes" in messages(found)["cluster_hint"]
    declared = deadheat.rank(pl.DataFrame({"item": ids, **GRADED}), cluster="item:^(.+)__")
    assert "cluster_hint" not in messages(declared)
