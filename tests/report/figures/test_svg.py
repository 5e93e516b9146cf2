"""Drawings: marks lie where the axes put them, names are text, nothing overlaps."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import combinations

import pytest

from deadheat.report import svg
from deadheat.report.figure import Axis, Boxes, Figure, Gaps, Line, Mark, Points, Rule, Spans
from deadheat.report.svg.frame import frame_of
from deadheat.report.svg.style import DRAWN
from deadheat.report.table import Table

SVG = "{http://www.w3.org/2000/svg}"
TABLE = Table(title="", columns=("a",), rows=())


def figure(*marks: Mark, names: tuple[str, ...] = ("a", "b"), **more: object) -> Figure:
    parts = {
        "name": "f",
        "title": "t",
        "description": "d",
        "x": Axis(label="x", low=0.0, high=10.0, ticks=((0.0, "0"), (10.0, "10"))),
        "y": Axis(
            label="",
            low=len(names) - 0.5,
            high=-0.5,
            ticks=tuple((float(at), name) for at, name in enumerate(names)),
        ),
        "marks": marks,
        "table": TABLE,
    }
    return Figure(**(parts | more))  # type: ignore[arg-type]


def tree(text: str) -> ET.Element:
    return ET.fromstring(text)


def paths(root: ET.Element, *kinds: str) -> list[str]:
    return [
        path.get("d", "")
        for path in root.iter(f"{SVG}path")
        if any(set(kind.split()) <= set(path.get("class", "").split()) for kind in kinds)
    ]


def ticks_at(root: ET.Element) -> dict[str, float]:
    """Where numbers of the x axis are written."""
    return {
        text.text or "": float(text.get("x", ""))
        for text in root.iter(f"{SVG}text")
        if text.get("class") == "dh-tick dh-middle"
    }


def test_a_dot_half_way_between_two_ticks_is_drawn_half_way() -> None:
    root = tree(svg.draw(figure(Points(x=(5.0,), y=(0.0,)))))
    places = ticks_at(root)
    (path,) = paths(root, "dh-point", "dh-dot")
    x = float(re.findall(r"M([\d.]+)", path)[0])
    assert x == pytest.approx((places["0"] + places["10"]) / 2.0, abs=0.1)


def test_a_span_reaches_from_end_to_end_and_an_open_one_has_an_arrow() -> None:
    inf = float("inf")
    spans = Spans(low=(2.0, 2.0), high=(7.0, inf), y=(0.0, 1.0))
    root = tree(svg.draw(figure(spans)))
    places = ticks_at(root)
    (path,) = paths(root, "dh-span")
    unit = (places["10"] - places["0"]) / 10.0
    starts = [float(x) for x in re.findall(r"M([\d.]+)", path)]
    ends = [float(x) for x in re.findall(r"H([\d.]+)", path)]
    assert starts == pytest.approx([places["0"] + 2.0 * unit] * 2, abs=0.1)
    assert ends == pytest.approx([places["0"] + 7.0 * unit, places["10"]], abs=0.1)
    assert path.count("v8") == 3  # caps of three finite ends
    assert path.count("l") == 1  # the arrow


def test_what_is_undefined_is_not_drawn() -> None:
    nan = float("nan")
    points = Points(x=(nan, 1.0), y=(0.0, 1.0))
    spans = Spans(low=(nan, 0.0), high=(nan, 2.0), y=(0.0, 1.0))
    line = Line(x=(0.0, 1.0, 2.0, 3.0), y=(0.0, nan, 1.0, 1.0))
    root = tree(svg.draw(figure(points, spans, line)))
    assert paths(root, "dh-point", "dh-dot")[0].count("M") == 1
    assert paths(root, "dh-span")[0].count("H") == 1
    assert paths(root, "dh-line")[0].count("L") == 1
    assert "nan" not in svg.draw(figure(points, spans, line))


HOSTILE = (
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>",
    "=1+1",
    "\u202eabc",
    "]]>",
    "&amp;",
    "x" * 10_000,
    "two\nlines\x00\x1b[31m",
    "模型🙂",
)


@pytest.mark.parametrize("interactive", [False, True])
@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_text(name: str, *, interactive: bool) -> None:
    made = figure(
        Points(x=(1.0,), y=(0.0,), hover=(name,)),
        Boxes(left=(1.0,), right=(9.0,), bottom=(0.0,), top=(1.0,), texts=(name,), hover=(name,)),
        Rule(at=1.0, label=name),
        names=(name, "b"),
        title=name,
        description=name,
        beside=((0.0, name),),
        legend=(("ahead", name),),
    )
    plain = {element.tag for element in tree(svg.draw(made, interactive=interactive)).iter()}
    assert plain <= {SVG + tag for tag in ("svg", "title", "desc", "text", "path", "g")}
    text = svg.draw(made, interactive=interactive)
    assert len(text) < 12_000
    assert " style=" not in text
    assert "\u202e" not in text
    attributes = {
        name for element in tree(text).iter() for name in element.attrib if name.startswith("on")
    }
    assert not attributes
    tree(svg.document(made))


@pytest.mark.parametrize("n", [2, 10, 50])
@pytest.mark.parametrize("length", [3, 200])
def test_labels_do_not_overlap(n: int, length: int) -> None:
    names = tuple(f"{at}" + "m" * length for at in range(n))
    made = figure(
        Spans(low=(1.0,) * n, high=(2.0,) * n, y=tuple(map(float, range(n)))),
        Rule(at=1.0, label="no difference"),
        Rule(at=1.1, label="margin"),
        names=names,
        height=n * 26.0 / 680.0,
        beside=tuple((float(at), "71.2% [67.1, 75.0]") for at in range(n)),
        x=Axis(
            label="x", low=0.0, high=10.0, ticks=tuple((at / 4.0, f"{at / 4}") for at in range(41))
        ),
    )
    root = tree(svg.draw(made))
    boxes = [box(text, parent) for parent in root.iter() for text in parent.findall(f"{SVG}text")]
    assert len(boxes) >= 2 * n
    for one, other in combinations(boxes, 2):
        assert not overlap(one, other), (one, other)
    wide = float(root.get("viewBox", "").split()[2])
    assert all(left >= 0.0 and right <= wide for left, right, _, _ in boxes)


def box(text: ET.Element, parent: ET.Element) -> tuple[float, float, float, float]:
    """About the room that a text takes, with letters of a usual 0.55 em."""
    shown = "".join(text.itertext()) if text.find(f"{SVG}title") is None else text[0].tail or ""
    wide = 0.55 * 12.0 * len(shown)
    moved = re.search(r"translate\(([\d.]+)\)", parent.get("transform", ""))
    x = float(text.get("x") or (moved[1] if moved else "nan"))
    y = float(text.get("y", ""))
    kind = text.get("class") or parent.get("class") or ""
    left = x - wide if "dh-end" in kind else x - wide / 2.0 if "dh-middle" in kind else x
    return left, left + wide, y - 9.0, y + 3.0


def overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]


def test_few_marks_take_the_focus_and_many_are_packed() -> None:
    few = svg.draw(figure(Points(x=(1.0,), y=(0.0,), hover=("one: 1",))), interactive=True)
    assert tree(few).get("role") == "group"
    (hit,) = [path for path in tree(few).iter(f"{SVG}path") if path.get("class") == "dh-hit"]
    assert (hit.get("tabindex"), hit.get("aria-label")) == ("0", "one: 1")
    n = 100
    numbers = tuple(float(at % 10) for at in range(n))
    marks = Points(x=numbers, y=numbers, hover=tuple(f"{at} a\nb" for at in range(n)))
    many = tree(svg.draw(figure(marks), interactive=True))
    assert many.get("role") == "img"
    (packed,) = [g for g in many.iter(f"{SVG}g") if g.get("class") == "dh-pack"]
    assert len(packed.get("data-at", "").split()) == 4 * n
    # A line feed separates texts, and is shown as an escape within one.
    assert len(packed.get("data-text", "").split("\n")) == n


def test_a_grid_of_many_cells_is_small_and_tells_roles_apart_without_colour() -> None:
    n = 50
    gaps = Gaps(
        names=tuple(f"system-{at}" for at in range(n)),
        numbers=tuple(90.0 - at for at in range(n)),
        decimals=1,
        unit=" points",
    )
    cells = [(row, column) for row in range(n) for column in range(row)]
    boxes = {
        role: Boxes(
            left=tuple(column - 0.5 for _, column in own),
            right=tuple(column + 0.5 for _, column in own),
            bottom=tuple(row + 0.5 for row, _ in own),
            top=tuple(row - 0.5 for row, _ in own),
            role=role,
            gaps=gaps,
        )
        for role, own in (
            ("ahead", [cell for cell in cells if cell[0] - cell[1] > 12]),
            ("open", [cell for cell in cells if cell[0] - cell[1] <= 12]),
        )
    }
    axis = Axis(label="", low=n - 0.5, high=-0.5, ticks=())
    made = figure(*boxes.values(), x=Axis(label="", low=-0.5, high=n - 0.5, ticks=()), y=axis)
    text = svg.draw(made, interactive=True)
    root = tree(text)
    assert len(text) < 8_000
    # A dash for each cell: as many steps as cells fit in the lengths of the lines.
    step = (frame_of(made).right - frame_of(made).left) / n
    for role in ("ahead", "open"):
        (tiles,) = paths(root, f"dh-tile dh-{role}")
        long = sum(float(b) - float(a) for a, b in re.findall(r"M([\d.]+) [\d.]+H([\d.]+)", tiles))
        assert round(long / step) == len(boxes[role].left)
    assert len(paths(root, "dh-sign dh-ahead")) == len(paths(root, "dh-sign dh-open")) == 1
    packed = [g for g in root.iter(f"{SVG}g") if g.get("class") == "dh-pack"]
    words = packed[0].get("data-at", "").split()
    first = next(cell for cell in cells if cell[0] - cell[1] > 12)
    assert (words[0], (int(words[5]), int(words[6]))) == ("grid", first)


def test_a_file_of_its_own_carries_its_colours_and_title() -> None:
    text = svg.document(figure(Points(x=(1.0,), y=(0.0,)), title="What is drawn"))
    root = tree(text)
    assert DRAWN in "".join(root.find(f"{SVG}style").itertext())  # type: ignore[union-attr]
    headings = [t.text for t in root.iter(f"{SVG}text") if t.get("class") == "dh-heading"]
    assert headings == ["What is drawn"]
