"""Lay out systems scored by several metrics."""

from __future__ import annotations

from deadheat.report.pieces import notes_of
from deadheat.report.report import Report, Sentence
from deadheat.report.scorecard import table
from deadheat.scorecard import Scorecards


def layout(result: Scorecards) -> Report:
    """Lay out a table for each metric, then what is to be said of any of them."""
    notes = dict.fromkeys(note for card in result for note in card.notes)
    return Report(
        title=", ".join(card.metric for card in result),
        blocks=(
            *(table(card, titled=True) for card in result),
            *notes_of(notes),
            *(Sentence(text=card.signature, role="signature") for card in result),
        ),
    )
