"""Draw the pictures of docs/figures.md: `python docs/figures.py`.

`tests/test_figures_page.py` checks that this changes nothing.
"""

from __future__ import annotations

import random
import sys
from dataclasses import replace
from pathlib import Path

import deadheat
from deadheat.report import svg
from deadheat.report.figure import Figure, Rule
from deadheat.report.figures import figures_of

DOCS = Path(__file__).parent
FOLDER = DOCS / "figures"

OF_TWO = ("difference", "distribution", "agreement", "precision")
OF_MANY = ("ranks", "pairs")
NAMES = ("owl", "fox", "elk", "cat", "ant", "bee")


def pictures() -> dict[str, str]:
    """Return the pictures by the names of their files."""
    two = deadheat.compare(str(DOCS.parent / "examples" / "gap500" / "gap500.csv"))
    found = {figure.name: quiet(figure) for figure in (*figures_of(two), *figures_of(board()))}
    return {f"{name}.svg": svg.document(found[name]) for name in (*OF_TWO, *OF_MANY)}


def quiet(figure: Figure) -> Figure:
    """Return a figure without the texts of its marks, which a picture in a page cannot show."""
    return replace(
        figure,
        marks=tuple(
            mark if isinstance(mark, Rule) else replace(mark, hover=()) for mark in figure.marks
        ),
    )


def board() -> deadheat.Leaderboard:
    """Return a board of six systems, each a little better than the next, on 400 items."""
    draw = random.Random(7)
    hard = [draw.gauss(0.0, 1.0) for _ in range(400)]
    scores = {
        name: [int(draw.gauss(1.0 - 0.17 * at, 0.8) > item) for item in hard]
        for at, name in enumerate(NAMES)
    }
    found = deadheat.rank(scores)
    assert isinstance(found, deadheat.Leaderboard)
    return found


def main() -> None:
    """Write the pictures that changed."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in pictures().items():
        path = FOLDER / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            sys.stdout.write(f"updated {path.relative_to(DOCS.parent)}\n")


if __name__ == "__main__":
    main()
