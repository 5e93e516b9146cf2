"""Lay out adjusted p-values."""

from __future__ import annotations

import math

from deadheat.multiplicity import Adjustment
from deadheat.report.pieces import counted, notes_of
from deadheat.report.report import Report, Table
from deadheat.scale import p_bare


def layout(result: Adjustment) -> Report:
    """Lay out an adjustment: one row a comparison, in the order given."""
    below = f"at most {result.alpha:g}"
    rows = tuple(
        (
            label,
            _shown(p),
            _shown(q),
            "" if math.isnan(q) else "yes" if q <= result.alpha else "no",
        )
        for label, p, q in zip(result.labels, result.p_values, result.adjusted, strict=True)
    )
    return Report(
        title=f"{counted(result.family, 'comparison')}, {result.method}",
        blocks=(
            Table(
                title="",
                columns=("comparison", "p", "adjusted p", below),
                rows=rows,
                numeric=("p", "adjusted p"),
            ),
            *notes_of(result.notes),
        ),
    )


def _shown(p_value: float) -> str:
    """Show a p-value that was given, which may be 0."""
    return "0" if p_value == 0.0 else p_bare(p_value)
