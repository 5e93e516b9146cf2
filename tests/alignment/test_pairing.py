from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from alignment.builder import codes, evaluation, lists, refused, right, source, system
from deadheat.alignment import align
from deadheat.errors import UsageError
from deadheat.hashing import answers_hash, row_set_hash

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
