"""A result in all its forms: what the page shows, and the files that it offers."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from html import escape
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from deadheat.report import layout, render
from deadheat.web.filenames import cleaned

LONG = 24
"""Entries of a list beyond which the summary leaves it out."""

RECORDED = frozenset(
    {"Comparison", "Comparisons", "Leaderboard", "Leaderboards", "Scorecard", "Scorecards"}
)
"""Results of which there is a record."""

RECORD = ".record"
"""Name of the record while it lies beside the data that it names; no data has such a name."""

LABELS = {
    "report.html": "Report (HTML, one file)",
    "report.tex": "Report (LaTeX)",
    "report.md": "Report (Markdown)",
    "report.json": "Numbers (JSON)",
    "record.json": "Record, for deadheat verify",
    "methods.txt": "Methods paragraph",
    "flips.csv": "Items that changed sides (CSV)",
    "data.csv": "The data as pasted or typed (CSV)",
}


def write(result: Any, out: Path, data: Path, made: str | None) -> dict[str, Any]:
    """Write the downloads of a result and return what the page shows.

    Parameters
    ----------
    result : any result of a command
    out : Path
        Folder of the downloads.
    data : Path
        Folder of the data, which is the current one.
    made : str or None
        File in it that was made of what was pasted or typed.
    """
    figures = _maybe("deadheat.report.figures", "figures_of", lambda _: ())(result)
    report = replace(layout(result), figures=figures)
    fragment = _maybe("deadheat.report.html", "fragment", None)
    forms = {"report.json": "json", "report.md": "markdown"}
    if fragment is not None:
        forms |= {"report.html": "html", "report.tex": "latex"}
    files = {name: render(result, form) for name, form in forms.items()}
    paragraph = _paragraph(result)
    if paragraph:
        files["methods.txt"] = f"{paragraph}\n"
    if hasattr(result, "flips"):
        files["flips.csv"] = result.flips().write_csv()
    document = _maybe("deadheat.report.svg", "document", None)
    for figure in figures if document is not None else ():
        files[cleaned(f"{figure.name}.svg")] = document(figure)
    for name, text in files.items():
        (out / name).write_text(text, encoding="utf-8")
    if type(result).__name__ in RECORDED:
        from deadheat.record import save

        save(result, data / RECORD)
        os.replace(data / RECORD, out / "record.json")
    if made is not None:
        os.link(data / made, out / made)
    return {
        "kind": type(result).__name__,
        "title": report.title,
        "html": f"<pre>{escape(render(result, 'text'))}</pre>"
        if fragment is None
        else fragment(report),
        "figures": [{"name": figure.name, "title": figure.title} for figure in figures],
        "paragraph": paragraph,
        "summary": _short(result.to_dict()),
        "downloads": [
            {"name": name, "label": LABELS.get(name, f"Figure: {name.partition('.')[0]} (SVG)")}
            for name in sorted(os.listdir(out), key=_order)
        ],
    }


def _order(name: str) -> tuple[int, str]:
    return (list(LABELS).index(name) if name in LABELS else len(LABELS), name)


def _paragraph(result: Any) -> str:
    methods = _maybe("deadheat.report.paragraph", "methods", None)
    return "" if methods is None else str(methods(result))


def _maybe(module: str, name: str, otherwise: Any) -> Callable[..., Any] | Any:
    return getattr(import_module(module), name, otherwise) if find_spec(module) else otherwise


def _short(value: Any) -> Any:
    """Leave long lists out of plain data."""
    if isinstance(value, dict):
        return {
            key: _short(entry)
            for key, entry in value.items()
            if not (isinstance(entry, list) and len(entry) > LONG)
        }
    return [_short(entry) for entry in value] if isinstance(value, list) else value
