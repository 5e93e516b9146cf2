"""Runs against runs: what each pair says alone, and runs exchanged between systems."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats

import deadheat
from recipes import codes, frame, graded, nested

TABLES = graded()
FRAME = frame(TABLES)
FOUND = deadheat.compare(FRAME, runs="random")


class TestRunAgainstRun:
    def test_pairs_are_settled_as_compare_settles_them(self):
        rng = np.random.default_rng(2)
        hard = rng.normal(size=(150, 1))
        tables = {
            name: (hard + gain + 0.3 * rng.normal(size=3) + rng.normal(size=(150, 3)) > 0) * 1.0
            for name, gain in (("a", 0.0), ("b", 0.4))
        }
        pairs = deadheat.compare(frame(tables), runs="random").difference.runs.pairs
        for i, j in product(range(3), range(3)):
            alone = deadheat.compare(tables["a"][:, i], tables["b"][:, j])
            resolved = alone.reading.code == "resolved"
            assert pairs.settled[i, j] == (np.sign(alone.difference.estimate) if resolved else 0)
            assert pairs.differences[i, j] == pytest.approx(alone.difference.estimate)
        assert 0 < pairs.to_dict()["resolved_above"] < 9

    def test_pairs_of_graded_runs_have_t_intervals(self):
        pairs = FOUND.difference.runs.pairs
        for i, j in product(range(5), range(4)):
            test = stats.ttest_rel(TABLES["b"][:, j], TABLES["a"][:, i])
            assert pairs.settled[i, j] == (np.sign(test.statistic) if test.pvalue < 0.05 else 0)

    def test_a_win_under_one_run_and_a_loss_under_another_settle_nothing(self):
        """Ten runs are clearly apart in the mean, but one pair of them says the reverse."""
        tables = {"a": nested(*[500] * 9, 560), "b": nested(*[600] * 9, 520)}
        found = deadheat.compare(frame(tables), runs="random")
        assert found.difference.interval.low > 0.0
        assert found.difference.tests[0].p_value < 0.001
        assert found.difference.runs.pairs.to_dict() == {
            "n": 100, "candidate_above": 99, "candidate_below": 1,
            "resolved_above": 99, "resolved_below": 1, "contradict": True,
        }  # fmt: skip
        assert found.reading.code == "borderline"
        assert "contradict" in found.reading.text
        assert "runs_disagree" in codes(found)

    def test_without_the_run_that_says_the_reverse_it_is_resolved(self):
        tables = {"a": nested(*[500] * 9, 505), "b": nested(*[600] * 9, 595)}
        found = deadheat.compare(frame(tables), runs="random")
        assert found.reading.code == "resolved"
        assert "run_against_run" in codes(found)

    def test_ranges_that_overlap_by_a_run_are_no_contradiction(self):
        """Five runs from 838 to 846 and five from 845 to 856 of 1,000, as in an article."""
        tables = {"a": nested(838, 840, 842, 844, 846), "b": nested(845, 848, 850, 853, 856)}
        found = deadheat.compare(frame(tables), runs="random")
        counts = found.difference.runs.pairs.to_dict()
        assert (counts["candidate_above"], counts["candidate_below"]) == (24, 1)
        assert counts["resolved_below"] == 0
        runs = [np.array(x) / 1000 for x in ([838, 840, 842, 844, 846], [845, 848, 850, 853, 856])]
        permutation = stats.permutation_test(
            runs, lambda a, b: np.mean(b) - np.mean(a), permutation_type="independent"
        )
        assert found.difference.tests[1].name == "run_permutation"
        assert found.difference.tests[1].p_value == pytest.approx(permutation.pvalue)
        assert found.reading.code == "resolved"


class TestPermutation:
    @pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
    def test_against_scipy(self, alternative):
        found = deadheat.compare(FRAME, runs="random", alternative=alternative)
        runs = [TABLES[name].mean(axis=0) for name in "ab"]
        judged = stats.permutation_test(
            runs, lambda a, b: np.mean(b) - np.mean(a),
            permutation_type="independent", alternative=alternative,
        )  # fmt: skip
        assert found.difference.tests[1].p_value == pytest.approx(judged.pvalue)

    def test_it_can_be_the_companion(self):
        found = deadheat.compare(FRAME, runs="random", test="run_permutation")
        assert [test.name for test in found.difference.tests] == ["run_permutation", "components_t"]

    def test_too_many_ways_leave_it_undefined(self):
        tables = graded(n=20, runs=(12, 12))
        test = deadheat.compare(frame(tables), runs="random").difference.tests[1]
        assert math.isnan(test.p_value)
        assert "2,704,156 ways" in test.note
