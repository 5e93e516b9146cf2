"""The pages of the documentation, and how their tables are read."""

from __future__ import annotations

import re
import runpy
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from deadheat.cli import cli

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
UPDATE = runpy.run_path(str(DOCS / "update.py"))
PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in UPDATE["pages"]()
}
DIGITS = [
    ROOT / "examples" / "digits" / f"{name}.csv"
    for name in ("discriminant_analysis", "logistic_regression", "reference")
]
GAP500 = ROOT / "examples" / "gap500" / "gap500.csv"

METHODS = [name for name, page in PAGES.items() if "## At a glance" in page]
COMMANDS = sorted(cli.commands)


def command_page(name: str) -> str:
    return PAGES[f"docs/commands/{name}.md"]


def section(page: str, title: str) -> str:
    """Text under a heading, to the next heading of the same or a higher level."""
    head = re.search(rf"^(#+) {re.escape(title)}$", page, re.MULTILINE)
    assert head, title
    rest = page[head.end() :]
    end = re.search(rf"^#{{1,{len(head[1])}}} ", rest, re.MULTILINE)
    return rest[: end.start()] if end else rest


def rows(text: str) -> Iterator[list[str]]:
    """Cells of the rows of Markdown tables, without their heads."""
    lines = text.splitlines()
    for above, line in pairwise(lines):
        if line.startswith("|") and above.startswith("|") and not line.startswith("|--"):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def spans(cell: str) -> list[str]:
    """What a cell writes as code."""
    return re.findall(r"`([^`]+)`", cell)
