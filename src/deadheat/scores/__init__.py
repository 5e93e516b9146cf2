"""From aligned answers to what every item contributes to a metric."""

from __future__ import annotations

from deadheat.scores.apart import score_apart
from deadheat.scores.scores import Kind, Scores
from deadheat.scores.scoring import score_items

__all__ = ["Kind", "Scores", "score_apart", "score_items"]
