"""EvalPlus: HumanEval+ and MBPP+, a row for each sample of a task."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows
from deadheat.readers.log import Log
from deadheat.readers.published import Published, disagreements
from deadheat.readers.table import Table

TOOL = "EvalPlus"
VERSIONS = "the layouts of 0.1 to 0.3.1, by its source; no real file was tried"
QUIRKS = (
    "The plus score of a sample wants both the base tests and the plus tests to pass.",
    "Several samples of a task are its runs; --metric pass@K is computed from all of them.",
    "HumanEval+ and MBPP+ are tasks of their own.",
    "The system is the model in the name of the file (MODEL_BACKEND_temp_0.0, "
    "humaneval_MODEL_temp_0.0) or of its folder.",
    "Timeouts and failed tests count as wrong, as the tool counts them. Samples without plus tests "
    "(--base_only) have no plus score.",
)

_HEAD = re.compile(rb'\{\s*"date"\s*:\s*"[^"]*"\s*,\s*"hash"\s*:')
_ENDING = re.compile(r"[._-]?eval_results$")
_NAME = re.compile(
    r"(?:(?:humaneval|mbpp)\+?[-_])?(?P<model>.+?)"
    r"(?:_(?:vllm|hf|openai|anthropic|google|bedrock|ollama|gptqmodel))?"
    r"(?:_temp_(?P<temperature>\d+(?:\.\d+)?))?(?:[-_]sanitized)?$",
    re.IGNORECASE,
)
_LOOK = 1 << 16


class _Results(msgspec.Struct):
    eval: dict[str, Any]
    date: str | None = None
    hash: str | None = None
    pass_at_k: dict[str, dict[str, float]] | None = None


def recognises(path: str, head: bytes) -> bool:
    """Whether a document has a date, a hash of the tests and an evaluation."""
    look = head[:_LOOK]
    return bool(_HEAD.match(look.lstrip())) and b'"eval"' in look


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each sample, with the scores "plus" and "base".

    Raises
    ------
    FormatError
        If a task is not of a known shape, or there are no samples.
    """
    found = log.document(_Results, "results of EvalPlus")
    items: list[str] = []
    runs: list[int] = []
    base: list[bool] = []
    plus: list[bool | None] = []
    for task, samples in found.eval.items():
        pairs = _statuses(log, task, samples)
        items += [task] * len(pairs)
        runs += range(1, len(pairs) + 1)
        base += [first for first, _ in pairs]
        plus += [None if second is None else first and second for first, second in pairs]
    if not items:
        raise FormatError("there are no samples: 0 rows.", where=log.path)
    name = _ENDING.sub("", Path(log.path).name.removesuffix(".json")) or log.folder()
    named = _NAME.fullmatch(name)
    columns = {
        "task_id": pl.Series(items, dtype=pl.String),
        "system": pl.repeat(
            named["model"] if named else name, len(items), dtype=pl.String, eager=True
        ),
        "task": pl.Series([item.partition("/")[0] for item in items], dtype=pl.String),
        "plus": pl.Series(plus, dtype=pl.Boolean),
        "base": pl.Series(base, dtype=pl.Boolean),
    }
    roles = {"item": "task_id", "system": "system", "task": "task"}
    samples_each = set(Counter(items).values())
    if samples_each != {1}:
        columns["run"] = pl.Series(runs, dtype=pl.Int64)
        roles["run"] = "run"
    # With as many samples of each task, pass@1 is the mean of all of them.
    stated = [
        Published(score=kind, value=values["pass@1"])
        for kind, values in (found.pass_at_k or {}).items()
        if "pass@1" in values and len(samples_each) == 1
    ]
    about = {
        "date": found.date,
        "task_hash": found.hash,
        "temperature": named["temperature"] if named else None,
    }
    return Table(
        columns=columns,
        height=len(items),
        rows=Rows(word="sample"),
        source=log.source("evalplus"),
        roles=roles,
        scores=("plus", "base") if any(p is not None for p in plus) else ("base",),
        about={"": {key: value for key, value in about.items() if value}},
        notes=disagreements(log.path, columns, roles, stated),
    )


def _statuses(log: Log, task: str, samples: Any) -> list[tuple[bool, bool | None]]:
    """Return whether each sample passes the base tests and the plus tests (None: not run)."""
    try:
        if isinstance(samples, dict):  # 0.1: lists of [status, details], beside each other
            base = [_passed(status[0]) for status in samples["base"]]
            plus = [_passed(status[0]) for status in samples.get("plus") or []]
            both = plus or [None] * len(base)
            return [(bool(b), p) for b, p in zip(base, both, strict=True)]
        return [
            (bool(_passed(one["base_status"])), _passed(one.get("plus_status"))) for one in samples
        ]
    except (KeyError, TypeError, IndexError, ValueError, AttributeError):
        raise FormatError(
            f"task {task!r} has no base_status of every sample.",
            where=log.path,
            fix="Run evalplus.evaluate again.",
        ) from None


def _passed(status: object) -> bool | None:
    return None if status is None else status in ("pass", "success")
