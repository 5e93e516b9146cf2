"""Results laid out once as a `Report`, and renderers that read it."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import Any

from deadheat.errors import UsageError, known
from deadheat.report.figures import figures_of
from deadheat.report.report import Report, Sentence, Table

__all__ = ["FORMS", "Report", "Sentence", "Table", "document", "layout", "notebook", "render"]

FORMS = ("text", "json", "markdown", "latex", "html")

LAYOUTS = {
    "Adjustment": "adjustment",
    "Benchmark": "benchmark",
    "Claim": "claim",
    "Comparison": "comparison",
    "Comparisons": "comparisons",
    "Conversion": "conversion",
    "Inspection": "inspection",
    "Leaderboard": "leaderboard",
    "Leaderboards": "leaderboards",
    "Plan": "plan",
    "Scorecard": "scorecard",
    "Scorecards": "scorecards",
    "Simulation": "simulation",
    "Verification": "verification",
}
"""Module of this folder that lays out each kind of result; only the one needed is loaded."""


def layout(result: Any) -> Report:
    """Lay out a result as a report.

    Parameters
    ----------
    result : Comparison, Comparisons, Scorecard, Scorecards, Adjustment or Verification

    Raises
    ------
    UsageError
        If there is no report of such a result.
    """
    kind = type(result).__name__
    if kind not in LAYOUTS:
        raise UsageError(f"there is no report of a {kind}.", fix=known(LAYOUTS, kind))
    found: Report = import_module(f"deadheat.report.{LAYOUTS[kind]}").layout(result)
    return found


def render(result: Any, form: str, *, width: int = 100, color: bool = False) -> str:
    """Render a result in one of `FORMS`.

    Parameters
    ----------
    result : Comparison, Comparisons, Scorecard, Scorecards, Adjustment or Verification
    form : str
        One of `FORMS`.
    width : int
        Columns of plain text.
    color : bool
        Whether plain text carries terminal colours.

    Raises
    ------
    UsageError
        If there is no such form.
    """
    if form == "json":
        return f"{result.to_json()}\n"
    if form not in FORMS:
        raise UsageError(f"there is no format {form!r}.", fix=known(FORMS, form))
    renderer = import_module(f"deadheat.report.{form}")
    if form == "text":
        text: str = renderer.render(layout(result), width=width, color=color)
    else:
        text = renderer.render(document(result))
    return text


def document(result: Any) -> Report:
    """Lay out a result as a document: the report, with figures and a paragraph on methods."""
    report = layout(result)
    # Loaded late: help reads `FORMS` and needs no result.
    methods = import_module("deadheat.report.paragraph").methods
    said = methods(result).split("\n\n")
    paragraphs = (Sentence(text=text, role="methods", label="methods") for text in said if text)
    return replace(report, blocks=(*report.blocks, *paragraphs), figures=figures_of(result))


def notebook(result: Any) -> str:
    """Render a result for a notebook."""
    text: str = import_module("deadheat.report.html").notebook(document(result))
    return text
