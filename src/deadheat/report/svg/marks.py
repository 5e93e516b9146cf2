"""Marks as paths: one for each role of a mark, however many marks there are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from deadheat.report.figure import Boxes, Line, Mark, Points, Role, Rule, Spans
from deadheat.report.svg.frame import SMALL, WIDTH, Frame, number
from deadheat.report.svg.letters import SIZE, cut, shown, width

SHAPES = {
    "plain": "h0",
    "candidate": "h0",
    "baseline": "m-4.5-4.5h9v9h-9z",
    "ahead": "m-6 4.5l6-10 6 10z",
    "behind": "m-6-4.5l6 10 6-10z",
    "open": "m4.5 0a4.5 4.5 0 1 0 0 .1z",
    "muted": "h0",
}
"""Outline of a dot of each role, around its place; a line of no length has round ends."""

STRIPED = ("behind",)
TALL_ENOUGH = 15.0
TILED = 60
"""Boxes of one size beyond which they are drawn as dashes of one line for each row."""

SIGNS = {"ahead": (1.4, 1.4), "behind": (2.4, 0.7)}
"""Length and height of the signs on cells: a dot, or a bar. They tell roles without colour."""


def at(x: float, y: float) -> str:
    """Move to a place."""
    second = number(y)
    return f"M{number(x)}{'' if second.startswith('-') else ' '}{second}"


def drawn(mark: Mark, frame: Frame) -> str:
    """Draw a mark without what is said of it when it is pointed at."""
    if isinstance(mark, Points):
        return _path(_kind_of(mark.role), mark.role, "".join(_dots(mark, frame)))
    if isinstance(mark, Spans):
        return _path("span", mark.role, "".join(_spans(mark, frame)))
    if isinstance(mark, Line):
        return _path("line", mark.role, _line(mark, frame))
    if isinstance(mark, Rule):
        return _rule(mark, frame)
    return _boxes(mark, frame)


def swatch(role: str, x: float, y: float, *, boxed: bool) -> str:
    """Draw the sign of a role in a legend: a box of its kind, or a dot."""
    if boxed:
        area = (x - 6.0, y - 6.0, 12.0, 12.0)
        return _path("box", role, outline(area)) + (_stripes([area]) if role in STRIPED else "")
    return _path(_kind_of(role), role, f"{at(x, y)}{SHAPES[role]}")


def _kind_of(role: str) -> str:
    return "dot" if SHAPES[role] == "h0" else "point"


def _path(kind: str, role: str, d: str, more: str = "") -> str:
    return f'<path class="dh-{kind} dh-{role}"{more} d="{d}"/>' if d else ""


def _dots(mark: Points, frame: Frame) -> Iterator[str]:
    for x, y in zip(mark.x, mark.y, strict=True):
        if math.isfinite(x) and math.isfinite(y):
            yield at(frame.x(x), frame.y(y)) + SHAPES[mark.role]


def _spans(mark: Spans, frame: Frame) -> Iterator[str]:
    for low, high, y in zip(mark.low, mark.high, mark.y, strict=True):
        if math.isnan(low) or math.isnan(high):
            continue
        left, right, middle = frame.x(low), frame.x(high), frame.y(y)
        first = "m5-4l-5 4 5 4m-5-4" if math.isinf(low) else "m0-4v8m0-4"
        last = "m-5-4l5 4-5 4" if math.isinf(high) else "m0-4v8"
        yield f"{at(left, middle)}{first}H{number(right)}{last}"


def _line(mark: Line, frame: Frame) -> str:
    steps: list[str] = []
    pen = False
    for x, y in zip(mark.x, mark.y, strict=True):
        if not (math.isfinite(x) and math.isfinite(y)):
            pen = False
            continue
        across, up = frame.x(x), frame.y(y)
        if not pen:
            steps.append(at(across, up))
        elif mark.stepped:
            steps.append(f"H{number(across)}V{number(up)}")
        else:
            steps.append(f"L{number(across)} {number(up)}")
        pen = True
    return "".join(steps)


def _rule(mark: Rule, frame: Frame) -> str:
    if mark.across == "x":
        d = f"M{number(frame.x(mark.at))} {number(frame.top)}V{number(frame.bottom)}"
    else:
        d = f"M{number(frame.left)} {number(frame.y(mark.at))}H{number(frame.right)}"
    return f'<path class="dh-rule dh-{mark.role}" d="{d}"/>'


Place = tuple[float, float, float]
"""Left, right and baseline of a line of text."""


def rule_labels(marks: Iterable[Mark], frame: Frame) -> str:
    """Write what lines across the figure are."""
    return "".join(
        f'<text class="dh-label dh-halo" x="{number(left)}" y="{number(y)}">'
        f"{shown(cut(mark.label, WIDTH - 20.0, SMALL))}</text>"
        for mark, (left, _, y) in labelled_rules(marks, frame)
    )


def labelled_rules(marks: Iterable[Mark], frame: Frame) -> list[tuple[Rule, Place]]:
    """Return the lines that have their label written; of those that would overlap, the first."""
    found: list[tuple[Rule, Place]] = []
    for mark in marks:
        if isinstance(mark, Rule) and mark.label:
            place = _place(mark, frame)
            if not any(_overlap(place, other) for _, other in found):
                found.append((mark, place))
    return found


def _place(mark: Rule, frame: Frame) -> Place:
    wide = min(width(mark.label, SMALL), WIDTH - 20.0)
    if mark.across == "x":
        left = min(max(frame.x(mark.at) - wide / 2.0, 2.0), WIDTH - wide - 2.0)
        return left, left + wide, frame.top - 5.0
    left = frame.left + 4.0 if mark.label_at == "start" else frame.right - 4.0 - wide
    return left, left + wide, frame.y(mark.at) - 5.0


def _overlap(one: Place, other: Place) -> bool:
    apart = one[0] > other[1] + 6.0 or other[0] > one[1] + 6.0
    return not apart and abs(one[2] - other[2]) < TALL_ENOUGH


Corners = tuple[float, float, float, float]


def corners(mark: Boxes, frame: Frame) -> list[Corners]:
    """Places (left, top, width, height) of boxes."""
    found = []
    for left, right, bottom, top in zip(mark.left, mark.right, mark.bottom, mark.top, strict=True):
        x0, x1 = sorted((frame.x(left), frame.x(right)))
        y0, y1 = sorted((frame.y(bottom), frame.y(top)))
        found.append((x0, y0, x1 - x0, y1 - y0))
    return found


def _boxes(mark: Boxes, frame: Frame) -> str:
    found = corners(mark, frame)
    cell = _tile(found)
    if cell is not None:
        return _tiles(mark.role, cell, merged(found))
    return (
        _path("box", mark.role, "".join(map(outline, found)))
        + (_stripes(found) if mark.role in STRIPED else "")
        + _texts(mark, found)
    )


def outline(area: Corners) -> str:
    """Draw a rectangle."""
    x, y, wide, high = area
    return f"{at(x, y)}h{number(wide)}v{number(high)}h{number(-wide)}z"


def _stripes(found: Sequence[Corners]) -> str:
    """Lay stripes on boxes: a dashed line down the middle, as wide as the box."""
    by_width: dict[str, list[str]] = {}
    for x, y, wide, high in found:
        by_width.setdefault(number(wide), []).append(f"{at(x + wide / 2.0, y)}V{number(y + high)}")
    return "".join(
        f'<path class="dh-stripe" stroke-width="{wide}" d="{"".join(lines)}"/>'
        for wide, lines in by_width.items()
    )


def _tile(found: Sequence[Corners]) -> Corners | None:
    """Return the first of many boxes that are of one size, None where they are not."""
    if len(found) <= TILED:
        return None
    sizes = {(round(wide, 2), round(high, 2)) for _, _, wide, high in found}
    return found[0] if len(sizes) == 1 else None


def merged(found: Sequence[Corners]) -> list[Corners]:
    """Join boxes of one height that touch from left to right."""
    rows: list[Corners] = []
    for x, y, wide, high in sorted(found, key=lambda one: (round(one[1], 2), one[0])):
        if rows:
            last_x, last_y, last_wide, last_high = rows[-1]
            if abs(last_y - y) < 0.01 and abs(last_x + last_wide - x) < 0.01:
                rows[-1] = (last_x, last_y, last_wide + wide, last_high)
                continue
        rows.append((x, y, wide, high))
    return rows


def _tiles(role: Role, cell: Corners, runs: Sequence[Corners]) -> str:
    """Draw rows of cells as dashed lines, a dash for each cell, with a sign on each."""
    _, _, wide, high = cell
    d = "".join(f"{at(x, y + tall / 2.0)}H{number(x + long)}" for x, y, long, tall in runs)
    whole = _dashes("tile", role, d, wide - 1.0, high - 1.0, wide)
    if role == "open":
        return whole + _dashes("sign", role, d, wide - 3.0, high - 3.0, wide)
    size = min(wide, high) / 4.0
    return whole + _dashes("sign", role, d, *SIGNS.get(role, (0.0, 0.0)), wide, scale=size)


def _dashes(
    kind: str,
    role: str,
    d: str,
    long: float,
    tall: float,
    step: float,
    *,
    scale: float = 1.0,
) -> str:
    """Draw a dash of a size in the middle of each step of lines."""
    long, tall = scale * long, scale * tall
    if long <= 0.0 or tall <= 0.0:
        return ""
    more = (
        f' stroke-width="{number(tall)}" stroke-dasharray="{long:.3f} {step - long:.3f}" '
        f'stroke-dashoffset="{(long - step) / 2.0:.3f}"'
    )
    return _path(kind, role, d, more)


def _texts(mark: Boxes, found: Sequence[Corners]) -> str:
    on = "" if mark.role in ("muted", "open") else " dh-on"
    if mark.role in STRIPED:
        on += f" dh-lit dh-{mark.role}"
    texts: list[str] = []
    for (x, y, wide, high), text in zip(found, mark.texts, strict=False):
        lines = text.split("\n")
        if high < TALL_ENOUGH * len(lines) or any(width(line, SIZE) > wide - 6.0 for line in lines):
            lines = lines[:1]
        if high < TALL_ENOUGH or width(lines[0], SIZE) > wide - 6.0:
            continue
        start = y + high / 2.0 + 4.5 - 0.5 * TALL_ENOUGH * (len(lines) - 1)
        texts.extend(
            f'<text x="{number(x + wide / 2.0)}" '
            f'y="{number(start + TALL_ENOUGH * row)}">{shown(cut(line, wide))}</text>'
            for row, line in enumerate(lines)
            if line
        )
    return f'<g class="dh-in{on}">{"".join(texts)}</g>' if texts else ""
