"""A result in all its forms: what the page shows, and the files that it offers."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

from deadheat.comparison import Comparison, Comparisons
from deadheat.errors import UsageError
from deadheat.record import COMMANDS, save
from deadheat.report import document, html, latex, markdown, svg
from deadheat.report.paragraph import methods
from deadheat.tabular import write_table
from deadheat.web.filenames import cleaned

RECORD = ".record"
"""Name of the record while it lies beside the data that it names; no data has such a name."""

FORMS = {"report.html": html, "report.tex": latex, "report.md": markdown}
"""Renderers of the report, by the file that they write."""

LABELS = {
    "report.html": "Report (HTML, one file)",
    "report.tex": "Report (LaTeX)",
    "report.md": "Report (Markdown)",
    "report.json": "Numbers (JSON)",
    "record.json": "Record, for deadheat verify",
    "methods.txt": "Methods paragraph",
    "flips.csv": "Items that changed sides (CSV)",
    "data.csv": "The data as pasted or typed (CSV)",
    "data.json": "The data as pasted (JSON)",
    "data.jsonl": "The data as pasted (JSON lines)",
}
"""What the page calls each file, in the order in which they are offered; figures come last."""


def write(result: Any, command: str, out: Path, data: Path, made: str | None) -> dict[str, Any]:
    """Write the downloads of a result and return what the page shows.

    Parameters
    ----------
    result : any result of a command
    command : str
    out : Path
        Folder of the downloads.
    data : Path
        Folder of the data, which is the current one.
    made : str or None
        File in it that was made of what was pasted or typed.
    """
    report = document(result)
    paragraph = methods(result)
    files = {name: renderer.render(report) for name, renderer in FORMS.items()}
    files["report.json"] = f"{result.to_json()}\n"
    if paragraph:
        files["methods.txt"] = f"{paragraph}\n"
    figures = {cleaned(f"{figure.name}.svg"): figure for figure in report.figures}
    files |= {name: svg.document(figure) for name, figure in figures.items()}
    for name, text in files.items():
        (out / name).write_text(text, encoding="utf-8")
    if command in COMMANDS:
        save(result, data / RECORD)
        os.replace(data / RECORD, out / "record.json")
    if isinstance(result, (Comparison, Comparisons)):
        # Some have no items that could flip: unpaired ones, and metrics of whole sets.
        with suppress(UsageError):
            write_table(result.flipped(), out / "flips.csv", for_people=True)
    named = dict(LABELS)
    if made is not None:
        shutil.copyfile(data / made, out / made)
        if made not in LABELS:
            named |= {made: LABELS[f"data{Path(made).suffix}"]}
    named |= {name: f"{figure.title} (SVG)" for name, figure in figures.items()}
    return {
        "kind": type(result).__name__,
        "title": report.title,
        "html": html.fragment(report),
        "figures": [{"name": figure.name, "title": figure.title} for figure in report.figures],
        "paragraph": paragraph,
        "downloads": [
            {"name": name, "label": label} for name, label in named.items() if (out / name).exists()
        ],
    }
