"""Texts that say the same: duplicates within a set, and overlap with other texts."""

from __future__ import annotations

from deadheat.similarity.duplicates import NEAR, SHINGLE, Groups, exact_groups, near_groups
from deadheat.similarity.normal import normal, words
from deadheat.similarity.overlap import CONTAINED, PASSAGE, Overlap

__all__ = [
    "CONTAINED",
    "NEAR",
    "PASSAGE",
    "SHINGLE",
    "Groups",
    "Overlap",
    "exact_groups",
    "near_groups",
    "normal",
    "words",
]
