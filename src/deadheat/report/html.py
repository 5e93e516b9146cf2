"""HTML: a fragment for pages and notebooks, and one whole file that asks for nothing else."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from functools import cache
from itertools import takewhile
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from deadheat.rendering import printable
from deadheat.report import svg
from deadheat.report.figure import Figure
from deadheat.report.report import Report, Sentence, Table

TEMPLATES = Path(__file__).parent / "templates"

LONGEST = 320
"""Characters of a cell that are shown; the whole is what appears when it is hovered over."""

LONG_WORD = 24
"""Characters of a word from which it may be broken, such as a hash."""

MOST_COLUMNS = 16

_HOLE = re.compile(r"(\[FILL IN: [^\]]*\])")

NUMBERS = (
    ",".join(f".dh-n{at} tr>:nth-child({at})" for at in range(1, MOST_COLUMNS + 1))
    + "{text-align:end;white-space:nowrap;font-variant-numeric:tabular-nums}\n"
)
"""A class for each place of a column of numbers: one on the table is shorter than one a cell."""


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
    words = list(takewhile(lambda block: isinstance(block, Sentence), rest))
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
            words=words,
            blocks=rest[len(words) :],
        )
    )


def render(report: Report) -> str:
    """Render a report as one file: style and script are in it, and nothing is ever asked for.

    Its Content-Security-Policy allows that one style and that one script, and no request.
    """
    css, code = style() + _tight("page.css"), script()
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
    return svg.STYLE + NUMBERS + _tight("report.css")


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
    return _tight("report.js")


def _tight(name: str) -> str:
    """Return a file of style or script without the spaces around its lines and its remarks."""
    lines = map(str.strip, (TEMPLATES / name).read_text(encoding="utf-8").splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


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
    environment.filters |= {
        "shown": printable,
        "cut": _cut,
        "drawn": _drawn,
        "named": _named,
        "numeric": _numeric,
        "to_fill_in": _to_fill_in,
        "breakable": _breakable,
    }
    environment.tests["long"] = lambda text: any(len(word) > LONG_WORD for word in text.split())
    return environment


def _cut(text: str) -> str:
    """Show a long cell by its beginning."""
    shown = printable(text)
    if len(shown) <= LONGEST:
        return shown
    return Markup('<span title="{}">{}…</span>').format(shown, shown[:LONGEST])


def _to_fill_in(text: str) -> Markup:
    """Mark what nobody stated."""
    return Markup(_HOLE.sub(r"<mark>\1</mark>", str(escape(printable(text)))))


def _breakable(text: str) -> Markup:
    """Let a signature break between its parts rather than inside a word."""
    return Markup(str(escape(printable(text))).replace("|", "|<wbr>"))


def _named(table: Table) -> int:
    """Return the column that says what a row is about: the first that holds no numbers."""
    names = (at for at, column in enumerate(table.columns) if column not in table.numeric)
    return next(names, -1)


def _numeric(table: Table) -> Markup:
    """Return the class of a table, which sets columns of numbers flush right by their place."""
    places = [at for at, column in enumerate(table.columns, 1) if column in table.numeric]
    return Markup(f' class="{" ".join(f"dh-n{at}" for at in places)}"' if places else "")


def _drawn(figure: Figure, prefix: str) -> Markup:
    named = replace(figure, name=f"{prefix}{figure.name}")
    return Markup(svg.draw(named, interactive=True))
