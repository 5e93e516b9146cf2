"""promptfoo: all prompts and providers in one file of results."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec
import polars as pl

from deadheat.evaluation import Rows
from deadheat.readers.assembly import (
    Whole,
    fingerprint,
    no_scores_of_items,
    occurrences,
    score,
    score_columns,
    stated,
    unpacked,
    unscored,
)
from deadheat.readers.log import Log
from deadheat.readers.published import Published, disagreements
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "promptfoo"

VERSIONS = "results of versions 2 and 3 (2024 to 2026), as .json and as .jsonl"

QUIRKS = (
    "One file holds all systems. A system is a provider, by its label or else its id; where a "
    "provider answered several prompts, PROVIDER prompt LABEL.",
    "success says whether every assertion passed and is the score used; score is the mean over "
    "assertions, those of latency and cost among them; both and namedScores may be compared.",
    "A row that failed by an error (failureReason 2, or before there was one an error without a "
    "grading) is missing, where promptfoo counts it apart.",
    "--repeat gives every repeat a testIdx of its own: tests of the same variables, assertions, "
    "description and options are repeats of one item, and its runs.",
    "A hash of the variables is compared where results stand in several files.",
    "The CSV that promptfoo writes holds no scores and is not read.",
)

_LOOK = 1 << 16
_VERSION = re.compile(rb'"version"\s*:\s*\d')
_EVAL = (b'"evalId"', b'"results"')
_ROW = (b'"promptIdx"', b'"testIdx"', b'"namedScores"', b'"latencyMs"')
_TEST = ("vars", "assert", "description", "options")
_FAILED = 2


class _Result(msgspec.Struct, rename="camel"):
    test_idx: Whole | None = None
    prompt_idx: int | None = None
    success: bool | None = None
    score: Any = None
    failure_reason: int | None = None
    named_scores: dict[str, Any] | None = None
    provider: dict[str, Any] | str | None = None
    prompt: dict[str, Any] | str | None = None
    cost: Any = None
    latency_ms: Any = None
    error: Any = None
    grading_result: msgspec.Raw = msgspec.Raw(b"null")
    test_case: msgspec.Raw = msgspec.Raw(b"null")
    vars: msgspec.Raw = msgspec.Raw(b"null")

    @property
    def failed(self) -> bool:
        """Whether it ended in an error, and not in an assertion that did not hold."""
        if self.failure_reason is not None:
            return self.failure_reason == _FAILED
        return bool(self.error) and not self.success and bytes(self.grading_result) == b"null"


class _Metrics(msgspec.Struct, rename="camel"):
    score: float | None = None
    test_pass_count: Whole = 0
    test_fail_count: Whole = 0


class _Prompt(msgspec.Struct):
    metrics: _Metrics | None = None


class _Results(msgspec.Struct):
    results: list[_Result] = []
    prompts: list[_Prompt] = []
    timestamp: str | None = None


class _Eval(msgspec.Struct):
    results: _Results
    metadata: dict[str, Any] | None = None


def recognises(path: str, head: bytes) -> bool:
    """Whether a document has an evaluation of prompts, or the first line a result of one."""
    look = head[:_LOOK]
    if not look.lstrip().startswith(b"{"):
        return False
    if all(mark in look for mark in _EVAL):
        return _VERSION.search(look) is not None
    return all(mark in head.lstrip().partition(b"\n")[0] for mark in _ROW)


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each test, prompt and provider.

    Raises
    ------
    FormatError
        If the file is broken.
    NoAnswersError
        If there is no result.
    """
    found = _document(log)
    rows = found.results.results
    if not rows:
        raise NoAnswersError(
            "there are no results of tests: 0 rows.",
            where=log.path,
            fix="Write them with promptfoo eval --output results.json.",
        )
    systems = _systems(rows)
    items, runs, asked = _items(rows, systems, log.path)
    failed = [row.failed for row in rows]
    scores, left_out = score_columns([_values(row) for row in rows])
    columns = {
        "testIdx": pl.Series(items, dtype=pl.Int64),
        "system": pl.Series(systems, dtype=pl.String),
        "hash": pl.Series(asked, dtype=pl.String),
        **scores,
        "cost of a call": pl.Series([score(row.cost) for row in rows], dtype=pl.Float64),
        "latency in ms": pl.Series([score(row.latency_ms) for row in rows], dtype=pl.Float64),
    }
    roles = {"item": "testIdx", "system": "system", "hash": "hash"}
    if max(runs) > 1:
        columns["run"] = pl.Series(runs, dtype=pl.Int64)
        roles["run"] = "run"
    about = stated(
        version=(found.metadata or {}).get("promptfooVersion"), date=found.results.timestamp
    )
    return Table(
        columns=columns,
        height=len(rows),
        rows=Rows(word="result"),
        source=log.source("promptfoo"),
        roles=roles,
        scores=tuple(scores),
        about={"": about},
        notes=(
            *disagreements(log.path, columns, roles, _published(found, rows, systems)),
            *no_scores_of_items(left_out, "namedScores"),
            *unscored(log.path, sum(failed), "results ended in an error"),
        ),
    )


def _document(log: Log) -> _Eval:
    if b'"evalId"' in log.head[:_LOOK] and _VERSION.search(log.head[:_LOOK]):
        return log.document(_Eval, "results of promptfoo")
    lines = log.records(_Result, "a result of promptfoo")
    return _Eval(results=_Results(results=[row for _, row in lines]))


def _values(row: _Result) -> dict[str, object]:
    """Return the scores of a row; a named one that is called as the others are is told apart."""
    if row.failed:
        return {"success": None, "score": None}
    return {"success": row.success, "score": row.score} | {
        f"namedScores.{name}" if name in ("success", "score") else name: value
        for name, value in (row.named_scores or {}).items()
    }


def _systems(rows: Sequence[_Result]) -> list[str]:
    """Name the system of each row; two columns of prompts never have one name."""
    columns = {(row.prompt_idx, _provider(row)): _label(row) for row in rows}
    providers = [provider for _, provider in columns]
    names: dict[tuple[int | None, str], str] = {}
    for (number, provider), label in columns.items():
        name = provider if providers.count(provider) == 1 else f"{provider} prompt {label}"
        taken = name in names.values()
        names[number, provider] = f"{provider} prompt {number}" if taken else name
    return [names[row.prompt_idx, _provider(row)] for row in rows]


def _provider(row: _Result) -> str:
    given = row.provider
    if isinstance(given, dict):
        return str(given.get("label") or given.get("id") or "provider")
    return given or "provider"


def _label(row: _Result) -> str:
    """Return the label of a prompt where it is one, and not the whole prompt; else its number."""
    label = row.prompt.get("label") if isinstance(row.prompt, dict) else row.prompt
    return str(row.prompt_idx if not label or len(str(label)) > 40 else label)


def _items(
    rows: Sequence[_Result], systems: Sequence[str], path: str
) -> tuple[list[int], list[int], list[str | None]]:
    """Return the item of each row, its run of it, and the hash of the variables.

    Tests that are the same but for their numbers are runs of one item, which has the number of
    the first. Where tests have no numbers, items are counted as they come.
    """
    keys: list[str] = []
    asked: list[str | None] = []
    for row in rows:
        test = unpacked(row.test_case, path)
        own = unpacked(row.vars, path)
        known = {name: test.get(name) for name in _TEST} if isinstance(test, dict) else {}
        variables = own if known.get("vars") is None else known["vars"]
        said = {**known, "vars": variables}
        keys.append(fingerprint(said, path) if any(said.values()) else f"test {row.test_idx}")
        asked.append(None if variables is None else fingerprint(variables, path))
    numbers = [row.test_idx for row in rows if row.test_idx is not None]
    if len(numbers) < len(rows):
        order = {key: at for at, key in enumerate(dict.fromkeys(keys))}
        again = occurrences(zip(systems, keys, strict=True))
        return [order[key] for key in keys], again, asked
    same: dict[str, set[int]] = {}
    for key, number in zip(keys, numbers, strict=True):
        same.setdefault(key, set()).add(number)
    ordered = {key: sorted(found) for key, found in same.items()}
    items = [ordered[key][0] for key in keys]
    runs = [ordered[key].index(n) + 1 for key, n in zip(keys, numbers, strict=True)]
    return items, runs, asked


def _published(found: _Eval, rows: Sequence[_Result], systems: Sequence[str]) -> list[Published]:
    """Return the share of passes and the mean score that stand beside each prompt."""
    names = {row.prompt_idx: system for row, system in zip(rows, systems, strict=True)}
    claims = []
    for number, prompt in enumerate(found.results.prompts):
        metrics = prompt.metrics
        if metrics is None or number not in names:
            continue
        n = metrics.test_pass_count + metrics.test_fail_count
        if n:
            passes = metrics.test_pass_count / n
            claims.append(
                Published(score="success", value=passes, system=names[number], exact=True)
            )
        if n and metrics.score is not None:
            mean = metrics.score / n
            claims.append(Published(score="score", value=mean, system=names[number], exact=True))
    return claims
