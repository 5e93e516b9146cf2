"""Figures as small SVG: no script, no style attribute, readable without colour.

The colours and strokes are those of `STYLE`, which a page includes once.
"""

from __future__ import annotations

from deadheat.report.figure import Axis, Boxes, Figure
from deadheat.report.svg.frame import (
    LINE,
    MOST_BESIDE,
    MOST_NAME,
    SMALL,
    WIDTH,
    Frame,
    frame_of,
    labelled,
    legend_rows,
    number,
)
from deadheat.report.svg.hover import hits
from deadheat.report.svg.letters import SIZE, cut, shown, width
from deadheat.report.svg.marks import drawn, rule_labels, swatch
from deadheat.report.svg.style import DRAWN, STYLE

__all__ = ["STYLE", "document", "draw"]

NAMESPACE = "http://www.w3.org/2000/svg"
MOST_WHOLE = 30
"""Names that a page has whole in a figure; of more, its tables have them, and it stays small."""

CLOSEST = 14.0
"""Lines of text that are nearer to each other than this would overlap."""


def draw(figure: Figure, *, interactive: bool = False) -> str:
    """Draw a figure as one `<svg>` for a page that includes `STYLE`.

    Parameters
    ----------
    figure : Figure
    interactive : bool
        Whether a script of the page shows what marks say (see `deadheat.report.svg.hover`);
        otherwise the browser does.
    """
    frame = frame_of(figure)
    inside = _inside(figure, frame, interactive=interactive)
    return _svg(figure, inside, frame.height)


def document(figure: Figure) -> str:
    """Draw a figure as a file of its own, with its title and colours."""
    frame = frame_of(figure)
    room = 28.0
    title = f'<text class="dh-heading" x="8" y="20">{shown(cut(figure.title, WIDTH - 16.0, 15.0))}'
    inside = (
        f"<style>{DRAWN}</style>"
        f'<path fill="var(--dh-paper)" d="M0 0h{number(WIDTH)}v{number(frame.height + room)}H0z"/>'
        f'{title}</text><g transform="translate(0 {number(room)})">'
        f"{_inside(figure, frame, interactive=False)[0]}</g>"
    )
    return f"{_svg(figure, (inside, False), frame.height + room)}\n"


def _svg(figure: Figure, inside: tuple[str, bool], height: float) -> str:
    body, focusable = inside
    title, description = f"dh-{figure.name}-title", f"dh-{figure.name}-desc"
    role = "group" if focusable else "img"
    return (
        f'<svg xmlns="{NAMESPACE}" class="dh-figure" viewBox="0 0 {number(WIDTH)} {number(height)}"'
        f' role="{role}" aria-labelledby="{title}" aria-describedby="{description}">'
        f'<title id="{title}">{shown(figure.title)}</title>'
        f'<desc id="{description}">{_whole(figure.description)}</desc>{body}</svg>'
    )


def _whole(text: str) -> str:
    return " ".join(map(shown, text.split(" ")))


def _inside(figure: Figure, frame: Frame, *, interactive: bool) -> tuple[str, bool]:
    said, focusable = hits(figure, frame, interactive=interactive)
    parts = (
        _legend(figure),
        _x_axis(figure.x, frame),
        _y_axis(
            figure.y,
            frame,
            above=LINE if labelled(figure) else 0.0,
            # Cells that are pointed at say the whole names.
            whole=not (
                interactive
                and (
                    len(figure.y.ticks) > MOST_WHOLE
                    or any(getattr(mark, "gaps", None) for mark in figure.marks)
                )
            ),
        ),
        *(drawn(mark, frame) for mark in figure.marks),
        rule_labels(figure.marks, frame),
        _beside(figure, frame),
        said,
    )
    return "".join(parts), focusable


def _legend(figure: Figure) -> str:
    boxed = {mark.role for mark in figure.marks if isinstance(mark, Boxes)}
    return "".join(
        swatch(role, x + 8.0, y, boxed=role in boxed)
        + f'<text class="dh-label" x="{number(x + 20.0)}" y="{number(y + 4.0)}">'
        f"{shown(text)}</text>"
        for y, row in ((14.0 + LINE * at, row) for at, row in enumerate(legend_rows(figure)))
        for x, role, text in row
    )


def _x_axis(axis: Axis, frame: Frame) -> str:
    texts, grid, last = [], [], -1e9
    for value, text in axis.ticks:
        x, wide = frame.x(value), width(text, SMALL)
        grid.append(f"M{number(x)} {number(frame.top)}V{number(frame.bottom)}")
        if x - wide / 2.0 < last + 6.0:
            continue
        last = x + wide / 2.0
        texts.append(
            f'<text class="dh-tick dh-middle" x="{number(x)}" y="{number(frame.bottom + 16.0)}">'
            f"{shown(text)}</text>"
        )
    label = ""
    if axis.label:
        y = frame.bottom + (36.0 if axis.ticks else 18.0)
        said = cut(axis.label, WIDTH - 20.0, SMALL)
        half = width(said, SMALL) / 2.0
        x = min(max((frame.left + frame.right) / 2.0, half + 4.0), WIDTH - half - 4.0)
        label = (
            f'<text class="dh-label dh-middle" x="{number(x)}" y="{number(y)}">{shown(said)}</text>'
        )
    lines = f'<path class="dh-grid" d="{"".join(grid)}"/>' if grid else ""
    return lines + "".join(texts) + label


def _y_axis(axis: Axis, frame: Frame, *, above: float, whole: bool) -> str:
    # Numbers have a label that says of what; rows have names, and no lines between them.
    numbers = bool(axis.label)
    grid: list[str] = []
    texts, last = [], None
    for value, text in axis.ticks:
        y = frame.y(value)
        if last is not None and abs(y - last) < CLOSEST:
            continue
        last = y
        if numbers:
            grid.append(f"M{number(frame.left)} {number(y)}H{number(frame.right)}")
        said = cut(text, MOST_NAME, SIZE)
        full = f"<title>{shown(text)}</title>" if whole and said != text else ""
        texts.append(f'<text y="{number(y + 4.5)}">{full}{shown(said)}</text>')
    label = (
        f'<text class="dh-label" x="4" y="{number(frame.top - 6.0 - above)}">'
        f"{shown(cut(axis.label, WIDTH - 20.0, SMALL))}</text>"
        if axis.label
        else ""
    )
    lines = f'<path class="dh-grid" d="{"".join(grid)}"/>' if grid else ""
    return (
        lines + _column(texts, frame.left - 8.0, "dh-tick dh-end" if numbers else "dh-end") + label
    )


def _column(texts: list[str], x: float, kind: str) -> str:
    """Write texts below each other that end at one place."""
    if not texts:
        return ""
    return f'<g class="{kind}" transform="translate({number(x)})">{"".join(texts)}</g>'


def _beside(figure: Figure, frame: Frame) -> str:
    texts, last = [], None
    for value, text in figure.beside:
        y = frame.y(value)
        if last is not None and abs(y - last) < CLOSEST:
            continue
        last = y
        said = cut(text, MOST_BESIDE, SMALL)
        texts.append(f'<text y="{number(y + 4.0)}">{shown(said)}</text>')
    return _column(texts, WIDTH - 4.0, "dh-tick dh-end")
