"""What a reader returns: per system, one row for each (item, run), in columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
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
        or "array", or the name of the reader of a log.
    parts : tuple of Source
        The files, where a system is a folder of several; path is then the folder, and sha256
        empty.
    """

    path: str
    sha256: str
    format: str
    parts: tuple[Source, ...] = ()

    @property
    def files(self) -> tuple[Source, ...]:
        """What was read: the file, or each file of a folder."""
        return self.parts or (self,)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rows:
    """How the rows of a source are called in messages.

    Attributes
    ----------
    word : str
        "line" or "row".
    first : int
        Number of row 0.
    lines : numpy.ndarray or None
        Line on which each row starts, where that does not follow from `first`.
    files : tuple of str
        The files that rows come from, where they are several.
    of : numpy.ndarray or None
        Position in `files` of the file of each row.
    """

    word: str
    first: int = 1
    lines: np.ndarray[tuple[int], np.dtype[np.int64]] | None = None
    files: tuple[str, ...] = ()
    of: np.ndarray[tuple[int], np.dtype[np.int64]] | None = None

    def name(self, index: int) -> str:
        """Name one row, counted from 0.

        Examples
        --------
        >>> Rows(word="line", first=2).name(0)
        'line 2'
        """
        number = self.first + index if self.lines is None else int(self.lines[index])
        file = "" if self.of is None else f"{self.files[self.of[index]]}, "
        return f"{file}{self.word} {number}"

    def take(self, index: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Rows:
        """Return the names of the rows at some positions, in that order.

        Examples
        --------
        >>> Rows(word="line", first=2).take(np.array([4, 4, 0])).name(1)
        'line 6'
        """
        lines = self.first + index if self.lines is None else self.lines[index]
        of = None if self.of is None else self.of[index]
        return Rows(word=self.word, lines=lines, files=self.files, of=of)


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
        What the system produced; null where there is no usable output. Lists and objects are
        canonical JSON: dtype Binary throughout, also for the plain values beside them.
    scores : polars.Series or None
        Float64; null where there is no finite score.
    references : polars.Series or None
        Like the outputs.
    runs, clusters, strata : polars.Series or None
        As read.
    tasks : polars.Series or None
        Task of each row, as a log names it; item ids are those of a task.
    item_hashes : polars.Series or None
        Hash of what each item asked, as a log states it.
    unlisted : float or None
        Score of the items that the source does not list, where it lists some alone, such as
        those that were solved.
    about : mapping of str to str
        What a log knows of the system: model, version, temperature, date and the like.
    source : Source
        Where the rows came from.
    rows : Rows or None
        Names of the rows, by position in the columns; None for arrays.
    candidates : mapping of str to polars.Series
        Columns that may name clusters and were not asked for, by what would ask for them.
    """

    system: str
    items: pl.Series | None
    outputs: pl.Series | None
    scores: pl.Series | None
    references: pl.Series | None = None
    runs: pl.Series | None = None
    clusters: pl.Series | None = None
    strata: pl.Series | None = None
    tasks: pl.Series | None = None
    item_hashes: pl.Series | None = None
    unlisted: float | None = None
    about: Mapping[str, str] = field(default_factory=dict)
    source: Source
    rows: Rows | None = None
    candidates: Mapping[str, pl.Series] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class References:
    """Right answers that came in a file or array of their own; columns as in `Answers`."""

    items: pl.Series | None
    values: pl.Series
    clusters: pl.Series | None = None
    strata: pl.Series | None = None
    source: Source
    rows: Rows | None = None
    candidates: Mapping[str, pl.Series] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """Systems on items, as read and not yet paired.

    Attributes
    ----------
    answers : tuple of Answers
        One for each system, in the order of the command line, then of the file.
    references : References or None
        Given apart from the answers.
    different_items : bool
        Whether systems may be compared whose items, by name the same, asked for something else.
    multiplicities : polars.Series or None
        How many items each row stands for, where rows are kinds of items: those of one file that
        was too large to be held, which are alike in every column that was asked for.
    representatives : polars.Series or None
        An item of each kind, in the order of `multiplicities`, where the rows of systems bear
        its id and are paired by it; None where they are paired by order.
    averaged : bool
        Whether each kind is made of items of a cluster whose scores were averaged: nothing is
        known of them but their mean.
    digest : str or None
        Of the files, where rows are kinds of items and cannot be hashed one by one.
    notes : tuple of Note
        What the reading had to say.
    """

    answers: tuple[Answers, ...]
    references: References | None = None
    different_items: bool = False
    multiplicities: pl.Series | None = None
    representatives: pl.Series | None = None
    averaged: bool = False
    digest: str | None = None
    notes: tuple[Note, ...] = ()

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems, in order."""
        return tuple(answer.system for answer in self.answers)
