"""Lay out systems ranked by several metrics."""

from __future__ import annotations

from deadheat.leaderboard import Leaderboards
from deadheat.report.leaderboard import board
from deadheat.report.pieces import counted, notes_of
from deadheat.report.report import Report, Sentence


def layout(result: Leaderboards) -> Report:
    """Lay out a board for each metric, then what is to be said of any of them."""
    notes = dict.fromkeys(note for one in result for note in one.notes)
    return Report(
        title=f"{counted(len(result[0].systems), 'system')} by {counted(len(result), 'metric')}",
        blocks=(
            *(board(one, titled=True) for one in result),
            *notes_of(notes),
            *(Sentence(text=one.signature, role="signature") for one in result),
        ),
    )
