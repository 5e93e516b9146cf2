"""Plain text at any width: no number and no word is cut in two, and no line is wider than it must.

The words are those of the `Report`, which the renderer is given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from rich.cells import cell_len

import deadheat
from benchmark.boards import every_field
from deadheat import report
from deadheat.report import Sentence
from deadheat.report.wrapping import fitted, longest, wrapped
from planning.test_report import PLANS, made
from report.results import BOARDS, COMPARISONS, adjustment, scorecard

WIDTHS = (40, 60, 80, 120)

CLAIMS: dict[str, Callable[[], Any]] = {
    "claim": lambda: deadheat.claim(n=500, baseline="71.2", candidate="74.8"),
    "claim of many items": lambda: deadheat.claim(n=10**7, baseline="71.21", candidate="74.87"),
    "claim with matches": lambda: deadheat.claim(
        n=120, baseline="78.3", candidate="91.7", interval=("5.0", "22.5"), p=".004"
    ),
    "claim of one value": lambda: deadheat.claim(n=100, baseline="70.0"),
}
MADE: dict[str, Callable[[], Any]] = {
    **COMPARISONS,
    **BOARDS,
    **CLAIMS,
    **{name: partial(made, name) for name in PLANS},
    "adjustment": adjustment,
    "scorecard": scorecard,
    "check": lambda: every_field()[0],
}


def words(text: str) -> Counter[str]:
    return Counter(word.strip(":") for word in text.split())


@pytest.mark.parametrize("name", MADE)
def test_no_number_and_no_word_is_cut(name: str) -> None:
    result = MADE[name]()
    laid_out = report.layout(result)
    said = words(laid_out.title)
    numbers: set[str] = set()
    for block in laid_out.blocks:
        if isinstance(block, Sentence):
            said += words(" ".join((block.label, block.text, *block.parts)))
            continue
        # Heads are not counted: they stand once above a table, or before every cell.
        said += sum((words(cell) for row in block.rows for cell in row), words(block.title))
        for at, column in enumerate(block.columns):
            cells = {row[at] for row in block.rows if column in block.numeric}
            # Not a number that is part of a phrase.
            numbers |= {cell for cell in cells if len(cell.split()) <= 3}
    for width in WIDTHS:
        shown = report.render(result, "text", width=width)
        assert not said - words(shown), width
        lines = shown.split("\n")
        assert all(any(number in line for line in lines) for number in numbers), width
        signatures = {
            block.text
            for block in laid_out.blocks
            if isinstance(block, Sentence) and block.role == "signature"
        }
        for line in set(lines) - signatures:
            assert cell_len(line) <= width or len(line.split()) == 1, (width, line)


def test_columns_are_counted_as_a_terminal_does() -> None:
    """Two Chinese characters take four columns."""
    assert wrapped("模型 模型 ab", 9) == "模型 模型\nab"
    assert longest("模型 abc") == 4


def test_intervals_stay_whole() -> None:
    assert wrapped("between [-1.2, +8.4] points", 10) == "between\n[-1.2, +8.4]\npoints"
    assert wrapped("below (-inf, +8.4]: yes", 8) == "below\n(-inf, +8.4]:\nyes"
    assert wrapped("a list [of, words]", 12) == "a list [of,\nwords]"


def test_spaces_within_a_line_are_kept() -> None:
    assert wrapped("a  b c", 4) == "a  b\nc"


def test_the_widest_column_gives_way_and_none_below_its_words() -> None:
    assert fitted([3, 3], [10, 20], 30) == [10, 20]
    assert fitted([3, 3], [10, 20], 24) == [10, 14]
    assert fitted([3, 3], [10, 20], 12) == [6, 6]
    assert fitted([3, 8], [10, 20], 9) == [3, 8]
