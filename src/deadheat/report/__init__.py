"""Results laid out once as a `Report`, and renderers that read it."""

from __future__ import annotations

from typing import Any

from deadheat.comparison import Comparison
from deadheat.errors import UsageError, known
from deadheat.multiplicity import Adjustment
from deadheat.record import Verification
from deadheat.report import adjustment, comparison, markdown, scorecard, text, verification
from deadheat.report.report import Report, Sentence, Table
from deadheat.scorecard import Scorecard

__all__ = ["FORMS", "Report", "Sentence", "Table", "layout", "render"]

FORMS = ("text", "json", "markdown")


def layout(result: Any) -> Report:
    """Lay out a result as a report.

    Raises
    ------
    UsageError
        If there is no report of such a result.
    """
    if isinstance(result, Comparison):
        return comparison.layout(result)
    if isinstance(result, Scorecard):
        return scorecard.layout(result)
    if isinstance(result, Adjustment):
        return adjustment.layout(result)
    if isinstance(result, Verification):
        return verification.layout(result)
    raise UsageError(f"there is no report of a {type(result).__name__}.")


def render(result: Any, form: str, *, width: int = 100, color: bool = False) -> str:
    """Render a result in one of `FORMS`.

    Parameters
    ----------
    result : Comparison, Scorecard, Adjustment or Verification
    form : str
        One of `FORMS`.
    width : int
        Columns of plain text.
    color : bool
        Whether plain text carries terminal colours.

    Raises
    ------
    UsageError
        If there is no such form, or no report of such a result.
    """
    if form == "json":
        return f"{result.to_json()}\n"
    if form == "text":
        return text.render(layout(result), width=width, color=color)
    if form == "markdown":
        return markdown.render(layout(result))
    raise UsageError(f"there is no format {form!r}.", fix=known(FORMS, form))
