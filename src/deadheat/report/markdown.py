"""Markdown with pipe tables, as GitHub and most editors read it."""

from __future__ import annotations

import re

from deadheat.rendering import printable
from deadheat.report.report import Report, Sentence, Table

_ACTIVE = re.compile(r"([\\`*_{}\[\]<>|#~&])")


def render(report: Report) -> str:
    """Render a report as Markdown; what comes from data is escaped."""
    blocks = [
        _table(block) if isinstance(block, Table) else _sentence(block) for block in report.blocks
    ]
    return "\n\n".join([f"# {escaped(report.title)}", *blocks]) + "\n"


def escaped(text: str) -> str:
    """Escape what Markdown would act on.

    Examples
    --------
    >>> print(escaped("a|b"))
    a\N{REVERSE SOLIDUS}|b
    """
    return _ACTIVE.sub(r"\\\1", printable(text))


def _sentence(sentence: Sentence) -> str:
    if sentence.role == "signature":
        # A signature is code: data in it cannot end the span because backticks are replaced.
        named = f"{escaped(sentence.label)}: " if sentence.label else ""
        return f"{named}`{printable(sentence.text).replace('`', chr(39))}`"
    head = f"**{escaped(sentence.label)}:** " if sentence.label else ""
    body = f"{head}{escaped(sentence.text)}".rstrip()
    if sentence.parts:
        body += "\n\n" + "\n".join(f"- {escaped(part)}" for part in sentence.parts)
    if sentence.role == "methods":
        return f"## Methods paragraph\n\n{escaped(sentence.text)}"
    return {"reading": f"> {body}", "note": f"- {body}"}.get(sentence.role, body)


def _table(table: Table) -> str:
    lines = [
        _row(table.columns),
        _row(tuple("--:" if name in table.numeric else ":--" for name in table.columns), raw=True),
        *(_row(row) for row in table.rows),
    ]
    title = f"**{escaped(table.title)}**\n\n" if table.title else ""
    return title + "\n".join(lines)


def _row(cells: tuple[str, ...], *, raw: bool = False) -> str:
    return f"| {' | '.join(cells if raw else map(escaped, cells))} |"
