"""A figure: marks on two axes, as immutable data. Renderers only read it.

Every figure has its table: what is drawn can be read, and what is hovered over is a text of the
mark. Coordinates are those of the data; a category is its position from 0, named by a tick.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from deadheat.report.table import Table

Role = Literal["plain", "baseline", "candidate", "ahead", "behind", "open", "muted"]
"""What a mark stands for; a renderer gives each role a colour and a shape or pattern of its own.

"ahead" and "behind" are settled, "open" is not; "muted" is context.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """A range of numbers and what is written along it."""

    label: str
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """Dots. `hover` has a text for each, or is empty."""

    x: tuple[float, ...]
    y: tuple[float, ...]
    role: Role = "plain"
    hover: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Spans:
    """Horizontal intervals with caps; an end that is infinite runs out of the figure."""

    low: tuple[float, ...]
    high: tuple[float, ...]
    y: tuple[float, ...]
    role: Role = "plain"
    hover: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line through points; `stepped` holds each height until the next point."""

    x: tuple[float, ...]
    y: tuple[float, ...]
    role: Role = "plain"
    stepped: bool = False
    hover: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Gaps:
    """Names and numbers of rows and columns; a cell is its row's number less its column's."""

    names: tuple[str, ...]
    numbers: tuple[float, ...]
    decimals: int
    unit: str = ""

    def said(self, row: int, column: int) -> str:
        """Say what a cell is, with one decimal more than a table has."""
        gap = self.numbers[row] - self.numbers[column]
        return f"{self.names[row]} - {self.names[column]}: {gap:+.{self.decimals}f}{self.unit}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Boxes:
    """Rectangles: bars, cells of a table. `texts` are written in them where they fit.

    Where they are the cells of a table of differences, `gaps` says what each of them is.
    """

    left: tuple[float, ...]
    right: tuple[float, ...]
    bottom: tuple[float, ...]
    top: tuple[float, ...]
    role: Role = "plain"
    texts: tuple[str, ...] = ()
    hover: tuple[str, ...] = ()
    gaps: Gaps | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A line across the figure at a number of one axis, such as zero or a margin.

    The label of a line from left to right stands at its end, or where it starts.
    """

    at: float
    across: Literal["x", "y"] = "x"
    label: str = ""
    label_at: Literal["start", "end"] = "end"
    role: Role = "muted"


Mark = Points | Spans | Line | Boxes | Rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """What is drawn, what it shows in words, and the same numbers as a table.

    Attributes
    ----------
    name : str
        Short and unique within a report, such as "differences": of files and anchors.
    title : str
    description : str
        One or two sentences that say what can be seen, for those who cannot see it.
    x, y : Axis
    marks : tuple of Mark
        From back to front.
    table : Table
    height : float
        Of the area of the marks by the width of the whole drawing.
    beside : tuple of (float, str)
        What is written to the right of the marks, at numbers of the y axis.
    legend : tuple of (Role, str)
        What roles stand for, where a mark does not say it itself.
    """

    name: str
    title: str
    description: str
    x: Axis
    y: Axis
    marks: tuple[Mark, ...]
    table: Table
    height: float = 0.5
    beside: tuple[tuple[float, str], ...] = ()
    legend: tuple[tuple[Role, str], ...] = ()
