"""Aider's benchmark: one file of results for each exercise."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

import msgspec
import polars as pl

from deadheat.errors import DeadheatError
from deadheat.evaluation import Rows
from deadheat.notes import Note
from deadheat.readers.log import Log
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "Aider"
VERSIONS = "the layout of 2023 to 2026, by its source; no real file was tried"
QUIRKS = (
    "Each exercise has a hidden file of its own; a folder of them is one system. Other files of "
    "the exercises are passed over.",
    "The system is the model with its edit format, its effort of reasoning and its tokens for "
    "thinking: runs of other settings are other systems.",
    "An exercise is solved when the last of its tries is (the score solved); solved_first says "
    "whether the first one was.",
    "An exercise that broke off with an exception, or without any outcome of tests, has no score; "
    "Aider itself counts it as not solved: --missing wrong does so.",
)

_LOOK = 1 << 14
_NAME = ".aider.results.json"
_EXCEPTION = re.compile(rb'\s*\{\s*"exception"\s*:\s*"')
_LANGUAGE = re.compile(r"(?:^|[/\\])([^/\\]+)[/\\]exercises[/\\]practice[/\\]([^/\\]+)")
_MOST_BESIDE = 200


class _Result(msgspec.Struct):
    testcase: str | None = None
    tests_outcomes: list[bool | None] | None = None
    testdir: str | None = None
    model: str | None = None
    edit_format: str | None = None
    commit_hash: str | None = None
    reasoning_effort: str | float | None = None
    thinking_tokens: str | float | None = None
    cost: float | None = None
    duration: float | None = None
    prompt_tokens: float | None = None
    completion_tokens: float | None = None
    exception: str | None = None

    @property
    def system(self) -> str:
        """Model and settings, as far as they are stated."""
        more = [self.edit_format, self.reasoning_effort, self.thinking_tokens]
        stated = ", ".join(str(value) for value in more if value is not None)
        return f"{self.model} ({stated})" if stated else str(self.model)


def recognises(path: str, head: bytes) -> bool:
    """Whether a document is the result of one exercise, or what broke it off."""
    look = head[:_LOOK]
    if Path(path).name == _NAME and _EXCEPTION.match(look):
        return True
    marks = (b'"testcase"', b'"tests_outcomes"', b'"edit_format"')
    return look.lstrip().startswith(b"{") and all(mark in look for mark in marks)


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read the one row of an exercise.

    Raises
    ------
    NoAnswersError
        If it broke off and no other exercise of its folder says which system it was.
    FormatError
        If the document is broken.
    """
    found = log.document(_Result, "a result of Aider")
    outcomes = [outcome for outcome in found.tests_outcomes or () if outcome is not None]
    place = _LANGUAGE.search(found.testdir or "") or _LANGUAGE.search(os.path.abspath(log.path))
    exercise = found.testcase or log.folder()
    item = f"{place[1]}/{exercise}" if place else exercise
    known = found if found.model is not None else _beside(log)
    columns = {
        "testcase": pl.Series([item], dtype=pl.String),
        "system": pl.Series([known.system], dtype=pl.String),
        "solved": pl.Series([outcomes[-1] if outcomes else None], dtype=pl.Boolean),
        "solved_first": pl.Series([outcomes[0] if outcomes else None], dtype=pl.Boolean),
    }
    for name in ("cost", "duration", "prompt_tokens", "completion_tokens"):
        columns[name] = pl.Series([getattr(found, name)], dtype=pl.Float64)
    stated = {
        "model": known.model,
        "version": known.commit_hash,
        "edit_format": known.edit_format,
        "reasoning_effort": known.reasoning_effort,
        "thinking_tokens": known.thinking_tokens,
    }
    notes: tuple[Note, ...] = ()
    if not outcomes:
        message = (
            "Exercises that broke off, or have no outcome of tests, have no score; Aider counts "
            "them as not solved, as --missing wrong does."
        )
        notes = (Note(code="unscored_samples", message=message),)
    return Table(
        columns=columns,
        height=1,
        rows=Rows(word="exercise"),
        source=log.source("aider"),
        roles={"item": "testcase", "system": "system"},
        scores=("solved", "solved_first"),
        about={"": {key: str(value) for key, value in stated.items() if value is not None}},
        notes=notes,
    )


def _beside(log: Log) -> _Result:
    """Return the result of another exercise of the run, which says what the system is."""
    folder = Path(os.path.abspath(log.path)).parents[1]
    for other in sorted(folder.iterdir())[:_MOST_BESIDE]:
        path = other / _NAME
        try:
            found = Log(path=str(path), head=b"").document(_Result, "a result of Aider")
        except DeadheatError:
            continue
        if found.model is not None:
            return found
    raise NoAnswersError(
        "the exercise broke off, and no other one of its folder says which system it was.",
        where=log.path,
        fix="Run the exercise again.",
    )
