"""What a reader returns: per system, one row for each (item, run), in columns."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from deadheat.notes import Note


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where rows came from.

    Attributes
    ----------
    path : str
        As the user gave it; empty for data in memory.
    sha256 : str
        Of the bytes of the file; empty for data in memory.
    format : str
        What the content turned out to be: "csv", "jsonl", "json", "parquet", "lines", "frame"
        or "array".
    """

    path: str
    sha256: str
    format: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What one system did, in columns of one length; a column that was not given is None.

    Attributes
    ----------
    system : str
        Name of the system.
    items : polars.Series or None
        Item ids as read (type and text kept); None where the source has no ids.
    outputs : polars.Series or None
        What the system produced; null where there is no usable output.
    scores : polars.Series or None
        Float64; null where there is no finite score.
    references, runs, clusters, strata : polars.Series or None
        As read.
    source : Source
        Where the rows came from.
    """

    system: str
    items: pl.Series | None
    outputs: pl.Series | None
    scores: pl.Series | None
    references: pl.Series | None = None
    runs: pl.Series | None = None
    clusters: pl.Series | None = None
    strata: pl.Series | None = None
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class References:
    """Right answers that came in a file or array of their own."""

    items: pl.Series | None
    values: pl.Series
    clusters: pl.Series | None = None
    strata: pl.Series | None = None
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """Systems on items, as read and not yet paired.

    Attributes
    ----------
    answers : tuple of Answers
        One for each system, in the order of the command line, then of the file.
    references : References or None
        Given apart from the answers.
    notes : tuple of Note
        What the reading had to say.
    """

    answers: tuple[Answers, ...]
    references: References | None = None
    notes: tuple[Note, ...] = ()

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems, in order."""
        return tuple(answer.system for answer in self.answers)
