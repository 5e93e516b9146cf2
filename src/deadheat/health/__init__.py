"""How well items tell systems apart: formulas of classical test theory on arrays of scores."""

from __future__ import annotations

from deadheat.health.discrimination import ItemStatistics, item_statistics
from deadheat.health.halves import random_halves
from deadheat.health.over_systems import ReliabilityDraws, over_systems
from deadheat.health.reliability import (
    Halves,
    cronbach_alpha,
    halves_compared,
    kendall_tau,
    spearman_brown,
)
from deadheat.health.upsets import Upsets, upsets

__all__ = [
    "Halves",
    "ItemStatistics",
    "ReliabilityDraws",
    "Upsets",
    "cronbach_alpha",
    "halves_compared",
    "item_statistics",
    "kendall_tau",
    "over_systems",
    "random_halves",
    "spearman_brown",
    "upsets",
]
