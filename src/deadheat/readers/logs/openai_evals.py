"""OpenAI evals: a header, the events of samples in any order, and a final report."""

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
from deadheat.readers.published import Published, disagreements
from deadheat.readers.table import Table

TOOL = "OpenAI evals"
VERSIONS = "logs of 2023 and 2024"
QUIRKS = (
    "Samples are put together from their events by sample_id, in whatever order these stand.",
    "The score correct is data.correct of events of type match; numbers and truths in events of "
    "type metrics are further scores.",
    "Several match events of one sample are its runs.",
    "A sample with an error event and no score has none.",
)

_HEAD = re.compile(rb'\s*\{\s*"spec"\s*:\s*\{')
_MARKS = (b'"completion_fn', b'"eval_name"', b'"base_eval"')
_LOOK = 1 << 16


class _Line(msgspec.Struct):
    spec: dict[str, Any] | None = None
    final_report: dict[str, Any] | None = None
    sample_id: str | None = None
    type: str | None = None
    data: msgspec.Raw = msgspec.Raw(b"null")


def recognises(path: str, head: bytes) -> bool:
    """Whether the first line is a specification of an eval."""
    look = head[:_LOOK]
    return _HEAD.match(look) is not None and any(mark in look for mark in _MARKS)


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each sample, or for each match event of one.

    Raises
    ------
    FormatError
        If a line is broken, or no event scores a sample.
    """
    spec: dict[str, Any] = {}
    report: dict[str, Any] = {}
    matches: dict[str, list[bool | None]] = {}
    metrics: dict[str, dict[str, float]] = {}
    failed: dict[str, None] = {}
    for _, line in log.records(_Line, "an event of OpenAI evals"):
        if line.spec is not None:
            spec = line.spec
        if line.final_report is not None:
            report = line.final_report
        if line.sample_id is None:
            continue
        if line.type == "match":
            matches.setdefault(line.sample_id, []).append(_field(line.data).get("correct"))
        elif line.type == "metrics":
            found = metrics.setdefault(line.sample_id, {})
            found |= {k: float(v) for k, v in _field(line.data).items() if _is_number(v)}
        elif line.type == "error":
            failed[line.sample_id] = None
    samples = [*dict.fromkeys((*matches, *metrics, *failed))]
    if not matches and not metrics:
        raise FormatError(
            "no event scores a sample (of type match or metrics).",
            where=log.path,
            fix="The log may be cut off: run the eval again.",
        )
    rows = [(sample, run) for sample in samples for run in range(len(matches.get(sample, [0])))]
    items = [sample for sample, _ in rows]
    system = _system(spec)
    columns: dict[str, pl.Series] = {
        "sample_id": pl.Series(items, dtype=pl.String),
        "system": pl.repeat(system, len(items), dtype=pl.String, eager=True),
    }
    roles = {"item": "sample_id", "system": "system"}
    if task := spec.get("base_eval") or spec.get("eval_name"):
        columns["task"] = pl.repeat(str(task), len(items), dtype=pl.String, eager=True)
        roles["task"] = "task"
    if matches:
        right = [matches[sample][run] if sample in matches else None for sample, run in rows]
        columns["correct"] = pl.Series(right, dtype=pl.Boolean)
    names = [*dict.fromkeys(name for found in metrics.values() for name in found)]
    for name in names:
        values = [metrics.get(sample, {}).get(name) for sample in items]
        columns.setdefault(name, pl.Series(values, dtype=pl.Float64))
    if len(set(items)) < len(items):
        columns["run"] = pl.Series([run + 1 for _, run in rows], dtype=pl.Int64)
        roles["run"] = "run"
    stated = []
    if matches and _is_number(report.get("accuracy")):
        stated.append(Published(score="correct", value=float(report["accuracy"])))
    unscored = [sample for sample in failed if sample not in matches and sample not in metrics]
    notes = disagreements(log.path, columns, roles, stated)
    if unscored:
        message = f"{log.path}: {len(unscored):,} samples with an error have no score."
        notes = (*notes, Note(code="unscored_samples", message=message))
    return Table(
        columns=columns,
        height=len(items),
        rows=Rows(word="sample"),
        source=log.source("openai_evals"),
        roles=roles,
        scores=(*(("correct",) if matches else ()), *(n for n in names if n != "correct")),
        about={"": _about(spec, system)},
        notes=notes,
    )


def _field(data: msgspec.Raw) -> dict[str, Any]:
    found = msgspec.json.decode(data)
    return found if isinstance(found, dict) else {}


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float))


def _system(spec: dict[str, Any]) -> str:
    functions = spec.get("completion_fns")
    if isinstance(functions, list) and functions:
        return ", ".join(map(str, functions))
    return str(spec.get("model") or spec.get("completion_fn") or "unknown")


def _about(spec: dict[str, Any], system: str) -> dict[str, str]:
    run = spec.get("run_config") if isinstance(spec.get("run_config"), dict) else {}
    assert isinstance(run, dict)
    arguments = (run.get("eval_spec") or {}).get("args") or {}
    found = {
        "model": system,
        "task_version": spec.get("eval_name"),
        "date": spec.get("created_at"),
        "shuffle_seed": run.get("seed"),
        "num_fewshot": arguments.get("num_few_shot"),
        "max_samples": run.get("max_samples"),
    }
    return {key: str(value) for key, value in found.items() if value is not None}
