"""From a log of Inspect AI to a table: which samples are read, and what they turn out to be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import islice
from pathlib import Path

import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows as Names
from deadheat.readers.log import Log
from deadheat.readers.logs.inspect_ai import remarks
from deadheat.readers.logs.inspect_ai.contents import in_full
from deadheat.readers.logs.inspect_ai.results import claims, names_of, ordered, published
from deadheat.readers.logs.inspect_ai.rows import Key, Rows
from deadheat.readers.logs.inspect_ai.settings import about
from deadheat.readers.logs.inspect_ai.shapes import Header, Sample
from deadheat.readers.logs.inspect_ai.stored import Stored
from deadheat.readers.published import disagreements
from deadheat.readers.table import Attempt, Table
from deadheat.readers.unreadable import NoAnswersError

ROLES = {
    "item": "id",
    "run": "epoch",
    "system": "model",
    "task": "task",
    "hash": "input_hash",
}

_MOST_SUMMARIES = 100_000
_AGAIN = 20
"""Summaries of samples that are not there, and how often each sample may have been written."""

_STATUSES = ("started", "error", "cancelled", "success")


def table_of(log: Log, stored: Stored, asked: Sequence[str]) -> Table:
    """Read a row for each sample and epoch.

    Parameters
    ----------
    log : Log
    stored : Stored
    asked : sequence of str
        Columns of `Rows` that are read only where they are asked for.

    Raises
    ------
    FormatError
        If the log is damaged.
    NoAnswersError
        If it holds no sample with a score.
    """
    header, spec = stored.header, stored.header.eval
    rows = _samples(log, stored, asked)
    reduced = not rows.height
    if reduced:
        rows = Rows(log.path, asked, superseding=False)
        rows.reduced(stored.reductions())
    keys = ordered(rows, header)
    if not any(rows.scores[key].n for key in keys):
        raise _nothing(log, header, rows)
    columns = rows.columns()
    n = len(columns["id"])
    for name, text in (("model", spec.model or Path(log.path).stem), ("task", spec.task)):
        columns[name] = pl.repeat(text, n, dtype=pl.String, eager=True).alias(name)
    names = names_of(keys, columns)
    columns |= {name: rows.column(key, name) for key, name in names.items()}
    means, stated = claims(header, rows, names, columns)
    return Table(
        columns=columns,
        height=n,
        rows=Names(word="sample"),
        source=log.source("inspect_ai"),
        nested=rows.inside,
        roles=ROLES,
        scores=tuple(names.values()),
        about={"": about(header)},
        attempt=_attempt(header, rows, keys),
        notes=(
            *remarks.unfinished(log.path, header, n, reduced=reduced),
            *remarks.replaced(log.path, stored, rows),
            *remarks.no_scores(log.path, rows, set(keys)),
            *remarks.missing(log.path, rows, keys[0]),
            *disagreements(log.path, means, {}, stated),
        ),
    )


def _samples(log: Log, stored: Stored, asked: Sequence[str]) -> Rows:
    """Read the summaries, or the samples where those do not tell enough."""
    stated = published(stored.header)
    if not stored.header.invalidated and not any(map(in_full, asked)):
        most = max(_MOST_SUMMARIES, _AGAIN * stored.n_samples)
        rows = _rows(log, stored, islice(stored.summaries(), most + 1), asked)
        if rows.height > most:
            raise FormatError(
                f"the log has more than {most:,} summaries of {stored.n_samples:,} samples.",
                where=log.path,
                fix="Check where it comes from.",
            )
        there = rows.height - rows.replaced
        enough = there >= stored.n_samples and (rows.scores or not stated)
        if enough and not (rows.shortened and stored.n_samples):
            return rows
    return _rows(log, stored, stored.samples(), asked)


def _rows(log: Log, stored: Stored, samples: Iterable[Sample], asked: Sequence[str]) -> Rows:
    rows = Rows(log.path, asked, superseding=stored.replaced is not None)
    scorer = next((one.name for one in published(stored.header)), "score")
    for sample in samples:
        rows.add(sample, scorer)
    return rows


def _nothing(log: Log, header: Header, rows: Rows) -> NoAnswersError:
    if not rows.height:
        return NoAnswersError(
            f"the log holds no samples; its status is {header.status!r}.",
            where=log.path,
            fix="Inspect AI logs them unless it was told not to (--no-log-samples).",
        )
    errors = sum(rows.errors)
    unread = next((one.example for one in rows.scores.values() if one.unread), None)
    found = f"no sample of {rows.height:,} has a score"
    if unread is not None:
        found += f" that is a number (one is {unread[:40]!r})"
    return NoAnswersError(
        found + (f"; {errors:,} ended in an error." if errors else "."),
        where=log.path,
        fix="Score the log (inspect score LOG), or leave it out.",
    )


def _attempt(header: Header, rows: Rows, keys: Sequence[Key]) -> Attempt | None:
    """Tell which evaluation this is an attempt at, and how late or complete a one."""
    spec = header.eval
    if not isinstance(spec.task_id, str) or not spec.task_id:
        return None
    try:
        created = datetime.fromisoformat(str(spec.created)).timestamp()
    except (ValueError, OverflowError, OSError):
        created = 0.0
    finished = _STATUSES.index(header.status) if header.status in _STATUSES else 0
    scored = sum(rows.scores[key].n for key in keys)
    return Attempt(of=f"{spec.task_id} {spec.model}", order=(created, finished, scored))
