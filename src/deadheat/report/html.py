"""HTML: a fragment for pages and notebooks, and one whole file that asks for nothing else."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import replace
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from deadheat.rendering import printable
from deadheat.report import svg
from deadheat.report.figure import Figure
from deadheat.report.report import Report, Sentence, Table

TEMPLATES = Path(__file__).parent / "templates"

LONGEST = 320
"""Characters of a cell that are shown; the whole is what appears when it is hovered over."""


def fragment(report: Report, *, level: int = 2, prefix: str = "") -> str:
    """Render a report as an `<article>` without a style or script of its own.

    Parameters
    ----------
    report : Report
    level : int
        Of the heading that is the title; the others follow in order.
    prefix : str
        Put before the ids of figures, so that several reports may stand on one page.

    Notes
    -----
    `style()` is the CSS that goes with it, and `script()` shows the numbers of figures that are
    pointed at. Whatever comes from data is escaped, and characters that would change the direction
    of text are shown as escapes.
    """
    sentences = [block for block in report.blocks if isinstance(block, Sentence)]
    roles = {
        role: [sentence for sentence in sentences if sentence.role == role]
        for role in ("reading", "note", "methods", "signature")
    }
    rest = [block for block in report.blocks if isinstance(block, Table) or block.role == "text"]
    return (
        _environment()
        .get_template("fragment.html")
        .render(
            report=report,
            level=level,
            prefix=prefix,
            readings=roles["reading"],
            notes=roles["note"],
            methods=roles["methods"],
            signatures=roles["signature"],
            blocks=rest,
        )
    )


def render(report: Report) -> str:
    """Render a report as one file: style and script are in it, and nothing is ever asked for.

    Its Content-Security-Policy allows that one style and that one script, and no request.
    """
    css, code = style(), script()
    policy = f"default-src 'none'; style-src '{_digest(css)}'; script-src '{_digest(code)}'"
    return (
        _environment()
        .get_template("page.html")
        .render(
            title=report.title,
            policy=Markup(policy),
            style=Markup(css),
            script=Markup(code),
            body=Markup(fragment(report, level=1)),
        )
        + "\n"
    )


@cache
def style() -> str:
    """Return the CSS of fragments, of their figures too; all of it is below `.deadheat`."""
    return svg.STYLE + (TEMPLATES / "report.css").read_text(encoding="utf-8")


def notebook(report: Report) -> str:
    """Render a report for a notebook: the fragment and its style, which changes nothing else.

    Ids are of the report, since a notebook holds several.
    """
    whole = fragment(report)
    prefix = f"r{hashlib.sha256(whole.encode('utf-8')).hexdigest()[:8]}-"
    own = style().replace(":root", ".deadheat")
    return f"<style>{own}</style>\n{fragment(report, prefix=prefix)}"


@cache
def script() -> str:
    """Return the script of figures; it acts on figures that are put on a page later, too."""
    return (TEMPLATES / "report.js").read_text(encoding="utf-8")


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    environment.filters |= {"shown": printable, "cut": _cut, "drawn": _drawn, "named": _named}
    return environment


def _cut(text: str) -> str:
    """Show a long cell by its beginning."""
    shown = printable(text)
    if len(shown) <= LONGEST:
        return shown
    return Markup('<span title="{}">{}…</span>').format(shown, shown[:LONGEST])


def _named(table: Table) -> int:
    """Return the column that says what a row is about: the first that holds no numbers."""
    names = (at for at, column in enumerate(table.columns) if column not in table.numeric)
    return next(names, -1)


def _drawn(figure: Figure, prefix: str) -> Markup:
    named = replace(figure, name=f"{prefix}{figure.name}")
    return Markup(svg.draw(named, interactive=True))
