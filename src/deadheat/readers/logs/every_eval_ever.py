"""Every Eval Ever: samples of one evaluation, a line each."""

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
from deadheat.readers.unreadable import NoAnswersError

TOOL = "Every Eval Ever"
VERSIONS = "schema 0.2 and 0.3"
QUIRKS = (
    "Samples stand in a file beside the aggregate, which names it; the aggregate alone is refused.",
    "A sample with an error has no score, whatever number stands in its place.",
    "sample_hash says whether two systems were asked the same.",
)

_LINE = (b'"evaluation_id"', b'"sample_id"', b'"interaction_type"')
_AGGREGATE = (b'"schema_version"', b'"evaluation_results"', b'"model_info"')
_LOOK = 1 << 18
_START = re.compile(rb'\s*\{\s*"schema_version"\s*:')


class _Evaluation(msgspec.Struct):
    score: float | None = None
    is_correct: bool | None = None


class _Input(msgspec.Struct):
    reference: list[str] | str | None = None


class _Sample(msgspec.Struct):
    sample_id: str
    model_id: str
    evaluation: _Evaluation
    evaluation_id: str = ""
    evaluation_name: str | None = None
    evaluation_result_id: str | None = None
    sample_hash: str | None = None
    error: str | None = None
    metadata: dict[str, Any] | None = None


class _Result(msgspec.Struct):
    evaluation_name: str | None = None
    score_details: dict[str, Any] | None = None


class _Aggregate(msgspec.Struct):
    evaluation_id: str = ""
    evaluation_timestamp: str | None = None
    eval_library: dict[str, Any] | None = None
    model_info: dict[str, Any] | None = None
    evaluation_results: list[_Result] = []


def recognises(path: str, head: bytes) -> bool:
    """Whether the head is of samples of the schema, or of an aggregate."""
    look = head[:_LOOK]
    if not _START.match(look):
        return False
    line = look.lstrip().partition(b"\n")[0]
    return all(mark in line for mark in _LINE) or all(mark in look for mark in _AGGREGATE)


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each sample.

    Raises
    ------
    NoAnswersError
        If the file is an aggregate.
    FormatError
        If a line is broken.
    """
    first = log.head[:_LOOK].lstrip().partition(b"\n")[0]
    if not all(mark in first for mark in _LINE):
        raise NoAnswersError(
            "this is an aggregate of Every Eval Ever: it states values, and no samples.",
            where=log.path,
            fix="Give the file that its detailed_evaluation_results name (..._samples.jsonl).",
        )
    samples = [sample for _, sample in log.records(_Sample, "a sample of Every Eval Ever")]
    failed = [bool(sample.error) for sample in samples]
    columns = {
        "sample_id": pl.Series([s.sample_id for s in samples], dtype=pl.String),
        "system": pl.Series([s.model_id for s in samples], dtype=pl.String),
        "task": pl.Series([s.evaluation_name or "items" for s in samples], dtype=pl.String),
        "score": pl.Series(
            [None if f else s.evaluation.score for s, f in zip(samples, failed, strict=True)],
            dtype=pl.Float64,
        ),
        "is_correct": pl.Series(
            [None if f else s.evaluation.is_correct for s, f in zip(samples, failed, strict=True)],
            dtype=pl.Boolean,
        ),
    }
    roles = {"item": "sample_id", "system": "system", "task": "task"}
    for role, name, values in (
        ("hash", "sample_hash", [s.sample_hash for s in samples]),
        ("run", "run", [_stated(s, "run") for s in samples]),
        ("cluster", "cluster", [_stated(s, "cluster") for s in samples]),
    ):
        if any(value is not None for value in values):
            columns[name] = pl.Series(name, values, dtype=pl.String)
            roles[role] = name
    about, stated = _beside(log, {s.evaluation_id for s in samples})
    notes = list(disagreements(log.path, columns, roles, stated))
    if any(failed):
        message = f"{log.path}: {sum(failed):,} samples ended in an error and have no score."
        notes.append(Note(code="unscored_samples", message=message))
    return Table(
        columns=columns,
        height=len(samples),
        rows=Rows(word="sample"),
        source=log.source("every_eval_ever"),
        roles=roles,
        scores=("score", "is_correct"),
        about={"": about},
        notes=tuple(notes),
    )


def _stated(sample: _Sample, name: str) -> str | None:
    value = (sample.metadata or {}).get(name)
    return None if value is None else str(value)


def _beside(log: Log, evaluations: set[str]) -> tuple[dict[str, str], list[Published]]:
    """Return what the aggregate beside the samples states, as far as there is one."""
    name = log.path.removesuffix(".jsonl").removesuffix("_samples")
    for path in log.beside("*.json"):
        if path != f"{name}.json":
            continue
        try:
            found = Log(path=path, head=b"").document(_Aggregate, "an aggregate")
        except FormatError:
            return {}, []
        if found.evaluation_id not in evaluations:
            return {}, []
        library, model = found.eval_library or {}, found.model_info or {}
        about = {
            "model": model.get("name"),
            "harness": library.get("name"),
            "version": library.get("version"),
            "date": found.evaluation_timestamp,
        }
        stated = [
            Published(
                score="score",
                value=float(result.score_details["score"]),
                task=result.evaluation_name,
                place=path,
            )
            for result in found.evaluation_results
            if result.score_details and isinstance(result.score_details.get("score"), (int, float))
        ]
        known = {k: str(v) for k, v in about.items() if v is not None and v != "unknown"}
        return known, stated
    return {}, []
