"""Every Eval Ever: samples of an evaluation, a line for each sample and result."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import polars as pl

from deadheat.errors import FormatError
from deadheat.evaluation import Rows
from deadheat.notes import Note
from deadheat.readers.assembly import occurrences, score, stated, texts, unscored
from deadheat.readers.log import Log
from deadheat.readers.published import Published, disagreements
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "Every Eval Ever"

VERSIONS = "schema 0.2 and 0.3"

QUIRKS = (
    "Samples stand in a file beside the aggregate, which tells the harness, its version and the "
    "published values; the aggregate alone is refused.",
    "A sample that counts towards several results of one evaluation has a line for each: every "
    "evaluation_result_id is then a score of its own.",
    "A sample with an error is missing, whatever number stands in the place of its score, and so "
    "is -1 where the aggregate says that it is the unknown level.",
    "sample_hash says whether two systems were asked the same.",
    "run, epoch and cluster among the metadata are runs and clusters.",
    "Scores of which lower ones are better are so said: --lower-is-better.",
)

_LINE = (b'"evaluation_id"', b'"sample_id"', b'"interaction_type"', b'"model_id"')
_AGGREGATE = (b'"evaluation_id"', b'"evaluation_results"', b'"model_info"', b'"schema_version"')
_LOOK = 1 << 18
_UNKNOWN = -1.0


class _Evaluation(msgspec.Struct):
    score: float | None = None
    is_correct: bool | None = None


class _Metadata(msgspec.Struct):
    run: Any = None
    epoch: Any = None
    cluster: Any = None


class _Sample(msgspec.Struct):
    sample_id: str | int
    model_id: str
    evaluation: _Evaluation
    evaluation_id: str = ""
    evaluation_name: str | None = None
    evaluation_result_id: str | None = None
    sample_hash: str | None = None
    error: str | None = None
    metadata: _Metadata | None = None

    @property
    def task(self) -> str:
        return self.evaluation_name or "items"

    @property
    def run(self) -> object:
        if self.metadata is None:
            return None
        return self.metadata.epoch if self.metadata.run is None else self.metadata.run

    @property
    def key(self) -> tuple[object, ...]:
        return self.model_id, self.task, str(self.sample_id), str(self.run)


class _Metric(msgspec.Struct):
    lower_is_better: bool | None = None
    has_unknown_level: bool | None = None


class _Result(msgspec.Struct):
    evaluation_name: str | None = None
    evaluation_result_id: str | None = None
    metric_config: _Metric | None = None
    score_details: dict[str, Any] | None = None


class _Aggregate(msgspec.Struct):
    evaluation_id: str = ""
    evaluation_timestamp: str | None = None
    eval_library: dict[str, Any] | None = None
    model_info: dict[str, Any] | None = None
    evaluation_results: list[_Result] = []


def recognises(path: str, head: bytes) -> bool:
    """Whether the head is of samples of the schema, or of an aggregate."""
    look = head[:_LOOK].lstrip()
    if not look.startswith(b"{"):
        return False
    return _is_sample(look) or all(mark in look for mark in _AGGREGATE)


def _is_sample(look: bytes) -> bool:
    line = look.partition(b"\n")[0]
    return all(mark in line for mark in _LINE)


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each sample, and run of it.

    Raises
    ------
    NoAnswersError
        If the file is an aggregate.
    FormatError
        If a line is broken.
    """
    if not _is_sample(log.head[:_LOOK].lstrip()):
        raise NoAnswersError(
            "this is an aggregate of Every Eval Ever: it states values, and no samples.",
            where=log.path,
            fix="Give the file that its detailed_evaluation_results name (..._samples.jsonl).",
        )
    samples = [sample for _, sample in log.records(_Sample, "a sample of Every Eval Ever")]
    aggregate = _beside(log, {s.evaluation_id for s in samples})
    rows, scores = _scores(samples)
    scores = _without_unknown(rows, scores, aggregate)
    columns = {
        "sample_id": pl.Series([str(s.sample_id) for s in rows], dtype=pl.String),
        "system": pl.Series([s.model_id for s in rows], dtype=pl.String),
        "task": pl.Series([s.task for s in rows], dtype=pl.String),
    }
    roles = {"item": "sample_id", "system": "system", "task": "task"}
    clusters = (s.metadata.cluster if s.metadata is not None else None for s in rows)
    for role, values in (
        ("hash", texts(s.sample_hash for s in rows)),
        ("run", texts(s.run for s in rows)),
        ("cluster", texts(clusters)),
    ):
        if values.null_count() < len(values):
            columns[role] = values
            roles[role] = role
    columns |= {f"result {name}" if name in columns else name: v for name, v in scores.items()}
    failed = sum(bool(s.error) for s in samples)
    return Table(
        columns=columns,
        height=len(rows),
        rows=Rows(word="sample"),
        source=log.source("every_eval_ever"),
        roles=roles,
        scores=tuple(f"result {n}" if n in ("system", "task") else n for n in scores),
        about={"": _about(aggregate)},
        notes=(
            *_lower_is_better(log, aggregate),
            *disagreements(log.path, columns, roles, _published(aggregate, scores)),
            *unscored(log.path, failed, "samples ended in an error"),
        ),
    )


def _scores(samples: Sequence[_Sample]) -> tuple[list[_Sample], dict[str, pl.Series]]:
    """Bring the results of a sample into one row, with a score for each.

    Returns
    -------
    rows : list
        The first sample of each row.
    scores : dict of str to polars.Series
        score and is_correct where a sample has one result; else each result by its id.
    """
    by_task: dict[str, dict[str | None, None]] = {}
    for sample in samples:
        by_task.setdefault(sample.task, {})[sample.evaluation_result_id] = None
    if all(len(results) == 1 for results in by_task.values()):
        given = [None if s.error else s.evaluation for s in samples]
        numbers = [None if e is None else score(e.score) for e in given]
        right = [None if e is None else e.is_correct for e in given]
        return [*samples], {
            "score": pl.Series(numbers, dtype=pl.Float64),
            "is_correct": pl.Series(right, dtype=pl.Boolean),
        }
    again = occurrences((sample.key, sample.evaluation_result_id) for sample in samples)
    rows: dict[tuple[object, ...], _Sample] = {}
    values: dict[str, dict[tuple[object, ...], float | None]] = {}
    for sample, k in zip(samples, again, strict=True):
        key = (*sample.key, k)
        rows.setdefault(key, sample)
        found = None if sample.error else score(sample.evaluation.score)
        values.setdefault(sample.evaluation_result_id or "score", {})[key] = found
    columns = {
        name: pl.Series([of.get(key) for key in rows], dtype=pl.Float64)
        for name, of in values.items()
    }
    return [*rows.values()], columns


def _without_unknown(
    rows: Sequence[_Sample], scores: dict[str, pl.Series], aggregate: _Aggregate | None
) -> dict[str, pl.Series]:
    """Take out the scores that stand for an unknown level."""
    results = aggregate.evaluation_results if aggregate is not None else []
    tasks = {
        result.evaluation_name
        for result in results
        if result.metric_config is not None and result.metric_config.has_unknown_level
    }
    at = pl.Series([sample.task in tasks for sample in rows], dtype=pl.Boolean)
    return {
        name: column.set(at & (column == _UNKNOWN).fill_null(False), None)
        if column.dtype == pl.Float64 and at.any()
        else column
        for name, column in scores.items()
    }


def _beside(log: Log, evaluations: set[str]) -> _Aggregate | None:
    """Return the aggregate beside the samples, as far as there is one."""
    path = f"{log.path.removesuffix('.jsonl').removesuffix('_samples')}.json"
    if path == log.path or not os.path.isfile(path):
        return None
    try:
        found = Log(path=path, head=b"").document(_Aggregate, "an aggregate")
    except FormatError:
        return None
    return found if found.evaluation_id in evaluations else None


def _about(aggregate: _Aggregate | None) -> dict[str, str]:
    if aggregate is None:
        return {}
    library, model = aggregate.eval_library or {}, aggregate.model_info or {}
    known = stated(
        model=model.get("name"),
        harness=library.get("name"),
        version=library.get("version"),
        date=aggregate.evaluation_timestamp,
    )
    more = model.get("additional_details")
    details = stated(**more) if isinstance(more, dict) else {}
    return {k: v for k, v in {**details, **known}.items() if v != "unknown"}


def _published(aggregate: _Aggregate | None, scores: Mapping[str, pl.Series]) -> list[Published]:
    found = []
    for result in aggregate.evaluation_results if aggregate is not None else ():
        value = score((result.score_details or {}).get("score"))
        column = result.evaluation_result_id or ""
        if value is not None:
            found.append(
                Published(
                    score=column if column in scores else "score",
                    value=value,
                    task=result.evaluation_name,
                )
            )
    return found


def _lower_is_better(log: Log, aggregate: _Aggregate | None) -> tuple[Note, ...]:
    results = aggregate.evaluation_results if aggregate is not None else []
    names = [
        result.evaluation_result_id or result.evaluation_name or "a result"
        for result in results
        if result.metric_config is not None and result.metric_config.lower_is_better
    ]
    if not names:
        return ()
    message = f"{log.path}: lower is better, by its aggregate, for {', '.join(names[:6])}."
    return (Note(code="lower_is_better", message=message),)
