"""pass@k, pass^k and majority vote, written out, by enumeration and on published figures."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.errors import ItemError, UsageError
from deadheat.metrics import majority_vote, pass_all, pass_at
from deadheat.metrics.metric import OfSums, Settings
from vectors import close, vectors


def at(k):
    return pass_at.metric(Settings(name=f"pass@{k}", k=k))


def all_of(k):
    return pass_all.metric(Settings(name=f"pass^{k}", k=k))


VOTE = majority_vote.metric(Settings(name="majority_vote"))


def runs(n, c):
    return [1.0] * c + [0.0] * (n - c)


def items(metric, outputs, references=None):
    rows = metric.statistics(references, outputs)
    assert (rows[:, 1] == 1.0).all()
    return rows[:, 0].tolist()


def value(metric, outputs, references=None):
    return float(metric.value(metric.statistics(references, outputs).sum(axis=0)))


# pass@k and pass^k


@pytest.mark.parametrize("vector", vectors("metrics.code", "pass_at_k"), ids=lambda v: v["name"])
def test_pass_at_k_vectors(vector):
    n, c, k = (vector["input"][key] for key in "nck")
    assert close(vector, "value", items(at(k), [runs(n, c)])[0])


@pytest.mark.parametrize("vector", vectors("metrics.code", "pass_hat_k"), ids=lambda v: v["name"])
def test_pass_all_k_vectors(vector):
    n, c, k = (vector["input"][key] for key in "nck")
    assert close(vector, "value", items(all_of(k), [runs(n, c)])[0])


@pytest.mark.parametrize("n", range(1, 8))
def test_every_set_of_k_runs_is_counted(n):
    for scores in product([0.0, 1.0], repeat=n):
        for k in range(1, n + 1):
            sets = list(combinations(scores, k))
            some = Fraction(sum(any(s) for s in sets), len(sets))
            every = Fraction(sum(all(s) for s in sets), len(sets))
            assert items(at(k), [scores]) == [float(some)]
            assert items(all_of(k), [scores]) == [float(every)]


@pytest.mark.parametrize(
    ("n", "c", "k"), [(1000, 1, 1), (2000, 3, 700), (997, 500, 2), (5000, 2, 1)], ids=str
)
def test_values_are_exact_where_differences_cancel(n, c, k):
    # The product form of Chen et al., in rationals.
    fail = Fraction(1)
    for j in range(n - c + 1, n + 1):
        fail *= 1 - Fraction(k, j)
    assert items(at(k), [runs(n, c)]) == [float(1 - fail)]
    succeed = Fraction(1)
    for j in range(k):
        succeed *= Fraction(c - j, n - j) if c > j else 0
    assert items(all_of(k), [runs(n, c)]) == [float(succeed)]


def test_items_may_have_unequal_numbers_of_runs():
    outputs = [runs(4, 2), runs(3, 1), runs(2, 2), runs(4, 2)]
    assert items(at(2), outputs) == [5 / 6, 2 / 3, 1.0, 5 / 6]
    assert items(all_of(2), outputs) == [1 / 6, 0.0, 1.0, 1 / 6]
    assert value(at(2), outputs) == pytest.approx(float(Fraction(5 / 3 + 2 / 3 + 1) / 4))


def test_what_is_absent_is_wrong_and_counts_as_a_run():
    assert items(at(1), [[1.0, None], [None, None], None]) == [0.5, 0.0, 0.0]
    assert items(all_of(2), [[1.0, None, 1.0], None]) == [1 / 3, 0.0]
    assert items(at(3), [None, None]) == [0.0, 0.0]


@given(st.lists(st.lists(st.booleans(), min_size=3, max_size=9), min_size=1, max_size=6))
def test_more_runs_help_one_and_hurt_all(outputs):
    some = np.array([items(at(k), outputs) for k in (1, 2, 3)])
    every = np.array([items(all_of(k), outputs) for k in (1, 2, 3)])
    assert (np.diff(some, axis=0) >= 0).all()
    assert (np.diff(every, axis=0) <= 0).all()
    shares = [float(np.mean(item)) for item in outputs]
    np.testing.assert_allclose(some[0], shares, rtol=1e-15)
    np.testing.assert_allclose(every[0], shares, rtol=1e-15)
    failed = [[not run for run in item] for item in outputs]
    np.testing.assert_allclose(items(all_of(3), failed), 1 - some[2], atol=1e-15)


def test_k_larger_than_the_number_of_runs_names_the_item():
    with pytest.raises(ItemError, match=r"2 runs and k is 5.*larger than the number of runs") as e:
        at(5).statistics(None, [runs(6, 1), [0.0, 0.0], runs(4, 4)])
    assert (e.value.row, e.value.side) == (1, "output")
    assert "2 of 3 items have fewer than 5" in str(e.value)
    assert "k of at most 2" in str(e.value)
    with pytest.raises(ItemError, match="has 0 runs"):
        all_of(1).statistics(None, [[]])


@pytest.mark.parametrize("score", [0.5, 2.0, -1.0, float("inf")])
def test_scores_that_neither_pass_nor_fail(score):
    with pytest.raises(ItemError, match=r"takes 0 \(failed\) and 1 \(passed\)") as e:
        at(1).statistics(None, [[1.0], None, [0.0, score]])
    assert e.value.row == 2


@pytest.mark.parametrize("k", [None, 0, -1])
@pytest.mark.parametrize("module", [pass_at, pass_all])
def test_k_has_to_be_said(module, k):
    with pytest.raises(UsageError, match="number of runs k"):
        module.metric(Settings(name="pass@k", k=k))


def test_names_and_what_they_take():
    assert [m.name for m in (at(5), all_of(2), VOTE)] == ["pass@5", "pass^2", "majority_vote"]
    assert [m.signature for m in (at(5), all_of(2), VOTE)] == [
        "pass@5|v:1",
        "pass^2|v:1",
        "majority_vote|ties:shared|v:1",
    ]
    for metric in (at(5), all_of(2), VOTE):
        assert isinstance(metric, OfSums)
        assert (metric.takes, metric.is_mean, metric.bounds) == ("runs", True, (0.0, 1.0))
    assert [m.of_outputs for m in (at(1), all_of(1), VOTE)] == [False, False, True]


def test_ten_solved_of_164_is_not_pass_at_10():
    # CASES 50: one sample each is one run each, whatever the number of problems.
    outputs = [[1.0]] * 50 + [[0.0]] * 114
    assert value(at(1), outputs) == pytest.approx(50 / 164, abs=1e-15)
    with pytest.raises(ItemError):
        at(10).statistics(None, outputs)


def test_published_figures_of_tau_bench(shared):
    path = shared / "data" / "tau_bench_airline" / "gpt-4o-airline.json"
    rewards: dict[int, list[float]] = {}
    for row in json.loads(path.read_text(encoding="utf-8")):
        rewards.setdefault(row["task_id"], []).append(row["reward"])
    assert Counter(map(len, rewards.values())) == {4: 50}
    got = [round(value(all_of(k), list(rewards.values())), 3) for k in (1, 2, 3, 4)]
    assert got == [0.420, 0.273, 0.220, 0.200]


# Majority vote


def expected_by_hand(reference, votes):
    """Draw one of the most frequent with equal chances, by counting."""
    counts = Counter(v for v in votes or () if v is not None)
    leaders = [v for v, n in counts.items() if n == max(counts.values())]
    return Fraction(leaders.count(reference), len(leaders)) if leaders else Fraction(0)


@given(
    st.lists(
        st.tuples(
            st.sampled_from("abc"),
            st.none() | st.lists(st.none() | st.sampled_from("abcd"), max_size=7),
        ),
        min_size=1,
        max_size=6,
    )
)
def test_majority_vote_in_expectation(data):
    references, outputs = (list(column) for column in zip(*data, strict=True))
    expected = [float(expected_by_hand(r, votes)) for r, votes in data]
    assert items(VOTE, outputs, references) == expected


@given(st.permutations(["x", "y", "y", "x", None, "z"]))
def test_the_order_of_runs_does_not_break_ties(votes):
    assert items(VOTE, [votes] * 3, ["x", "y", "z"]) == [0.5, 0.5, 0.0]


def test_a_plurality_is_enough_and_null_has_no_vote():
    assert items(VOTE, [["a", "b", "a", "c", "d"]], ["a"]) == [1.0]
    assert items(VOTE, [[None, None, None, "a"]], ["a"]) == [1.0]
    assert items(VOTE, [[None], [], None], ["a", "a", "a"]) == [0.0, 0.0, 0.0]


def test_one_run_is_accuracy():
    outputs, references = ["a", "b", None, "c"], ["a", "a", "a", "c"]
    assert items(VOTE, [[o] for o in outputs], references) == [1.0, 0.0, 0.0, 1.0]


def test_numbers_truths_lists_and_objects_vote():
    assert items(VOTE, [[3, 3, 4], [True, False, True]], [3, True]) == [1.0, 1.0]
    runs_ = [[["x"], ["x"], ["y"]], [{"b": 1, "a": [2]}, {"a": [2], "b": 1}, "z"], ["[1]", [1]]]
    assert items(VOTE, runs_, [["x"], {"a": [2], "b": 1}, "[1]"]) == [1.0, 1.0, 0.5]


def test_references_that_no_output_can_be():
    with pytest.raises(ItemError, match=r"\['a', 'A'\] can never be equal") as e:
        VOTE.statistics(["x", ["a", "A"]], [["x"], ["a"]])
    assert (e.value.row, e.value.side) == (1, "reference")
    with pytest.raises(ItemError, match="no reference") as e:
        VOTE.statistics(["x", None], [["x"], ["a"]])
    assert (e.value.row, e.value.side) == (1, "reference")
