"""LiveCodeBench: a row for each graded sample of a problem."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import msgspec
import polars as pl

from deadheat.evaluation import Rows
from deadheat.readers.log import Log
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "LiveCodeBench"
VERSIONS = "submissions of 2024 (code generation); other scenarios by its source of 2025"
QUIRKS = (
    "The system is the folder of the file, since the name of the file says the scenario, the "
    "number of samples and the temperature; the outputs of a custom evaluation are called by file.",
    "Several graded samples of a problem are its runs.",
    "The scenario is the task. Items of code execution are its samples, items of test output "
    "prediction the tests of a problem: --cluster question_id takes problems as clusters.",
    "contest_id is kept as a column: problems of one contest can be given as clusters.",
    "_eval.json holds aggregates alone, and the file of outputs no grades: both are refused.",
)

_LOOK = 1 << 20
_PROBLEM = (b'"question_id"', b'"contest_id"', b'"contest_date"')
_DONE = (b'"graded_list"', b'"output_list"')
_AGGREGATE = re.compile(rb'\s*\[\s*\{\s*"pass@1"\s*:\s*[\d.eE+-]+\s*,')
_NAME = re.compile(
    r"(?:Scenario\.)?(?P<scenario>[a-z]+)_(?P<n>\d+)_(?P<temperature>\d+(?:\.\d+)?)(?:_cot)?"
    r"(?:_eval_all)?$"
)
_CUSTOM = re.compile(r"(?P<system>.+)_(?P<scenario>[a-z]+)_output_eval_all$")
_COLUMNS = ("question_id", "contest_id", "contest_date", "platform", "difficulty")


class _Problem(msgspec.Struct):
    question_id: str
    graded_list: list[bool] | None = None
    test_id: int | str | None = None
    id: str | None = None
    contest_id: str | None = None
    contest_date: str | None = None
    platform: str | None = None
    difficulty: str | None = None

    @property
    def item(self) -> str:
        """Name of the item, by what makes it one in each scenario."""
        if self.id is not None:
            return self.id
        return self.question_id if self.test_id is None else f"{self.question_id}/{self.test_id}"

    @property
    def scenario(self) -> str:
        """What was done, as far as the fields of a problem say."""
        if self.id is not None:
            return "codeexecution"
        return "codegeneration" if self.test_id is None else "testoutputprediction"


def recognises(path: str, head: bytes) -> bool:
    """Whether the head is of problems with outputs or grades, or of aggregates over them."""
    look = head[:_LOOK].lstrip()
    if not look.startswith(b"["):
        return False
    if all(mark in look for mark in _PROBLEM) and any(mark in look for mark in _DONE):
        return True
    return _AGGREGATE.match(look) is not None and b'"detail"' in look


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each sample.

    Raises
    ------
    NoAnswersError
        If the file holds aggregates, or no grades.
    FormatError
        If it is not of this shape.
    """
    if _AGGREGATE.match(log.head.lstrip()):
        raise NoAnswersError(
            "these are aggregates of LiveCodeBench over all problems.",
            where=log.path,
            fix="Give the file beside it that ends in _eval_all.json.",
        )
    problems = log.document(list[_Problem], "an evaluation of LiveCodeBench")
    graded = [(p, run, grade) for p in problems for run, grade in enumerate(p.graded_list or ())]
    if not graded:
        raise NoAnswersError(
            "no problem has graded samples: 0 rows.",
            where=log.path,
            fix="Run LiveCodeBench with --evaluate, and give the file that ends in _eval_all.json.",
        )
    stem = Path(log.path).name.removesuffix(".json")
    named, custom = _NAME.fullmatch(stem), _CUSTOM.fullmatch(stem)
    system = custom["system"] if custom else log.folder()
    match = named or custom
    scenario = match["scenario"] if match else problems[0].scenario
    columns = {
        "item": pl.Series([p.item for p, _, _ in graded], dtype=pl.String),
        "system": pl.repeat(system, len(graded), dtype=pl.String, eager=True),
        "task": pl.repeat(scenario, len(graded), dtype=pl.String, eager=True),
        "pass@1": pl.Series([grade for _, _, grade in graded], dtype=pl.Boolean),
    }
    for name in _COLUMNS:
        columns[name] = pl.Series([getattr(p, name) for p, _, _ in graded], dtype=pl.String)
    roles = {"item": "item", "system": "system", "task": "task"}
    if any(run for _, run, _ in graded):
        columns["run"] = pl.Series([run + 1 for _, run, _ in graded], dtype=pl.Int64)
        roles["run"] = "run"
    return Table(
        columns=columns,
        height=len(graded),
        rows=Rows(word="sample"),
        source=log.source("livecodebench"),
        roles=roles,
        scores=("pass@1",),
        about={"": {"temperature": named["temperature"], "n_samples": named["n"]}} if named else {},
    )
