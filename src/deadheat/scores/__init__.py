"""Score aligned items: statistics of every system, grouped into types."""

from __future__ import annotations

from deadheat.scores.apart import score_apart
from deadheat.scores.grouping import by_units
from deadheat.scores.scores import Scores, Types, types_together
from deadheat.scores.scoring import score_items
from deadheat.scores.units import Units, units_of
from deadheat.scores.weighing import Weighing

__all__ = [
    "Scores",
    "Types",
    "Units",
    "Weighing",
    "by_units",
    "score_apart",
    "score_items",
    "types_together",
    "units_of",
]
