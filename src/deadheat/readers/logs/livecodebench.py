"""LiveCodeBench: code generation, a row for each graded sample of a problem."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
import polars as pl

from deadheat.evaluation import Rows
from deadheat.readers.log import Log
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "LiveCodeBench"
VERSIONS = "evaluations of 2024 and 2025 (_eval_all.json)"
QUIRKS = (
    "The system is the folder of the file, since the name of the file says the scenario.",
    "Several graded samples of a problem are its runs.",
    "contest_id is kept as a column: problems of one contest can be given as clusters.",
    "_eval.json holds aggregates only and is refused.",
)

_LOOK = 1 << 16
_NAME = re.compile(r"_(\d+)_([\d.]+)_eval_all\.json$")


class _Problem(msgspec.Struct):
    question_id: str
    graded_list: list[bool]
    contest_id: str | None = None
    contest_date: str | None = None
    platform: str | None = None
    difficulty: str | None = None


def recognises(path: str, head: bytes) -> bool:
    """Whether the head is of problems with lists of grades, or of their aggregates."""
    look = head[:_LOOK].lstrip()
    if look.startswith(b"["):
        return all(mark in look for mark in (b'"question_id"', b'"graded_list"', b'"contest_id"'))
    return False


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each sample.

    Raises
    ------
    FormatError
        If the file is not of this shape, or holds no sample.
    """
    problems = log.document(list[_Problem], "an evaluation of LiveCodeBench")
    graded = [(problem, run) for problem in problems for run in range(len(problem.graded_list))]
    if not graded:
        raise NoAnswersError("no problem has graded samples: 0 rows.", where=log.path)
    system = log.folder()
    columns = {
        "question_id": pl.Series([p.question_id for p, _ in graded], dtype=pl.String),
        "system": pl.repeat(system, len(graded), dtype=pl.String, eager=True),
        "correct": pl.Series([p.graded_list[run] for p, run in graded], dtype=pl.Boolean),
    }
    for name in ("contest_id", "contest_date", "platform", "difficulty"):
        columns[name] = pl.Series([getattr(p, name) for p, _ in graded], dtype=pl.String)
    roles = {"item": "question_id", "system": "system"}
    if max(run for _, run in graded):
        columns["run"] = pl.Series([run + 1 for _, run in graded], dtype=pl.Int64)
        roles["run"] = "run"
    about = {}
    if named := _NAME.search(log.path):
        about = {"n_samples": named[1], "temperature": named[2]}
    return Table(
        columns=columns,
        height=len(graded),
        rows=Rows(word="sample"),
        source=log.source("livecodebench"),
        roles=roles,
        scores=("correct",),
        about={"": about},
    )
