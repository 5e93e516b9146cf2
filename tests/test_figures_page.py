"""The page of figures shows what is drawn, and names every figure."""

from __future__ import annotations

import re
import runpy
import xml.etree.ElementTree as ET

import pytest

from deadheat.report.figures import figures_of
from pages import DOCS, PAGES
from report.results import (
    COMPARISONS,
    board,
    board_of_few_clusters,
    scorecard,
)

PAGE = PAGES["docs/figures.md"]
MADE = runpy.run_path(str(DOCS / "figures.py"))["pictures"]()


@pytest.mark.parametrize("name", MADE)
def test_pictures_are_those_that_are_drawn(name: str) -> None:
    # `python docs/figures.py` writes them.
    text = (DOCS / "figures" / name).read_text(encoding="utf-8")
    assert text == MADE[name]
    assert ET.fromstring(text).tag.endswith("svg")
    assert len(text) < 6_000
    assert f"](figures/{name})" in PAGE


def test_no_picture_is_left_over() -> None:
    assert {path.name for path in (DOCS / "figures").iterdir()} == set(MADE)


def test_every_figure_has_a_section() -> None:
    headings = set(re.findall(r"`(\w+)`", " ".join(re.findall(r"^### .*$", PAGE, re.M))))
    makers = (*COMPARISONS.values(), board, board_of_few_clusters, scorecard)
    drawn = {figure.name for make in makers for figure in figures_of(make())}
    assert drawn <= headings
