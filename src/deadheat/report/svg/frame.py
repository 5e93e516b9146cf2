"""Where everything of a drawing lies: from numbers of the axes to places on the page."""

from __future__ import annotations

from dataclasses import dataclass

from deadheat.report.figure import Axis, Figure, Rule
from deadheat.report.svg.letters import SIZE, cut, width

WIDTH = 680.0
SMALL = 12.0
"""Size of numbers along axes and beside marks."""

MOST_NAME = 190.0
MOST_BESIDE = 230.0
LINE = 18.0
SWATCH = 22.0


def number(x: float) -> str:
    """Write a place with one decimal at most.

    Examples
    --------
    >>> number(12.04), number(0.25), number(-0.04)
    ('12', '.2', '0')
    """
    text = f"{x:.1f}".removesuffix(".0")
    text = text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text
    return "0" if text in ("-0", "") else text


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The area of the marks within the drawing.

    Attributes
    ----------
    left, right, top, bottom : float
        Of the area of the marks.
    height : float
        Of the whole drawing.
    """

    left: float
    right: float
    top: float
    bottom: float
    height: float
    x_axis: Axis
    y_axis: Axis

    def x(self, value: float) -> float:
        """Place of a number of the x axis; infinite numbers lie at the edge."""
        share = (value - self.x_axis.low) / (self.x_axis.high - self.x_axis.low)
        return self.left + (self.right - self.left) * min(max(share, 0.0), 1.0)

    def y(self, value: float) -> float:
        """Place of a number of the y axis."""
        share = (value - self.y_axis.low) / (self.y_axis.high - self.y_axis.low)
        return self.bottom + (self.top - self.bottom) * min(max(share, 0.0), 1.0)


def frame_of(figure: Figure) -> Frame:
    """Give the marks what names, numbers and the legend leave."""
    names = max((width(text, SIZE) for _, text in figure.y.ticks), default=0.0)
    beside = max((width(text, SMALL) for _, text in figure.beside), default=0.0)
    left = max(min(names, MOST_NAME) + 12.0, 14.0)
    right = WIDTH - max(min(beside, MOST_BESIDE) + 12.0 if beside else 0.0, 20.0)
    top = 8.0 + LINE * len(legend_rows(figure))
    top += LINE * (bool(figure.y.label) + labelled(figure))
    bottom = top + figure.height * WIDTH
    under = (20.0 if figure.x.ticks else 4.0) + (LINE if figure.x.label else 0.0)
    return Frame(
        left=left,
        right=right,
        top=top,
        bottom=bottom,
        height=bottom + under + 4.0,
        x_axis=figure.x,
        y_axis=figure.y,
    )


def labelled(figure: Figure) -> bool:
    """Whether a line from top to bottom has its label above the marks."""
    return any(
        isinstance(mark, Rule) and mark.across == "x" and mark.label for mark in figure.marks
    )


def legend_rows(figure: Figure) -> list[list[tuple[float, str, str]]]:
    """Break the legend into rows of (place, role, text)."""
    rows: list[list[tuple[float, str, str]]] = []
    at = WIDTH
    for role, text in figure.legend:
        said = cut(text, WIDTH - SWATCH - 20.0, SMALL)
        room = SWATCH + width(said, SMALL) + 16.0
        if at + room > WIDTH - 4.0:
            rows.append([])
            at = 8.0
        rows[-1].append((at, role, said))
        at += room
    return rows
