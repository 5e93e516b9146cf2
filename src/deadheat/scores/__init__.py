"""Score aligned items: statistics of every system, grouped into types."""

from __future__ import annotations

from deadheat.scores.apart import score_apart
from deadheat.scores.scores import Scores, types_together
from deadheat.scores.scoring import score_items
from deadheat.scores.weighing import Weighing

__all__ = ["Scores", "Weighing", "score_apart", "score_items", "types_together"]
