"""The report of a plan: as a whole, and what has to hold of every one."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

import deadheat
from deadheat import Plan, report
from deadheat.report.plan_numbers import bar

PILOT = {
    "a": [1] * 289 + [1] * 67 + [0] * 85 + [0] * 59,
    "b": [1] * 289 + [0] * 67 + [1] * 85 + [0] * 59,
}

PLANS: dict[str, dict[str, Any]] = {
    "two accuracies": {"baseline": 0.72, "candidate": 0.76, "correlation": 0.36, "items": 500},
    "a gap alone": {"gap": 0.02},
    "items alone": {"items": 500},
    "a half-width": {"half_width": 0.01, "baseline": 0.7},
    "all pairs of five": {"gap": 0.04, "discordance": 0.2, "n_systems": 5},
    "clusters": {"gap": 0.05, "discordance": 0.2, "cluster_size": 5, "icc": 0.1, "items": 800},
    "answers": {
        "gap": 0.03,
        "between_variance": 0.1,
        "answer_variance": 0.15,
        "answers": 3,
        "items": 900,
    },
    "a pilot": {"pilot": PILOT},
    "a pilot and everything": {"pilot": PILOT, "gap": 0.05, "items": 900, "half_width": 0.03},
    "one system": {"pilot": [0.5, 1.5, 0.5, 2.5], "half_width": 0.2},
}


@cache
def made(name: str) -> Plan:
    return dataclasses.replace(deadheat.plan(**PLANS[name]), version="0.0.0")


@pytest.mark.parametrize("form", ["text", "markdown"])
@pytest.mark.parametrize("name", PLANS)
def test_report(name: str, form: str, snapshot: SnapshotAssertion) -> None:
    assert report.render(made(name), form) == snapshot


@pytest.mark.parametrize("name", PLANS)
def test_tables_of_markdown_are_rectangular(name: str) -> None:
    lines = made(name).to_markdown().splitlines()
    width = None
    for line in lines:
        if not line.startswith("|"):
            width = None
            continue
        cells = len(re.findall(r"(?<!\\)\|", line))
        assert width in (None, cells), line
        width = cells


@pytest.mark.parametrize("name", PLANS)
def test_words(name: str) -> None:
    for text in (made(name).to_text(), made(name).to_markdown(), made(name).to_json()):
        assert "significan" not in text.lower()
        assert not re.search(r"\b1 (items|points)\b", text)


@pytest.mark.parametrize("name", PLANS)
def test_what_is_null_says_why(name: str) -> None:
    """Numbers of a plan that are undefined go with a note; what was not given needs none."""
    told = made(name).to_dict()
    codes = {note["code"] for note in told["notes"]}
    if told["at"] is None and told["wanted"]["items"] is not None:
        assert "discordance_unknown" in codes
    if told["at"] is not None and told["at"]["coverage"] is None:
        assert codes & {"coverage_unknown", "no_gap", "single_system"}
    if told["errors"]["wrong_sign"] is None:
        assert "single_system" in codes


def test_signature_is_one_line_and_holds_the_numbers() -> None:
    plan = made("two accuracies")
    assert plan.signature in plan.to_text().splitlines()
    for part in ("gap:0.04", "items:500", "latent_correlation:0.36", "power:0.8", "test:exact"):
        assert part in plan.signature.split("|")


def test_bars_grow_with_the_power() -> None:
    assert (bar(0.0), bar(1.0)) == ("", "█" * 24)
    # A block more for each 24th, and the last one by eighths.
    assert bar(0.5 + 0.5 / 24) == "█" * 12 + "▌"
    lengths = [len(bar(k / 480)) for k in range(481)]
    assert lengths == sorted(lengths)


STATED: dict[str, tuple[str, Callable[[Plan], int | None]]] = {
    "two accuracies": (r"about ([\d,]+) items to be resolved", lambda plan: plan.items),
    "a half-width": (r"takes ([\d,]+) items", lambda plan: plan.items),
    "a gap alone": (r"takes ([\d,]+) to", lambda plan: plan.table[0].items),
}


@pytest.mark.parametrize("name", STATED)
def test_first_sentence_states_the_number(name: str) -> None:
    pattern, right = STATED[name]
    plan = made(name)
    said = re.search(pattern, " ".join(plan.to_text().split()))
    assert said is not None
    assert int(said[1].replace(",", "")) == right(plan)
