"""What aligning returns: columns of one length, and the account of how they came about."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import polars as pl

from deadheat.evaluation import Answers, Evaluation, References
from deadheat.notes import Note

Missing = Literal["error", "drop", "wrong"]
Unparseable = Literal["wrong", "missing"]
Runs = Literal["average", "keep", "cross"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """Items that were left out of all systems, for one reason.

    Attributes
    ----------
    reason : str
        "not answered by every system", "not in every run", "no score", "no usable output" or "no
        reference". An item
        to which several apply is counted under the first of them.
    n : int
        Number of items.
    """

    reason: str
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """Systems on the same items: row k of every column is item k.

    Rows are sorted by item id (numbers by value, text by its UTF-8 bytes), so that nothing
    depends on the order of a file; without ids they stay as given.

    Attributes
    ----------
    systems : tuple of str
        In the order asked for.
    items : polars.Series or None
        Item ids; None where no system has ids.
    outputs : tuple of (polars.Series or None)
        Per system, length n, all of one type where references or other outputs are; null where
        there is no usable output, to be scored wrong. Lists and objects are canonical JSON of
        type Binary, in which a text beside them is JSON too.
    scores : tuple of (polars.Series or None)
        Per system, Float64, length n; null only under ``missing="wrong"``, to be given the worst
        score.
    references : polars.Series or None
        Of the type of the outputs, or Binary as there; null only where every system brings
        scores.
    clusters, strata : polars.Series or None
        Without nulls.
    n : int
        Number of items kept.
    multiplicities : polars.Series or None
        How many of the items each row stands for, where rows are kinds of items.
    matched : int
        Items that every system answered.
    only : tuple of int
        Per system: items that it answered and at least one other did not.
    duplicated : int
        Ids with more than one row: zero, because they are refused.
    dropped : tuple of Dropped
        Items left out of all systems under ``missing="drop"``.
    absent : tuple of int
        Per system: items without an answer or a score, or with a run without one, that were kept,
        under ``missing="wrong"``.
    unparseable : tuple of int
        Per system: null outputs that were kept to be scored wrong.
    missing : {"error", "drop", "wrong"}
    unparseable_policy : {"wrong", "missing"}
    runs : {"average", "keep", "cross"}
        But for "average", every value of `outputs` and `scores` is a list with an entry for each
        run of the item, in the order of the runs; a null list is an item without an answer.
    hash : str
        Of the row set, see `deadheat.hashing.row_set_hash`.
    hashes : tuple of str
        Per system, see `deadheat.hashing.answers_hash`, or where runs are kept
        `deadheat.alignment.runs.runs_hash`.
    notes : tuple of Note
        What the alignment had to say; those of the reading are not repeated.
    read : Evaluation
        What was read of these systems.
    kept : polars.Series or None
        Rows, from 0, of the items in what was read; None where ids tell, or where nothing was
        dropped.
    lacking : tuple of (polars.Series or None)
        Per system, under ``missing="wrong"``: the share of an item's averaged runs that lack a
        score, null or 0 where none does. Where it is between 0 and 1, `scores` holds what the
        others add up to, over the number of all runs. None where no run lacks one.
    run_names : tuple of tuple, or None
        Per system, under "cross": the runs that every list holds, in order.
    """

    systems: tuple[str, ...]
    items: pl.Series | None
    outputs: tuple[pl.Series | None, ...]
    scores: tuple[pl.Series | None, ...]
    references: pl.Series | None
    clusters: pl.Series | None
    strata: pl.Series | None
    n: int
    matched: int
    only: tuple[int, ...]
    duplicated: int
    dropped: tuple[Dropped, ...]
    absent: tuple[int, ...]
    unparseable: tuple[int, ...]
    missing: Missing
    unparseable_policy: Unparseable
    runs: Runs = "average"
    hash: str
    hashes: tuple[str, ...]
    notes: tuple[Note, ...]
    read: Evaluation = field(repr=False, compare=False)
    kept: pl.Series | None = field(default=None, repr=False, compare=False)
    run_names: tuple[tuple[str, ...], ...] | None = None
    lacking: tuple[pl.Series | None, ...] = field(default=(), repr=False, compare=False)
    multiplicities: pl.Series | None = field(default=None, repr=False, compare=False)

    @property
    def answers(self) -> tuple[Answers, ...]:
        """What was read, per system."""
        return self.read.answers

    @property
    def right(self) -> References | None:
        """What was read apart from the answers."""
        return self.read.references

    @property
    def height(self) -> int:
        """Number of rows: items, or kinds of items."""
        return self.n if self.multiplicities is None else len(self.multiplicities)
