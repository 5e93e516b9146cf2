"""tau-bench: a row for each trial of a task."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows
from deadheat.notes import Note
from deadheat.readers.log import Log
from deadheat.readers.table import Table

TOOL = "tau-bench"
VERSIONS = "historical trajectories of 2024; results by its source of 2026"
QUIRKS = (
    "The trials of a task are its runs; --metric pass^2 and the like are computed from all of "
    "them.",
    "A trial that broke off with an error has no score; tau-bench itself counts it 0, as --missing "
    "wrong does.",
    "The system is the name of the file up to its range of tasks: strategy, model, temperature.",
    "Tasks are numbers, which mean other tasks in another domain: the name of the file does not "
    "say which one it is.",
)

_LOOK = 1 << 18
_START = re.compile(
    rb'\s*\[\s*\{\s*"task_id"\s*:\s*(?:\d+|"[^"]*")\s*,\s*"reward"\s*:\s*[^,{}"]+,\s*"info"\s*:\s*\{'
)
_MARKS = (b'"traj"', b'"trial"', b'"reward_info"', b'"user_cost"', b'"traceback"')
_NAME = re.compile(
    r"(?P<system>(?P<strategy>tool-calling|act|react|few-shot)-(?P<model>.+)"
    r"-(?P<temperature>\d+(?:\.\d+)?))_range_-?\d+--?\d+_user-(?P<user>.+?)"
    r"(?:-(?:human|llm|react|verify|reflection))?(?:_\d+)?$"
)


Number = Annotated[int, msgspec.Meta(ge=0, le=1 << 40)]


class _Info(msgspec.Struct):
    user_cost: float | None = None
    error: Any = None


class _Trial(msgspec.Struct):
    task_id: Number | str
    reward: float | None = None
    trial: Number = 0
    info: _Info | None = None

    @property
    def failed(self) -> bool:
        """Whether the trial broke off."""
        return self.info is not None and self.info.error is not None and not self.reward


def recognises(path: str, head: bytes) -> bool:
    """Whether the head is of a list of trials with rewards of simulated users."""
    look = head[:_LOOK]
    return _START.match(look) is not None and any(mark in look for mark in _MARKS)


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each trial; one that broke off has no score.

    Raises
    ------
    FormatError
        If the file is not of this shape, or there are no trials.
    """
    trials = log.document(list[_Trial], "trials of tau-bench")
    if not trials:
        raise FormatError("there are no trials: 0 rows.", where=log.path)
    stem = Path(log.path).stem
    named = _NAME.fullmatch(stem)
    items = [trial.task_id for trial in trials]
    texts = any(isinstance(item, str) for item in items)
    costs = [None if trial.info is None else trial.info.user_cost for trial in trials]
    columns = {
        "task_id": pl.Series([*map(str, items)] if texts else items),
        "system": pl.repeat(
            named["system"] if named else stem, len(trials), dtype=pl.String, eager=True
        ),
        "trial": pl.Series([trial.trial for trial in trials], dtype=pl.Int64),
        "reward": pl.Series([None if t.failed else t.reward for t in trials], dtype=pl.Float64),
        "user_cost": pl.Series(costs, dtype=pl.Float64),
    }
    failed = sum(trial.failed for trial in trials)
    notes: tuple[Note, ...] = ()
    if failed:
        message = (
            f"{log.path}: {failed:,} of {len(trials):,} trials broke off with an error and have no "
            "score; tau-bench counts them 0, as --missing wrong does."
        )
        notes = (Note(code="unscored_samples", message=message),)
    about = (
        {}
        if named is None
        else {
            "model": named["model"],
            "temperature": named["temperature"],
            "agent": named["strategy"],
            "user_model": named["user"],
        }
    )
    return Table(
        columns=columns,
        height=len(trials),
        rows=Rows(word="trial"),
        source=log.source("tau_bench"),
        roles={"item": "task_id", "system": "system", "run": "trial"},
        scores=("reward",),
        about={"": about} if about else {},
        notes=notes,
    )
