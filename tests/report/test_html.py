"""HTML: valid, self-contained and escaped."""

from __future__ import annotations

import base64
import hashlib
import random
import re
from itertools import pairwise
from typing import Any

import html5lib
import pytest

import deadheat
from report.results import BOARDS, COMPARISONS, adjustment, scorecard

MAKERS = {**COMPARISONS, **BOARDS, "scorecard": scorecard, "adjustment": adjustment}

NAMESPACE = "{http://www.w3.org/1999/xhtml}"


def parsed(text: str) -> Any:
    """The tree, by a parser that refuses whatever the standard calls an error."""
    return html5lib.HTMLParser(strict=True).parse(text)


@pytest.mark.parametrize("name", MAKERS)
def test_every_report_is_valid(name: str) -> None:
    parsed(MAKERS[name]().to_html())


@pytest.mark.parametrize("name", MAKERS)
def test_nothing_is_asked_for(name: str) -> None:
    text = MAKERS[name]().to_html()
    for element in parsed(text).iter():
        assert not {"src", "href", "action", "srcset", "style"} & set(element.attrib) or (
            element.attrib.get("href", "").startswith("#")
        ), element.tag
        assert not any(name.startswith("on") for name in element.attrib)
    assert "@import" not in text
    assert "url(" not in text
    assert "default-src 'none'" in text


@pytest.mark.parametrize("name", MAKERS)
def test_headings_are_in_order_and_tables_have_heads(name: str) -> None:
    tree = parsed(MAKERS[name]().to_html())
    levels = [
        int(element.tag[-1])
        for element in tree.iter()
        if isinstance(element.tag, str) and re.fullmatch(rf"{NAMESPACE}h[1-6]", element.tag)
    ]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    for table in tree.iter(f"{NAMESPACE}table"):
        assert table.find(f"{NAMESPACE}caption").text
        assert all(head.attrib["scope"] in ("col", "row") for head in table.iter(f"{NAMESPACE}th"))


def test_a_board_of_50_systems_is_small() -> None:
    """500 items, all 1,225 pairs, names as long as those of models usually are."""
    draw = random.Random(1)
    ease = [draw.uniform(-0.3, 0.3) for _ in range(500)]
    scores = {
        f"organisation/model-{k}-70b": [int(draw.random() < 0.3 + 0.01 * k + e) for e in ease]
        for k in range(50)
    }
    found = deadheat.rank(scores, n_resamples=999, threads=1)
    text = found.to_html()
    assert len(text.encode("utf-8")) < 60_000
    tree = parsed(text)
    shown = "".join(tree.itertext())
    for name in scores:
        assert name in shown
    # What a figure shows is in a table: its own, or one of the report.
    figures = list(tree.iter(f"{NAMESPACE}figure"))
    assert figures
    for figure in figures:
        own = figure.find(f"{NAMESPACE}details")
        assert own is not None or "Its numbers are in the table" in "".join(figure.itertext())


def test_the_policy_allows_the_style_and_the_script_of_the_file_alone() -> None:
    text = COMPARISONS["unresolved"]().to_html()
    policy = re.search(r'Policy" content="([^"]*)"', text)
    assert policy is not None
    for tag in ("style", "script"):
        inside = re.search(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        assert inside is not None
        digest = base64.b64encode(hashlib.sha256(inside[1].encode("utf-8")).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy[1].replace("&#39;", "'")


def test_what_is_to_be_filled_in_is_marked_and_nothing_from_data_is() -> None:
    found = deadheat.compare({"<i>a": [1, 0, 1, 1], "b": [1, 1, 1, 0]})
    tree = parsed(found.to_html())
    marks = ["".join(mark.itertext()) for mark in tree.iter(f"{NAMESPACE}mark")]
    assert marks
    assert all(mark.startswith("[FILL IN: ") and mark.endswith("]") for mark in marks)
    assert not list(tree.iter(f"{NAMESPACE}i"))
    (paragraph,) = (p for p in tree.iter(f"{NAMESPACE}p") if p.get("class") == "dh-methods")
    assert "".join(paragraph.itertext()) == found.to_methods()


def test_a_figure_of_one_system_says_one_value_and_names_its_table() -> None:
    """70 of 100 right: Wilson's interval is [60.4, 78.1]; there is no other end to name."""
    scores = [1] * 70 + [0] * 30
    page = deadheat.score({"assistant": scores}).to_html()
    caption = re.search(r"<figcaption>(.*?)</figcaption>", page, re.DOTALL)
    assert caption is not None
    assert caption[1].count("assistant") == 1
    assert "overlap" not in caption[1]
    named = re.search(r'in the table "([^"]+)" below', page)
    assert named is not None
    assert f"<caption>{named[1]}</caption>" in page
