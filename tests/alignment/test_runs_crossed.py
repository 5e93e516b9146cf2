"""Runs crossed with items: the same named runs for every item, and what is missing said."""

from __future__ import annotations

from alignment.builder import codes, evaluation, lists, refused, system
from deadheat.alignment import align

FULL = system(
    "a", ["x", "y", "x", "y"], scores=[1.0, 0.0, 0.5, 0.25], runs=["r2", "r1", "r1", "r2"]
)
HOLE = system("b", ["x", "x", "y"], scores=[1.0, 0.0, 1.0], runs=[1, 2, 2])


def crossed(*answers, **policy):
    return align(evaluation(*answers), runs="cross", **policy)


def test_lists_are_in_the_order_of_the_named_runs():
    found = crossed(FULL)
    assert found.run_names == (("r1", "r2"),)
    assert lists(found.scores) == [[[0.5, 1.0], [0.0, 0.25]]]
    assert codes(found) == ["runs_kept"]


def test_averaged_or_kept_runs_have_no_names():
    assert align(evaluation(FULL), runs="keep").run_names is None
    assert align(evaluation(FULL)).run_names is None


def test_a_missing_cell_is_an_error_that_names_the_item():
    message = refused(evaluation(FULL, HOLE), runs="cross")
    assert "b: 1 not in every run, such as item 'y'" in message


def test_a_missing_cell_drops_its_item_from_all_systems():
    found = crossed(FULL, HOLE, missing="drop")
    assert found.items.to_list() == ["x"]
    assert [(d.reason, d.n) for d in found.dropped] == [("not in every run", 1)]
    assert lists(found.scores) == [[[0.5, 1.0]], [[1.0, 0.0]]]


def test_a_missing_cell_is_null_where_it_is_to_be_scored_wrong():
    found = crossed(FULL, HOLE, missing="wrong")
    assert lists(found.scores) == [[[0.5, 1.0], [0.0, 0.25]], [[1.0, 0.0], [None, 1.0]]]
    assert found.absent == (0, 1)


def test_an_item_that_a_system_lacks_is_not_answered_rather_than_not_in_every_run():
    other = system("b", ["x", "x"], scores=[1.0, 0.0], runs=[1, 2])
    found = crossed(FULL, other, missing="drop")
    assert [(d.reason, d.n) for d in found.dropped] == [("not answered by every system", 1)]


def test_a_null_score_is_no_missing_cell():
    gap = system("b", ["x", "x", "y", "y"], scores=[1.0, None, 1.0, 0.0], runs=[1, 2, 1, 2])
    assert "b: 1 no score" in refused(evaluation(FULL, gap), runs="cross")


def test_outputs_are_crossed_and_references_belong_to_items():
    answers = system(
        "a", ["x", "x", "y"], outputs=["u", "v", "w"], references=["u", "u", "w"], runs=[1, 2, 2]
    )
    found = crossed(answers, missing="wrong")
    assert lists(found.outputs) == [[["u", "v"], [None, "w"]]]
    assert found.references.to_list() == ["u", "w"]


def test_runs_of_single_items_are_refused():
    own = system("a", ["x", "x", "y", "y", "z"], scores=[1.0] * 5, runs=["1", "2", "3", "4", "5"])
    message = refused(evaluation(own), runs="cross")
    assert "do not share their runs: 5 answers to 3 items stand under 5 names" in message


def test_half_of_the_cells_are_enough():
    half = system("a", ["x", "x", "y", "y"], scores=[1.0] * 4, runs=[1, 2, 3, 4])
    assert crossed(half, missing="wrong").n == 2


def test_systems_without_runs_have_one_without_a_name():
    plain = system("b", ["x", "y"], scores=[1.0, 0.0])
    found = crossed(FULL, plain)
    assert found.run_names == (("r1", "r2"), ("",))
    assert lists(found.scores)[1] == [[1.0], [0.0]]


def test_rows_that_nothing_tells_apart_are_refused():
    twice = system("a", ["x", "x"], scores=[1.0, 0.0])
    assert "--run" in refused(evaluation(twice), runs="cross")


def test_the_hash_is_that_of_the_rows_whatever_becomes_of_runs():
    assert crossed(FULL).hash == align(evaluation(FULL)).hash
    shuffled = system(
        "a", ["y", "x", "y", "x"], scores=[0.25, 0.5, 0.0, 1.0], runs=["r2", "r1", "r1", "r2"]
    )
    assert crossed(FULL).hashes == crossed(shuffled).hashes
