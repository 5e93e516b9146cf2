"""Metrics of one's own: functions of all items or of one, and classes with statistics and value."""

from __future__ import annotations

from deadheat.metrics.own.classes import FromSums, FromWeights
from deadheat.metrics.own.decorators import per_item, whole_set
from deadheat.metrics.own.functions import PerItem, WholeSet
from deadheat.metrics.own.making import adapted, from_name

__all__ = [
    "FromSums",
    "FromWeights",
    "PerItem",
    "WholeSet",
    "adapted",
    "from_name",
    "per_item",
    "whole_set",
]
