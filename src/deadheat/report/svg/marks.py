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

HATCHED = ("behind",)
TALL_ENOUGH = 15.0
TILED = 60
"""Boxes of one size beyond which they are drawn as stripes of a tiled pattern."""

TILES = {"ahead": "l-3 5h6z", "behind": "l-3-5h6z"}
"""Signs on the tiles: they can be told apart without colour."""


def at(x: float, y: float) -> str:
    """Move to a place."""
    second = number(y)
    return f"M{number(x)}{'' if second.startswith('-') else ' '}{second}"


def drawn(mark: Mark, frame: Frame, name: str) -> str:
    """Draw a mark without what is said of it when it is pointed at."""
    if isinstance(mark, Points):
        return _path(_kind_of(mark.role), mark.role, "".join(_dots(mark, frame)))
    if isinstance(mark, Spans):
        return _path("span", mark.role, "".join(_spans(mark, frame)))
    if isinstance(mark, Line):
        return _path("line", mark.role, _line(mark, frame))
    if isinstance(mark, Rule):
        return _rule(mark, frame)
    return _boxes(mark, frame, name)


def swatch(role: str, x: float, y: float, *, boxed: bool, name: str) -> str:
    """Draw the sign of a role in a legend: a box of its kind, or a dot."""
    if boxed:
        fill = f' fill="url(#dh-{name}-{role})"' if role in HATCHED else ""
        kind = "hatched" if fill else f"box dh-{role}"
        return f'<path class="dh-{kind}"{fill} d="{at(x - 6.0, y - 6.0)}h12v12h-12z"/>'
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


def _boxes(mark: Boxes, frame: Frame, name: str) -> str:
    found = corners(mark, frame)
    cell = _tile(found)
    fill, before = "", ""
    if cell is not None:
        found = merged(found)
        before, fill = _tiled(mark.role, cell, name)
    elif mark.role in HATCHED:
        before, fill = _hatched(mark.role, name)
    d = "".join(
        f"{at(x, y)}h{number(wide)}v{number(high)}h{number(-wide)}z" for x, y, wide, high in found
    )
    kind = "tiles" if cell else "hatched" if fill else f"box dh-{mark.role}"
    path = f'<path class="dh-{kind}"{fill} d="{d}"/>' if d else ""
    return before + path + _texts(mark, found if cell is None else [])


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


def _tiled(role: Role, cell: Corners, name: str) -> tuple[str, str]:
    x, y, wide, high = cell
    identity = f"dh-{name}-{role}"
    size = 0.18 * min(wide, high)
    sign = TILES.get(role)
    middle = f"M{wide / 2:.2f} {high / 2:.2f}"
    scaled = (
        ""
        if sign is None or min(wide, high) < 6.0
        else f'<path class="dh-sign" d="{middle}m0{-size if role == "ahead" else size:.2f}'
        f'l{-size:.2f} {2 * size if role == "ahead" else -2 * size:.2f}h{2 * size:.2f}z"/>'
    )
    pattern = (
        f'<pattern id="{identity}" patternUnits="userSpaceOnUse" x="{x:.3f}" y="{y:.3f}" '
        f'width="{wide:.3f}" height="{high:.3f}">'
        f'<path class="dh-box dh-{role}" d="M0 0h{wide:.2f}v{high:.2f}H0z"/>{scaled}</pattern>'
    )
    return pattern, f' fill="url(#{identity})"'


def _hatched(role: Role, name: str) -> tuple[str, str]:
    identity = f"dh-{name}-{role}"
    pattern = (
        f'<pattern id="{identity}" patternUnits="userSpaceOnUse" width="7" height="7" '
        f'patternTransform="rotate(45)"><path class="dh-box dh-{role} dh-bare" d="M0 0h7v7H0z"/>'
        '<path class="dh-stripe" d="M0 3.5h7"/></pattern>'
    )
    return pattern, f' fill="url(#{identity})"'


def _texts(mark: Boxes, found: Sequence[Corners]) -> str:
    on = "" if mark.role in ("muted", "open") else " dh-on"
    texts: list[str] = []
    for (x, y, wide, high), text in zip(found, mark.texts, strict=False):
        lines = text.split("\n")
        if high < TALL_ENOUGH * len(lines) or any(width(line, SIZE) > wide - 6.0 for line in lines):
            lines = lines[:1]
        if high < TALL_ENOUGH or width(lines[0], SIZE) > wide - 6.0:
            continue
        start = y + high / 2.0 + 4.5 - 0.5 * TALL_ENOUGH * (len(lines) - 1)
        texts.extend(
            f'<text class="dh-in{on}" x="{number(x + wide / 2.0)}" '
            f'y="{number(start + TALL_ENOUGH * row)}">{shown(cut(line, wide))}</text>'
            for row, line in enumerate(lines)
            if line
        )
    return "".join(texts)
