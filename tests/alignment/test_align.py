from __future__ import annotations

import math
import re
from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignment.builder import evaluation, right, source, system
from deadheat.alignment import Alignment, Dropped, align
from deadheat.errors import AlignmentError, UsageError
from deadheat.evaluation import Evaluation
from deadheat.hashing import answers_hash, row_set_hash


def codes(alignment: Alignment) -> list[str]:
    return [note.code for note in alignment.notes]


def lists(columns) -> list:
    return [None if c is None else c.to_list() for c in columns]


def refused(ev: Evaluation, *parts: str, error=AlignmentError, **policy) -> str:
    with pytest.raises(error) as caught:
        align(ev, **policy)
    message = str(caught.value)
    for part in parts:
        assert part in message
    return message


# By id


def test_pairs_by_id_in_any_order():
    got = align(
        evaluation(
            system("a", ["q2", "q10", "q1"], scores=[0.2, 1.0, 0.1]),
            system("b", ["q1", "q2", "q10"], scores=[1.1, 1.2, 2.0]),
        )
    )
    assert got.systems == ("a", "b")
    assert got.items.to_list() == ["q1", "q10", "q2"]
    assert lists(got.scores) == [[0.1, 1.0, 0.2], [1.1, 2.0, 1.2]]
    assert (got.n, got.matched, got.only, got.duplicated) == (3, 3, (0, 0), 0)
    assert (got.dropped, got.absent, got.unparseable, got.notes) == ((), (0, 0), (0, 0), ())
    assert got.hash == row_set_hash(pl.Series(["q2", "q1", "q10"]), n=3)
    assert got.hashes[1] == answers_hash(None, pl.Series([1.1, 2.0, 1.2]))


def test_numbers_sort_by_value_and_text_stays_text():
    numbers = align(evaluation(system("a", [10, 9, 2], scores=[1, 2, 3])))
    assert numbers.items.to_list() == [2, 9, 10]
    text = align(evaluation(system("a", ["1", "01", "10"], scores=[1, 2, 3])))
    assert text.items.to_list() == ["01", "1", "10"]


def test_chosen_systems_come_in_the_order_asked_for():
    ev = evaluation(*(system(s, [1, 2], scores=[k, k]) for k, s in enumerate("abc")))
    got = align(ev, ["c", "a"])
    assert got.systems == ("c", "a")
    assert lists(got.scores) == [[2, 2], [0, 0]]


def test_items_that_only_an_unasked_system_has_do_not_count():
    ev = evaluation(
        system("a", [1], scores=[1]), system("b", [1], scores=[0]), system("c", [2], scores=[0])
    )
    assert align(ev, ("a", "b")).n == 1


@pytest.mark.parametrize("chosen", [[], ["a", "a"], ["a", "bb"]])
def test_systems_that_cannot_be_meant(chosen):
    ev = evaluation(system("a", [1], scores=[1]), system("b", [1], scores=[1]))
    with pytest.raises(UsageError):
        align(ev, chosen)


def test_policies_that_do_not_exist():
    ev = evaluation(system("a", [1], scores=[1]))
    refused(ev, "--missing is 'drp'", "Did you mean drop?", error=UsageError, missing="drp")
    refused(ev, "--unparseable", "missing, wrong", error=UsageError, unparseable="drop")


def test_two_systems_of_one_name():
    ev = evaluation(system("a", [1], scores=[1]), system("a", [1], scores=[0]))
    refused(ev, "two systems are called 'a'", "NAME=PATH")


def test_neither_outputs_nor_scores():
    refused(evaluation(system("a", [1])), "neither outputs nor scores", "--output-column")


def test_no_rows():
    refused(evaluation(system("a", [], scores=[])), "no items", "a has no rows")
    refused(evaluation(system("a", None, scores=[])), "no items")


def test_a_row_without_id():
    ev = evaluation(system("a", ["x", None, None], scores=[1, 1, 1]))
    refused(ev, "the item ids of a", "2 rows", "row 2 of 3")


# CASES 11, 16, 14, 17


def test_duplicates_are_refused_with_the_full_account():
    ev = evaluation(
        system("A", [1, 2, 3, 3], scores=[1, 0, 1, 1]), system("B", [2, 3, 4], scores=[1, 0, 1])
    )
    for missing in ("error", "drop", "wrong"):
        refused(
            ev,
            "3 (2 rows) in A",
            "matched 2, only A 1, only B 1, duplicated id 3",
            "--run",
            missing=missing,
        )


def test_many_duplicates_are_counted():
    ids = [*range(5), *range(5), 0]
    message = refused(evaluation(system("a", ids, scores=[1] * 11)), "duplicated 5 ids 0, 1, 2")
    assert "0 (3 rows), 1 (2 rows), 2 (2 rows) in a and 2 more" in message


def test_a_reference_given_twice_is_refused():
    ev = evaluation(system("a", [1], outputs=["x"]), references=right(["x", "y"], [1, 1]))
    refused(ev, "1 (2 rows) in the references")


def test_no_match_shows_ids_of_both_sides():
    ev = evaluation(
        system("a", ["q1", "q2", "q3", "q4"], scores=[1] * 4),
        system("b", ["Q1", "Q2"], scores=[1] * 2),
    )
    for missing in ("error", "drop", "wrong"):
        refused(
            ev, "0 of 6 items matched", "a: 'q1', 'q2', 'q3' and 1 more", "b: 'Q1', 'Q2'", "--item",
            missing=missing,
        )  # fmt: skip


def test_no_match_with_the_references():
    ev = evaluation(system("a", [1, 2], outputs=["x", "x"]), references=right(["x"], [3]))
    refused(ev, "0 of 3 items matched the references", "a: 1, 2; the references: 3")


def test_typed_ids_of_other_types_never_match():
    ev = evaluation(system("a", [1, 2], scores=[1, 1]), system("b", ["1", "2"], scores=[1, 1]))
    refused(ev, "0 of 2 items matched", "of a are numbers (1, 2)", "of b are text ('1', '2')")


def test_untyped_ids_match_typed_ones_as_text():
    got = align(
        evaluation(
            system("a", [1, 2, 10], scores=[1, 2, 3]),
            system("b", ["10", "2", "1"], scores=[6, 5, 4], format_="csv"),
        )
    )
    assert got.items.to_list() == ["1", "10", "2"]
    assert lists(got.scores) == [[1, 3, 2], [4, 6, 5]]
    assert codes(got) == ["ids_compared_as_text"]


def test_untyped_ids_keep_their_zeros():
    ev = evaluation(
        system("a", [1, 2], scores=[1, 1]), system("b", ["01", "02"], scores=[1, 1], format_="csv")
    )
    refused(ev, "0 of 4 items matched")


def test_whole_real_ids_are_integers():
    ev = evaluation(system("a", [1.0, 2.0], scores=[1, 1]), system("b", [1, 2], scores=[1, 1]))
    assert align(ev).items.to_list() == [1, 2]


# By order: CASES 15


def test_pairs_by_order_only_where_nobody_has_ids():
    got = align(evaluation(system("a", scores=[3, 1]), system("b", scores=[2, 4])))
    assert got.items is None
    assert lists(got.scores) == [[3, 1], [2, 4]]
    assert (got.n, got.matched, got.only) == (2, 2, (0, 0))
    assert codes(got) == ["paired_by_order"]


def test_one_list_or_one_file_needs_no_word_on_order():
    assert codes(align(evaluation(system("a", scores=[3, 1])))) == []
    columns = [system(s, scores=[3, 1], format_="csv", path="wide.csv") for s in "ab"]
    assert codes(align(evaluation(*columns))) == []


def test_references_are_paired_by_order_too():
    got = align(evaluation(system("a", outputs=["x", "y"]), references=right(["y", "x"])))
    assert got.references.to_list() == ["y", "x"]
    assert codes(got) == ["paired_by_order"]


def test_unequal_lengths_are_stated():
    ev = evaluation(system("a", scores=[1] * 5), system("b", scores=[1] * 4))
    refused(ev, "a 5, b 4", "--item", missing="drop")
    ev = evaluation(system("a", outputs=["x"] * 2), references=right(["x"]))
    refused(ev, "a 2, the references 1")


def test_ids_on_one_side_only():
    ev = evaluation(system("a", [1], scores=[1]), system("b", scores=[1]))
    refused(ev, "the item ids of a", "the scores of b come without ids", "--item")
    ev = evaluation(system("a", ["1"], outputs=["x"]), references=right(["x"]))
    refused(ev, "the item ids of a", "the references come without ids")


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


# Label types: CASES 66


def test_typed_labels_of_other_types_are_refused():
    ev = evaluation(system("a", [1, 2], outputs=[1, 0]), references=right(["1", "0"], [1, 2]))
    refused(ev, "the outputs of a are numbers (0, 1)", "the references", "text ('0', '1')")


def test_untyped_labels_are_compared_as_text():
    ev = evaluation(
        system("a", ["1", "2"], outputs=["1", "0"], format_="csv"),
        references=right([1, 0], ["1", "2"]),
    )
    got = align(ev)
    assert (got.outputs[0] == got.references).to_list() == [True, True]
    assert codes(got) == ["labels_compared_as_text"]


def test_where_all_have_scores_labels_may_differ_in_type():
    ev = evaluation(system("a", [1], outputs=["42"], scores=[1], references=[42]))
    got = align(ev)
    assert (got.outputs[0].dtype, got.references.dtype) == (pl.String, pl.Int64)


def test_references_agree_in_type_even_where_all_have_scores():
    ev = evaluation(
        system("a", [1], outputs=["42"], scores=[1], references=[42]),
        system("b", [1], outputs=["42"], scores=[1], references=["42"]),
    )
    refused(ev, "the references of a are numbers (42), the references of b are text ('42')")


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


# Runs: CASES 17, 41


def test_runs_are_averaged_within_the_item():
    got = align(
        evaluation(
            system("a", ["x", "y", "x", "y"], scores=[1, 0, 0, 0], runs=[0, 0, 1, 1]),
            system("b", ["y", "x", "x", "x"], scores=[1, 1, 1, 0], runs=[0, 0, 1, 2]),
        )
    )
    assert lists(got.scores) == [[0.5, 0.0], [2 / 3, 1.0]]
    assert codes(got) == ["runs_averaged"]
    assert "a 2 runs, b 1 to 3 runs" in got.notes[0].message
    assert got.matched == 2


def test_a_run_without_score_makes_the_item_missing():
    ev = evaluation(system("a", [1, 1, 2, 2], scores=[1, None, 0, 1], runs=[0, 1, 0, 1]))
    refused(ev, "a: 1 no score, such as item 1")
    assert lists(align(ev, missing="wrong").scores) == [[None, 0.5]]


def test_one_run_for_each_item_changes_nothing():
    got = align(evaluation(system("a", [2, 1], outputs=["x", "y"], runs=[5, 5])))
    assert (lists(got.outputs), codes(got)) == ([["y", "x"]], [])


def test_several_runs_of_outputs_are_refused():
    ev = evaluation(system("a", [1, 1, 2], outputs=["x", "y", "x"], runs=[0, 1, 0]))
    refused(ev, "item 1 has 2 runs", "Choose one run")


def test_an_item_and_run_twice():
    ev = evaluation(system("a", [1, 1, 1], scores=[1, 1, 1], runs=["s", "t", "s"]))
    refused(ev, "1 run 's' (2 rows) in a", "duplicated id 1")


def test_runs_agree_about_what_belongs_to_the_item():
    ev = evaluation(system("a", [1, 1], scores=[1, 1], runs=[0, 1], clusters=["c", "d"]))
    refused(ev, "disagree about the cluster of 1 items, such as 1")
    ev = evaluation(system("a", [1, 1], scores=[1, 1], runs=[0, 1], clusters=[None, "d"]))
    assert align(ev).clusters.to_list() == ["d"]


def test_runs_need_ids():
    ev = evaluation(system("a", scores=[1, 1], runs=[0, 1]))
    refused(ev, "runs but no item ids", "--item")


# Properties

SCORES = st.none() | st.sampled_from([0.0, 0.1, 0.2, 0.3, 1.0, 1e17])
POLICY = st.sampled_from(["drop", "wrong"])


@st.composite
def evaluations(draw: st.DrawFn, *, runs: bool) -> Evaluation:
    """Two or three systems that all have item 0, with a score for it."""
    answers = []
    for name in "abc"[: draw(st.integers(2, 3))]:
        others = draw(st.lists(st.integers(1, 6), unique=True))
        rows = [(0, 0, 1.0)]
        for item in others:
            n = draw(st.integers(1, 4)) if runs else 1
            rows += [(item, run, draw(SCORES)) for run in range(n)]
        rows = draw(st.permutations(rows))
        items, numbers, scores = zip(*rows, strict=True)
        given = {"runs": numbers} if runs else {}
        answers.append(system(name, items, scores=scores, clusters=[i % 2 for i in items], **given))
    return evaluation(*answers)


def same(one: Alignment, other: Alignment) -> bool:
    flat = [
        (lists(x.scores), lists((x.items, x.clusters)), replace_columns(x)) for x in (one, other)
    ]
    return flat[0] == flat[1]


def replace_columns(x: Alignment) -> Alignment:
    return replace(
        x, items=None, clusters=None, scores=(), outputs=(), references=None, strata=None
    )


@given(evaluations(runs=True) | evaluations(runs=False), POLICY, st.data())
def test_the_order_of_rows_changes_nothing(ev, missing, data):
    shuffled = []
    for a in ev.answers:
        order = data.draw(st.permutations(range(len(a.items))))
        moved = {
            name: column.gather(order)
            for name in ("items", "scores", "runs", "clusters")
            if (column := getattr(a, name)) is not None
        }
        shuffled.append(replace(a, **moved))
    assert same(
        align(ev, missing=missing), align(Evaluation(answers=tuple(shuffled)), missing=missing)
    )


@given(evaluations(runs=False), POLICY)
def test_swapping_systems_swaps_fields(ev, missing):
    one = align(ev, missing=missing)
    other = align(ev, ev.systems[::-1], missing=missing)
    for name in ("systems", "only", "absent", "unparseable", "hashes"):
        assert getattr(other, name) == getattr(one, name)[::-1]
    assert lists(other.scores) == lists(one.scores)[::-1]
    for name in ("n", "matched", "dropped", "hash"):
        assert getattr(other, name) == getattr(one, name)


@given(evaluations(runs=False), POLICY)
def test_the_account_adds_up(ev, missing):
    got = align(ev, missing=missing)
    ids = [set(a.items) for a in ev.answers]
    union, shared = set.union(*ids), set.intersection(*ids)
    assert got.matched == len(shared)
    assert got.only == tuple(len(held - shared) for held in ids)
    assert got.n + sum(d.n for d in got.dropped) == len(union)
    assert got.absent == tuple(s.null_count() for s in got.scores)
    scored = [
        {i for i, s in zip(a.items, a.scores, strict=True) if s is not None} for a in ev.answers
    ]
    kept = union if missing == "wrong" else set.intersection(*scored)
    assert set(got.items) == kept


@given(evaluations(runs=False))
def test_the_refusal_carries_the_account(ev):
    complete = align(ev, missing="drop")
    if not complete.dropped:
        assert same(replace(complete, missing="error"), align(ev))
        return
    message = refused(ev, "--missing drop", "--missing wrong", f"matched {complete.matched}")
    wrong = align(ev, missing="wrong")
    for name, absent in zip(wrong.systems, wrong.absent, strict=True):
        found = re.search(rf"[ ]{name}: (.*?), such as", message)
        counts = [int(k) for k in re.findall(r"\d+", found[1])] if found else []
        assert sum(counts) == absent


# Real data


def test_hans_pairs_a_file_in_another_order(shared):
    def read(name):
        path = shared / "data" / "hans_nli" / name
        return pl.read_csv(path, infer_schema=False)

    gold = read("gold.csv")
    bert, spinn = read("bert_preds.txt"), read("spinn_preds_heur.txt")
    ev = evaluation(
        *(
            system(name, t["pairID"], outputs=t["gold_label"], format_="csv")
            for name, t in (("bert", bert), ("spinn", spinn))
        ),
        references=replace(right(gold["gold_label"], gold["pairID"]), source=source("csv")),
    )
    got = align(ev)
    assert (got.n, got.matched, got.notes) == (30_000, 30_000, ())
    at = dict(zip(spinn["pairID"], spinn["gold_label"], strict=True))
    assert got.outputs[1].to_list() == [at[item] for item in got.items]
    by_id = dict(zip(gold["pairID"], gold["gold_label"], strict=True))
    assert got.references.to_list() == [by_id[item] for item in got.items]
