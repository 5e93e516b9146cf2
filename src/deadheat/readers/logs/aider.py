"""Aider's benchmark: one file of results for each exercise."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import msgspec
import polars as pl

from deadheat.evaluation import Rows
from deadheat.notes import Note
from deadheat.readers.log import Log
from deadheat.readers.table import Table

TOOL = "Aider"
VERSIONS = "polyglot benchmark of 2024 and 2025"
QUIRKS = (
    "Each exercise has a hidden file of its own; a folder of them is one system.",
    "An exercise is solved when the last of its tries is (the score solved); solved_first says "
    "whether the first one was.",
    "An exercise without any outcome of tests has no score.",
)

_LOOK = 1 << 14


class _Result(msgspec.Struct):
    testcase: str
    tests_outcomes: list[bool | None] = []
    testdir: str = ""
    model: str | None = None
    edit_format: str | None = None
    commit_hash: str | None = None
    reasoning_effort: str | float | None = None
    cost: float | None = None
    duration: float | None = None


def recognises(path: str, head: bytes) -> bool:
    """Whether a document is the result of one exercise."""
    look = head[:_LOOK]
    marks = (b'"testcase"', b'"tests_outcomes"', b'"edit_format"')
    return look.lstrip().startswith(b"{") and all(mark in look for mark in marks)


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read the one row of an exercise."""
    found = log.document(_Result, "a result of Aider")
    outcomes = [outcome for outcome in found.tests_outcomes if outcome is not None]
    language = _language(found.testdir)
    item = f"{language}/{found.testcase}" if language else found.testcase
    system = found.model or Path(log.path).parent.name
    columns = {
        "testcase": pl.Series([item], dtype=pl.String),
        "system": pl.Series([system], dtype=pl.String),
        "solved": pl.Series([outcomes[-1] if outcomes else None], dtype=pl.Boolean),
        "solved_first": pl.Series([outcomes[0] if outcomes else None], dtype=pl.Boolean),
        "cost": pl.Series([found.cost], dtype=pl.Float64),
        "duration": pl.Series([found.duration], dtype=pl.Float64),
    }
    stated = {
        "model": found.model,
        "version": found.commit_hash,
        "edit_format": found.edit_format,
        "reasoning_effort": found.reasoning_effort,
    }
    notes: tuple[Note, ...] = ()
    if not outcomes:
        message = "Exercises without any outcome of tests have no score."
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


def _language(folder: str) -> str:
    """Return the language of an exercise, which stands before "exercises" in its path."""
    found = re.search(r"([^/\\]+)[/\\]exercises[/\\]practice[/\\]", folder)
    return found[1] if found else ""
