"""Where a value stands in what was read."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from alignment.builder import evaluation, refused, right, source, system
from deadheat.alignment import align, place
from deadheat.evaluation import Rows

LINES = Rows(word="line", first=2)


def at(path, answers, rows=LINES):
    return replace(answers, source=source("csv", path), rows=rows)


def test_an_output_is_found_by_its_id_in_the_file_of_its_system():
    got = align(
        evaluation(
            at("a.csv", system("a", ["q3", "q1", "q2"], scores=[1, 0, 1])),
            at("b.csv", system("b", ["q1", "q2", "q3"], scores=[1, 0, 1])),
        )
    )
    assert place(got, 2, system="a") == "a.csv, line 2, item 'q3'"
    assert place(got, 2, system="b") == "b.csv, line 4, item 'q3'"
    assert place(got, 0, system="a") == "a.csv, line 3, item 'q1'"


def test_without_ids_the_row_is_the_line():
    got = align(
        evaluation(
            at("hyp.txt", system("a", outputs=["x", "y"]), Rows(word="line")),
            references=at("ref.txt", right(["x", "y"]), Rows(word="line")),
        )
    )
    assert place(got, 1, system="a") == "hyp.txt, line 2"
    assert place(got, 1, system="a", side="reference") == "ref.txt, line 2"


def test_dropped_rows_still_count_as_lines():
    scores = [[None, 1, 1, 1], [1, 1, None, 0]]
    ev = evaluation(
        *(at(f"{s}.txt", system(s, scores=x)) for s, x in zip("ab", scores, strict=True))
    )
    got = align(ev, missing="drop")
    assert got.n == 2
    assert [place(got, row, system="b") for row in (0, 1)] == ["b.txt, line 3", "b.txt, line 5"]


def test_lines_that_do_not_follow_each_other():
    rows = Rows(word="line", lines=np.array([4, 9]))
    got = align(evaluation(at("a.jsonl", system("a", [2, 1], scores=[1, 1]), rows)))
    assert place(got, 0, system="a") == "a.jsonl, line 9, item 1"


def test_ids_that_were_brought_to_another_type_are_found():
    got = align(
        evaluation(
            at("a.jsonl", replace(system("a", [10, 9], scores=[1, 1]), source=source("jsonl"))),
            at("b.csv", system("b", ["9", "10"], scores=[1, 1])),
        )
    )
    assert got.items.to_list() == ["10", "9"]
    assert place(got, 0, system="b") == "b.csv, line 3, item '10'"
    assert place(align(evaluation(system("a", [2.0, 1.0], scores=[1, 1]))), 0) == "a, row 2, item 1"


def test_the_reference_stands_where_it_was_given():
    own = at("a.csv", system("a", [2, 1], outputs=["x", "y"], references=["x", None]))
    other = at("b.csv", system("b", [1, 2], outputs=["x", "y"], references=["y", "x"]))
    got = align(evaluation(own, other))
    assert place(got, 1, system="b", side="reference") == "b.csv, line 3, item 2"
    assert place(got, 1, side="reference") == "a.csv, line 2, item 2"
    apart = align(evaluation(own, references=at("gold.csv", right(["x", "y"], [1, 2]))))
    assert place(apart, 0, system="a", side="reference") == "gold.csv, line 2, item 1"


def test_of_several_runs_the_first_is_named():
    ev = evaluation(at("a.csv", system("a", ["y", "x", "x"], scores=[1, 0, 1], runs=[0, 0, 1])))
    assert place(align(ev, runs="keep"), 0, system="a") == "a.csv, line 3, item 'x'"


def test_an_item_that_a_system_lacks_is_named_all_the_same():
    ev = evaluation(system("a", [1, 2], scores=[1, 1]), system("b", [1], scores=[1]))
    assert place(align(ev, missing="wrong"), 1, system="b") == "item 2"


def test_what_was_read_takes_no_part_in_comparing_or_showing():
    ev = evaluation(at("a.csv", system("a", scores=[1, 0])))
    one, other = align(ev), align(ev)
    strip = {"scores": (), "outputs": ()}
    assert replace(one, **strip) == replace(other, read=evaluation(), **strip)
    assert "read=" not in repr(one)


def test_unequal_lengths_name_files_and_counts():
    ev = evaluation(
        at("hyp.txt", system("a", outputs=["x"] * 3)), references=at("ref.txt", right(["x"] * 2))
    )
    refused(ev, "a 3 (hyp.txt), the references 2 (ref.txt)", "--item")


def test_categories_and_dates_as_ids():
    items = pl.Series(["u", "t"], dtype=pl.Categorical)
    got = align(evaluation(at("a.parquet", system("a", items, scores=[1, 1]), Rows(word="row"))))
    assert place(got, 0, system="a") == "a.parquet, row 2, item 't'"
