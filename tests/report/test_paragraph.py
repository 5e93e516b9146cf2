"""The paragraph on methods: what the reporting template asks for, and no number of its own."""

from __future__ import annotations

import re

import pytest

import deadheat
from report.results import (
    BOARDS,
    COMPARISONS,
    board,
    outcomes,
    resolved,
    scorecard,
    unpaired,
    unresolved,
)

HOLE = re.compile(r"\[FILL IN: [^\]]+\]")


def test_it_holds_every_field_of_the_template() -> None:
    """Systems, settings, items with their hash, pairing, metric, policies, bootstrap, both ends."""
    found = unresolved()
    text = found.to_methods()
    tree = found.to_dict()
    for part in (
        "b was compared with a",
        "accuracy|v:1",
        "500 items",
        tree["items"]["hash"][:24],
        "paired by order",
        "null outputs",
        "percentile method, computed without draws",
        "95% interval",
        "+3.6 points",
        "[-1.2, +8.4] points",
        "p = 0.155",
        "mcnemar (exact): p = 0.168",
        "unresolved",
        "contamination",
        "deadheat",
    ):
        assert part in text, part


def test_its_numbers_are_those_of_json() -> None:
    tree = unresolved().to_dict()
    text = unresolved().to_methods()
    gap = tree["difference"]
    assert f"{100 * gap['estimate']:+.1f} points" in text
    low, high = (100 * gap["interval"][end] for end in ("low", "high"))
    assert f"[{low:+.1f}, {high:+.1f}] points" in text
    assert f"p = {gap['p_value']:.3f}" in text
    for side in ("baseline", "candidate"):
        interval = tree[side]["interval"]
        ends = f"[{100 * interval['low']:.1f}, {100 * interval['high']:.1f}]"
        assert f"{tree[side]['system']} " in text
        assert f"{100 * tree[side]['value']:.1f}% {ends}" in text


def test_draws_are_stated_where_there_were_any() -> None:
    found = COMPARISONS["corpus"]()
    assert "from 999 resamples, seed 0" in found.to_methods()
    assert "from 999 resamples shared by all systems, seed 0" in board().to_methods()


def test_what_nobody_stated_is_to_be_filled_in() -> None:
    holes = HOLE.findall(unresolved().to_methods())
    assert any("evaluation set" in hole for hole in holes)
    assert any("refusals" in hole for hole in holes)
    assert any("checkpoint, temperature" in hole for hole in holes)
    text = resolved().to_methods()
    assert "a: checkpoint v1, temperature 0, [FILL IN: top_p, max_tokens, stop, seed, date]" in text
    fields = ("checkpoint", "temperature", "top_p", "max_tokens", "stop", "seed", "date")
    stated = dict.fromkeys(fields, "0")
    found = deadheat.compare(outcomes(20, 3, 5, 4), about={"a": stated, "b": stated})
    assert not any("checkpoint" in hole for hole in HOLE.findall(found.to_methods()))


def test_pairing_and_what_was_left_out() -> None:
    assert "independent of each other" in unpaired().to_methods()
    found = deadheat.compare(
        {"a": [1, 0, 1, None], "b": [1, 1, 0, 1]}, missing="drop", metric="mean"
    )
    assert "Items left out: 1 no score." in found.to_methods()


@pytest.mark.parametrize("name", [*COMPARISONS, *BOARDS, "scorecard"])
def test_careful_words_alone(name: str) -> None:
    text = {**COMPARISONS, **BOARDS, "scorecard": scorecard}[name]().to_methods()
    assert text
    assert "signific" not in text.casefold()
    assert "  " not in text
    assert "nan" not in re.findall(r"\w+", text)


def test_results_that_are_no_measurement_have_none() -> None:
    assert deadheat.plan(baseline=0.7, candidate=0.8, correlation=0.3).to_methods() == ""


def test_it_stands_in_documents() -> None:
    text = unresolved().to_methods()
    assert "## Methods paragraph" in unresolved().to_markdown()
    assert "Methods paragraph" in unresolved().to_html()
    flat = " ".join(line.removeprefix("% ") for line in unresolved().to_latex().splitlines())
    assert text in flat
    assert "FILL IN" not in unresolved().to_text()
