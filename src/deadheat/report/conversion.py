"""Lay out what was converted."""

from __future__ import annotations

from deadheat.converting import Conversion
from deadheat.report.pieces import counted, notes_of
from deadheat.report.report import Report, Sentence, Table


def layout(result: Conversion) -> Report:
    """Lay out a conversion: the files, and the rows of each system."""
    columns = f", columns {', '.join(result.columns)}" if result.columns else ""
    return Report(
        title=f"{counted(len(result.rows), 'system')} written to {', '.join(result.files[:4])}"
        f"{' and others' if len(result.files) > 4 else ''}",
        blocks=(
            Table(
                title="",
                columns=("system", "rows"),
                rows=tuple((name, f"{n:,}") for name, n in result.rows.items()),
                numeric=("rows",),
            ),
            Sentence(text=f"{result.form}{columns}.", label="form"),
            *notes_of(result.notes),
        ),
    )
