"""MLflow: tables of evaluations, of mlflow.evaluate and of mlflow.genai.evaluate."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from deadheat.evaluation import Rows
from deadheat.readers import csv_logs, split_form
from deadheat.readers.assembly import (
    by_question,
    constant,
    no_scores_of_items,
    score,
    score_columns,
    stated,
    texts,
    unscored,
)
from deadheat.readers.log import Log
from deadheat.readers.published import Published, disagreements
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "MLflow"

VERSIONS = (
    "eval_results_table.json of mlflow.evaluate (2.4 to 3), and result_df of mlflow.genai.evaluate "
    "(3) as CSV or as a table artifact"
)

QUIRKS = (
    "Columns METRIC/v1/score and SCORER/value are scores where they hold numbers, truths or the "
    "verdicts yes and no; others are left out.",
    "A row whose state is ERROR or that has an error_message, and a scorer with one, is missing.",
    "Rows have no ids. The item is the request or the inputs where they differ, and else the "
    "number of the row, which is said. A trace_id is of one run alone and tells no items.",
    "In RUN/artifacts/ the system is the name of the run, as its tags say, or its id; elsewhere "
    "the file names it.",
    "The means among the metrics of the run are held against the table.",
)

_SCORE = re.compile(r"(.+/v\d+)/score$|(.+)/value$")
_ASKED = ("inputs", "request", "input", "question", "questions", "prompt", "query")
_TRACES = frozenset({"trace_id", "request_id", "trace", "request", "state", "assessments"})
_LARGEST_BESIDE = 1 << 16


def recognises(path: str, head: bytes) -> bool:
    """Whether a table names a metric with its version, or a trace and the value of a scorer."""
    return _is_evaluation(split_form.header(head) or csv_logs.header(head))


def _is_evaluation(names: frozenset[str]) -> bool:
    found = [match for match in map(_SCORE.match, names) if match]
    versioned = any(match[1] for match in found)
    return versioned or (bool(found) and bool(names & _TRACES))


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each evaluated input.

    Raises
    ------
    FormatError
        If the file is no table.
    NoAnswersError
        If no column holds scores.
    """
    cells, rows = _cells(log)
    n = len(next(iter(cells.values()), ()))
    failed = [_failed({name: column[row] for name, column in cells.items()}) for row in range(n)]
    named = [name for name in cells if _SCORE.match(name)]
    values: list[dict[str, object]] = [
        {
            name: None if failed[row] or _judge_failed(cells, name, row) else cells[name][row]
            for name in named
        }
        for row in range(n)
    ]
    scores, left_out = score_columns(values, words=True)
    if not scores:
        raise NoAnswersError(
            "no column of a metric or a scorer holds scores.",
            where=log.path,
            fix=f"Columns are: {', '.join([*cells][:12])}.",
        )
    asked = next((cells[name] for name in _ASKED if name in cells), [None] * n)
    columns, roles, by_order = by_question(asked, log.path)
    run = _run(log.path)
    if run is not None:
        columns["system"] = constant(_name(run), n)
        roles["system"] = "system"
    for name in ("outputs", "response", "ground_truth", "targets"):
        if any(isinstance(value, str) for value in cells.get(name, ())):
            columns[name] = texts(cells[name])
    columns |= scores
    lacking = sum(v.null_count() for v in scores.values())
    return Table(
        columns=columns,
        height=n,
        rows=rows,
        source=log.source("mlflow"),
        roles=roles,
        scores=tuple(scores),
        about={"": stated(mlflow_run=run.name) if run is not None else {}},
        notes=(
            *by_order,
            *disagreements(log.path, columns, roles, _published(run, scores)),
            *no_scores_of_items(left_out, "Columns of MLflow"),
            *unscored(log.path, lacking, "cells are of rows or scorers that failed"),
        ),
    )


def _cells(log: Log) -> tuple[dict[str, list[object]], Rows]:
    """Return the columns of a table in either form, and how its rows are called."""
    if not split_form.header(log.head):
        table = csv_logs.read(log)
        return {name: [*csv_logs.values(table, name)] for name in table.columns}, table.rows
    return split_form.read(log, "a table of MLflow"), Rows(word="row")


def _failed(row: Mapping[str, object]) -> bool:
    return row.get("state") in ("ERROR", "TraceState.ERROR") or bool(row.get("error_message"))


def _judge_failed(cells: Mapping[str, Sequence[object]], name: str, row: int) -> bool:
    errors = cells.get(f"{name.removesuffix('/value')}/error_message")
    return name.endswith("/value") and errors is not None and bool(errors[row])


def _run(path: str) -> Path | None:
    """Return the folder of the run that a table is an artifact of."""
    for folder in Path(os.path.abspath(path)).parents:
        if folder.name == "artifacts":
            return folder.parent
    return None


def _name(run: Path) -> str:
    return (_beside(run / "tags" / "mlflow.runName") or run.name).strip()


def _beside(path: Path) -> str | None:
    """Return a small text file of a run, where there is one."""
    try:
        if path.stat().st_size > _LARGEST_BESIDE:
            return None
        return path.read_text(encoding="utf-8") or None
    except (OSError, UnicodeDecodeError):
        return None


def _published(run: Path | None, columns: Mapping[str, pl.Series]) -> list[Published]:
    """Return the means that the run logged last: lines of a time, a value and a step."""
    found = []
    for name in columns if run is not None else ():
        match = _SCORE.match(name)
        assert match is not None
        assert run is not None
        text = _beside(run / "metrics" / f"{match[1] or match[2]}/mean")
        fields = text.strip().rpartition("\n")[2].split() if text else []
        value = score(fields[1]) if len(fields) > 1 else None
        if value is not None:
            found.append(Published(score=name, value=value, exact=True))
    return found
