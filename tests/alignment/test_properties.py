from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from alignment.builder import evaluation, lists, refused, system
from deadheat.alignment import Alignment, align
from deadheat.evaluation import Evaluation

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
        (lists(x.scores), lists((x.items, x.clusters)), lists(x.lacking), replace_columns(x))
        for x in (one, other)
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
