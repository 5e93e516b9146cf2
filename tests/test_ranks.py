"""Boards from Python: against `compare`, other libraries and what symmetry demands."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

import deadheat
from five import BINARY, GRADED, NAMES, N, by_system, frame, messages, pairs_of

# -- two systems -----------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [GRADED, BINARY], ids=["numbers", "0/1"])
def test_two_systems_agree_with_compare(columns: dict[str, Any]) -> None:
    data = frame({name: columns[name] for name in ("elk", "owl")})
    found, alone = deadheat.rank(data), deadheat.compare(data)
    (pair,) = pairs_of(found).values()
    assert (pair["baseline"], pair["candidate"]) == ("elk", "owl")
    assert pair["estimate"] == pytest.approx(alone.difference.estimate)
    error = alone.difference.standard_error
    assert pair["standard_error"] == pytest.approx(error, rel=0.03)
    # One pair has the yardstick of one pair, up to draws and, of 0/1 scores, steps of 0.17.
    right = float(stats.t.ppf(0.975, N - 1)) * math.sqrt(N / (N - 1))
    half = found.critical_value * pair["standard_error"]
    assert found.critical_value == pytest.approx(right, abs=0.12)
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
    pair = pairs_of(found)["a", "again"]
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
    ours, theirs = pairs_of(straight), pairs_of(again)
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
    assert set(pairs_of(found)) == {("fox", n) for n in NAMES if n != "fox"}
    assert found.to_dict()["comparisons"] == {
        "n": 4,
        "correction": "max-t",
        "family": "against the baseline",
    }
    assert by_system(found) == by_system(whole)
    assert whole.to_dict()["comparisons"]["n"] == 10
    for (_, name), pair in pairs_of(found).items():
        both = pairs_of(whole)
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
    listed = [*pairs_of(found).values()]
    right = multipletests([pair["p_value"] for pair in listed], method=judge)[1]
    assert [pair["p_adjusted"] for pair in listed] == pytest.approx(right, rel=1e-12)


def test_no_correction_leaves_p_values_and_intervals_alone() -> None:
    found = deadheat.rank(frame(GRADED), correction="none")
    for (baseline, candidate), pair in pairs_of(found).items():
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
    for (one, other), pair in pairs_of(found).items():
        apart = pair["interval"]["low"] > 0 or pair["interval"]["high"] < 0
        assert bool(bands[one] & bands[other]) != apart
    # Step-down p-values go further than intervals that do not step, never less far.
    for pair in pairs_of(found).values():
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
    pair = pairs_of(found)["base", "plus8"]
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
    assert pairs_of(found)["base", "plus60"]["interval"]["method"] == "max_t"
    assert messages(found)["few_discordant_items"].startswith("1 pair differs")


@pytest.mark.parametrize("correction", ["max-t", "holm", "bh", "none"])
def test_boards_on_which_all_pairs_have_few_discordant_items(correction: Any) -> None:
    found = deadheat.rank(nearly(100, 2, 9), correction=correction)
    assert {pair["interval"]["method"] for pair in pairs_of(found).values()} == {"tango"}
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
    assert {pair["interval"]["method"] for pair in pairs_of(found).values()} == {"tango"}


def test_winning_on_every_item_is_a_finding_and_no_certainty() -> None:
    found = deadheat.rank({"a": [0] * 50, "b": [1] * 50})
    (pair,) = pairs_of(found).values()
    assert pair["p_value"] == pytest.approx(2.0**-49)
    assert 0.7 < pair["interval"]["low"] < pair["interval"]["high"] == 1.0
    assert found.best_set == ("b",)
