"""tau2-bench: a row for each simulation of a task."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec
import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows
from deadheat.notes import Note
from deadheat.readers.log import Log
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "tau2-bench"
VERSIONS = "the layout of 2026, by its source; no real file was tried"
QUIRKS = (
    "The trials of a task are its runs; --metric pass^2 and the like are computed from all of "
    "them. The domain is the task of a log.",
    "Simulations that ended in a failure of the infrastructure, or without a reward, have no "
    "score; tau2-bench leaves the former out as well.",
    "The system is the model of the agent, with its implementation where that is not llm_agent.",
    "Where a folder holds a file for each simulation, results.json has an index of all; the files "
    "by themselves are refused.",
)

_LOOK = 1 << 20
_START = re.compile(
    rb'\s*\{\s*(?:"format_version"\s*:[^,]*,\s*)?"timestamp"\s*:[^,]*,\s*"info"\s*:'
)
_MARKS = (b'"agent_info"', b'"user_info"', b'"environment_info"')
_SIMULATION = re.compile(rb'\s*\{\s*"id"\s*:\s*"[^"]*"\s*,\s*"task_id"\s*:\s*"')
_SIMULATION_MARKS = (b'"termination_reason"', b'"start_time"', b'"end_time"')
_INFRASTRUCTURE = "infrastructure_error"
_USUAL = ("llm_agent", "")


Number = Annotated[int, msgspec.Meta(ge=0, le=1 << 40)]


class _Model(msgspec.Struct):
    implementation: str = ""
    llm: str | None = None
    llm_args: dict[str, object] | None = None


class _Environment(msgspec.Struct):
    domain_name: str | None = None


class _Info(msgspec.Struct):
    agent_info: _Model
    user_info: _Model | None = None
    environment_info: _Environment | None = None
    git_commit: str | None = None
    seed: int | None = None
    max_steps: int | None = None


class _Reward(msgspec.Struct):
    reward: float | None = None


class _Simulation(msgspec.Struct):
    task_id: int | str
    trial: Number | None = None
    reward_info: _Reward | None = None
    reward: float | None = None
    termination_reason: str | None = None
    agent_cost: float | None = None
    duration: float | None = None

    @property
    def score(self) -> float | None:
        """The reward, of a simulation or of its entry in an index."""
        if self.termination_reason == _INFRASTRUCTURE:
            return None
        return self.reward if self.reward_info is None else self.reward_info.reward


class _Results(msgspec.Struct):
    info: _Info
    timestamp: str | None = None
    simulations: list[_Simulation] | None = None
    simulation_index: list[_Simulation] | None = None


def recognises(path: str, head: bytes) -> bool:
    """Whether the head is of results of agents and users, or of one simulation."""
    look = head[:_LOOK]
    if _START.match(look):
        return all(mark in look for mark in _MARKS)
    return bool(_SIMULATION.match(look)) and all(mark in look for mark in _SIMULATION_MARKS)


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each simulation.

    Raises
    ------
    NoAnswersError
        If the file is one simulation.
    FormatError
        If the file is not of this shape, or there are no simulations.
    """
    if not _START.match(log.head):
        raise NoAnswersError(
            "this is one simulation of tau2-bench.",
            where=log.path,
            fix="Give the folder in which results.json lies, or that file.",
        )
    found = log.document(_Results, "results of tau2-bench")
    simulations = found.simulations or found.simulation_index or []
    if not simulations:
        raise FormatError("there are no simulations: 0 rows.", where=log.path)
    agent = found.info.agent_info
    system = agent.llm or log.folder()
    if agent.implementation not in _USUAL:
        system = f"{system} ({agent.implementation})"
    n = len(simulations)
    columns = {
        "task_id": pl.Series([str(s.task_id) for s in simulations], dtype=pl.String),
        "system": pl.repeat(system, n, dtype=pl.String, eager=True),
        "reward": pl.Series([s.score for s in simulations], dtype=pl.Float64),
        "agent_cost": pl.Series([s.agent_cost for s in simulations], dtype=pl.Float64),
        "duration": pl.Series([s.duration for s in simulations], dtype=pl.Float64),
        "termination": pl.Series([s.termination_reason for s in simulations], dtype=pl.String),
    }
    roles = {"item": "task_id", "system": "system"}
    if all(s.trial is not None for s in simulations):
        columns["trial"] = pl.Series([s.trial for s in simulations], dtype=pl.Int64)
        roles["run"] = "trial"
    environment = found.info.environment_info
    if environment is not None and environment.domain_name:
        columns["domain"] = pl.repeat(environment.domain_name, n, dtype=pl.String, eager=True)
        roles["task"] = "domain"
    unscored = columns["reward"].null_count()
    message = (
        f"{log.path}: {unscored:,} of {n:,} simulations ended in a failure of the infrastructure, "
        "or have no reward, and have no score."
    )
    return Table(
        columns=columns,
        height=n,
        rows=Rows(word="simulation"),
        source=log.source("tau2_bench"),
        roles=roles,
        scores=("reward",),
        about={"": _about(found)},
        notes=(Note(code="unscored_samples", message=message),) if unscored else (),
    )


def _about(found: _Results) -> Mapping[str, str]:
    info = found.info
    arguments = info.agent_info.llm_args or {}
    stated = {
        "model": info.agent_info.llm,
        "version": info.git_commit,
        "date": found.timestamp,
        "temperature": arguments.get("temperature"),
        "seed": info.seed,
        "user_model": info.user_info.llm if info.user_info else None,
        "max_steps": info.max_steps,
    }
    return {key: str(value) for key, value in stated.items() if value is not None}
