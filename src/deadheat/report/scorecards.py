"""Lay out systems scored by several metrics."""

from __future__ import annotations

from deadheat.report.pieces import notes_by_metric
from deadheat.report.report import Report, Sentence
from deadheat.report.scorecard import table
from deadheat.scorecard import Scorecards


def layout(result: Scorecards) -> Report:
    """Lay out a table for each metric, then what is to be said of any of them."""
    return Report(
        title=", ".join(card.metric for card in result),
        blocks=(
            *(table(card, titled=True) for card in result),
            *notes_by_metric(result.scorecards),
            *(Sentence(text=card.signature, role="signature") for card in result),
        ),
    )
