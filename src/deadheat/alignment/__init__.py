"""Pair the answers of systems item by item, under one stated policy, with a full account."""

from __future__ import annotations

from deadheat.alignment.align import align
from deadheat.alignment.alignment import Alignment, Dropped, Missing, Runs, Unparseable
from deadheat.alignment.places import place

__all__ = ["Alignment", "Dropped", "Missing", "Runs", "Unparseable", "align", "place"]
