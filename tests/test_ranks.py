"""Boards from Python: against `compare`, other libraries and what symmetry demands."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import polars as pl
import pytest
from statsmodels.stats.multitest import multipletests

import deadheat

N = 150
RNG = np.random.default_rng(23)
EASE = RNG.normal(size=N)
NAMES = ("elk", "ant", "owl", "fox", "cat")
GRADED = {
    name: (EASE + RNG.normal(size=N) + gain).round(3)
    for name, gain in zip(NAMES, (0.0, 0.1, 0.5, 0.45, 1.2), strict=True)
}
BINARY = {name: (column > 0).astype(int) for name, column in GRADED.items()}
IDS = [f"q{i:03}" for i in range(N)]


def frame(columns: dict[str, Any], **more: Any) -> pl.DataFrame:
    return pl.DataFrame({"item": IDS[: len(next(iter(columns.values())))], **columns, **more})


def pairs(found: deadheat.Leaderboard) -> dict[tuple[str, str], dict[str, Any]]:
    return {(pair["baseline"], pair["candidate"]): pair for pair in found.listed_pairs()}


def by_system(found: deadheat.Leaderboard) -> dict[str, dict[str, Any]]:
    return {row.system: row.to_dict() for row in found.systems}


def notes(found: Any) -> dict[str, str]:
    return {note.code: note.message for note in found.notes}


# -- two systems -----------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [GRADED, BINARY], ids=["numbers", "0/1"])
def test_two_systems_agree_with_compare(columns: dict[str, Any]) -> None:
    data = frame({name: columns[name] for name in ("elk", "owl")})
    found, alone = deadheat.rank(data), deadheat.compare(data)
    (pair,) = pairs(found).values()
    assert (pair["baseline"], pair["candidate"]) == ("elk", "owl")
    assert pair["estimate"] == pytest.approx(alone.difference.estimate)
    error = alone.difference.standard_error
    assert pair["standard_error"] == pytest.approx(error, rel=0.03)
    # One pair has the yardstick of one pair: max-t is its own studentised bootstrap interval.
    half = found.critical_value * pair["standard_error"]
    assert found.critical_value == pytest.approx(1.96, abs=0.06)
    ends = pair["interval"]
    assert (ends["low"], ends["high"]) == pytest.approx(
        (pair["estimate"] - half, pair["estimate"] + half)
    )
    assert pair["p_adjusted"] == pair["p_value"]
    assert pair["p_value"] == pytest.approx(alone.difference.p_value, abs=0.01)
    values = {side.system: side.value for side in (alone.baseline, alone.candidate)}
    intervals = {side.system: side.interval for side in (alone.baseline, alone.candidate)}
    for row in found.systems:
        assert row.value == pytest.approx(values[row.system])
        assert row.interval == intervals[row.system]
    assert found.items_hash == alone.items.hash


# -- values and ranks ------------------------------------------------------------------------------


def test_ties_share_a_rank_wherever_they_stand() -> None:
    """CASES 71: 396, 396 and 394 of 500."""
    right = {"x": 394, "y": 396, "z": 396}
    rng = np.random.default_rng(2)
    columns = {name: rng.permutation([1] * k + [0] * (500 - k)) for name, k in right.items()}
    for order in itertools.permutations(right):
        found = deadheat.rank({name: columns[name] for name in order}, n_resamples=199)
        assert {row.system: row.rank for row in found.systems} == {"x": 3, "y": 1, "z": 1}
        assert [row.system for row in found.systems if row.rank == 1] == [
            name for name in order if name != "x"
        ]


def test_identical_systems_are_never_put_in_order() -> None:
    columns = {"a": GRADED["elk"], "again": GRADED["elk"], "cat": GRADED["cat"]}
    found = deadheat.rank(frame(columns))
    rows = by_system(found)
    assert [rows[name]["rank"] for name in columns] == [2, 2, 1]
    assert rows["a"]["rank_interval"] == rows["again"]["rank_interval"] == [2, 3]
    assert rows["a"]["band"] == rows["again"]["band"]
    pair = pairs(found)["a", "again"]
    assert (pair["estimate"], pair["p_value"], pair["p_adjusted"]) == (0.0, 1.0, 1.0)


def test_lower_is_better_turns_the_board_round() -> None:
    """CASES 79."""
    up = deadheat.rank(frame(GRADED))
    down = deadheat.rank(frame({k: -v for k, v in GRADED.items()}), greater_is_better=False)
    assert [row.system for row in up.systems] == [row.system for row in down.systems]
    for one, other in zip(up.systems, down.systems, strict=True):
        assert (one.rank, one.rank_interval, one.band, one.top) == (
            *(other.rank, other.rank_interval, other.band),
            other.top,
        )
        assert one.value == -other.value
    assert up.best_set == down.best_set
    # Negated scores are other types, and so other draws of the same size.
    assert down.pairs.low == pytest.approx(-up.pairs.high, abs=0.02)


@pytest.mark.parametrize("columns", [GRADED, BINARY], ids=["numbers", "0/1"])
@pytest.mark.parametrize("options", [{}, {"correction": "holm"}, {"correction": "bh"}], ids=str)
def test_order_of_systems_and_rows_does_not_matter(
    columns: dict[str, Any], options: dict[str, Any]
) -> None:
    straight = deadheat.rank(frame(columns), **options)
    turned = frame({name: columns[name] for name in sorted(columns)}).sample(
        fraction=1.0, shuffle=True, seed=3
    )
    again = deadheat.rank(turned, **options)
    assert by_system(straight) == by_system(again)
    ours, theirs = pairs(straight), pairs(again)
    for (baseline, candidate), pair in ours.items():
        same = (baseline, candidate) in theirs
        other = theirs[(baseline, candidate) if same else (candidate, baseline)]
        sign = 1.0 if same else -1.0
        assert pair["estimate"] == sign * other["estimate"]
        assert (pair["p_value"], pair["p_adjusted"]) == (other["p_value"], other["p_adjusted"])
        ends = [sign * other["interval"][end] for end in ("low", "high")]
        assert [pair["interval"]["low"], pair["interval"]["high"]] == sorted(ends)
    assert straight.items_hash == again.items_hash


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_give_the_same_bits(threads: int) -> None:
    assert (
        deadheat.rank(frame(GRADED), threads=threads).to_json()
        == deadheat.rank(frame(GRADED)).to_json()
    )


def test_another_seed_moves_draws_and_no_value() -> None:
    one, other = (deadheat.rank(frame(GRADED), rng=seed, n_resamples=499) for seed in (0, 1))
    assert [row.value for row in one.systems] == [row.value for row in other.systems]
    assert one.critical_value != other.critical_value


# -- families and corrections ----------------------------------------------------------------------


def test_a_baseline_makes_a_family_of_the_others() -> None:
    found, whole = deadheat.rank(frame(GRADED), baseline="fox"), deadheat.rank(frame(GRADED))
    assert set(pairs(found)) == {("fox", n) for n in NAMES if n != "fox"}
    assert found.to_dict()["comparisons"] == {
        "n": 4,
        "correction": "max-t",
        "family": "against the baseline",
    }
    assert by_system(found) == by_system(whole)
    assert whole.to_dict()["comparisons"]["n"] == 10
    for (_, name), pair in pairs(found).items():
        both = pairs(whole)
        wide = both.get(("fox", name)) or both[name, "fox"]
        widths = [p["interval"]["high"] - p["interval"]["low"] for p in (pair, wide)]
        assert widths[0] < widths[1]
        assert pair["p_value"] == wide["p_value"]
        assert pair["p_adjusted"] <= wide["p_adjusted"]


@pytest.mark.parametrize(("correction", "judge"), [("holm", "holm"), ("bh", "fdr_bh")])
@pytest.mark.parametrize("baseline", [None, "ant"])
@pytest.mark.parametrize("columns", [GRADED, BINARY], ids=["numbers", "0/1"])
def test_corrections_are_those_of_statsmodels(
    columns: dict[str, Any], baseline: str | None, correction: Any, judge: str
) -> None:
    """CASES 73, on the p-values that the board itself prints."""
    found = deadheat.rank(frame(columns), correction=correction, baseline=baseline)
    listed = [*pairs(found).values()]
    right = multipletests([pair["p_value"] for pair in listed], method=judge)[1]
    assert [pair["p_adjusted"] for pair in listed] == pytest.approx(right, rel=1e-12)


def test_no_correction_leaves_p_values_and_intervals_alone() -> None:
    found = deadheat.rank(frame(GRADED), correction="none")
    for (baseline, candidate), pair in pairs(found).items():
        alone = deadheat.compare(
            frame({name: GRADED[name] for name in (baseline, candidate)}), method="student_t"
        )
        assert pair["p_adjusted"] == pair["p_value"]
        assert pair["p_value"] == pytest.approx(alone.difference.p_value, abs=0.01)
        assert pair["interval"]["low"] == pytest.approx(alone.difference.interval.low, abs=0.01)
    assert by_system(found) == by_system(deadheat.rank(frame(GRADED)))


def test_max_t_is_shorter_than_bonferroni_and_wider_than_each_alone() -> None:
    widths = {
        correction: (found.pairs.high - found.pairs.low)
        for correction in ("max-t", "holm", "none")
        for found in [deadheat.rank(frame(GRADED), correction=correction)]
    }
    assert (widths["none"] < widths["max-t"]).all()
    assert (widths["max-t"] < widths["holm"]).all()


def test_bands_go_by_the_intervals() -> None:
    found = deadheat.rank(frame(GRADED))
    bands = {row.system: set(row.band) for row in found.systems}
    for (one, other), pair in pairs(found).items():
        apart = pair["interval"]["low"] > 0 or pair["interval"]["high"] < 0
        assert bool(bands[one] & bands[other]) != apart
    # Step-down p-values go further than intervals that do not step, never less far.
    for pair in pairs(found).values():
        if pair["interval"]["low"] > 0 or pair["interval"]["high"] < 0:
            assert pair["p_adjusted"] <= 0.05


def test_rank_sets_hold_ranks_and_the_best_set_the_first() -> None:
    found = deadheat.rank(frame(GRADED))
    for row in found.systems:
        assert row.rank_interval[0] <= row.rank <= row.rank_interval[1]
        assert (row.rank_interval[0] == 1) == (row.system in found.best_set)
        if row.top:
            assert row.system in found.best_set
    assert found.systems[0].top


# -- few discordant items --------------------------------------------------------------------------


def nearly(n: int, *flips: int) -> dict[str, Any]:
    """A system right on 70 of n items, and others that are right on so many more."""
    base = np.array([1] * 70 + [0] * (n - 70))
    columns = {"base": base}
    for flip in flips:
        more = base.copy()
        more[70 : 70 + flip] = 1
        columns[f"plus{flip}"] = more
    return columns


def test_pairs_with_few_discordant_items_are_judged_by_counts() -> None:
    """Tango at Bonferroni's level and exact McNemar, as `compare` computes both."""
    columns = nearly(200, 8, 60)
    found = deadheat.rank(columns)
    pair = pairs(found)["base", "plus8"]
    alone = deadheat.compare(
        {name: columns[name] for name in ("base", "plus8")},
        method="tango",
        confidence_level=1 - 0.05 / 3,
    )
    assert pair["interval"]["method"] == "tango"
    assert pair["interval"]["low"] == pytest.approx(alone.difference.interval.low)
    assert pair["interval"]["high"] == pytest.approx(alone.difference.interval.high)
    assert pair["p_value"] == pytest.approx(2.0 * 0.5**8)
    assert pair["p_adjusted"] == pytest.approx(3 * 2.0 * 0.5**8)
    assert pairs(found)["base", "plus60"]["interval"]["method"] == "max_t"
    assert notes(found)["few_discordant_items"].startswith("1 pair differs")


@pytest.mark.parametrize("correction", ["max-t", "holm", "bh", "none"])
def test_boards_on_which_all_pairs_have_few_discordant_items(correction: Any) -> None:
    found = deadheat.rank(nearly(100, 2, 9), correction=correction)
    assert {pair["interval"]["method"] for pair in pairs(found).values()} == {"tango"}
    assert found.to_dict()["resampling"]["critical_value"] is None
    # Tango excludes 0 where sqrt(discordant) > z: 2.394 at level 1 - 0.05 / 3. Of 9, 7 and 2 the
    # last is below.
    assert {row.system: row.rank_interval for row in found.systems} == {
        "plus9": (1, 1),
        "plus2": (2, 3),
        "base": (2, 3),
    }


def test_what_the_draws_cannot_place_is_judged_by_counts() -> None:
    """19 draws place 5%, but not the share that is left to one pair of three."""
    found = deadheat.rank(nearly(200, 4, 60), n_resamples=19)
    assert {pair["interval"]["method"] for pair in pairs(found).values()} == {"tango"}


def test_winning_on_every_item_is_a_finding_and_no_certainty() -> None:
    found = deadheat.rank({"a": [0] * 50, "b": [1] * 50})
    (pair,) = pairs(found).values()
    assert pair["p_value"] == pytest.approx(2.0**-49)
    assert 0.7 < pair["interval"]["low"] < pair["interval"]["high"] == 1.0
    assert found.best_set == ("b",)


# -- clusters and strata ---------------------------------------------------------------------------

DOCUMENTS = [f"d{i % 15:02}" for i in range(N)]


@pytest.mark.parametrize("baseline", [None, "owl"])
def test_few_clusters_have_what_compare_gives_each_pair_at_bonferronis_level(
    baseline: str | None,
) -> None:
    data = frame(GRADED, cluster=DOCUMENTS)
    found = deadheat.rank(data, baseline=baseline)
    size = 10 if baseline is None else 4
    listed = pairs(found)
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
    assert "Holm" in notes(found)["family"]
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
    pair = pairs(found)["elk", "owl"]
    assert pair["standard_error"] == pytest.approx(alone.difference.standard_error, rel=0.04)


@pytest.mark.parametrize("weighting", ["pooled", "macro"])
def test_strata_of_a_board_are_those_of_compare(weighting: Any) -> None:
    data = frame(GRADED, task=["x"] * 90 + ["y"] * 60)
    found = deadheat.rank(data, weighting=weighting)
    for (one, other), pair in pairs(found).items():
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
    for (one, other), pair in pairs(found).items():
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
    assert "15 different prefixes" in notes(found)["cluster_hint"]
    declared = deadheat.rank(pl.DataFrame({"item": ids, **GRADED}), cluster="item:^(.+)__")
    assert "cluster_hint" not in notes(declared)
