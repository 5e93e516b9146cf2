r"""LaTeX: a `table` of booktabs for each table, ready for `\input`; what is said is in comments."""

from __future__ import annotations

import re
import textwrap

from deadheat.report.report import Report, Sentence, Table
from deadheat.report.tex import escaped

WIDE = 40
"""Characters from which a cell is set as a paragraph, so that its lines are broken."""

LONGEST = 320
"""Characters of a cell that are shown, as in HTML: TeX sets no table taller than some 5.7 m."""

HEAD = r"% Needs \usepackage{booktabs} in the preamble. Every table can be cut out and used alone."
BANDS = "% Letters of bands: systems that share one are not put in order by the data."


def render(report: Report) -> str:
    r"""Render a report as LaTeX.

    Sentences, notes and the signature are comments; tables are in the order of the report, and
    those of figures are left out: their numbers are in the others.
    """
    tables = [block for block in report.blocks if isinstance(block, Table)]
    parts = [_comment(report.title), HEAD]
    if any("band" in table.columns for table in tables):
        parts.append(BANDS)
    used: set[str] = set()
    for block in report.blocks:
        if isinstance(block, Sentence):
            said = (f"{block.label}: {block.text}" if block.label else block.text, *block.parts)
            parts.append("\n".join(map(_comment, said)))
        else:
            title = block.title or report.title
            parts.append(_table(block, title, _label(title, used)))
    return "\n\n".join(parts) + "\n"


def _comment(text: str) -> str:
    """Return text as comments; a line break in it cannot end one."""
    flat = " ".join(ascii(text)[1:-1].split())
    return "\n".join(
        f"% {line}"
        for line in textwrap.wrap(flat, 96, break_long_words=False, break_on_hyphens=False)
    )


def _table(table: Table, title: str, label: str) -> str:
    columns = "".join(_alignment(table, at) for at in range(len(table.columns)))
    lines = [
        r"\begin{table}[htbp]",
        r"  \centering",
        rf"  \caption{{{escaped(title)}}}",
        rf"  \label{{tab:{label}}}",
        rf"  \begin{{tabular}}{{@{{}}{columns}@{{}}}}",
        r"    \toprule",
        f"    {_row(table.columns)}",
        r"    \midrule",
        *(f"    {_row(row)}" for row in table.rows),
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines)


def _alignment(table: Table, at: int) -> str:
    if table.columns[at] in table.numeric:
        return "r"
    wide = any(len(row[at]) > WIDE for row in table.rows)
    return r"p{0.6\linewidth}" if wide else "l"


def _row(cells: tuple[str, ...]) -> str:
    return " & ".join(escaped(_brief(cell)) for cell in cells) + r" \\"


def _brief(cell: str) -> str:
    """Show a long cell by its beginning."""
    return cell if len(cell) <= LONGEST else f"{cell[:LONGEST]}..."


def _label(title: str, used: set[str]) -> str:
    """Return the first words of a title as a label, with a number where it is taken."""
    words = re.findall(r"[a-z0-9]+", title.casefold())
    label = "-".join(words[:4]) or "table"
    number = 1
    while f"{label}{number if number > 1 else ''}" in used:
        number += 1
    label = f"{label}{number if number > 1 else ''}"
    used.add(label)
    return label
