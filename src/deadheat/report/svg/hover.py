"""What is said of marks when they are pointed at, or reached by keys.

A drawing without a script has a `<title>` for each mark. An interactive one has, for a few marks,
areas of class "dh-hit" that take the focus and are named by `aria-label`; of more marks it holds
the places and texts as attributes of one element, which a script reads:

`data-at`
    left, top, width and height of each area in units of the drawing, separated by blanks; or,
    of cells of a table of differences, "grid" followed by left, top, width and height of the cell
    of row 0 and column 0, and then by row, first column and number of cells of every run of
    neighbours.
`data-text`
    A text for each area, separated by line feeds.
`data-names`, `data-numbers`, `data-decimals`, `data-unit`
    Of cells: a cell says "ROW - COLUMN: DIFFERENCE UNIT", the difference of the numbers of its row
    and column with its sign and so many decimals. Names are separated by line feeds, numbers by
    blanks. A group without them has those of the group before it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from deadheat.report.figure import Boxes, Figure, Gaps, Line, Mark, Points, Spans
from deadheat.report.svg.frame import WIDTH, Frame, number
from deadheat.report.svg.letters import shown
from deadheat.report.svg.marks import Corners, corners, outline

MOST = 60
"""Marks that are reached one by one; the table of the figure has the numbers of more."""

REACH = 8.0


def hits(figure: Figure, frame: Frame, *, interactive: bool) -> tuple[str, bool]:
    """Draw the areas of all marks that have a text; the flag is whether any takes the focus."""
    said = [mark for mark in figure.marks if _hover(mark) or getattr(mark, "gaps", None)]
    n = sum(len(_areas(mark, frame)) for mark in said)
    if not n:
        return "", False
    if n > MOST:
        return (_packs(said, frame) if interactive else ""), False
    areas = (pair for mark in said for pair in zip(_areas(mark, frame), _said(mark), strict=True))
    return "".join(_hit(area, text, interactive) for area, text in areas), interactive


def _hit(area: Corners, text: str, interactive: bool) -> str:
    d = outline(area)
    if interactive:
        return f'<path class="dh-hit" tabindex="0" role="img" aria-label="{shown(text)}" d="{d}"/>'
    return f'<path class="dh-hit" d="{d}"><title>{shown(text)}</title></path>'


def _hover(mark: Mark) -> tuple[str, ...]:
    return getattr(mark, "hover", ())


def _areas(mark: Mark, frame: Frame) -> list[Corners]:
    if isinstance(mark, Spans):
        return [(0.0, frame.y(y) - 11.0, WIDTH, 22.0) for y in mark.y]
    if isinstance(mark, Points):
        return [
            (frame.x(x) - REACH, frame.y(y) - REACH, 2.0 * REACH, 2.0 * REACH)
            for x, y in zip(mark.x, mark.y, strict=True)
        ]
    if isinstance(mark, Line):
        return list(_strips([frame.x(x) for x in mark.x], frame))
    assert isinstance(mark, Boxes)
    return corners(mark, frame)


def _strips(places: Sequence[float], frame: Frame) -> Iterator[Corners]:
    """Divide the width among places, each up to half way to its neighbours."""
    inner = [(left + right) / 2.0 for left, right in pairwise(places)]
    edges = [frame.left, *inner, frame.right]
    for left, right in pairwise(edges):
        yield left, frame.top, max(right - left, 0.0), frame.bottom - frame.top


def _said(mark: Mark) -> list[str]:
    """Return the texts in full."""
    hover = _hover(mark)
    if hover or not isinstance(mark, Boxes) or mark.gaps is None:
        return [*hover]
    return [mark.gaps.said(row, column) for row, column in _cells(mark)]


def _cells(mark: Boxes) -> list[tuple[int, int]]:
    return [
        (math.floor((bottom + top) / 2.0 + 0.5), math.floor((left + right) / 2.0 + 0.5))
        for left, right, bottom, top in zip(
            mark.left, mark.right, mark.bottom, mark.top, strict=True
        )
    ]


def _packs(marks: Sequence[Mark], frame: Frame) -> str:
    packs, last = [], None
    for mark in marks:
        areas = _areas(mark, frame)
        if not isinstance(mark, Boxes) or mark.gaps is None:
            places = " ".join(number(value) for area in areas for value in area)
            packs.append(f'data-at="{places}" data-text="{_lines(_said(mark))}"')
            continue
        again, last = mark.gaps is last, mark.gaps
        packs.append(_grid(areas, _cells(mark)) + ("" if again else _numbers(mark.gaps)))
    return "".join(f'<g class="dh-pack" {pack}/>' for pack in packs)


def _grid(areas: Sequence[Corners], cells: Sequence[tuple[int, int]]) -> str:
    (row, column), (x, y, wide, high) = cells[0], areas[0]
    first = (x - column * wide, y - row * high, wide, high)
    runs = (f"{row} {column} {n}" for row, column, n in _runs(cells))
    return f'data-at="{" ".join(("grid", *(f"{value:.3f}" for value in first), *runs))}"'


def _numbers(gaps: Gaps) -> str:
    numbers = " ".join(f"{value:.{gaps.decimals + 2}f}" for value in gaps.numbers)
    return (
        f' data-names="{_lines(gaps.names)}" data-numbers="{numbers}" '
        f'data-decimals="{gaps.decimals}" data-unit="{shown(gaps.unit)}"'
    )


def _runs(cells: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
    """Join cells that follow each other from left to right into (row, first column, number)."""
    (row, first), n = cells[0], 0
    for cell in cells:
        if cell != (row, first + n):
            yield row, first, n
            (row, first), n = cell, 0
        n += 1
    yield row, first, n


def _lines(texts: Sequence[str]) -> str:
    """Return texts, each on a line of its own, as an attribute."""
    return "&#10;".join(map(shown, texts))
