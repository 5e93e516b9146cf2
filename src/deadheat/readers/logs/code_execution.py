"""Executed code in JSON lines: a task with pass@k and the outcomes of its completions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows
from deadheat.notes import Note
from deadheat.readers.log import Log
from deadheat.readers.table import Table

TOOL = "Code execution (pass@k by task)"
VERSIONS = "files of the Gemini benchmark of 2023"
QUIRKS = (
    "The item is the task_id of the line; the one inside of output is always 0.",
    "Each completion is a run with its own outcome; pass@k is computed from all of them with "
    "--metric pass@K.",
    "Where the outcomes of the completions do not give the pass@1 of the line, a note says so, and "
    "the outcomes count. Without outcomes pass@1 counts as it is stated.",
    "The system is the name of the file.",
)

_LOOK = 1 << 16
_SCORES = re.compile(rb'"scores"\s*:\s*\{\s*"pass@\d+"\s*:')
_TASK = re.compile(rb'"task_id"\s*:\s*"')


class _Line(msgspec.Struct):
    task_id: str | int
    scores: dict[str, float | None]
    output: Any = None


def recognises(path: str, head: bytes) -> bool:
    """Whether the first line is a task with pass@k among its scores."""
    line = head[:_LOOK].lstrip().partition(b"\n")[0]
    return line.startswith(b"{") and bool(_SCORES.search(line) and _TASK.search(line))


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each completion of a task.

    Raises
    ------
    FormatError
        If a line is of another shape.
    """
    items: list[str] = []
    scores: list[float | None] = []
    runs: list[int] = []
    lines: list[int] = []
    others: dict[str, None] = {}
    odd: list[str] = []
    for number, line in log.records(_Line, "a task with its completions"):
        others |= dict.fromkeys(name for name in line.scores if name != "pass@1")
        stated = line.scores.get("pass@1")
        outcomes: list[float | None] = [*_outcomes(line.output)] or [stated]
        right = [outcome for outcome in outcomes if outcome is not None]
        if stated is not None and abs(sum(right) / max(len(right), 1) - stated) > 1e-6:
            odd.append(str(line.task_id))
        for run, outcome in enumerate(outcomes, start=1):
            items.append(str(line.task_id))
            scores.append(outcome)
            runs.append(run)
            lines.append(number)
    if not items:
        raise FormatError("there are no tasks: 0 rows.", where=log.path)
    columns = {
        "task_id": pl.Series(items, dtype=pl.String),
        "pass@1": pl.Series(scores, dtype=pl.Float64),
    }
    roles = {"item": "task_id"}
    if max(runs) > 1:
        columns["run"] = pl.Series(runs, dtype=pl.Int64)
        roles["run"] = "run"
    notes = []
    if odd:
        message = (
            f"{log.path}: {len(odd):,} tasks state a pass@1 that their completions do not give, "
            f"such as {odd[0]}. The completions were used."
        )
        notes.append(Note(code="published_disagrees", message=message))
    if others:
        message = (
            f"{log.path}: {', '.join(others)} are no outcomes of completions and were left out; "
            "--metric computes them from all completions."
        )
        notes.append(Note(code="not_item_scores", message=message))
    return Table(
        columns=columns,
        height=len(items),
        rows=Rows(word="line", lines=np.array(lines, dtype=np.int64)),
        source=log.source("code_execution"),
        roles=roles,
        scores=("pass@1",),
        about={"": {"model": Path(log.path).stem}},
        notes=tuple(notes),
    )


def _outcomes(output: Any) -> list[float]:
    """Return whether each completion passed, in the order of their ids."""
    found: list[tuple[int, float]] = []
    if not isinstance(output, list):
        return []
    for at, entry in enumerate(output):
        one = entry[1] if isinstance(entry, list) and len(entry) == 2 else entry
        if not isinstance(one, dict) or not isinstance(one.get("passed"), bool):
            return []
        number = one.get("completion_id")
        found.append((number if isinstance(number, int) else at, float(one["passed"])))
    return [passed for _, passed in sorted(found, key=lambda pair: pair[0])]
