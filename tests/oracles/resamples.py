"""Resamples of items that a judge scores again, and the draws that the library makes of types."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from deadheat.inference.corpus import Resampled, resampled
from deadheat.measuring import measured
from deadheat.metrics import metrics_of
from deadheat.recipe import READING
from deadheat.settings import Settings
from oracles.judges import judge_of, quietly
from oracles.made import table

Floats = NDArray[np.float64]
SYSTEMS = ("a", "b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """Two systems on the same items, as judges take them and as a table.

    Attributes
    ----------
    name : str
        Of the metric.
    data : polars.DataFrame
    references : list
    outputs : tuple of list
        Of the baseline and of the candidate.
    """

    name: str
    data: pl.DataFrame
    references: list[Any]
    outputs: tuple[list[Any], list[Any]]

    @classmethod
    def of(cls, name: str, n: int, seed: int) -> Judged:
        """Make systems up; outputs are all usable, as judges know no others."""
        data = table(name, n, seed)
        side = "output" if "output" in data.columns else "score"
        if data.schema[side] == pl.String:
            data = data.with_columns(pl.col(side).fill_null("w"))
        return cls.read(name, data)

    @classmethod
    def read(cls, name: str, data: pl.DataFrame) -> Judged:
        """Take systems a and b of a long table."""
        side = "output" if "output" in data.columns else "score"
        parts = [data.filter(pl.col("system") == system) for system in SYSTEMS]
        first, second = (part[side].to_list() for part in parts)
        return cls(
            name=name,
            data=data,
            references=parts[0]["reference"].to_list(),
            outputs=(first, second),
        )

    @property
    def n(self) -> int:
        """Number of items."""
        return len(self.references)

    def scored(self, picks: Iterable[Sequence[int]]) -> Floats:
        """Return what the judge says of items picked by position, shape (pick, system)."""
        judges = [judge_of(self.name, self.references, outputs) for outputs in self.outputs]
        return np.array(
            [
                [
                    quietly(judge, [self.references[i] for i in pick], [outputs[i] for i in pick])
                    for judge, outputs in zip(judges, self.outputs, strict=True)
                ]
                for pick in picks
            ]
        )


def every_resample(n: int) -> tuple[list[tuple[int, ...]], Floats]:
    """Return the resamples of n items that differ, and how likely each is among the n^n."""
    picks = list(combinations_with_replacement(range(n), n))
    ways = [
        math.factorial(n) / math.prod(math.factorial(pick.count(i)) for i in range(n))
        for pick in picks
    ]
    return picks, np.array(ways) / n**n


def drawn(
    data: pl.DataFrame, names: Sequence[Any], *, n_resamples: int = 9_999, **options: Any
) -> list[Resampled]:
    """Return the draws behind a comparison of a and b by metrics of the whole set."""
    parts = measured(
        [data],
        dict.fromkeys(READING),
        metrics_of(list(names), **options),
        lambda _: [SYSTEMS],
        missing="error",
        unparseable="wrong",
    )
    return resampled(
        [part.scores[0] for part in parts], Settings(n_resamples=n_resamples, threads=1)
    )
