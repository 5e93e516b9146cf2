"""The samples of a log of Inspect AI as columns."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

import numpy as np
import polars as pl

from deadheat.errors import FormatError
from deadheat.readers.logs.inspect_ai.contents import (
    input_hash,
    inside,
    is_inside,
    is_shortened,
    names_inside,
)
from deadheat.readers.logs.inspect_ai.shapes import Reduction, Sample
from deadheat.readers.logs.inspect_ai.values import parts
from deadheat.readers.records import typed_series

Key = tuple[str, str | None]
"""A scorer, and the entry of its values where they are objects or lists."""

_MOST_SCORES = 1_000
_MOST_CELLS = 30_000_000


@dataclass(slots=True)
class Scores:
    """One column of scores.

    Attributes
    ----------
    values : array of float
        NaN where there is none; short of rows at the end that have none.
    n : int
        How many there are.
    unread : int
        Values that are neither a number nor a word for one.
    example : str
        One of them.
    """

    values: array[float] = field(default_factory=lambda: array("d"))
    n: int = 0
    unread: int = 0
    example: str = ""

    @property
    def holds_numbers(self) -> bool:
        """Whether any value is a score, or nothing speaks against it."""
        return not self.unread or self.n > 0


class Rows:
    """Columns that grow by one sample at a time.

    Parameters
    ----------
    path : str
        For messages.
    wanted : iterable of str
        Columns that were asked for, such as "metadata.subject".
    superseding : bool
        Whether a later sample of one id and epoch takes the place of an earlier one.
    """

    def __init__(self, path: str, wanted: Iterable[str], *, superseding: bool) -> None:
        self.path = path
        self.ids: list[int | str] = []
        self.epochs: list[int] = []
        self.hashes: list[str | None] = []
        self.scores: dict[Key, Scores] = {}
        self.errors: list[bool] = []
        self.invalid: list[bool] = []
        self.inside: tuple[str, ...] = ()
        self.shortened = False
        self.gone: set[int] = set()
        self._others: dict[str, list[Any]] = {name: [] for name in wanted if is_inside(name)}
        self._superseding = superseding
        self._at: dict[tuple[int | str, int], int] = {}

    @property
    def height(self) -> int:
        """Number of samples, also of those that later ones replaced."""
        return len(self.ids)

    @property
    def replaced(self) -> int:
        """Number of samples that later ones replaced."""
        return len(self.gone)

    def add(self, sample: Sample, scorer: str) -> None:
        """Append a sample.

        Parameters
        ----------
        sample : Sample
        scorer : str
            Whose score it is where the sample does not say.
        """
        row = self.height
        if self._superseding:
            before = self._at.setdefault((sample.id, sample.epoch), row)
            if before != row:
                self.gone.add(before)
                self._at[sample.id, sample.epoch] = row
        self.ids.append(sample.id)
        self.epochs.append(sample.epoch)
        self.hashes.append(input_hash(sample.input))
        self.errors.append(sample.error is not None)
        self.invalid.append(sample.invalidation is not None)
        scores = sample.scores or ({} if sample.score is None else {scorer: sample.score})
        for name, score in scores.items():
            for inner, value in parts(score.value):
                self._set(row, (name, inner), value if sample.invalidation is None else None)
        if len(self.scores) * self.height > _MOST_CELLS or len(self.scores) > _MOST_SCORES:
            raise FormatError(
                f"its first {self.height:,} samples have {len(self.scores):,} different scores.",
                where=self.path,
                fix="The samples of a log are expected to have the same scores.",
            )
        if row == 0:
            self.inside = names_inside(sample)
        for column, cells in self._others.items():
            cells.append(inside(sample, scores, column))
            self.shortened |= is_shortened(cells[-1])

    def reduced(self, reductions: Sequence[Reduction]) -> None:
        """Take the scores over all epochs in place of samples."""
        for reduction in reductions:
            name = reduction.scorer
            if reduction.reducer not in (None, "mean"):
                name = f"{name},{reduction.reducer}"
            for sample in reduction.samples:
                if sample.sample_id is None:
                    continue
                row = self._at.get((sample.sample_id, 1))
                if row is None:
                    row = self.height
                    self.add(Sample(id=sample.sample_id), "")
                    self._at[sample.sample_id, 1] = row
                for inner, value in parts(sample.value):
                    self._set(row, (name, inner), value)

    def columns(self) -> dict[str, pl.Series]:
        """Return what is no score: ids, epochs, hashes of inputs and the like."""
        found = {
            "id": self._ids(),
            "epoch": typed_series("epoch", self.epochs, self.path),
            "input_hash": pl.Series("input_hash", self.hashes, dtype=pl.String),
        }
        for name, values in self._others.items():
            if name in self.inside or any(value is not None for value in values):
                found[name] = typed_series(name, values, self.path)
        return {name: self._kept(values) for name, values in found.items()}

    def column(self, key: Key, name: str) -> pl.Series:
        """Return the scores of one column, without those that later ones replaced."""
        values = np.full(self.height, np.nan)
        given = np.frombuffer(self.scores[key].values)
        values[: given.size] = given
        return self._kept(pl.Series(name, values).fill_nan(None))

    def kept(self) -> list[int]:
        """Return the rows that no later one replaced."""
        return [row for row in range(self.height) if row not in self.gone]

    def _kept(self, values: pl.Series) -> pl.Series:
        return values.gather(self.kept()) if self.gone else values

    def _ids(self) -> pl.Series:
        """Return the ids; where they are of two kinds as text, unless 1 and "1" are both there."""
        ids: Sequence[int | str] = self.ids
        if len(set(map(type, ids))) > 1 and len({*ids}) == len({*map(str, ids)}):
            ids = [*map(str, ids)]
        return typed_series("id", ids, self.path)

    def _set(self, row: int, key: Key, value: float | str | None) -> None:
        column = self.scores.get(key)
        if column is None:
            column = self.scores[key] = Scores()
        if isinstance(value, str):
            column.unread += 1
            column.example = column.example or value
        elif value is not None:
            column.values.extend(repeat(math.nan, row + 1 - len(column.values)))
            column.values[row] = value
            column.n += 1
