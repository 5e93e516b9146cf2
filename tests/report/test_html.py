"""HTML: valid, self-contained and escaped."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import html5lib
import pytest

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
