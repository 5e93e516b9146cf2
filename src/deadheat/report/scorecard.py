"""Lay out single systems with their intervals."""

from __future__ import annotations

from deadheat.report.pieces import effect_text, level_text, notes_of
from deadheat.report.report import Report, Sentence, Table
from deadheat.scorecard import Scorecard
from deadheat.scores.units import PLURAL


def layout(result: Scorecard) -> Report:
    """Lay out a scorecard: one row a system."""
    return Report(
        title=f"{result.metric} ({_better(result)})",
        blocks=(
            table(result),
            *notes_of(result.notes),
            Sentence(text=result.signature, role="signature"),
        ),
    )


def table(result: Scorecard, *, titled: bool = False) -> Table:
    """Lay out the systems; a title says which metric it is."""
    scale = result.scale
    level = f"{level_text(result.settings.confidence_level)} interval"
    # Null outputs are a matter of outputs: where there are scores only, there is nothing to count.
    counted = any(row.unparseable for row in result.systems)
    grouped = any(row.unit.kind != "item" for row in result.systems)
    rows = tuple(
        (
            row.system,
            scale.value(row.value),
            scale.ends(row.interval, signed=False),
            row.interval.method,
            scale.size(row.standard_error),
            f"{row.n:,}",
            *((f"{row.unit.n:,}", effect_text(row.design_effect)) if grouped else ()),
            *((f"{row.unparseable:,}",) if counted else ()),
        )
        for row in result.systems
    )
    units = (PLURAL[result.systems[0].unit.kind], "design effect") if grouped else ()
    columns = ("system", result.metric, level, "method", "standard error", "items", *units)
    return Table(
        title=f"{result.metric} ({_better(result)})" if titled else "",
        columns=(*columns, "null outputs") if counted else columns,
        rows=rows,
        numeric=(result.metric, level, "standard error", "items", *units, "null outputs"),
    )


def _better(result: Scorecard) -> str:
    return f"{'greater' if result.greater_is_better else 'lower'} is better"
