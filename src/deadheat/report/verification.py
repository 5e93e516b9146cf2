"""Lay out what a verification found."""

from __future__ import annotations

from deadheat.record import Verification
from deadheat.report.pieces import notes_of
from deadheat.report.report import Report, Sentence, Table


def layout(result: Verification) -> Report:
    """Lay out a verification: the verdict, then what was checked and what changed."""
    changed = [check.name for check in result.checks if check.changed]
    verdict = (
        f"{', '.join(changed)}."
        if changed
        else "nothing changed; the same rows, outputs and settings give the same numbers."
    )
    rows = tuple(
        (check.name, "changed" if check.changed else "same", check.detail)
        for check in result.checks
    )
    return Report(
        title=f"Record {result.path}",
        blocks=(
            Sentence(text=verdict, role="reading", label="holds" if result.holds else "changed"),
            Table(title="", columns=("part", "state", "detail"), rows=rows),
            *notes_of(result.notes),
        ),
    )
