"""What cannot be planned is refused by name; what can be planned never fails."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deadheat
from calls import strict
from deadheat import DeadheatError
from deadheat.errors import UsageError

GAP = {"gap": 0.02}
PAIR = {"baseline": 0.72, "candidate": 0.76}
KNOWN = {"gap": 0.02, "discordance": 0.2}
SPREAD = {"gap": 0.02, "between_variance": 1.0}

REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "nothing": ({}, "nothing to plan from"),
    "a power alone": ({"power": 0.9}, "nothing to plan from"),
    "a negative gap": ({"gap": -0.04}, "--gap is -0.04"),
    "no gap": ({"gap": 0}, "--gap is 0"),
    "a gap in points": ({"gap": 4}, "4 points are 0.04"),
    "a gap of one point": ({"gap": 1}, "1 point is 0.01"),
    "a gap of nothing known": ({"gap": 400}, "below 1"),
    "a half-width in points": ({"half_width": 2, "baseline": 0.7}, "2 points are 0.02"),
    "a gap out of reach": ({"gap": 1e-9}, "more than 1e+15 items"),
    "a gap of a million deviations": ({"gap": 5.0, "sd": 1e-7}, "scale of the scores"),
    "a power of 1": ({**GAP, "power": 1.0}, "--power is 1"),
    "a power of chance": ({**GAP, "power": 0.05}, "--power is 0.05"),
    "no items": ({**GAP, "items": 0}, "--items is 0"),
    "one item": ({**GAP, "items": 1}, "--items is 1"),
    "half an item": ({**GAP, "items": 10.5}, "--items is 10.5"),
    "too many items": ({**GAP, "items": 10**12}, "at most 1,000,000,000"),
    "a confidence in percent": ({**GAP, "confidence_level": 95}, "--confidence is 95"),
    "accuracies in percent": ({"baseline": 72, "candidate": 76}, "72% is 0.72"),
    "accuracies out of range": ({"baseline": -0.1}, "--baseline is -0.1"),
    "too much discordance": ({**PAIR, "discordance": 0.6}, "from 0.04 to 0.52"),
    "too little discordance": ({**PAIR, "discordance": 0.01}, "from 0.04 to 0.52"),
    "a gap above the discordance": ({"gap": 0.3, "discordance": 0.2}, "from 0.3 to 1"),
    "no discordance": ({**GAP, "discordance": 0}, "--discordance is 0"),
    "a discordance above 1": ({**GAP, "discordance": 1.2}, "--discordance is 1.2"),
    "correlation and loading": (
        {**PAIR, "correlation": 0.36, "loading": 0.6},
        "--correlation and --loading",
    ),
    "correlation and discordance": (
        {**PAIR, "correlation": 0.36, "discordance": 0.3},
        "--correlation and --discordance",
    ),
    "a correlation above 1": ({**PAIR, "correlation": 1.1}, "--correlation is 1.1"),
    "a negative loading": ({**PAIR, "loading": -0.6}, "--loading is -0.6"),
    "a correlation of nothing": ({**GAP, "correlation": 0.5}, "two accuracies"),
    "a candidate alone": ({"candidate": 0.5}, "Give --baseline"),
    "a gap that is not theirs": ({**PAIR, "gap": 0.05}, "0.04 apart"),
    "no room for the gap": ({"baseline": 0.72, "gap": 0.3}, "room for 0.28"),
    "a name without a pilot": ({"baseline": "gpt", "gap": 0.3}, "no --pilot"),
    "systems that never differ": (
        {"baseline": 0.5, "candidate": 0.5, "correlation": 1},
        "never differ",
    ),
    "equal accuracies": ({"baseline": 0.5, "candidate": 0.5}, "no gap to resolve"),
    "two systems that are always right": ({"baseline": 1, "candidate": 1, "items": 9}, "never"),
    "the same gap on every item": (
        {"baseline": 0, "candidate": 1, "discordance": 1},
        "same on every item",
    ),
    "always right": ({"baseline": 1, "items": 50}, "always right"),
    "pairs of one system": ({"baseline": 0.7, "items": 50, "n_systems": 3}, "single system"),
    "a family of one": ({**GAP, "n_systems": 1}, "--systems is 1"),
    "too large a family": ({**GAP, "n_systems": 10_001}, "--systems is 10,001"),
    "too thin a level": ({**GAP, "n_systems": 9_000}, "too far out"),
    "an unknown test": ({**KNOWN, "test": "t"}, "Known: chi2, chi2_cc, exact, midp"),
    "an unknown method": ({**GAP, "method": "wald"}, "Known: auto, percentile, tango"),
    "a test of means": ({**GAP, "sd": 1.0, "test": "exact"}, "--test"),
    "a spread of 0": ({**GAP, "sd": 0}, "--sd is 0"),
    "a spread of shares": ({**KNOWN, "sd": 0.3}, "--sd is about means"),
    "two spreads": ({**SPREAD, "sd": 0.3}, "--sd and --between-variance"),
    "noise alone": ({**GAP, "answer_variance": 1.0}, "Give --between-variance"),
    "answers alone": ({**GAP, "answers": 3}, "nothing to average over"),
    "three noises": ({**SPREAD, "answer_variance": (1, 2, 3)}, "3 numbers for two systems"),
    "negative noise": ({**SPREAD, "answer_variance": -1.0}, "--answer-variance is -1"),
    "no answers": ({**SPREAD, "answer_variance": 1.0, "answers": 0}, "--answers is 0"),
    "half an answer": ({**SPREAD, "answer_variance": 1.0, "answers": 1.5}, "--answers is 1.5"),
    "nothing varies": ({**GAP, "between_variance": 0}, "nothing to plan for"),
    "a correlation above all alike": ({**KNOWN, "cluster_size": 5, "icc": 2}, "--icc is 2"),
    "clusters too unlike": ({**KNOWN, "cluster_size": 5, "icc": -0.3}, "none below -0.25"),
    "clusters that do not vary": ({**KNOWN, "cluster_size": 5, "icc": -0.25}, "no variation"),
    "clusters of less than one": ({**KNOWN, "cluster_size": 0.5, "icc": 0.1}, "--cluster-size"),
    "clusters of unknown likeness": ({**KNOWN, "cluster_size": 5}, "Give --icc"),
    "clusters of unknown size": ({**KNOWN, "icc": 0.1}, "Give --cluster-size"),
    "clusters twice": ({**KNOWN, "design_effect": 2, "icc": 0.1}, "--design-effect and --icc"),
    "a design effect of 0": ({**KNOWN, "design_effect": 0}, "--design-effect is 0"),
    "items worth nothing": ({**KNOWN, "design_effect": 400, "items": 500}, "less than two"),
    "a column without a pilot": ({**GAP, "item": "id"}, "--item says how a pilot"),
    "systems without a pilot": ({**GAP, "systems": ("a", "b")}, "--system says how a pilot"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    arguments, said = REFUSED[name]
    with pytest.raises(DeadheatError) as caught:
        deadheat.plan(**arguments)
    assert said in str(caught.value)
    assert caught.value.fix


NUMBERS = {
    "gap": ({}, "--gap"),
    "power": (GAP, "--power"),
    "items": (GAP, "--items"),
    "half_width": (GAP, "--half-width"),
    "confidence_level": (GAP, "--confidence"),
    "baseline": (GAP, "--baseline"),
    "candidate": ({"baseline": 0.5}, "--candidate"),
    "correlation": (PAIR, "--correlation"),
    "loading": (PAIR, "--loading"),
    "discordance": (GAP, "--discordance"),
    "sd": (GAP, "--sd"),
    "between_variance": (GAP, "--between-variance"),
    "answer_variance": (SPREAD, "--answer-variance"),
    "answers": ({**SPREAD, "answer_variance": 1.0}, "--answers"),
    "cluster_size": ({**KNOWN, "icc": 0.1}, "--cluster-size"),
    "icc": ({**KNOWN, "cluster_size": 4}, "--icc"),
    "design_effect": (KNOWN, "--design-effect"),
    "n_systems": (GAP, "--systems"),
}


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, True, np.bool_(True), [1, 2, 3]])
@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_that_cannot_be_meant(name: str, value: Any) -> None:
    others, option = NUMBERS[name]
    with pytest.raises(UsageError, match=option):
        deadheat.plan(**{**others, name: value})


@pytest.mark.parametrize("name", NUMBERS)
def test_texts_are_no_numbers(name: str) -> None:
    others, option = NUMBERS[name]
    with pytest.raises(UsageError, match=option):
        deadheat.plan(**{**others, name: "many"})


def test_numbers_of_numpy_are_numbers() -> None:
    found = deadheat.plan(gap=np.float32(0.25), discordance=np.float64(0.5), items=np.int64(40))
    assert found == deadheat.plan(gap=0.25, discordance=0.5, items=40)


def one_paragraph(error: DeadheatError) -> None:
    assert error.fix
    assert "\n" not in str(error)


some = st.one_of(st.none(), st.floats(0.001, 1.2))


@settings(max_examples=60)
@given(
    gap=st.one_of(st.none(), st.floats(0.02, 1.2)),
    baseline=st.one_of(st.none(), st.sampled_from([0.0, 0.02, 0.5, 0.97, 1.0])),
    candidate=st.one_of(st.none(), st.sampled_from([0.0, 0.3, 0.55, 0.99, 1.0])),
    spread=st.sampled_from(["correlation", "loading", "discordance", "sd", "between_variance"]),
    size=some,
    items=st.one_of(st.none(), st.integers(2, 400)),
    half_width=st.one_of(st.none(), st.floats(0.01, 2.0)),
    power=st.sampled_from([0.1, 0.8, 0.999]),
    design_effect=st.one_of(st.none(), st.floats(0.3, 60.0)),
)
def test_a_plan_or_a_refusal(spread: str, size: float | None, **given_: Any) -> None:
    """Whatever is asked, there is a report in every form, or one paragraph that says why not."""
    arguments = {**given_, spread: size}
    try:
        plan = deadheat.plan(**arguments)
    except DeadheatError as error:
        one_paragraph(error)
        return
    told = strict(plan.to_json())
    assert told["schema"] == "deadheat/plan/1"
    assert told["needed"] or told["table"] or told["at"] is not None
    assert all(need["items"] is None or need["items"] >= 1 for need in told["needed"])
    assert all(
        0.0 <= point["power"] <= 1.0 for point in told["curve"] if point["power"] is not None
    )
    for text in (plan.to_text(), plan.to_markdown()):
        assert not re.search(r"\b(nan|inf|None)\b", text)
        assert "plan:" in text
