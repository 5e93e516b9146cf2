"""Sources that list some items alone, such as those that were solved: the rest, from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from deadheat.errors import InputError
from deadheat.evaluation import Answers, References
from deadheat.notes import Note


def with_unlisted(
    answers: Sequence[Answers], references: References | None
) -> tuple[tuple[Answers, ...], tuple[Note, ...]]:
    """Add the items that a source does not list and that count in it all the same.

    They are the items that the references have, or else those of all other systems together.

    Parameters
    ----------
    answers : sequence of Answers
    references : References or None

    Outputs are not added: what is not listed has none.

    Raises
    ------
    InputError
        If nothing says which items there are, or of which task they would be.
    """
    partial = [a for a in answers if a.unlisted is not None and a.scores is not None]
    if not partial:
        return tuple(answers), ()
    if references is not None and references.items is not None:
        every, of = references.items.cast(pl.String), "the references"
    else:
        others = [a for a in answers if a.unlisted is None and a.items is not None]
        if not others:
            raise InputError(
                f"{partial[0].system} lists some of its items alone, and nothing says which others "
                "there are.",
                where=partial[0].source.path,
                fix="Give a file of all item ids with --reference (columns item and reference), or "
                "a log beside it that lists every item.",
            )
        every = pl.concat([a.items.cast(pl.String) for a in others if a.items is not None])
        of = ", ".join(a.system for a in others[:3]) + (" and others" if len(others) > 3 else "")
    every = every.unique().sort()
    added = {a.system: _completed(a, every) for a in partial}
    counts = ", ".join(f"{system} {n:,}" for system, (_, n) in added.items())
    note = Note(
        code="unlisted_items",
        message=f"Items that a source does not list were taken from {of} and count as it says "
        f"they do: {counts}.",
    )
    return tuple(added[a.system][0] if a.system in added else a for a in answers), (note,)


def _completed(answers: Answers, every: pl.Series) -> tuple[Answers, int]:
    """Add a row for each item that is not there, with the score of unlisted ones."""
    assert answers.items is not None
    assert answers.scores is not None
    items = answers.items.cast(pl.String)
    more = every.filter(~every.is_in(items.implode()))
    n = len(more)
    if not n:
        return answers, 0

    def extended(column: pl.Series | None) -> pl.Series | None:
        return None if column is None else column.extend_constant(None, n)

    tasks = answers.tasks
    if tasks is not None:
        if tasks.n_unique() != 1:
            raise InputError(
                f"{answers.system} lists some of its items alone, and they are of "
                f"{tasks.n_unique():,} tasks: of which the others are, nothing says.",
                where=answers.source.path,
                fix="Give a file for each task.",
            )
        tasks = tasks.extend_constant(tasks[0], n)
    rows = answers.rows
    if rows is not None:
        # An item that stands nowhere has no line of its own.
        index = np.concatenate([np.arange(len(items)), np.zeros(n, dtype=np.int64)])
        rows = rows.take(index)
    completed = replace(
        answers,
        items=pl.concat([items, more.alias(items.name)]),
        scores=answers.scores.extend_constant(answers.unlisted, n),
        outputs=extended(answers.outputs),
        references=extended(answers.references),
        runs=extended(answers.runs),
        clusters=extended(answers.clusters),
        strata=extended(answers.strata),
        tasks=tasks,
        item_hashes=extended(answers.item_hashes),
        rows=rows,
        candidates={},
    )
    return completed, n
