"""Lay out single systems with their intervals."""

from __future__ import annotations

from deadheat.report.pieces import level_text, notes_of
from deadheat.report.report import Report, Sentence, Table
from deadheat.scorecard import Scorecard


def layout(result: Scorecard) -> Report:
    """Lay out a scorecard: one row a system."""
    scale = result.scale
    level = f"{level_text(result.settings.confidence_level)} interval"
    # Null outputs are a matter of outputs: where there are scores only, there is nothing to count.
    counted = any(row.unparseable for row in result.systems)
    rows = tuple(
        (
            row.system,
            scale.value(row.value),
            scale.ends(row.interval, signed=False),
            row.interval.method,
            f"{row.n:,}",
            *((f"{row.unparseable:,}",) if counted else ()),
        )
        for row in result.systems
    )
    columns = ("system", result.metric, level, "method", "items")
    better = "greater" if result.greater_is_better else "lower"
    return Report(
        title=f"{result.metric} ({better} is better)",
        blocks=(
            Table(
                title="",
                columns=(*columns, "null outputs") if counted else columns,
                rows=rows,
                numeric=(result.metric, level, "items", "null outputs"),
            ),
            *notes_of(result.notes),
            Sentence(text=result.signature, role="signature"),
        ),
    )
