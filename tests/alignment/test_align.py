from __future__ import annotations

import math

import polars as pl

from alignment.builder import codes, evaluation, lists, refused, right, system
from deadheat.alignment import Dropped, align
from deadheat.evaluation import Evaluation
from deadheat.hashing import row_set_hash

# Missing: CASES 10, 18 to 24


def gappy() -> Evaluation:
    return evaluation(
        system("a", [1, 2, 3, 4], scores=[1, 0.5, None, math.nan]),
        system("b", [2, 3, 4, 5], scores=[1, 1, math.inf, 0.25]),
    )


def test_missing_is_refused_with_counts_reasons_and_both_flags():
    refused(
        gappy(),
        "a: 1 not answered, 2 no score, such as item 3",
        "b: 1 not answered, 1 no score, such as item 1",
        "matched 3, only a 1, only b 1",
        "--missing drop",
        "--missing wrong",
    )


def test_drop_keeps_complete_items_and_counts_each_loss_once():
    got = align(gappy(), missing="drop")
    assert got.items.to_list() == [2]
    assert lists(got.scores) == [[0.5], [1]]
    assert got.dropped == (
        Dropped(reason="not answered by every system", n=2),
        Dropped(reason="no score", n=2),
    )
    assert (got.n, got.matched, got.only, got.absent) == (1, 3, (1, 1), (0, 0))
    assert codes(got) == ["items_dropped"]
    assert "4 of 5 items" in got.notes[0].message
    assert got.hash == row_set_hash(pl.Series([2]), n=1)


def test_wrong_keeps_all_items_and_counts_by_system():
    got = align(gappy(), missing="wrong")
    assert got.items.to_list() == [1, 2, 3, 4, 5]
    assert lists(got.scores) == [[1, 0.5, None, None, None], [None, 1, 1, None, 0.25]]
    assert (got.n, got.absent, got.dropped, got.unparseable) == (5, (3, 2), (), (0, 0))
    assert codes(got) == ["missing_scored_wrong"]


def test_drop_that_leaves_nothing():
    ev = evaluation(system("a", [1, 2], scores=[1, None]), system("b", [1, 2], scores=[None, 1]))
    refused(ev, "no item is left of 2", "2 no score", "matched 2", missing="drop")


def test_dropping_is_over_all_systems_compared():
    ev = evaluation(
        *(system(s, [1, 2, 3], scores=[1, 1, 1]) for s in "ab"), system("c", [3, 4], scores=[1, 1])
    )
    got = align(ev, missing="drop")
    assert got.items.to_list() == [3]
    assert (got.matched, got.only) == (1, (2, 2, 1))
    assert align(ev, ["a", "b"], missing="drop").n == 3
    refused(ev, "matched 1, not of all but of a 2, not of all but of b 2, not of all but of c 1")


def with_nulls() -> Evaluation:
    return evaluation(
        system("a", [1, 2, 3], outputs=["x", None, None]),
        system("b", [2, 3, 4], outputs=["x", "y", "x"]),
        references=right(["x", "y", "x", "y"], [1, 2, 3, 4]),
    )


def test_null_outputs_are_wrong_and_not_missing():
    got = align(with_nulls(), missing="drop")
    assert got.items.to_list() == [2, 3]
    assert lists(got.outputs) == [[None, None], ["x", "y"]]
    assert got.references.to_list() == ["y", "x"]
    assert (got.unparseable, got.absent) == ((2, 0), (0, 0))
    assert codes(got) == ["items_dropped", "unparseable_scored_wrong"]


def test_null_outputs_and_absent_items_are_counted_apart():
    got = align(with_nulls(), missing="wrong")
    assert lists(got.outputs) == [["x", None, None, None], [None, "x", "y", "x"]]
    assert (got.unparseable, got.absent) == ((2, 0), (1, 1))


def test_null_outputs_fall_under_missing_when_asked():
    policy = {"unparseable": "missing"}
    refused(with_nulls(), "a: 1 not answered, 2 no usable output", **policy)
    refused(with_nulls(), "no item is left", missing="drop", **policy)
    got = align(with_nulls(), missing="wrong", **policy)
    assert (got.unparseable, got.absent, got.unparseable_policy) == ((0, 0), (3, 1), "missing")


def test_a_score_goes_with_the_output_that_counts_as_missing():
    ev = evaluation(system("a", [1, 2], outputs=[None, "x"], scores=[0.5, 1]))
    got = align(ev, missing="wrong", unparseable="missing")
    assert lists(got.scores) == [[None, 1]]
    assert lists(align(ev).scores) == [[0.5, 1]]


def test_policies_hold_without_ids():
    ev = evaluation(system("a", scores=[1, None, 3]), system("b", scores=[4, 5, math.nan]))
    refused(ev, "a: 1 no score, such as row 2", "b: 1 no score, such as row 3")
    got = align(ev, missing="drop")
    assert lists(got.scores) == [[1], [4]]
    assert (got.dropped, got.items) == ((Dropped(reason="no score", n=2),), None)


# References


def test_reference_rows_without_answers_are_missing_for_all():
    ev = evaluation(
        system("a", [1, 2], outputs=["x", "y"]), references=right(["x", "y", "x"], [3, 2, 1])
    )
    refused(ev, "a: 1 not answered, such as item 3")
    assert align(ev, missing="drop").n == 2
    got = align(ev, missing="wrong")
    assert (got.references.to_list(), got.absent, got.n) == (["x", "y", "x"], (1,), 3)
    assert (got.matched, got.only) == (2, (0,))


def test_answers_without_reference():
    ev = evaluation(system("a", [1, 2], outputs=["x", "y"]), references=right(["x"], [1]))
    for missing in ("error", "wrong"):
        refused(ev, "1 of 2 items have no reference", "item 2", missing=missing)
    got = align(ev, missing="drop")
    assert (got.n, got.dropped) == (1, (Dropped(reason="no reference", n=1),))


def test_an_item_lost_for_two_reasons_counts_under_the_first():
    ev = evaluation(
        system("a", [1], outputs=["x"]),
        system("b", [1, 2], outputs=["x", "y"]),
        references=right(["x"], [1]),
    )
    got = align(ev, missing="drop")
    assert got.dropped == (Dropped(reason="not answered by every system", n=1),)


def test_scores_need_no_reference():
    ev = evaluation(system("a", [1, 2], scores=[1, 0]), references=right(["x"], [1]))
    assert align(ev).references.to_list() == ["x", None]


def test_systems_must_agree_about_references():
    ev = evaluation(
        system("a", ["p", "q", "r"], outputs=["x"] * 3, references=["x", "y", "z"]),
        system("b", ["r", "q", "p"], outputs=["x"] * 3, references=["z", "x", "x"]),
        system("c", ["p", "q", "r"], outputs=["x"] * 3, references=[None, "y", "z"]),
    )
    refused(ev, "a and b disagree about the references of 1 of 3 items", "item 'q': 'y' and 'x'")
    got = align(ev, ["c", "a"])
    assert got.references.to_list() == ["x", "y", "z"]


def test_references_of_one_system_serve_all():
    ev = evaluation(
        system("a", [1, 2], outputs=["x", "y"], references=["y", "x"]),
        system("b", [2, 1], outputs=["x", "y"]),
    )
    assert align(ev).references.to_list() == ["y", "x"]


def test_references_given_apart_come_first_and_it_is_said():
    ev = evaluation(system("a", [1], outputs=["x"], references=["y"]), references=right(["x"], [1]))
    got = align(ev)
    assert got.references.to_list() == ["x"]
    assert codes(got) == ["references_given_apart"]


# Clusters and strata


def test_clusters_and_strata_come_from_wherever_they_are():
    ev = evaluation(
        system("a", [1, 2, 3], outputs=["x"] * 3, clusters=["c", "d", None]),
        system("b", [3, 2, 1], outputs=["x"] * 3, clusters=["e", None, "c"]),
        references=right(["x"] * 3, [3, 1, 2], strata=[7, 8, 9]),
    )
    got = align(ev)
    assert got.clusters.to_list() == ["c", "d", "e"]
    assert got.strata.to_list() == [8, 9, 7]
    assert got.hash == row_set_hash(got.items, got.references, got.clusters, got.strata, n=3)


def test_items_without_cluster_or_with_two():
    ev = evaluation(system("a", [1, 2], scores=[1, 1], clusters=["c", None]))
    refused(ev, "1 of 2 items have no cluster", "item 2")
    ev = evaluation(
        system("a", [1], scores=[1], strata=["s"]), system("b", [1], scores=[1], strata=["t"])
    )
    refused(ev, "disagree about the strata of 1 of 1 items", "item 1: 's' and 't'")
