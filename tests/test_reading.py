"""The reading: which code applies, and that its sentence says what the numbers say."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

import deadheat
from deadheat.inference.result import Counts, Inference
from deadheat.intervals.interval import Interval, undefined
from deadheat.reading import Named, Reading, read_inference
from deadheat.scale import Scale
from deadheat.settings import Settings
from deadheat.significance.significance import Significance

POINTS = Scale(in_points=True, decimals=1)
NAMED = Named(baseline="base", candidate="cand", metric="accuracy", greater_is_better=True, n=400)
CODES = ("degenerate", "equivalent", "borderline", "resolved", "unresolved")


def interval(low: float, high: float, level: float = 0.95) -> Interval:
    return Interval(low=low, high=high, confidence_level=level, method="percentile")


def companion(p: float, bound: float | None = None) -> Significance:
    return Significance(
        name="mcnemar", variant="exact", statistic=1.0, p_value=p, p_value_bound=bound
    )


def inference(
    estimate: float, low: float, high: float, p: float | None = None, **more: Any
) -> Inference:
    return Inference(
        estimate=estimate,
        standard_error=0.01,
        interval=interval(low, high),
        p_value=0.5,
        tests=() if p is None else (companion(p),),
        **more,
    )


def reading(found: Inference, *, settings: Settings | None = None, named: Named = NAMED) -> Reading:
    return read_inference(found, named, settings or Settings(), POINTS)


# -- which code -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "p", "code"),
    [
        (0.01, 0.05, 0.001, "resolved"),
        (0.01, 0.05, None, "resolved"),
        (0.01, 0.05, math.nan, "resolved"),
        (-0.05, -0.01, 0.001, "resolved"),
        (-0.01, 0.05, 0.2, "unresolved"),
        (-0.01, 0.05, None, "unresolved"),
        (0.0, 0.05, 0.2, "unresolved"),
        (0.01, 0.05, 0.070, "borderline"),
        (-0.01, 0.05, 0.04, "borderline"),
        (0.0, 0.05, 0.05, "borderline"),
        (0.01, 0.05, 0.05, "resolved"),
    ],
)
def test_interval_and_companion_decide(low: float, high: float, p: float | None, code: str) -> None:
    """A companion agrees at p <= alpha; zero on an end is not excluded (STATISTICS.md 2.9)."""
    assert reading(inference((low + high) / 2, low, high, p)).code == code


def test_level_decides_what_the_companion_is_held_against() -> None:
    found = inference(0.03, 0.01, 0.05, 0.07)
    assert reading(found).code == "borderline"
    assert reading(found, settings=Settings(confidence_level=0.9)).code == "resolved"


@pytest.mark.parametrize(
    ("inner", "code"),
    [
        ((-0.019, 0.019), "equivalent"),
        ((-0.02, 0.01), "unresolved"),
        ((-0.01, 0.02), "unresolved"),
        ((-0.03, 0.03), "unresolved"),
        ((math.nan, math.nan), "unresolved"),
    ],
)
def test_equivalent_only_strictly_inside(inner: tuple[float, float], code: str) -> None:
    found = inference(0.0, -0.02, 0.02, 0.9, margin_interval=interval(*inner, level=0.9))
    assert reading(found, settings=Settings(margin=0.02)).code == code


def test_equivalent_comes_before_borderline_and_resolved() -> None:
    inner = interval(0.001, 0.009, level=0.9)
    for p in (0.001, 0.2):
        found = inference(0.005, 0.0005, 0.0095, p, margin_interval=inner)
        assert reading(found, settings=Settings(margin=0.02)).code == "equivalent"


@pytest.mark.parametrize(
    "found",
    [
        inference(0.0, -0.01, 0.01, 1.0, varies=False),
        inference(0.1, 0.1, 0.1, 0.001, varies=False),
        replace(inference(0.1, 0.0, 0.0), interval=undefined("bca", 0.95, "because")),
        inference(
            0.0, -0.01, 0.01, varies=False, margin_interval=interval(-0.005, 0.005, level=0.9)
        ),
    ],
)
def test_degenerate_comes_first(found: Inference) -> None:
    assert reading(found, settings=Settings(margin=0.02)).code == "degenerate"


# -- what the sentences say -----------------------------------------------------------------------


@pytest.mark.parametrize("greater", [True, False])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_resolved_names_the_better_system(greater: bool, sign: float) -> None:
    low, high = sorted((sign * 0.012, sign * 0.049))
    named = replace(NAMED, greater_is_better=greater)
    said = reading(inference(sign * 0.03, low, high, 0.002), named=named).text
    ahead = "cand" if (sign > 0) == greater else "base"
    behind = "base" if ahead == "cand" else "cand"
    assert said.startswith(f"{ahead} is ahead of {behind} by 3.0 points of accuracy")
    shown = {1.0: "[+1.2, +4.9] points", -1.0: "[-4.9, -1.2] points"}[sign]
    assert f"the 95% interval {shown} excludes zero" in said
    assert "mcnemar (exact) agrees (p = 0.0020)" in said
    assert "reader's question" in said


def test_resolved_without_a_defined_companion_claims_no_agreement() -> None:
    assert "agrees" not in reading(inference(0.03, 0.01, 0.05, math.nan)).text
    assert "agrees" not in reading(inference(0.03, 0.01, 0.05, None)).text


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (0.021, 0.05, "whole interval lies beyond the margin of 2.0 points"),
        (0.01, 0.05, "still open"),
        (-0.05, -0.021, "whole interval lies beyond the margin of 2.0 points"),
        (-0.05, -0.01, "still open"),
        (0.021, math.inf, "whole interval lies beyond the margin of 2.0 points"),
        (-math.inf, -0.01, "still open"),
    ],
)
def test_resolved_with_a_margin(low: float, high: float, said: str) -> None:
    found = inference(math.copysign(0.03, low), low, high, 0.001)
    assert said in reading(found, settings=Settings(margin=0.02)).text


def test_resolved_below_the_margin_says_that_the_gap_is_smaller() -> None:
    """`resolved but below margin` (STATISTICS.md 2.9): nothing about reaching it is open."""
    found = inference(0.01, 0.005, 0.019, 0.001, margin_interval=interval(-0.021, 0.019, level=0.9))
    assert "still open" not in reading(found, settings=Settings(margin=0.02)).text


def test_one_sided_against_the_gap_asks_for_no_more_items() -> None:
    """More items do not make an interval [-58, inf) exclude zero from above."""
    worse = {"a": [1] * 50 + [0] * 50, "b": [0] * 100}
    found = deadheat.compare(worse, alternative="greater")
    assert found.reading.code == "unresolved"
    assert "would resolve" not in found.reading.text


def test_unresolved_denies_equality() -> None:
    said = reading(inference(0.036, -0.012, 0.084, 0.17)).text
    assert "do not settle the direction" in said
    assert "the 95% interval [-1.2, +8.4] points includes zero" in said
    assert "no evidence that the systems are equal" in said
    assert "would resolve" not in said


@pytest.mark.parametrize(
    ("resolving", "items"), [((1_605, 2_092), "1,605 to 2,092 items"), ((900, 900), "900 items")]
)
def test_unresolved_says_how_many_items_would_do(resolving: tuple[int, int], items: str) -> None:
    said = reading(inference(-0.036, -0.084, 0.012, 0.17, resolving=resolving)).text
    assert f"If the true gap is the observed 3.6 points, about {items} would resolve it" in said
    assert "80% power" in said


@pytest.mark.parametrize(
    ("low", "p", "says"), [(0.002, 0.0703, "excludes"), (-0.002, 0.0403, "includes")]
)
def test_borderline_names_both(low: float, p: float, says: str) -> None:
    said = reading(inference(0.015, low, 0.03, p)).text
    ends = {0.002: "[+0.2, +3.0]", -0.002: "[-0.2, +3.0]"}[low]
    assert f"the percentile 95% interval {ends} points {says} zero" in said
    assert f"mcnemar (exact) gives p = {p:.4f} against 0.05" in said
    assert "unresolved" in said


def test_equivalent_shows_the_interval_that_lies_inside() -> None:
    found = inference(0.001, -0.012, 0.014, 0.9, margin_interval=interval(-0.01, 0.011, level=0.9))
    said = reading(found, settings=Settings(margin=0.02)).text
    assert "dead heat" in said
    assert "90% interval [-1.0, +1.1] points" in said
    assert "2.0 points" in said


@pytest.mark.parametrize("code", CODES)
def test_only_an_equivalence_is_a_dead_heat(code: str) -> None:
    inner = interval(-0.01, 0.011, level=0.9)
    found = {
        "degenerate": inference(0.0, -0.01, 0.01, 1.0, varies=False),
        "equivalent": inference(0.001, -0.012, 0.014, 0.9, margin_interval=inner),
        "borderline": inference(0.015, 0.002, 0.03, 0.07),
        "resolved": inference(0.03, 0.012, 0.049, 0.002),
        "unresolved": inference(0.036, -0.012, 0.084, 0.17),
    }[code]
    got = reading(found, settings=Settings(margin=0.02))
    assert got.code == code
    assert ("dead heat" in got.text) == (code == "equivalent")
    assert "significan" not in got.text


# -- degenerate -----------------------------------------------------------------------------------

SAME = Counts(both=70, only_baseline=0, only_candidate=0, neither=30)


def test_no_item_separates_two_systems() -> None:
    """Tango at 0 of 100 is +/- z^2 / (100 + z^2) = .0370 (STATISTICS.md 1.2)."""
    found = inference(0.0, -0.0370, 0.0370, 1.0, varies=False, counts=SAME)
    said = reading(found, named=replace(NAMED, n=100)).text
    assert "No item separates the systems" in said
    assert "of 100" in said
    assert "at most 3.7 points either way" in said
    assert "no proof that the systems are equal" in said


@pytest.mark.parametrize(
    ("low", "high", "alternative"),
    [(-0.026, math.inf, "greater"), (-math.inf, 0.026, "less")],
)
def test_no_item_separates_two_systems_one_sided(low: float, high: float, alternative: Any) -> None:
    """A one-sided interval excludes large differences on one side only."""
    found = inference(0.0, low, high, 1.0, varies=False, counts=SAME)
    said = reading(found, settings=Settings(alternative=alternative)).text
    assert "inf" not in said
    assert "2.6 points" in said
    assert "either way" not in said


def test_one_item_has_no_interval() -> None:
    found = replace(
        inference(1.0, 0.0, 0.0, varies=False), interval=undefined("tango", 0.95, "one item")
    )
    said = reading(found, named=replace(NAMED, n=1)).text
    assert "One item" in said
    assert "+100.0 points" in said
    assert "no interval" in said


def test_a_constant_difference_says_what_it_excludes() -> None:
    """If a share q of items behaved otherwise, 59 would miss them all with chance (1 - q)^59."""
    found = inference(0.25, 0.25, 0.25, varies=False)
    said = reading(found, named=replace(NAMED, n=59)).text
    assert "Nothing varies" in said
    assert "+25.0 points" in said
    assert "59 items" in said
    (share,) = map(float, re.findall(r"more than ([\d.]+)%", said))
    assert (1 - share / 100) ** 59 == pytest.approx(0.05, rel=0.05)


def test_an_undefined_metric_does_not_claim_that_nothing_varies() -> None:
    found = replace(
        inference(math.nan, 0.0, 0.0, math.nan),
        interval=undefined("bca_t", 0.95, "the metric is undefined"),
    )
    said = reading(found).text
    assert "Nothing varies" not in said
    assert "undefined" in said


def test_unpaired_systems_that_are_always_right_keep_their_interval() -> None:
    """Newcombe's interval is there and says how far apart they may be."""
    found = deadheat.compare({"a": [1] * 40, "b": [1] * 40}, paired=False)
    assert found.reading.code == "degenerate"
    assert found.difference.interval.high > 0.05
    assert f"{100 * found.difference.interval.high:.0f} points" in found.reading.text


def test_one_item_against_many_is_not_called_constant() -> None:
    found = deadheat.compare({"a": [1], "b": [0, 1, 1, 0, 1]}, paired=False)
    assert found.reading.code == "degenerate"
    assert "on every item" not in found.reading.text
    assert "whichever items are drawn" not in found.reading.text
    assert "one item" in found.reading.text.lower()


def test_a_gap_of_rounding_asks_for_no_items() -> None:
    """0.1 + 0.2 differs from 0.3 in the last bit, and the means of the same values likewise."""
    grades = [0.1 * (i * 7 % 11) for i in range(12)]
    others = [0.1 * (i * 5 % 11) for i in range(12)]
    found = deadheat.compare({"a": grades, "b": others}, metric="mean")
    assert abs(found.difference.estimate) < 1e-15
    assert found.to_dict()["planning"]["items_to_resolve"] is None
    assert "would resolve" not in found.reading.text


# -- the sentence against the numbers, whatever they are ------------------------------------------


@st.composite
def inferences(draw: st.DrawFn) -> Inference:
    low, high = sorted(draw(st.tuples(*[st.floats(-0.9, 0.9)] * 2)))
    assume(low < high)  # no width is a reading of its own
    assume(min(abs(low), abs(high)) > 1e-11)  # nearer to zero is rounding
    level = draw(st.floats(low, high))
    return inference(level, low, high, draw(st.none() | st.floats(1e-6, 1.0)))


@given(found=inferences(), greater=st.booleans())
def test_sentence_says_the_same_as_the_numbers(found: Inference, greater: bool) -> None:
    named = replace(NAMED, greater_is_better=greater)
    got = reading(found, named=named)
    excludes = found.interval.low > 0.0 or found.interval.high < 0.0
    rejects = None if not found.tests else found.tests[0].p_value <= 0.05
    if rejects is not None and rejects != excludes:
        assert got.code == "borderline"
    else:
        assert got.code == ("resolved" if excludes else "unresolved")
    assert ("excludes zero" in got.text) == excludes
    assert ("includes zero" in got.text) == (not excludes)
    if got.code == "resolved":
        winner = "cand" if (found.estimate > 0) == greater else "base"
        assert got.text.startswith(f"{winner} is ahead of")


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_equivalence_looks_at_both_ends_whatever_the_alternative(alternative: str) -> None:
    """Two one-sided tests of seed 2: the 90% interval, near the normal one, inside 10 points."""
    cells = [(1, 1)] * 289 + [(1, 0)] * 67 + [(0, 1)] * 85 + [(0, 0)] * 59
    a, b = zip(*cells, strict=True)
    found = deadheat.compare(a, b, margin=0.10, alternative=alternative)
    inner = found.difference.margin_interval
    assert inner is not None
    expected = stats.norm.interval(0.90, 0.036, 0.0246)
    assert (inner.low, inner.high) == pytest.approx(expected, abs=0.002)
    assert found.reading.code == "equivalent"
