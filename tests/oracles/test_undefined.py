"""Where a metric has no value: on the data, on some resamples, under some exchanges."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats
from sklearn.metrics import cohen_kappa_score, f1_score

import deadheat
from oracles.judges import quietly
from oracles.resamples import Judged, drawn, every_resample

NOTHING = ["O", "O"]
A_SPAN = ["B-PER", "O"]


def long(
    references: Sequence[Any] | None, a: Sequence[Any], b: Sequence[Any], side: str = "output"
) -> pl.DataFrame:
    """Lay out two systems by item and system."""
    columns: dict[str, Any] = {
        "item": [f"q{i}" for i in range(len(a))] * 2,
        "system": ["a"] * len(a) + ["b"] * len(b),
        side: [*a, *b],
    }
    if references is not None:
        columns["reference"] = [*references, *references]
    return pl.DataFrame(columns)


NAN = {"zero_division": math.nan}
SURE = ([0.1, 0.2, 0.3, 0.4], [0.2, 0.3, 0.1, 0.9])
ONE_VALUE = ([0.1, 0.2, 0.3, 0.4], [0.2] * 4)
SAID = (["a", "", "", "a b"], ["", "", "", ""])

NO_VALUE: list[tuple[str, pl.DataFrame, dict[str, Any], set[str]]] = [
    ("auroc", long([1, 1, 1, 1], *SURE, "score"), {}, {"a", "b"}),
    ("average_precision", long([0, 0, 0, 0], *SURE, "score"), {}, {"a", "b"}),
    ("pearson", long([1.0, 2.0, 3.0, 4.0], *ONE_VALUE, "score"), {}, {"b"}),
    ("spearman", long([2.0] * 4, *SURE, "score"), {}, {"a", "b"}),
    ("kendall", long([1.0, 2.0, 3.0, 4.0], *ONE_VALUE, "score"), {}, {"b"}),
    ("cohen_kappa", long(["x"] * 4, ["x"] * 4, ["x", "x", "x", "y"]), {}, {"a"}),
    ("f1", long([0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0]), NAN, {"a"}),
    ("precision", long([0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0]), NAN, {"a"}),
    ("recall", long([0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0]), NAN, {"a", "b"}),
    ("wer", long([""] * 4, *SAID), {}, {"a", "b"}),
    ("cer", long([""] * 4, *SAID), {}, {"a", "b"}),
    ("span_f1", long([NOTHING] * 2, [NOTHING] * 2, [NOTHING, A_SPAN]), NAN, {"a"}),
    ("span_recall", long([NOTHING] * 2, [NOTHING] * 2, [NOTHING, A_SPAN]), NAN, {"a", "b"}),
    ("win_rate", long(None, [0.5] * 4, [0.5, 1.0, 0.0, 1.0], "score"), {"ties": "drop"}, {"a"}),
]


@pytest.mark.parametrize(
    ("name", "data", "options", "without"), NO_VALUE, ids=[case[0] for case in NO_VALUE]
)
def test_no_value_is_null_and_said(
    name: str, data: pl.DataFrame, options: dict[str, Any], without: set[str]
) -> None:
    """The other system keeps its value, alone and beside; the difference has none."""
    found = deadheat.compare(data, metric=name, n_resamples=199, threads=1, **options)
    told = found.to_dict()
    values = {told[side]["system"]: told[side]["value"] for side in ("baseline", "candidate")}
    assert {system for system, value in values.items() if value is None} == without
    assert told["difference"]["estimate"] is None
    assert told["difference"]["standard_error"] is None
    assert told["difference"]["p_value"] is None
    assert told["difference"]["interval"]["low"] is None
    assert told["difference"]["interval"]["high"] is None
    assert told["tests"] == []
    assert told["reading"]["code"] == "degenerate"
    said = " ".join(note.message for note in found.notes if note.code == "undefined_metric")
    assert all(f"{name} of {system} " in said for system in without)
    assert not any(f"{name} of {system} " in said for system in {"a", "b"} - without)
    assert found.difference.n_undefined == 199
    card = deadheat.score(data, metric=name, n_resamples=199, threads=1, **options).to_dict()
    assert {row["system"]: row["value"] for row in card["systems"]} == values
    for row in card["systems"]:
        assert (row["interval"]["low"] is None) == (row["system"] in without)


R = 4_999


def likely(count: int, chance: float) -> bool:
    """Whether so many of the resamples may be undefined where each is by this chance."""
    return bool(stats.binomtest(count, R, chance).pvalue > 1e-6)


RARE: list[tuple[str, pl.DataFrame, dict[str, Any], float]] = [
    # One positive of six: a resample lacks it by (5/6)^6, and never all five negatives.
    (
        "auroc",
        long([1, 0, 0, 0, 0, 0], [0.5, 0.6, 0.1, 0.2, 0.3, 0.9], [0.7, 0.6, 0.8, 0, 0, 0], "score"),
        {},
        (5 / 6) ** 6 + (1 / 6) ** 6,
    ),
    # One reference of five holds words.
    ("wer", long(["a b", "", "", "", ""], ["a", "", "x", "", ""], ["a c"] * 5), {}, (4 / 5) ** 5),
    # Two documents of five hold a span, in the references and in both systems.
    (
        "span_f1",
        long(*([A_SPAN, second] + [NOTHING] * 3 for second in (A_SPAN, A_SPAN, ["B-LOC", "O"]))),
        NAN,
        (3 / 5) ** 5,
    ),
    # Two outputs of one value and three of another: all drawn alike by (2/5)^5 + (3/5)^5, and
    # one item five times over is one of these.
    (
        "kendall",
        long([1, 2, 3, 4, 5], [1, 2, 3, 5, 4], [7, 7, 8, 8, 8], "score"),
        {},
        (2 / 5) ** 5 + (3 / 5) ** 5,
    ),
]


@pytest.mark.parametrize(
    ("name", "data", "options", "chance"), RARE, ids=[case[0] for case in RARE]
)
def test_resamples_without_a_value_are_counted_and_left_out(
    name: str, data: pl.DataFrame, options: dict[str, Any], chance: float
) -> None:
    (found,) = drawn(data, [name], n_resamples=R, **options)
    differences = found.draws[:, 1] - found.draws[:, 0]
    undefined = int(np.isnan(differences).sum())
    assert likely(undefined, chance)
    asked = {"metric": name, "n_resamples": R, "threads": 1, **options}
    told = deadheat.compare(data, method="percentile", **asked)
    assert told.difference.n_undefined == undefined
    kept = np.sort(differences[~np.isnan(differences)])
    k = math.floor((kept.size + 1) * 0.025 + 1e-9)
    assert (told.difference.interval.low, told.difference.interval.high) == (kept[k - 1], kept[-k])
    (note,) = (note for note in told.notes if note.code == "undefined_resamples")
    assert f"in {undefined:,} resamples" in note.message
    assert "it has no value there, and they were left out" in note.message
    # STATISTICS.md 1.5: with more than one in a hundred undefined, BCa is refused and said so.
    fallen = deadheat.compare(data, method="bca", **asked).difference.interval
    assert fallen.method == "percentile"
    assert f"undefined in {undefined:,} of {R:,}" in fallen.note


@pytest.mark.parametrize("zero_division", [0.0, 1.0, math.nan])
def test_what_a_policy_decided_is_counted_whatever_the_policy(zero_division: float) -> None:
    """F1 of five items, of which few are positive; scikit-learn says where it is 0/0."""
    case = Judged.read("f1", long([1, 0, 0, 0, 0], [1, 0, 0, 0, 0], [0, 1, 0, 0, 0]))
    picks, shares = every_resample(5)
    values = np.array(
        [
            [
                quietly(
                    lambda y, x: float(f1_score(y, x, zero_division=zero_division)),
                    [case.references[i] for i in pick],
                    [outputs[i] for i in pick],
                )
                for outputs in case.outputs
            ]
            for pick in picks
        ]
    )
    without = [
        any(not any(case.references[i] + outputs[i] for i in pick) for outputs in case.outputs)
        for pick in picks
    ]
    (found,) = drawn(case.data, ["f1"], n_resamples=R, zero_division=zero_division)
    assert likely(found.n_undefined, shares[without].sum())
    for system in (0, 1):
        for value in (0.0, 1.0):
            expected = shares[values[:, system] == value].sum()
            assert likely(int((found.draws[:, system] == value).sum()), expected)
    told = deadheat.compare(
        case.data,
        metric="f1",
        method="percentile",
        n_resamples=R,
        threads=1,
        zero_division=zero_division,
    )
    assert told.difference.n_undefined == found.n_undefined
    assert np.isnan(found.draws).any() == math.isnan(zero_division)


def test_exchanges_without_a_value_are_left_out() -> None:
    """Kappa has none where references and outputs are one label; all 2^4 exchanges, by hand."""
    references, a, b = list("xxxx"), list("xxxy"), list("yyxx")
    null = []
    for swapped in product((0, 1), repeat=4):
        sides = [[(a, b)[(s + side) % 2][i] for i, s in enumerate(swapped)] for side in (0, 1)]
        kappas = [quietly(lambda y, x: cohen_kappa_score(y, x), references, s) for s in sides]
        null.append(kappas[1] - kappas[0])
    assert 0 < np.isnan(null).sum() < 16
    kept = [value for value in null if not math.isnan(value)]
    expected = np.mean([abs(value) >= abs(null[0]) - 1e-12 for value in kept])
    data = long(references, a, b)
    found = deadheat.compare(data, metric="cohen_kappa", n_resamples=199).difference
    assert found.tests[0].p_value == pytest.approx(expected, abs=1e-12)
