"""Runs that are kept beside each other: CASES 17, 41, 50."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignment.builder import codes, evaluation, lists, refused, right, system
from deadheat.alignment import Dropped, align
from deadheat.errors import UsageError


def kept(ev, **policy):
    return align(ev, runs="keep", **policy)


def test_runs_come_in_the_order_of_their_ids():
    got = kept(
        evaluation(
            system(
                "a", list("yxyx"), outputs=list("abcd"), scores=[1, 0, 0.5, 1], runs=[2, 10, 1, 9]
            ),
            system("b", list("xy"), outputs=list("ef"), scores=[0, 1], runs=[1, 1]),
        )
    )
    assert got.items.to_list() == ["x", "y"]
    assert lists(got.scores) == [[[1, 0], [0.5, 1]], [[0], [1]]]
    assert lists(got.outputs) == [[["d", "b"], ["c", "a"]], [["e"], ["f"]]]
    assert {s.dtype for s in got.scores} == {pl.List(pl.Float64)}
    assert {s.dtype for s in got.outputs} == {pl.List(pl.String)}
    assert codes(got) == ["runs_kept"]
    assert "a 2 runs, b 1 run." in got.notes[0].message
    assert (got.n, got.matched, got.runs) == (2, 2, "keep")


def test_rows_of_an_item_are_runs_in_the_order_of_the_file():
    ev = evaluation(system("a", [7, 3, 7, 7, 3], scores=[1, 0, 0, 1, 1]))
    got = kept(ev)
    assert (got.items.to_list(), lists(got.scores)) == ([3, 7], [[[0, 1], [1, 0, 1]]])
    assert codes(got) == ["runs_kept", "runs_by_order"]
    assert "a 2 to 3 runs" in got.notes[0].message
    refused(ev, "3 (2 rows), 7 (3 rows) in a", "pass@k")


def test_the_order_note_names_only_systems_without_run_ids():
    ev = evaluation(
        system("a", [1, 1], scores=[1, 0]),
        system("b", [1, 1], scores=[1, 0], runs=[0, 1]),
        system("c", [1], scores=[1]),
    )
    by_order = kept(ev).notes[1]
    assert by_order.code == "runs_by_order"
    assert by_order.message.startswith("Rows of a with the same")


def test_one_row_to_an_item_is_a_list_of_one():
    with_ids = kept(evaluation(system("a", [2, 1], outputs=["x", None], scores=[1, 0])))
    assert lists(with_ids.outputs) == [[[None], ["x"]]]
    assert (with_ids.notes[0].code, with_ids.unparseable) == ("unparseable_scored_wrong", (1,))
    by_order = kept(evaluation(system("a", scores=[1, 0]), system("b", scores=[0, 0])))
    assert lists(by_order.scores) == [[[1], [0]], [[0], [0]]]
    assert codes(by_order) == ["paired_by_order"]


def test_repeated_runs_and_repeated_references_stay_refused():
    ev = evaluation(system("a", [1, 1], scores=[1, 1], runs=[0, 0]))
    refused(ev, "1 run 0 (2 rows) in a", runs="keep")
    ev = evaluation(system("a", [1, 1], outputs=["x", "y"]), references=right(["x", "y"], [1, 1]))
    refused(ev, "1 (2 rows) in the references", runs="keep")


def gappy(**more):
    return evaluation(
        system("a", [1, 1, 2, 2, 3, 3], scores=[1, None, 0, 1, 1, 1], runs=[0, 1] * 3, **more),
        system("b", [2, 2, 3, 3], scores=[1, 1, 0, 0], runs=[0, 1] * 2),
    )


def test_a_run_without_score_follows_missing():
    refused(gappy(), "a: 1 no score, such as item 1", "b: 1 not answered", runs="keep")
    dropped = kept(gappy(), missing="drop")
    assert dropped.items.to_list() == [2, 3]
    assert lists(dropped.scores) == [[[0, 1], [1, 1]], [[1, 1], [0, 0]]]
    assert dropped.dropped == (Dropped(reason="not answered by every system", n=1),)
    wrong = kept(gappy(), missing="wrong")
    assert lists(wrong.scores) == [[[1, None], [0, 1], [1, 1]], [None, [1, 1], [0, 0]]]
    assert wrong.absent == (1, 1)
    assert codes(wrong) == ["runs_kept", "missing_scored_wrong"]


def test_null_outputs_are_votes_for_nothing_or_missing():
    outputs = ["x", "y", None, "x", "z", "z"]
    got = kept(gappy(outputs=outputs), missing="wrong")
    assert lists(got.outputs[:1]) == [[["x", "y"], [None, "x"], ["z", "z"]]]
    assert (got.unparseable, got.absent) == ((1, 0), (1, 1))
    moved = kept(gappy(outputs=outputs), missing="wrong", unparseable="missing")
    assert lists(moved.scores[:1]) == [[[1, None], [None, 1], [1, 1]]]
    assert (moved.unparseable, moved.absent) == ((0, 0), (2, 1))
    dropped = kept(gappy(outputs=outputs), missing="drop", unparseable="missing")
    assert dropped.items.to_list() == [3]
    refused(evaluation(system("a", [1, 1], outputs=["x", None], runs=[0, 1])),
            "a: 1 no usable output", runs="keep", unparseable="missing")  # fmt: skip


def test_outputs_need_no_scores():
    ev = evaluation(
        system("a", [1, 1, 2], outputs=["x", "y", "x"], runs=[0, 1, 0], references=["x", None, "y"])
    )
    got = kept(ev)
    assert lists(got.outputs) == [[["x", "y"], ["x"]]]
    assert (got.scores, got.references.to_list()) == ((None,), ["x", "y"])
    refused(ev, "majority_vote")


def test_runs_agree_about_what_belongs_to_the_item():
    ev = evaluation(system("a", [1, 1], scores=[1, 1], references=["x", "y"]))
    refused(ev, "disagree about the reference of 1 items, such as 1", runs="keep")


def test_lists_in_runs():
    packed = pl.Series([b'["x"]', None, b'"y"'], dtype=pl.Binary)
    got = kept(evaluation(system("a", [1, 1, 2], outputs=packed)))
    assert got.outputs[0].dtype == pl.List(pl.Binary)
    assert lists(got.outputs) == [[[b'["x"]', None], [b'"y"']]]


def test_a_policy_on_runs_that_does_not_exist():
    refused(gappy(), "--runs is 'all'", "average, cross, keep", error=UsageError, runs="all")


ROWS = st.lists(
    st.tuples(st.integers(0, 4), st.none() | st.sampled_from([0.0, 1.0])), min_size=1, max_size=12
)


@given(ROWS, ROWS)
def test_lists_hold_the_rows_of_each_item_in_their_order(a, b):
    rows = [[(0, 1.0), *a], [(0, 1.0), *b]]
    systems = [
        system(name, [i for i, _ in held], scores=[x for _, x in held])
        for name, held in zip("ab", rows, strict=True)
    ]
    got = kept(evaluation(*systems), missing="wrong")
    assert got.items.to_list() == sorted({i for held in rows for i, _ in held})
    for held, scores in zip(rows, lists(got.scores), strict=True):
        expected = [[x for i, x in held if i == item] or None for item in got.items]
        assert scores == expected
    gaps = [sum(s is None or None in s for s in scores) for scores in lists(got.scores)]
    assert got.absent == tuple(gaps)


@given(ROWS)
def test_the_hash_tells_apart_what_lists_tell_apart(rows):
    def hash_of(held):
        ev = evaluation(system("a", [i for i, _ in held], scores=[x for _, x in held]))
        got = kept(ev, missing="wrong")
        return lists(got.scores), got.hashes

    one, other = hash_of(rows), hash_of(rows[::-1])
    moved = hash_of([*rows[:-1], (4 - rows[-1][0], rows[-1][1])])
    for again in (other, moved):
        assert (one[0] == again[0]) == (one[1] == again[1])


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [3, 1, 2, 0], [2, 3, 0, 1]])
def test_with_run_ids_the_order_of_rows_changes_nothing(order):
    rows = [("x", 0, 1.0), ("x", 1, 0.0), ("y", 0, 0.0), ("y", 1, 1.0)]
    items, runs, scores = zip(*(rows[k] for k in order), strict=True)
    got = kept(evaluation(system("a", items, scores=scores, runs=runs)))
    assert lists(got.scores) == [[[1, 0], [0, 1]]]
    assert (
        got.hashes
        == kept(
            evaluation(system("a", list("xxyy"), scores=[1, 0, 0, 1], runs=[0, 1, 0, 1]))
        ).hashes
    )
