"""Tables of items by runs, made by hand or drawn, as long tables of two systems."""

from __future__ import annotations

import numpy as np
import pandas as pd


def frame(tables: dict[str, np.ndarray], **columns) -> pd.DataFrame:
    """A long table of scores by system, item and run; columns belong to items."""
    parts = []
    for system, table in tables.items():
        items, runs = np.indices(table.shape)
        part = pd.DataFrame(
            {
                "item": [f"q{i:04}" for i in items.ravel()],
                "system": system,
                "run": [f"s{r}" for r in runs.ravel()],
                "score": table.ravel(),
            }
        )
        parts.append(part.assign(**{k: np.asarray(v)[items.ravel()] for k, v in columns.items()}))
    return pd.concat(parts, ignore_index=True)


def graded(n: int = 60, runs: tuple[int, int] = (5, 4), seed: int = 3) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    hard = rng.normal(size=(n, 1))
    return {
        name: hard
        + gain
        + 0.6 * rng.normal(size=(n, 1))
        + 0.2 * rng.normal(size=s)
        + 0.5 * rng.normal(size=(n, s))
        for name, gain, s in (("a", 0.0, runs[0]), ("b", 0.3, runs[1]))
    }


def nested(*rights: int, n: int = 1000) -> np.ndarray:
    """0/1 scores of runs, each right on the first so many items."""
    return (np.arange(n)[:, None] < np.array(rights)).astype(float)


def codes(found) -> list[str]:
    return [note.code for note in found.notes]


def ends(found) -> tuple[float, float]:
    return found.difference.interval.low, found.difference.interval.high
