"""Lay out single systems with their intervals."""

from __future__ import annotations

from deadheat.report.layout import level_text, notes_of
from deadheat.report.report import Report, Sentence, Table
from deadheat.scorecard import Scorecard


def layout(result: Scorecard) -> Report:
    """Lay out a scorecard: one row a system."""
    scale = result.scale
    level = f"{level_text(result.settings.confidence_level)} interval"
    rows = tuple(
        (
            row.system,
            scale.value(row.value),
            scale.ends(row.interval, signed=False),
            row.interval.method,
            f"{row.n:,}",
            f"{row.unparseable:,}",
        )
        for row in result.systems
    )
    better = "greater" if result.greater_is_better else "lower"
    return Report(
        title=f"{result.metric} ({better} is better)",
        blocks=(
            Table(
                title="",
                columns=("system", result.metric, level, "method", "items", "null outputs"),
                rows=rows,
                numeric=(result.metric, level, "items", "null outputs"),
            ),
            *notes_of(result.notes),
            Sentence(text=result.signature, role="signature"),
        ),
    )
