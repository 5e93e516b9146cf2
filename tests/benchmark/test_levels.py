"""Ceiling, baselines and label noise, by arithmetic on small sets."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats
from sklearn import metrics

import deadheat
from benchmark.boards import codes, found, messages
from deadheat.benchmark.findings import of_baselines, of_label_noise
from deadheat.benchmark.item_findings import of_reliability
from deadheat.benchmark.item_parts import Estimate, Reliability
from deadheat.benchmark.parts import Baseline, Baselines, LabelNoise
from deadheat.errors import UsageError
from deadheat.scale import Scale


def right(n: int, of: int = 200) -> list[int]:
    return [1] * n + [0] * (of - n)


@pytest.mark.parametrize(
    ("n", "severity"),
    [(189, "ok"), (190, "warning"), (197, "warning"), (198, "problem"), (200, "problem")],
)
def test_two_levels_of_the_ceiling(n: int, severity: str) -> None:
    """From 95% on it is nearly used up, from 99% on wholly."""
    result = deadheat.check({"a": right(n), "b": right(100)})
    assert found("ceiling", result).severity == severity
    assert result.ceiling is not None
    assert result.ceiling.headroom == pytest.approx(1 - n / 200)
    assert result.ceiling.share == pytest.approx(1 - n / 200)
    low, high = (stats.binomtest(n, 200).proportion_ci(method="wilson").low,
                 stats.binomtest(n, 200).proportion_ci(method="wilson").high)  # fmt: skip
    assert result.ceiling.half_width == pytest.approx((high - low) / 2)


@pytest.mark.parametrize("missed", [0, 1, 5, 6, 30])
def test_a_perfect_system_against_the_best(missed: int) -> None:
    """It is right where the best is wrong and nowhere wrong: p = 2^(1 - missed), at most 1."""
    result = deadheat.check({"a": right(200 - missed), "b": right(100)})
    assert result.ceiling is not None
    wanted = min(1.0, float(Fraction(2) ** (1 - missed)))
    assert result.ceiling.perfect_p_value == pytest.approx(wanted)
    told = "not even a system without a mistake" in found("ceiling", result).found
    assert told == (missed < 6)


def test_headroom_against_what_can_be_resolved() -> None:
    """Systems that differ on 50 of 200 items need 9.8 points; the best leaves 7.5 or 40."""
    for best, severity in ((right(185), "problem"), (right(120), "ok")):
        other = [1 - x if k % 4 == 0 else x for k, x in enumerate(best)]
        result = deadheat.check({"a": best, "b": other})
        assert result.resolution is not None
        assert result.ceiling is not None
        gap = result.resolution.minimum_detectable
        assert gap == pytest.approx(0.0985, abs=5e-5)
        assert (gap > result.ceiling.headroom) == (severity == "problem")
        assert found("headroom", result).severity == severity


@pytest.mark.parametrize(
    ("metric", "limit"), [("mcc", 1.0), ("balanced_accuracy", 1.0), ("macro_f1", 1.0)]
)
def test_limits_of_metrics_of_the_whole_set(metric: str, limit: float) -> None:
    truth = np.arange(60) % 2
    a = np.where(np.arange(60) < 3, 1 - truth, truth)
    b = np.where(np.arange(60) < 20, 1 - truth, truth)
    result = deadheat.check({"a": a, "b": b}, references=truth, metric=metric, n_resamples=199)
    assert result.ceiling is not None
    assert result.ceiling.limit == limit
    assert result.ceiling.headroom == pytest.approx(1 - result.systems[0].value)
    assert result.reliability is result.discrimination is result.table is None
    assert result.spread is not None


def test_less_is_better() -> None:
    """The limit of the Brier score is 0: 0.01 is near it, and 1 - 0.01 is not the headroom."""
    truth = [0, 1] * 30
    near = [abs(t - 0.1) for t in truth]
    far = [abs(t - 0.4) for t in truth]
    result = deadheat.check({"far": far, "near": near}, references=truth, metric="brier")
    assert result.ceiling is not None
    assert result.systems[0].system == result.ceiling.system == "near"
    assert result.ceiling.limit == 0.0
    assert result.ceiling.headroom == pytest.approx(0.01)
    assert found("ceiling", result).severity == "problem"


def test_no_limit_is_known_of_scores_on_any_scale() -> None:
    result = deadheat.check({"a": [1.0, 5.0, 2.0] * 9, "b": [2.0, 3.0, 4.0] * 9})
    assert result.ceiling is None
    assert "ceiling: mean states no best value." in messages(result)["not_computed"]
    assert result.items.all_right is result.items.all_wrong is None
    assert result.items.informative == 27


@pytest.mark.parametrize(
    ("top", "known"), [(1.0, True), (1.0 + 5e-8, True), (1.001, False), (-0.001, False)]
)
def test_scores_on_the_scale_from_0_to_1(top: float, known: bool) -> None:
    """A cosine of single precision may be 1.00000005."""
    result = deadheat.check({"a": [top, 0.5, 0.2] * 9, "b": [0.4, 0.3, 0.1] * 9})
    assert (result.ceiling is not None) == known


TRUTH = ["x"] * 50 + ["y"] * 30 + ["z"] * 20


def answers(*, right_on: int) -> list[str]:
    return [t if k % 100 < right_on else "w" for k, t in enumerate(TRUTH)]


def test_majority_class_and_random_choice() -> None:
    result = deadheat.check(
        {"a": answers(right_on=80), "b": answers(right_on=70)}, references=TRUTH, options=3
    )
    assert result.baselines is not None
    rows = {row.kind: (row.name, row.value) for row in result.baselines.rows}
    assert rows == {"majority": ("x", 0.5), "random": ("1 of 3", pytest.approx(1 / 3))}
    assert result.baselines.best.kind == "majority"
    assert result.baselines.margin == pytest.approx((0.8 - 0.5) / 0.5)
    assert result.baselines.reached_by == ()
    assert found("floor", result).severity == "ok"


@pytest.mark.parametrize(
    ("right_on", "reached", "severity"),
    [((80, 55), ("b",), "warning"), ((55, 52), ("a", "b"), "problem"), ((58, 57), (), "warning")],
    ids=["one system at the floor", "all of them", "clear, and hardly above"],
)
def test_the_floor(right_on: tuple[int, int], reached: tuple[str, ...], severity: str) -> None:
    """The Wilson interval of 55 of 100 reaches below one half, that of 570 of 1,000 does not."""
    times = 1 if reached else 10
    a, b = (answers(right_on=n) * times for n in right_on)
    result = deadheat.check({"a": a, "b": b}, references=TRUTH * times)
    assert result.baselines is not None
    assert result.baselines.reached_by == reached
    assert result.baselines.best_reached == ("a" in reached)
    assert found("floor", result).severity == severity


def test_the_most_frequent_answer_is_not_the_best_constant_by_every_metric() -> None:
    """By the F1 of class y, the rarer one, answering y is the best constant."""
    truth = ["x"] * 60 + ["y"] * 40
    result = deadheat.check(
        {"a": truth[::-1], "b": truth}, references=truth, metric="f1", positive="y",
        n_resamples=199,
    )  # fmt: skip
    assert result.baselines is not None
    rows = {row.kind: (row.name, row.value) for row in result.baselines.rows}
    for kind, name in (("majority", "x"), ("constant", "y")):
        judged = metrics.f1_score(truth, [name] * 100, pos_label="y", zero_division=0)
        assert rows[kind] == (name, pytest.approx(judged))


def test_a_constant_answer_averaged_over_strata() -> None:
    """Macro: x is right on all of a small stratum and on a quarter of a large one."""
    table = pl.DataFrame(
        {
            "item": range(50),
            "task": ["s"] * 10 + ["l"] * 40,
            "reference": ["x"] * 10 + ["x"] * 10 + ["y"] * 30,
            "system_a": ["x", "y"] * 25,
            "system_b": ["y", "x"] * 25,
        }
    )
    by_weighting = {}
    for weighting in ("pooled", "macro"):
        result = deadheat.check(table, weighting=weighting, n_resamples=199)  # type: ignore[arg-type]
        assert result.baselines is not None
        by_weighting[weighting] = {row.name: row.value for row in result.baselines.rows}
    # Pooled y is right on 30 of 50; the mean over strata is (0 + 3/4) / 2 and (1 + 1/4) / 2.
    assert by_weighting["pooled"] == {"y": 0.6}
    assert by_weighting["macro"] == {"y": pytest.approx(0.375), "x": pytest.approx(0.625)}


@pytest.mark.parametrize(
    "options",
    [[2, 4] * 20, [["a", "b"], ["a", "b", "c", "d"]] * 20],
    ids=["numbers", "lists"],
)
def test_options_of_every_item(options: list[Any]) -> None:
    table = pl.DataFrame(
        {"item": range(40), "choices": options, "a": [1, 0] * 20, "b": [1, 1, 0, 0] * 10}
    )
    result = deadheat.check(table, systems=["a", "b"], options="choices")
    assert result.baselines is not None
    (row,) = result.baselines.rows
    assert (row.kind, row.name) == ("random", "1 of 2 to 4")
    assert row.value == pytest.approx((1 / 2 + 1 / 4) / 2)


def test_trivial_systems_are_baselines_and_nothing_else() -> None:
    systems = {"majority": right(120), "a": right(150), "b": right(130), "zero": right(0)}
    with_them = deadheat.check(systems, trivial=["zero", "majority"])
    without = deadheat.check({"a": systems["a"], "b": systems["b"]})
    assert with_them.baselines is not None
    assert [(row.kind, row.name, row.value) for row in with_them.baselines.rows] == [
        ("trivial", "majority", 0.6),
        ("trivial", "zero", 0.0),
    ]
    assert [(s.system, s.trivial) for s in with_them.systems] == [
        ("a", False), ("b", False), ("majority", True), ("zero", True),
    ]  # fmt: skip
    assert with_them.baselines.reached_by == ("b",)
    assert (with_them.spread, with_them.resolution) == (without.spread, without.resolution)
    assert with_them.items.all_right == without.items.all_right
    assert (
        with_them.items_frame()["n_right"].to_list() == without.items_frame()["n_right"].to_list()
    )


def test_without_any_baseline_it_is_said() -> None:
    result = deadheat.check({"a": right(120), "b": right(110)})
    assert result.baselines is None
    assert found("floor", result).severity == "notice"
    assert any("majority class" in message for message in messages(result)["not_computed"])


@pytest.mark.parametrize(
    ("share", "severity", "above", "within"),
    [
        (0.5, "problem", ("a", "b"), ()),
        (0.3, "problem", ("a",), ("b",)),
        (0.2, "warning", (), ("a",)),
        (0.02, "ok", (), ()),
    ],
)
def test_label_noise(
    share: float, severity: str, above: tuple[str, ...], within: tuple[str, ...]
) -> None:
    """150 of 200 has the Wilson interval [68.6, 80.5], 132 of 200 has [59.2, 72.2]."""
    result = deadheat.check({"a": right(150), "b": right(132)}, label_error=share)
    noise = result.label_noise
    assert noise is not None
    assert (noise.above, noise.within) == (above, within)
    assert noise.limit == pytest.approx(1 - share)
    assert noise.headroom == pytest.approx(1 - share - 0.75)
    assert found("label_noise", result).severity == severity


@pytest.mark.parametrize(
    "option",
    [
        {"options": value}
        for value in (0, 1, -1, True, math.nan, math.inf, 2.5, "1", "nan", "", " ", 10**9)
    ]
    + [{"label_error": value} for value in (0, 1, 2, -0.1, math.nan, True, "0.1")]
    + [{"suspects": value} for value in (-1, 1.5, True, math.nan, "3", 10**9)]
    + [{"trivial": value} for value in ("a", ["a", "a"], 3)],
    ids=repr,
)
def test_options_that_cannot_be_meant(option: dict[str, Any]) -> None:
    (name,) = option
    with pytest.raises(UsageError, match=f"--{name.replace('_', '-')}|trivial systems"):
        deadheat.check({"a": right(120), "b": right(110)}, **option)


@pytest.mark.parametrize("option", [{"options": 4}, {"label_error": 0.1}], ids=repr)
def test_shares_of_right_answers_are_needed(option: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="accuracy"):
        deadheat.check({"a": [0.1, 0.5], "b": [0.2, 0.3]}, **option)


def test_findings_come_with_reasons_and_the_worst_first() -> None:
    result = deadheat.check({"a": right(198), "b": right(197)}, options=4)
    order = ["problem", "warning", "notice", "ok"]
    places = [order.index(finding.severity) for finding in result.findings]
    assert places == sorted(places)
    for finding in result.findings:
        assert finding.found.endswith(".")
        assert finding.why.endswith(".")
        assert bool(finding.action) == (finding.severity != "ok"), finding
    assert len(codes(result)) == len(result.findings)


def test_values_alone_are_never_enough_for_ok() -> None:
    """A system whose interval is undefined may reach a baseline or a limit all the same."""
    part = Baselines(
        rows=(Baseline(kind="random", name="1 of 4", value=0.25),),
        best=Baseline(kind="random", name="1 of 4", value=0.25),
        margin=0.5,
        reached_by=(),
        best_reached=False,
    )
    noise = LabelNoise(share=0.1, limit=0.9, headroom=0.2, above=(), within=())
    scale = Scale(in_points=True, decimals=1)
    known = of_baselines(part, scale), of_label_noise(noise, "a", scale)
    assert [one.severity for one in known] == ["ok", "ok"]
    unknown = of_baselines(part, scale, ["b"]), of_label_noise(noise, "a", scale, ["b"])
    for one in unknown:
        assert one.severity == "notice"
        assert one.found.endswith("intervals are undefined: b.")


def test_undefined_reliability_is_never_ok() -> None:
    known, unknown = (Estimate(value=v, low=math.nan, high=math.nan) for v in (0.95, math.nan))
    for at in ("alpha", "split_half", "kendall"):
        estimates = {"alpha": known, "split_half": known, "kendall": known, at: unknown}
        part = Reliability(correlation=0.9, n_splits=500, n_systems=20, **estimates)
        assert of_reliability(part).severity == "notice"
        assert of_reliability(part).action
