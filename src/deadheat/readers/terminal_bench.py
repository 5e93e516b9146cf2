"""Terminal-Bench results: a trial a row, of one system, in one run or in several."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows, Source
from deadheat.notes import Note
from deadheat.readers.content import Content
from deadheat.readers.documents import decoded, one_document
from deadheat.readers.table import Table

BY_LINES = False

TOOL = "Terminal-Bench"

VERSIONS = "results.json of terminal-bench-core 0.1.1, 2025"

QUIRKS = (
    "A file is a run, or holds several trials of each task, which are its runs.",
    "is_resolved of null is no score; the accuracy of the file counts it as wrong: --missing wrong "
    "does too.",
    "The accuracy that the file states is held against its trials.",
    "A folder around folders of systems is read as these systems.",
)

_LOOK = 1 << 16
_RESULTS = re.compile(rb'"results"\s*:\s*\[')
_TRIAL = re.compile(r"\.(\d+)-of-\d+(?:\.|$)")


class _Trial(msgspec.Struct):
    task_id: str
    trial_name: str | None = None
    is_resolved: bool | None = None
    failure_mode: str | None = None
    total_input_tokens: float | None = None
    total_output_tokens: float | None = None


class _Results(msgspec.Struct):
    results: list[_Trial]
    accuracy: float | None = None


def recognises(path: str, head: bytes) -> bool:
    """Whether a document has a list of results of tasks that are resolved or not."""
    look = head[:_LOOK]
    return (
        look.lstrip().startswith(b"{")
        and b'"task_id"' in look
        and b'"is_resolved"' in look
        and _RESULTS.search(look) is not None
        and one_document(head)
    )


def read(content: Content, wanted: Sequence[str | int]) -> Table:
    """Read a row for each trial, with a column "run" where a task has several.

    A trial without a result (is_resolved is null: the infrastructure failed) has no score.

    Raises
    ------
    FormatError
        If the document is not of this shape, or has no trials.
    """
    found = decoded(content, _Results, "results of Terminal-Bench")
    trials = found.results
    if not trials:
        raise FormatError("there are no trials: 0 rows.", where=content.path)
    columns = {
        "task_id": pl.Series("task_id", [trial.task_id for trial in trials]),
        "is_resolved": pl.Series("is_resolved", [t.is_resolved for t in trials], dtype=pl.Boolean),
    }
    for name, kind in (
        ("failure_mode", pl.String),
        ("total_input_tokens", pl.Float64),
        ("total_output_tokens", pl.Float64),
    ):
        columns[name] = pl.Series(name, [getattr(t, name) for t in trials], dtype=kind)
    roles = {"item": "task_id", "score": "is_resolved"}
    if columns["task_id"].n_unique() < len(trials):
        columns["run"] = pl.Series("run", _runs(trials), dtype=pl.Int64)
        roles["run"] = "run"
    return Table(
        columns=columns,
        height=len(trials),
        rows=Rows(word="trial"),
        source=Source(path=content.path, sha256=content.sha256, format="json"),
        roles=roles,
        notes=_disagreeing(content, found),
    )


def _runs(trials: Sequence[_Trial]) -> list[int]:
    """Return the number of each trial among those of its task: by its name, or by the order."""
    named = [_TRIAL.search(trial.trial_name or "") for trial in trials]
    numbers = [(trial.task_id, int(m[1])) for trial, m in zip(trials, named, strict=True) if m]
    if len(set(numbers)) == len(trials):
        return [number for _, number in numbers]
    seen: dict[str, int] = {}
    counted = []
    for trial in trials:
        seen[trial.task_id] = seen.get(trial.task_id, 0) + 1
        counted.append(seen[trial.task_id])
    return counted


def _disagreeing(content: Content, found: _Results) -> tuple[Note, ...]:
    """Hold the accuracy that the file states against its trials; it counts failed ones as wrong."""
    right = sum(trial.is_resolved is True for trial in found.results)
    share = right / len(found.results)
    if found.accuracy is None or abs(found.accuracy - share) <= 5e-5:
        return ()
    return (
        Note(
            code="published_disagrees",
            message=f"{content.path} states an accuracy of {found.accuracy:g}, and {right} of its "
            f"{len(found.results)} trials are resolved, which is {share:g}; the trials were used.",
        ),
    )
