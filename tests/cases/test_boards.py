"""Rows 71 to 73 and 79 of classes J and M, and cliques for bands: what a board may claim."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

import deadheat
from cases.data import Answer, Write, csv
from deadheat.ranking.letters import letters
from deadheat.ranking.ranks import arena_rank


def mixed(*right: int, n: int = 500, seed: int = 0) -> list[np.ndarray]:
    """0/1 scores with so many right answers, on items that have nothing to do with each other."""
    rng = np.random.default_rng(seed)
    return [rng.permutation([1] * k + [0] * (n - k)) for k in right]


def board_of(columns: dict[str, Any]) -> str:
    rows = zip(*columns.values(), strict=True)
    return csv(",".join(["item", *columns]), *((f"q{i}", *row) for i, row in enumerate(rows)))


# -- 71: a strict order from 1 to N ----------------------------------------------------------------


def test_neighbours_that_cannot_be_separated_share_ranks_and_a_band(
    answer: Answer, write: Write
) -> None:
    """Row 71: 396, 396 and 394 of 500 are ranks 1, 1 and 3 by value, and any by the items."""
    columns = dict(zip(("x", "y", "z"), mixed(394, 396, 396), strict=True))
    found = answer("rank", write("board.csv", board_of(columns)))
    rows = {row["system"]: row for row in found["systems"]}
    assert {name: row["rank"] for name, row in rows.items()} == {"x": 3, "y": 1, "z": 1}
    assert {tuple(row["rank_interval"]) for row in rows.values()} == {(1, 3)}
    assert {row["band"] for row in rows.values()} == {"a"}
    assert all(row["top"] for row in rows.values())
    assert found["best_set"] == ["y", "z", "x"]
    assert [pair["p_adjusted"] for pair in found["pairs"]] == pytest.approx([1.0] * 3, abs=0.06)


def test_the_report_says_how_many_pairs_are_put_in_order(write: Write) -> None:
    """Row 71: neighbours by a paired test, and the number of separable pairs in words."""
    columns = dict(zip(("x", "y", "z"), mixed(394, 396, 200), strict=True))
    found = deadheat.rank(write("board.csv", board_of(columns)))
    assert "2 of 3 pairs are put in order" in found.to_text()
    assert found.pairs.separated.tolist() == [False, True, True]


def test_one_pair_is_the_pair(write: Write) -> None:
    """Not "0 of 1 pair are put in order"."""
    columns = dict(zip(("x", "y"), mixed(394, 200), strict=True))
    settled = deadheat.rank(write("board.csv", board_of(columns))).to_text()
    assert "The one pair is put in order at 95%" in " ".join(settled.split())
    columns = dict(zip(("x", "y"), mixed(394, 396), strict=True))
    still_open = deadheat.rank(write("board.csv", board_of(columns))).to_text()
    assert "The one pair is not put in order at 95%" in " ".join(still_open.split())


def test_ties_are_ties_in_any_order_of_columns() -> None:
    """Row 71: which of two equal systems is named first decides nothing but the line it is on."""
    columns = dict(zip(("x", "y", "z"), mixed(394, 396, 396), strict=True))
    told = set()
    for order in itertools.permutations(columns):
        found = deadheat.rank({name: columns[name] for name in order}, n_resamples=499)
        told.add(
            tuple(
                sorted(
                    (row.system, row.rank, row.rank_interval, row.band, row.interval)
                    for row in found.systems
                )
            )
        )
    assert len(told) == 1


# -- 72: chained overlaps --------------------------------------------------------------------------


def test_chained_overlaps_are_two_overlapping_bands_and_no_giant_tier() -> None:
    """Row 72: A[10,14] B[8,12] C[6,9] D[4,7]; the chain would make one tier of all four."""
    low, high = [10, 8, 6, 4], [14, 12, 9, 7]
    apart = np.array([[a > d or c > b for c, d in zip(low, high, strict=True)]
                      for a, b in zip(low, high, strict=True)])  # fmt: skip
    assert letters(apart, range(4)).labels == ("a", "ab", "bc", "c")
    assert arena_rank(low, high).tolist() == [1, 1, 2, 3]


def test_a_band_says_exactly_which_pairs_are_not_put_in_order() -> None:
    """Row 72, on a board: sharing a letter and being separated exclude each other."""
    rng = np.random.default_rng(72)
    ease = rng.normal(size=300)
    columns = {f"s{k}": ease + 0.5 * rng.normal(size=300) + k * 0.07 for k in range(8)}
    found = deadheat.rank(columns)
    bands = {row.system: set(row.band) for row in found.systems}
    chained = 0
    for pair in found.listed_pairs():
        ends = pair["interval"]
        apart = ends["low"] > 0.0 or ends["high"] < 0.0
        assert bool(bands[pair["baseline"]] & bands[pair["candidate"]]) != apart
        chained += apart
    assert 0 < chained < 28
    neighbours = [row.system for row in found.systems]
    assert all(bands[a] & bands[b] for a, b in itertools.pairwise(neighbours))


# -- 73: adjusted p-values -------------------------------------------------------------------------


@pytest.mark.parametrize(("correction", "judge"), [("holm", "holm"), ("bh", "fdr_bh")])
def test_adjusted_values_of_a_board(
    answer: Answer, write: Write, correction: str, judge: str
) -> None:
    """Row 73: of the p-values that stand beside them; equal ones are normal."""
    columns = dict(zip("abcde", mixed(250, 262, 275, 290, 290, seed=5), strict=True))
    found = answer("rank", write("board.csv", board_of(columns)), "--correction", correction)
    p = [pair["p_value"] for pair in found["pairs"]]
    adjusted = [pair["p_adjusted"] for pair in found["pairs"]]
    assert adjusted == pytest.approx(multipletests(p, method=judge)[1], rel=1e-12)
    assert found["comparisons"] == {"n": 10, "correction": correction, "family": "all pairs"}


def test_step_down_values_rise_with_the_p_values() -> None:
    """Row 73: no pair with a larger statistic has a larger adjusted value."""
    columns = dict(zip("abcde", mixed(250, 262, 275, 290, 310, seed=5), strict=True))
    found = deadheat.rank(columns, n_resamples=999).pairs
    statistics = np.abs(found.differences) / found.standard_errors
    order = np.argsort(-statistics)
    assert (np.diff(found.adjusted[order]) >= 0.0).all()
    assert (found.adjusted >= found.p_values).all()


# -- 79: which way is up ---------------------------------------------------------------------------


def test_lower_is_better_is_not_ranked_upside_down(answer: Answer, write: Write) -> None:
    """Row 79: an error rate of 0.10 is before one of 0.20."""
    columns = {"a": ["w w w w w w w w w x"] * 20, "b": ["w w w w w w w w x x"] * 20}
    reference = ["w w w w w w w w w w"] * 20
    rows = zip(reference, *columns.values(), strict=True)
    text = csv("item,reference,a,b", *((f"q{i}", *row) for i, row in enumerate(rows)))
    found = answer("rank", write("said.csv", text), "--metric", "wer", "--system", "a,b")
    assert found["metric"]["greater_is_better"] is False
    assert [(row["system"], row["value"], row["rank"]) for row in found["systems"]] == [
        ("a", pytest.approx(0.1), 1),
        ("b", pytest.approx(0.2), 2),
    ]


def test_losses_in_order(answer: Answer, write: Write) -> None:
    """Row 79: log-loss .137, .464 and .675; the least is the first, and the best of its set."""
    rng = np.random.default_rng(79)
    noise = rng.normal(size=(3, 60)) * 0.02
    losses = {
        name: (mean + part - part.mean()).round(6)
        for name, mean, part in zip("cab", (0.675, 0.137, 0.464), noise, strict=True)
    }
    path = write("loss.csv", board_of(losses))
    found = answer("rank", path, "--metric", "mean", "--lower-is-better")
    assert [row["system"] for row in found["systems"]] == ["a", "b", "c"]
    assert found["best_set"] == ["a"]
    upside_down = answer("rank", path, "--metric", "mean")
    assert [row["system"] for row in upside_down["systems"]] == ["c", "b", "a"]


# -- ties found as maximal cliques -----------------------------------------------------------------


def cliques(alike: np.ndarray) -> int:
    """Count the maximal groups of which no two are separated (Bron & Kerbosch 1973)."""
    near = [sum(1 << int(j) for j in np.flatnonzero(row) if j != i) for i, row in enumerate(alike)]

    def grown(candidates: int, excluded: int) -> int:
        if not candidates:
            return int(not excluded)
        pivot = max(
            (k for k in range(len(near)) if (candidates | excluded) >> k & 1),
            key=lambda k: (near[k] & candidates).bit_count(),
        )
        total, open_ = 0, candidates & ~near[pivot]
        while open_:
            bit = open_ & -open_
            k = bit.bit_length() - 1
            total += grown(candidates & near[k], excluded & near[k])
            candidates, excluded, open_ = candidates & ~bit, excluded | bit, open_ & ~bit
        return total

    return grown((1 << len(near)) - 1, 0)


def test_a_board_of_80_systems_has_no_thousands_of_bands() -> None:
    """Anchors: 13,336 groups on 80 systems by maximal cliques.

    Systems of two kinds answer unlike each other, so that which pairs are separated follows no
    line: the graph has many maximal cliques, and the board has at most a letter a system.
    """
    rng = np.random.default_rng(80)
    ease = rng.normal(size=(8, 400))
    columns = {
        f"s{k:02}": ease[k % 8] * rng.uniform(0.2, 2.5) + rng.normal(size=400) * rng.uniform(0.1, 2)
        + k * 0.006
        for k in range(80)
    }  # fmt: skip
    found = deadheat.rank(columns, n_resamples=499)
    apart = np.zeros((80, 80), dtype=bool)
    apart[tuple(found.pairs.members.T)] = found.pairs.separated
    apart |= apart.T
    bands = {row.system: set(row.band.split(",")) for row in found.systems}
    if not any("," in row.band for row in found.systems):
        bands = {row.system: set(row.band) for row in found.systems}
    assert len(set().union(*bands.values())) <= 80 < cliques(~apart)
    for i, j in itertools.combinations(range(80), 2):
        shared = bands[found.names[i]] & bands[found.names[j]]
        assert bool(shared) != apart[i, j]
    assert "letters" in {note.code for note in found.notes}
