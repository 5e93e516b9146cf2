"""Letters against R's multcompView, every largest group, and what letters mean."""

from __future__ import annotations

import itertools
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deadheat.errors import InferenceError
from deadheat.ranking.letters import letters
from vectors import vectors

SEEDS = st.integers(0, 10_000)


def table(m, pairs):
    found = np.zeros((m, m), dtype=bool)
    for i, j in pairs:
        found[i, j] = found[j, i] = True
    return found


def random_table(seed, m, share):
    return table(m, np.argwhere(np.triu(np.random.default_rng(seed).random((m, m)) < share, 1)))


def shared(found, m):
    """Which systems share a letter, read off the letters themselves."""
    return np.array(
        [[bool(set(found.of[i]) & set(found.of[j])) for j in range(m)] for i in range(m)]
    )


@pytest.mark.parametrize("vector", vectors("many.bands"), ids=lambda v: v["name"])
def test_vector(vector):
    names = vector["input"]["names_ordered"]
    at = {name: number for number, name in enumerate(names)}
    pairs = [(at[a], at[b]) for a, b in vector["input"]["significant_pairs"]]
    found = letters(table(len(names), pairs), range(len(names)))
    assert [[names[i] for i in group] for group in found.groups] == vector["expected"]["groups"]


@pytest.mark.parametrize(
    ("pairs", "labels"),
    [
        ([(1, 2)], ("ab", "a", "b", "ab")),
        ([(0, 1), (0, 2), (1, 3)], ("a", "b", "bc", "ac")),
        ([], ("a",) * 4),
        (list(itertools.combinations(range(4), 2)), ("a", "b", "c", "d")),
    ],
)
def test_small(pairs, labels):
    """The examples of multcompView's page, systems in order of score."""
    assert letters(table(4, pairs), range(4)).labels == labels


def test_chained_overlaps_are_no_partition():
    """CASES 72: A [10, 14], B [8, 12], C [6, 9], D [4, 7] by overlap."""
    found = letters(table(4, [(0, 2), (0, 3), (1, 3)]), range(4))
    assert found.labels == ("a", "ab", "bc", "c")


@given(seed=SEEDS, m=st.integers(1, 8), share=st.floats(0, 1))
@settings(max_examples=80)
def test_every_largest_group(seed, m, share):
    """What insert-and-absorb ends with, found here by looking at every set of systems."""
    different = random_table(seed, m, share)
    found = letters(different, range(m))
    sets = [
        set(group)
        for size in range(1, m + 1)
        for group in itertools.combinations(range(m), size)
        if not different[np.ix_(group, group)].any()
    ]
    largest = {tuple(sorted(one)) for one in sets if not any(one < other for other in sets)}
    assert found.method == "insert_absorb"
    assert set(found.groups) == largest


@given(seed=SEEDS, m=st.integers(1, 60), share=st.floats(0, 1), shuffle=st.integers(0, 99))
@settings(max_examples=40)
def test_two_share_a_letter_if_and_only_if_they_are_not_separated(seed, m, share, shuffle):
    different = random_table(seed, m, share)
    order = np.random.default_rng(shuffle).permutation(m)
    found = letters(different, order)
    assert np.array_equal(shared(found, m), ~different)
    firsts = [order.tolist().index(group[0]) for group in found.groups]
    assert firsts == sorted(firsts), "letters follow the order"
    assert found.of[order[0]][0] == "a"
    assert all(len(set(names)) == len(names) for names in found.of)


@given(seed=SEEDS, m=st.integers(2, 12), shuffle=st.integers(0, 99))
@settings(max_examples=40)
def test_order_of_systems_on_the_board_does_not_matter(seed, m, shuffle):
    different = random_table(seed, m, 0.4)
    order = np.random.default_rng(shuffle).permutation(m)
    found, turned = letters(different, range(m)), letters(different[np.ix_(order, order)], range(m))
    again = letters(different[np.ix_(order, order)], np.argsort(order))
    assert [tuple(order[list(group)]) for group in again.groups] == list(found.groups)
    assert {tuple(sorted(order[list(group)])) for group in turned.groups} == set(found.groups)


def test_intervals_on_a_line_need_no_more_letters_than_systems():
    score = np.sort(np.random.default_rng(1).normal(size=200))[::-1]
    found = letters(np.abs(score[:, None] - score) > 0.5, range(200))
    assert found.method == "insert_absorb"
    assert len(found.groups) < 200
    assert all(group == tuple(range(group[0], group[-1] + 1)) for group in found.groups)


@pytest.mark.parametrize("m", [80, 200])
@pytest.mark.parametrize("kind", ["triples", "uneven", "random"])
def test_many_groups_stay_few_letters_and_little_time(kind, m):
    """ANCHORS: 13,336 largest groups on 80 systems; of disjoint triples there are 3^26."""
    rng = np.random.default_rng(m)
    if kind == "triples":
        different = (np.arange(m)[:, None] // 3 == np.arange(m) // 3) & ~np.eye(m, dtype=bool)
    elif kind == "uneven":
        score = np.sort(rng.normal(size=m))[::-1]
        spread = np.triu(rng.uniform(0.1, 1.5, (m, m)), 1)
        different = np.abs(score[:, None] - score) > spread + spread.T
        np.fill_diagonal(different, False)
    else:
        different = random_table(m, m, 0.3)
    start = time.process_time()
    found = letters(different, range(m))
    assert time.process_time() - start < 2.0
    assert found.method == "clique_growing"
    assert len(found.groups) < 3 * m
    assert np.array_equal(shared(found, m), ~different)


def test_names_past_z():
    m = 30
    found = letters(~np.eye(m, dtype=bool), range(m))
    assert found.names[24:29] == ("y", "z", "aa", "ab", "ac")
    assert found.labels[26] == "aa"
    overlapping = np.abs(np.subtract.outer(range(m), range(m))) > 1
    assert letters(overlapping, range(m)).labels[26:28] == ("z,aa", "aa,ab")


def test_names_go_on():
    found = letters(~np.eye(703, dtype=bool), range(703))
    assert (found.names[701], found.names[702]) == ("zz", "aaa")


def test_no_systems():
    assert letters(np.zeros((0, 0), bool), []).labels == ()


def test_refused():
    lopsided = np.zeros((2, 2), dtype=bool)
    lopsided[0, 1] = True
    with pytest.raises(InferenceError, match="not symmetric over 2 systems"):
        letters(lopsided, [0, 1])
    with pytest.raises(InferenceError, match="not symmetric over 3 systems"):
        letters(lopsided, [0, 1, 2])
    with pytest.raises(InferenceError, match="does not name each system once"):
        letters(table(2, []), [0, 0])
