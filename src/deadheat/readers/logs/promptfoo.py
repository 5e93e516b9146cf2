"""promptfoo: all prompts and providers in one file of results."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec
import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows
from deadheat.notes import Note
from deadheat.readers.log import Log
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "promptfoo"
VERSIONS = "results of version 3 (2024 and 2025)"
QUIRKS = (
    "A system is a provider, and a prompt where there are several.",
    "success says whether every assertion passed and is the score used; score is the mean over "
    "assertions, those of latency and cost among them, and may be compared instead.",
    "A row that failed by an error (failureReason 2) has no score.",
    "Repeats of a test are its runs.",
)

_LOOK = 1 << 20
_VERSION = re.compile(rb'"version"\s*:\s*\d')


class _Result(msgspec.Struct):
    testIdx: int | None = None  # noqa: N815 - as on disk
    promptIdx: int | None = None  # noqa: N815
    success: bool | None = None
    score: float | None = None
    failureReason: int | None = None  # noqa: N815
    namedScores: dict[str, float | None] | None = None  # noqa: N815
    provider: dict[str, Any] | str | None = None
    prompt: dict[str, Any] | None = None
    cost: float | None = None
    latencyMs: float | None = None  # noqa: N815
    repeatIndex: int | None = None  # noqa: N815


class _Results(msgspec.Struct):
    results: list[_Result] | None = None
    version: int | None = None
    timestamp: str | None = None


class _Eval(msgspec.Struct):
    results: _Results
    metadata: dict[str, Any] | None = None


def recognises(path: str, head: bytes) -> bool:
    """Whether a document has an evaluation of prompts."""
    look = head[:_LOOK]
    return (
        look.lstrip().startswith(b"{")
        and b'"evalId"' in look
        and b'"results"' in look
        and _VERSION.search(look) is not None
    )


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each test, prompt and provider.

    Raises
    ------
    FormatError
        If a row does not say its test.
    """
    found = log.document(_Eval, "results of promptfoo")
    rows = found.results.results or []
    if not rows:
        raise NoAnswersError(
            "there are no results of tests: 0 rows.",
            where=log.path,
            fix="Write them with promptfoo eval --output results.json.",
        )
    for row in rows:
        if row.testIdx is None:
            raise FormatError("a row says no testIdx.", where=log.path, fix="Export again.")
    failed = [row.failureReason == 2 for row in rows]
    several = len({row.promptIdx for row in rows}) > len({_provider(row) for row in rows})
    systems = [
        f"{_provider(row)} prompt {_prompt(row)}" if several else _provider(row) for row in rows
    ]
    names = [*dict.fromkeys(name for row in rows for name in row.namedScores or {})]
    columns = {
        "testIdx": pl.Series([row.testIdx for row in rows], dtype=pl.Int64),
        "system": pl.Series(systems, dtype=pl.String),
        "success": pl.Series(
            [None if f else row.success for row, f in zip(rows, failed, strict=True)],
            dtype=pl.Boolean,
        ),
        "score": pl.Series(
            [None if f else row.score for row, f in zip(rows, failed, strict=True)],
            dtype=pl.Float64,
        ),
        "cost": pl.Series([row.cost for row in rows], dtype=pl.Float64),
        "latencyMs": pl.Series([row.latencyMs for row in rows], dtype=pl.Float64),
    }
    for name in names:
        if name not in columns:
            values = [(row.namedScores or {}).get(name) for row in rows]
            columns[name] = pl.Series(name, values, dtype=pl.Float64)
    roles = {"item": "testIdx", "system": "system"}
    keys = list(zip(systems, columns["testIdx"].to_list(), strict=True))
    if len(set(keys)) < len(keys):
        columns["run"] = pl.Series(_runs(keys), dtype=pl.Int64)
        roles["run"] = "run"
    version = (found.metadata or {}).get("promptfooVersion")
    about = {"version": version, "date": found.results.timestamp}
    notes: tuple[Note, ...] = ()
    if any(failed):
        message = f"{log.path}: {sum(failed):,} rows ended in an error and have no score."
        notes = (Note(code="unscored_samples", message=message),)
    return Table(
        columns=columns,
        height=len(rows),
        rows=Rows(word="result"),
        source=log.source("promptfoo"),
        roles=roles,
        scores=("success", "score", *(n for n in names if n not in ("success", "score"))),
        about={"": {key: str(value) for key, value in about.items() if value is not None}},
        notes=notes,
    )


def _provider(row: _Result) -> str:
    given = row.provider
    if isinstance(given, dict):
        return str(given.get("label") or given.get("id") or "unknown")
    return given or "unknown"


def _prompt(row: _Result) -> str:
    label = (row.prompt or {}).get("label")
    return str(row.promptIdx if not label or len(str(label)) > 40 else label)


def _runs(keys: Sequence[object]) -> list[int]:
    seen: dict[object, int] = {}
    found = []
    for key in keys:
        seen[key] = seen.get(key, 0) + 1
        found.append(seen[key])
    return found
