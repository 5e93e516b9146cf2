"""Five systems on the same items, and what their boards are asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

import deadheat

N = 150
RNG = np.random.default_rng(23)
EASE = RNG.normal(size=N)
NAMES = ("elk", "ant", "owl", "fox", "cat")
GRADED = {
    name: (EASE + RNG.normal(size=N) + gain).round(3)
    for name, gain in zip(NAMES, (0.0, 0.1, 0.5, 0.45, 1.2), strict=True)
}
BINARY = {name: (column > 0).astype(int) for name, column in GRADED.items()}
IDS = [f"q{i:03}" for i in range(N)]


def frame(columns: dict[str, Any], **more: Any) -> pl.DataFrame:
    return pl.DataFrame({"item": IDS[: len(next(iter(columns.values())))], **columns, **more})


def pairs_of(found: deadheat.Leaderboard) -> dict[tuple[str, str], dict[str, Any]]:
    return {(pair["baseline"], pair["candidate"]): pair for pair in found.listed_pairs()}


def by_system(found: deadheat.Leaderboard) -> dict[str, dict[str, Any]]:
    return {row.system: row.to_dict() for row in found.systems}


def messages(found: Any) -> dict[str, str]:
    return {note.code: note.message for note in found.notes}
