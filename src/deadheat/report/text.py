"""Plain text for a terminal or a file, by rich."""

from __future__ import annotations

import io
import re

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from deadheat.rendering import printable
from deadheat.report.report import Report, Sentence, Table

STYLES = {"reading": "bold", "text": "", "note": "", "signature": "dim"}


def render(report: Report, *, width: int, color: bool) -> str:
    """Render a report as text of at most `width` columns (tables may need more).

    Names from data are never read as markup, and control characters in them are shown as escapes.
    """
    console = Console(
        file=io.StringIO(),
        width=width,
        force_terminal=color,
        color_system="standard" if color else None,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
    console.print(Text(printable(report.title), style="bold"))
    for block in report.blocks:
        console.print()
        # A signature is one line, so that it can be copied.
        whole = isinstance(block, Sentence) and block.role == "signature"
        drawn = _table(block) if isinstance(block, Table) else _sentence(block)
        console.print(drawn, soft_wrap=whole)
    assert isinstance(console.file, io.StringIO)
    text = "\n".join(line.rstrip() for line in console.file.getvalue().split("\n"))
    return re.sub(r"\n{3,}", "\n\n", text)


def _sentence(sentence: Sentence) -> Text | Padding:
    head = f"{sentence.label}: " if sentence.label else ""
    text = Text(printable(head + sentence.text), style=STYLES[sentence.role])
    if head:
        text.stylize("bold", 0, len(head) - 1)
    return text


def _table(table: Table) -> RichTable:
    drawn = RichTable(
        title=printable(table.title) if table.title else None,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )
    for column in table.columns:
        drawn.add_column(
            Text(printable(column)),
            justify="right" if column in table.numeric else "left",
            overflow="fold",
        )
    for row in table.rows:
        drawn.add_row(*(Text(printable(cell)) for cell in row))
    return drawn
