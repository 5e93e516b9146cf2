from __future__ import annotations

from alignment.builder import codes, evaluation, lists, refused, system
from deadheat.alignment import align

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
    assert lists(align(ev, missing="drop").scores) == [[0.5]]


def test_only_the_runs_without_score_are_scored_wrong():
    ev = evaluation(
        system("a", [1, 1, 1, 2, 2, 3], scores=[1, None, 1, None, None, 1], runs=[0, 1, 2, 0, 1, 0])
    )
    got = align(ev, missing="wrong")
    # Item 1: two runs of three are right; the third is for the metric to fill in.
    assert lists(got.scores) == [[2 / 3, None, 1.0]]
    assert lists(got.lacking) == [[1 / 3, 1.0, 0.0]]
    assert got.absent == (2,)
    (wrong,) = [note.message for note in got.notes if note.code == "missing_scored_wrong"]
    assert wrong.endswith("runs without a score (by items that have such), are scored wrong: a 2.")


def test_one_run_for_each_item_changes_nothing():
    got = align(evaluation(system("a", [2, 1], outputs=["x", "y"], runs=[5, 5])))
    assert (lists(got.outputs), codes(got)) == ([["y", "x"]], [])


def test_several_runs_of_outputs_are_refused():
    ev = evaluation(system("a", [1, 1, 2], outputs=["x", "y", "x"], runs=[0, 1, 0]))
    refused(ev, "item 1 has 2 runs", "choose one run", "--runs random")


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
