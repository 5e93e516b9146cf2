"""Plain text for a terminal or a file, styled by rich."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from deadheat.rendering import printable
from deadheat.report.report import Report, Sentence, Table
from deadheat.report.wrapping import fitted, longest, wide, wrapped

STYLES = {"reading": "bold", "text": "", "note": "", "methods": "", "signature": "dim"}

INDENT = "  "
"""Before the parts of a sentence."""

GAPS = (3, 2)
"""Spaces between two columns of a table, and where that is too wide."""

EDGES = 2
"""Spaces at the two edges of a table."""

Cells = tuple[str, ...]


def render(report: Report, *, width: int, color: bool) -> str:
    """Render a report as text of at most `width` columns, as far as its words and numbers allow.

    Lines are broken at spaces alone: what has no place runs beyond `width` and is never cut in
    two. Names from data are never read as markup, and control characters in them are shown as
    escapes.
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
    title = Text(wrapped(printable(report.title), width), style="bold")
    console.print(title, soft_wrap=True)
    for block in report.blocks:
        console.print()
        if isinstance(block, Table):
            _print_table(console, block, width)
        else:
            console.print(_sentence(block, width), soft_wrap=True)
    assert isinstance(console.file, io.StringIO)
    text = "\n".join(line.rstrip() for line in console.file.getvalue().split("\n"))
    return re.sub(r"\n{3,}", "\n\n", text)


def _sentence(sentence: Sentence, width: int) -> Text:
    head = f"{sentence.label}: " if sentence.label else ""
    whole = printable(head + sentence.text)
    # A signature is one line, so that it can be copied.
    lines = [whole if sentence.role == "signature" else wrapped(whole, width)]
    lines += [wrapped(printable(part), width, indent=INDENT) for part in sentence.parts]
    text = Text("\n".join(lines).rstrip(), style=STYLES[sentence.role])
    if head:
        text.stylize("bold", 0, len(head) - 1)
    return text


def _print_table(console: Console, table: Table, width: int) -> None:
    """Print a table under its title, or its rows one below the other where it is too wide."""
    if table.title:
        console.print(Text(wrapped(printable(table.title), width), style="bold"), soft_wrap=True)
    numeric = [column in table.numeric for column in table.columns]
    rows = [tuple(map(printable, row)) for row in (table.columns, *table.rows)]
    columns = list(zip(*rows, strict=True))
    # A number is one piece with its unit and sign; heads and texts may be broken at spaces.
    least = [
        max(longest(head), *map(wide if whole else longest, cells), 0)
        for whole, (head, *cells) in zip(numeric, columns, strict=True)
    ]
    between = len(columns) - 1
    gap = next((gap for gap in GAPS if sum(least) + gap * between + EDGES <= width), None)
    if gap is None:
        console.print(Text(_one_below_the_other(rows[0], rows[1:], width)), soft_wrap=True)
        return
    most = [max(map(wide, cells)) for cells in columns]
    widths = fitted(least, most, width - gap * between - EDGES)
    # The box has a space of its own between columns.
    drawn = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, gap - 2))
    for head, whole, at in zip(rows[0], numeric, widths, strict=True):
        drawn.add_column(Text(wrapped(head, at)), justify="right" if whole else "left", width=at)
    for row in rows[1:]:
        drawn.add_row(*(Text(wrapped(cell, at)) for cell, at in zip(row, widths, strict=True)))
    console.print(drawn)


def _one_below_the_other(heads: Cells, rows: Sequence[Cells], width: int) -> str:
    """Lay out each row as lines of its own, every cell after the head of its column."""
    if len(heads) == 2 and not heads[0]:
        return "\n" + "\n".join(wrapped(f"{name}: {value}", width) for name, value in rows)
    blocks = []
    for row in rows:
        filled = [(head, cell) for head, cell in zip(heads, row, strict=True) if cell]
        said = [f"{head}: {cell}" if head else cell for head, cell in filled]
        indents = ("", *[INDENT] * len(said))
        lines = (wrapped(one, width, at) for one, at in zip(said, indents, strict=False))
        blocks.append("\n".join(lines))
    return "\n" + "\n\n".join(blocks)
