"""What missing answers could do: bounds by enumeration, and orders that depend on policy."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignment.builder import evaluation, right, system
from deadheat.alignment import Alignment, align
from deadheat.errors import AlignmentError
from deadheat.metrics import metric as metric_named
from deadheat.missing import missing_bounds
from deadheat.policies import policy_ranks
from deadheat.readers import read
from deadheat.scale import Scale
from deadheat.scores import Scores, score_items

POINTS = Scale(in_points=True, decimals=1)


def by(name: str | None = None) -> Any:
    def scored(alignment: Alignment) -> Scores:
        return score_items(alignment, None if name is None else metric_named(name))

    return scored


def of_scores(missing: Any, *columns: Sequence[float | None], **more: Any) -> Alignment:
    names = [
        system(name, range(len(column)), scores=column)
        for name, column in zip("abcde", columns, strict=False)
    ]
    return align(evaluation(*names), missing=missing, **more)


OUTCOMES = st.lists(
    st.tuples(*[st.sampled_from([0.0, 1.0, None])] * 2), min_size=2, max_size=6
).filter(lambda rows: any(None in row for row in rows) and any(None not in row for row in rows))


@given(OUTCOMES, st.sampled_from(["drop", "wrong"]))
def test_bounds_are_the_extremes_over_all_completions(rows: Any, missing: Any) -> None:
    first, second = zip(*rows, strict=True)
    found = missing_bounds([of_scores(missing, first, second)], by())
    assert found is not None
    gaps = [k for k, value in enumerate([*first, *second]) if value is None]
    values = []
    for filled in product([0.0, 1.0], repeat=len(gaps)):
        both = [*first, *second]
        for k, value in zip(gaps, filled, strict=True):
            both[k] = value
        values.append((sum(both[: len(rows)]) / len(rows), sum(both[len(rows) :]) / len(rows)))
    for at, bounds in enumerate(found.systems):
        assert bounds.low == pytest.approx(min(v[at] for v in values), abs=1e-12)
        assert bounds.high == pytest.approx(max(v[at] for v in values), abs=1e-12)
        assert bounds.missing == [first, second][at].count(None)
    assert found.difference is not None
    assert found.difference[0] == pytest.approx(min(b - a for a, b in values), abs=1e-12)
    assert found.difference[1] == pytest.approx(max(b - a for a, b in values), abs=1e-12)


def test_the_note_says_whether_the_sign_could_turn() -> None:
    found = missing_bounds([of_scores("drop", [1, 0, 0, 0], [1, 1, 1, None])], by())
    assert found is not None
    assert found.note("accuracy", POINTS).message == (
        "If all that is missing were scored worst or best, accuracy on all items would be: b 75.0% "
        "to 100.0% (1 missing of 4). The difference would lie between +50.0 points and +75.0 "
        "points: nothing that is missing could turn its sign."
    )
    open_ = missing_bounds([of_scores("drop", [1, 1, 0, None], [1, 1, 1, None])], by())
    assert open_ is not None
    assert open_.difference == (0.0, 0.5)
    both = missing_bounds([of_scores("drop", [1, 1, None, 0], [1, 1, 0, None])], by())
    assert both is not None
    assert both.note("accuracy", POINTS).message.endswith("what is missing could turn its sign.")


def test_plain_data() -> None:
    found = missing_bounds([of_scores("drop", [1, 0], [1, None])], by())
    assert found is not None
    assert json.loads(json.dumps(found.to_dict())) == {
        "systems": [
            {"system": "a", "low": 0.5, "high": 0.5, "missing": 0.0, "n": 2},
            {"system": "b", "low": 0.5, "high": 1.0, "missing": 1.0, "n": 2},
        ],
        "difference": {"low": 0.0, "high": 0.5},
    }


def test_items_that_only_one_side_has_are_missing_for_the_other() -> None:
    ev = evaluation(
        system("a", [1, 2, 3], scores=[1, 1, 0]), system("b", [3, 4, 5], scores=[1, 1, 1])
    )
    found = missing_bounds([align(ev, missing="drop")], by())
    assert found is not None
    assert [(b.low, b.high, b.n) for b in found.systems] == [(0.4, 0.8, 5), (0.6, 1.0, 5)]


def test_a_run_without_score_reaches_as_far_as_a_run() -> None:
    runs = [0, 1, 2, 3, 0, 1, 2, 3]
    ev = evaluation(
        system("a", [1] * 4 + [2] * 4, scores=[1, 0, None, None, 1, 1, 1, 1], runs=runs),
        system("b", [1, 2], scores=[0, 0]),
    )
    found = missing_bounds([align(ev, missing="wrong")], by())
    assert found is not None
    # Of item 1 a quarter is right and half unknown: (1/4 + 1) / 2 to (3/4 + 1) / 2.
    assert [(b.low, b.high, b.missing) for b in found.systems] == [
        (0.625, 0.875, 0.5),
        (0.0, 0.0, 0.0),
    ]


def test_outputs_with_references() -> None:
    ev = evaluation(
        system("a", [1, 2, 3], outputs=["x", "y", None]),
        system("b", [1, 2], outputs=["x", "x"]),
        references=right(["x", "x", "x"], [1, 2, 3]),
    )
    kept = missing_bounds([align(ev, missing="drop")], by())
    assert kept is not None
    # A null output is scored, and what is not there is missing.
    assert [(b.missing, b.low) for b in kept.systems] == [(0.0, 1 / 3), (1.0, 2 / 3)]
    moved = missing_bounds([align(ev, missing="drop", unparseable="missing")], by())
    assert moved is not None
    assert [(b.missing, b.low, b.high) for b in moved.systems] == [
        (1.0, 1 / 3, 2 / 3),
        (1.0, 2 / 3, 1.0),
    ]


def test_two_sides_apart() -> None:
    sides = [
        align(evaluation(system(name, range(len(column)), scores=column)), missing="drop")
        for name, column in (("a", [1, 0, None, 1]), ("b", [1, 1]))
    ]
    found = missing_bounds(sides, by())
    assert found is not None
    assert [(b.system, b.low, b.high, b.n) for b in found.systems] == [
        ("a", 0.5, 0.75, 4),
        ("b", 1.0, 1.0, 2),
    ]
    assert found.difference == (0.25, 0.5)


@pytest.mark.parametrize(
    ("alignment", "name"),
    [
        (of_scores("drop", [1, 0], [1, 1]), None),
        (of_scores("drop", [10, 20, 30], [1, 2, None]), "mean"),
    ],
    ids=["nothing missing", "no bounds"],
)
def test_no_bounds(alignment: Alignment, name: str | None) -> None:
    assert missing_bounds([alignment], by(name)) is None


def test_no_bounds_of_what_is_no_mean() -> None:
    ev = evaluation(
        system("a", [1, 2, 3], outputs=list("xyx")),
        system("b", [1, 2], outputs=list("xx")),
        references=right(list("xyx"), [1, 2, 3]),
    )
    alignment = align(ev, missing="drop")
    assert missing_bounds([alignment], by("macro_f1")) is None
    assert missing_bounds([alignment], by("accuracy")) is not None


def test_items_without_a_reference_leave_the_bounds_open() -> None:
    ev = evaluation(
        system("a", [1, 2, 3], outputs=list("xyx")),
        system("b", [1, 2, 3], outputs=list("xxx")),
        references=right(list("xy"), [1, 2]),
    )
    assert missing_bounds([align(ev, missing="drop")], by()) is None


# Ranks under the other policies


def flipping() -> Alignment:
    """a answers four of ten and is always right; b answers all and is right on six; c on five."""
    ev = evaluation(
        system("a", range(10), outputs=["x"] * 4 + [None] * 6),
        system("b", range(10), outputs=["x"] * 6 + ["y"] * 4),
        system("c", range(10), outputs=["y"] * 5 + ["x"] * 5),
        references=right(["x"] * 10, range(10)),
    )
    return align(ev)


def test_an_order_that_depends_on_null_outputs() -> None:
    found = policy_ranks(flipping(), by())
    assert found is not None
    values = {policy.name: (policy.values, policy.ranks, policy.n) for policy in found.policies}
    assert values == {
        "current": ((0.4, 0.6, 0.5), (3, 1, 2), (10, 10, 10)),
        "drop": ((1.0, 1.0, 0.0), (1, 1, 3), (4, 4, 4)),
        "answered": ((1.0, 0.6, 0.5), (1, 2, 3), (4, 10, 10)),
    }
    assert [(s.policy, s.ahead, s.behind) for s in found.swaps] == [
        ("drop", "a", "c"),
        ("answered", "a", "b"),
        ("answered", "a", "c"),
    ]
    assert found.note(POINTS).message == (
        "Some answers are missing or unusable (a 6). How they are treated decides ranks. Unlike "
        "here, on the 4 items to which every system has a usable answer, a (100.0%) is ahead of c "
        "(0.0%); with each system on the items that it answered, a (100.0%) is ahead of b (60.0%), "
        "a (100.0%) is ahead of c (50.0%)."
    )
    plain = json.loads(json.dumps(found.to_dict()))
    assert plain["swaps"][0] == {"policy": "drop", "ahead": "a", "behind": "c"}
    assert plain["policies"][2]["systems"][0] == {"system": "a", "value": 1.0, "rank": 1, "n": 4}


def test_lower_is_better_ranks_the_other_way_round() -> None:
    alignment = of_scores("drop", [1, 1, None], [0, 0, 0], [0.5, 0.5, 0.5])

    def scored(part: Alignment) -> Scores:
        return score_items(part, metric_named("mean", greater_is_better=False))

    found = policy_ranks(alignment, scored)
    assert found is not None
    assert found.policies[0].ranks == (3, 1, 2)
    # Nothing bounds how bad a score can be.
    assert set(found.unavailable) == {"wrong"}


def test_no_order_changes_and_it_is_said() -> None:
    found = policy_ranks(of_scores("drop", [1, 1, 0, None], [0, 0, 0, 0]), by())
    assert found is not None
    assert not found.swaps
    assert found.note(POINTS).message == (
        "Some answers are missing or unusable (a 1). No two systems change places under the other "
        "ways to treat them: with all of them scored wrong; on the 3 items to which every system "
        "has a usable answer; with each system on the items that it answered."
    )


def test_equal_values_are_no_order() -> None:
    """A tie that rounding or a policy makes is no change of places."""
    third = [1 / 3] * 3
    alignment = of_scores("drop", [*third, None], [1.0, 0.0, 0.0, 0.0])
    found = policy_ranks(alignment, by("mean"))
    assert found is not None
    assert found.policies[0].ranks == (1, 1)
    assert not found.swaps


def test_nothing_missing_has_one_order() -> None:
    assert policy_ranks(of_scores("error", [1, 0], [1, 1]), by()) is None


def test_a_policy_that_leaves_nothing_is_named() -> None:
    ev = evaluation(
        system("a", [1, 2], outputs=["x", None]),
        system("b", [1, 2], outputs=[None, "x"]),
        references=right(["x", "x"], [1, 2]),
    )
    found = policy_ranks(align(ev), by())
    assert found is not None
    assert "no item is left" in found.unavailable["drop"]
    assert [policy.name for policy in found.policies] == ["current", "answered"]


def test_mmlu_pro_null_predictions_flip_a_rank(shared: Path) -> None:
    """On the 2,259 questions shipped Phi-3-mini passes Llama-3.1-8B where nulls are left out."""
    folder = shared / "data" / "mmlu_pro"
    options: dict[str, Any] = {"reference_column": "answer", "output_column": "pred"}
    gold = folder / "model_outputs_Yi-34B_5shots.json"
    ev = read(folder, references=gold, **options)
    assert len(ev.systems) == 8
    with pytest.raises(AlignmentError, match="1 not answered"):
        align(ev)
    found = policy_ranks(align(ev, missing="wrong"), by())
    assert found is not None
    (swap,) = found.swaps
    assert swap.policy == "answered"
    assert "Phi-3-mini" in swap.ahead
    assert "Llama-3_1-8B" in swap.behind
    nulls = dict(zip(found.systems, found.unusable, strict=True))
    rows = json.loads((folder / "model_outputs_Phi-3-mini-4k-instruct_5shots.json").read_text())
    phi = next(name for name in found.systems if "Phi-3" in name)
    assert nulls[phi] == sum(row["pred"] is None for row in rows)
    answered = next(policy for policy in found.policies if policy.name == "answered")
    usable = [row for row in rows if row["pred"] is not None]
    assert answered.n[found.systems.index(phi)] == len(usable)


def test_terminal_bench_failures_reach_far(shared: Path) -> None:
    """Each run's null results count as unresolved in the file's own accuracy."""
    folder = shared / "data" / "terminal_bench" / "terminal-bench-core@0.1.1"
    alignment = align(read(folder), missing="wrong")
    found = missing_bounds([alignment], by())
    assert found is not None
    by_name = {bounds.system: bounds for bounds in found.systems}
    mini = by_name["20250825_swe-agent-mini_claude-4-sonnet"]
    # 51 of 400 trials resolved, 150 without a result.
    assert (mini.low, mini.missing) == pytest.approx((0.1275, 30.0))
    assert mini.high == pytest.approx((51 + 150) / 400)
    assert all(math.isfinite(b.high) for b in found.systems)
