"""Write the tables of tools into docs/formats.md: `python docs/formats.py`.

What stands between two marks on the page is made from the constants of the readers: TOOL, VERSIONS
and QUIRKS. `tests/test_formats_page.py` checks that this changes nothing.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deadheat import registry
from deadheat.readers import conll, explainaboard, swebench, terminal_bench
from deadheat.readers.logs import PACKAGE

PAGE = Path(__file__).with_name("formats.md")

MARKS = re.compile(r"(?<=<!-- tools -->\n).*?(?=<!-- end of tools -->)", re.S)
BOARD_MARKS = re.compile(r"(?<=<!-- boards -->\n).*?(?=<!-- end of boards -->)", re.S)

BOARDS = (swebench, terminal_bench, explainaboard, conll)
"""What is read as a table, by its content."""


def own_readers() -> dict[str, Any]:
    """Return the readers of this package, without those that others installed."""
    return {name: registry.load(PACKAGE, name) for name in registry.names(PACKAGE)}


def tools(readers: Mapping[str, Any]) -> str:
    """Return a table of the tools, and a section on each."""
    named = sorted(readers.items(), key=lambda pair: pair[1].TOOL.casefold())
    lines = ["", "| tool | versions tried | name |", "|---|---|---|"]
    lines += [
        f"| [{cell(reader.TOOL)}](#{anchor(reader.TOOL)}) | {cell(reader.VERSIONS)} | `{name}` |"
        for name, reader in named
    ]
    for _, reader in named:
        lines += ["", f"### {reader.TOOL}", "", *(f"- {plain(quirk)}" for quirk in reader.QUIRKS)]
    return "\n".join([*lines, "", ""])


def boards() -> str:
    """Return a table of what is published by item, and read as a table."""
    lines = ["", "| file | versions tried | what is done |", "|---|---|---|"]
    lines += [
        f"| {cell(one.TOOL)} | {cell(one.VERSIONS)} | {cell(' '.join(one.QUIRKS))} |"
        for one in BOARDS
    ]
    return "\n".join([*lines, "", ""])


def plain(text: str) -> str:
    """Return text that Markdown shows as it is."""
    return re.sub(r"([*<>`])", r"\\\1", text)


def cell(text: str) -> str:
    """Return text that may stand in a cell of a table."""
    return plain(text).replace("|", "\\|")


def anchor(heading: str) -> str:
    """Return the anchor that GitHub gives to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def refreshed(page: str) -> str:
    """Return a page with its tables as they are."""
    page = MARKS.sub(lambda _: tools(own_readers()), page)
    return BOARD_MARKS.sub(lambda _: boards(), page)


def main() -> None:
    """Rewrite the page if its tables changed."""
    page = PAGE.read_text(encoding="utf-8")
    new = refreshed(page)
    if new != page:
        PAGE.write_text(new, encoding="utf-8")
        sys.stdout.write(f"updated {PAGE.name}\n")


if __name__ == "__main__":
    main()
