"""tau-bench: a row for each trial of a task."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import msgspec
import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows
from deadheat.readers.log import Log
from deadheat.readers.table import Table

TOOL = "tau-bench"
VERSIONS = "historical trajectories of 2024; tau2 simulations are not read"
QUIRKS = (
    "The trials of a task are its runs; pass^k is computed from all of them.",
    "The system is the name of the file.",
)

_LOOK = 1 << 18
_TRIAL = re.compile(rb'"trial"\s*:\s*\d')


class _Info(msgspec.Struct):
    user_cost: float | None = None
    error: str | None = None


class _Trial(msgspec.Struct):
    task_id: int | str
    trial: int
    reward: float | None = None
    info: _Info | None = None


def recognises(path: str, head: bytes) -> bool:
    """Whether the head is of a list of trials with rewards of simulated users."""
    look = head[:_LOOK]
    return (
        look.lstrip().startswith(b"[")
        and all(mark in look for mark in (b'"task_id"', b'"reward"', b'"reward_info"'))
        and (_TRIAL.search(look) is not None or b'"traj"' in look)
    )


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
    rewards = [None if t.info and t.info.error and not t.reward else t.reward for t in trials]
    columns = {
        "task_id": pl.Series([trial.task_id for trial in trials], strict=False),
        "system": pl.repeat(Path(log.path).stem, len(trials), dtype=pl.String, eager=True),
        "run": pl.Series([trial.trial for trial in trials], dtype=pl.Int64),
        "reward": pl.Series(rewards, dtype=pl.Float64),
        "user_cost": pl.Series([t.info.user_cost if t.info else None for t in trials]),
    }
    return Table(
        columns=columns,
        height=len(trials),
        rows=Rows(word="trial"),
        source=log.source("tau_bench"),
        roles={"item": "task_id", "system": "system", "run": "run"},
        scores=("reward",),
    )
