"""LangSmith: an experiment as a table, with a column of feedback for each evaluator."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from deadheat.readers import csv_logs
from deadheat.readers.assembly import (
    no_scores_of_items,
    occurrences,
    score_columns,
    texts,
    unscored,
)
from deadheat.readers.log import Log
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "LangSmith"

VERSIONS = "experiments as written by to_pandas().to_csv() (langsmith 0.2 to 0.15), up to 256 MB"

QUIRKS = (
    "The item is example_id. Repetitions of an example are its runs.",
    "Every feedback.NAME whose cells are numbers, truths or verdicts in words is a score; one that "
    "holds texts, as where an evaluator gave a value and no score, is none and left out.",
    "A row with an error, and a cell without feedback, is missing.",
    "The table does not name its experiment: the file names the system.",
)

_FEEDBACK = "feedback."


def recognises(path: str, head: bytes) -> bool:
    """Whether a header names an example and feedback on it."""
    names = csv_logs.header(head)
    known = names >= {"example_id", "error"} and bool(names & {"execution_time", "id"})
    return known and any(name.startswith((_FEEDBACK, "inputs.")) for name in names)


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each example and repetition.

    Raises
    ------
    FormatError
        If the file is no table.
    NoAnswersError
        If no column of feedback holds scores.
    """
    table = csv_logs.read(log)
    errors = csv_logs.values(table, "error")
    given = {
        name.removeprefix(_FEEDBACK): csv_logs.values(table, name)
        for name in table.columns
        if name.startswith(_FEEDBACK)
    }
    rows: list[dict[str, object]] = [
        {name: None if errors[row] else cells[row] for name, cells in given.items()}
        for row in range(table.height)
    ]
    scores, left_out = score_columns(rows, words=True)
    named = {name: f"{_FEEDBACK}{name}" for name in scores}
    if not scores:
        raise NoAnswersError(
            "no column of feedback holds scores.",
            where=log.path,
            fix=f"Columns are: {', '.join([*table.columns][:12])}.",
        )
    items = csv_logs.values(table, "example_id")
    columns = {"example_id": texts(items)}
    roles = {"item": "example_id"}
    runs = occurrences(items)
    if max(runs) > 1:
        columns["run"] = pl.Series(runs, dtype=pl.Int64)
        roles["run"] = "run"
    references = [name for name in table.columns if name.startswith("reference.")]
    if len(references) == 1:
        columns["reference"] = texts(csv_logs.values(table, references[0]))
    others = {
        name: texts(csv_logs.values(table, name))
        for name in table.columns
        if name.startswith("outputs.") or name in map(str, wanted)
    }
    columns = {**others, **columns, **{named[name]: values for name, values in scores.items()}}
    failed = sum(bool(error) for error in errors)
    return Table(
        columns=columns,
        height=table.height,
        rows=table.rows,
        source=log.source("langsmith"),
        roles=roles,
        scores=tuple(named.values()),
        notes=(
            *table.notes,
            *no_scores_of_items(left_out, "Feedback"),
            *unscored(log.path, failed, "rows ended in an error"),
        ),
    )
