"""Claims about recipes that cannot be made, and tables with holes."""

from __future__ import annotations

import numpy as np
import pytest

import deadheat
from deadheat.errors import AlignmentError, UsageError
from recipes import ends, frame, graded, nested

FRAME = frame(graded())


class TestRefused:
    def test_one_run_leaves_these_checkpoints_only(self):
        with pytest.raises(UsageError, match=r"one run of b.*these checkpoints"):
            deadheat.compare(frame(graded(runs=(3, 1))), runs="random")

    def test_arrays_have_one_run(self):
        with pytest.raises(UsageError, match="one run"):
            deadheat.compare([1, 0, 1], [1, 1, 1], runs="random")

    def test_runs_that_items_do_not_share(self):
        nested_runs = FRAME.assign(run=FRAME["item"] + FRAME["run"])
        with pytest.raises(AlignmentError, match=r"do not share their runs.*--runs fixed"):
            deadheat.compare(nested_runs, runs="random")

    def test_runs_without_a_name(self):
        with pytest.raises(AlignmentError, match="--run"):
            deadheat.compare(FRAME.drop(columns="run"), runs="random")

    def test_a_metric_of_runs(self):
        binary = frame({"a": nested(5, 6, n=9), "b": nested(4, 5, n=9)})
        with pytest.raises(UsageError, match=r"pass@2 .* --runs fixed"):
            deadheat.compare(binary, runs="random", metric="pass@2")

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"runs": "new"}, "Known: fixed, random"),
            ({"runs": "random", "method": "bca_t"}, "Known: components, crossed"),
            ({"method": "components"}, "no interval method 'components'"),
            ({"runs": "random", "test": "swap"}, "Known: components_t, run_permutation"),
        ],
    )
    def test_what_does_not_exist(self, options, message):
        with pytest.raises(UsageError, match=message):
            deadheat.compare(FRAME, **options)


class TestMissingCells:
    HOLE = FRAME[~((FRAME["system"] == "a") & (FRAME["item"] == "q0007") & (FRAME["run"] == "s2"))]

    def test_a_missing_cell_is_refused_with_its_item(self):
        with pytest.raises(AlignmentError, match=r"a: 1 not in every run, such as item 'q0007'"):
            deadheat.compare(self.HOLE, runs="random")

    def test_dropped_the_item_leaves_both_systems(self):
        found = deadheat.compare(self.HOLE, runs="random", missing="drop")
        whole = FRAME[FRAME["item"] != "q0007"]
        assert ends(found) == ends(deadheat.compare(whole, runs="random"))
        assert found.items.dropped == (("not in every run", 1),)

    @pytest.mark.parametrize("form", ["scores", "outputs"])
    def test_scored_wrong_it_is_a_zero_in_that_run(self, form):
        tables = {"a": nested(5, 6, 8, n=12), "b": nested(7, 9, 9, n=12)}
        filled = frame(tables)
        cell = filled.eval("system == 'b' and item == 'q0002' and run == 's1'")
        filled.loc[cell, "score"] = 0.0
        hole = frame(tables)[~cell]
        if form == "outputs":
            hole = hole.assign(output=np.where(hole["score"] == 1, "x", "y"), reference="x")
            hole = hole.drop(columns="score")
        found = deadheat.compare(hole, runs="random", missing="wrong")
        assert ends(found) == pytest.approx(ends(deadheat.compare(filled, runs="random")))
