"""Weave: results of evaluations by the row of the data set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
import polars as pl

from deadheat.readers import pages
from deadheat.readers.assembly import (
    fingerprint,
    no_scores_of_items,
    score,
    score_columns,
    texts,
    unpacked,
    unscored,
)
from deadheat.readers.log import Log
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "Weave"

VERSIONS = "answers of eval_results/query of the API of 2025 and 2026, as JSON or a row a line"

QUIRKS = (
    "The item is row_digest, a hash of the row of the data set. A system is an evaluation, by its "
    "evaluation_call_id: the answer does not name models.",
    "Trials of an item are its runs.",
    "Scores lie inside one another: {scorer: {part: value}} is the score SCORER.PART. Texts and "
    "lists are left out.",
    "A score of null, and one that a trial lacks, is missing.",
)

_LOOK = 1 << 18
_MARKS = (b'"row_digest"', b'"evaluations"', b'"trials"')
_DEEPEST = 8


class _Trial(msgspec.Struct):
    scores: dict[str, Any] | None = None
    model_latency_seconds: Any = None


class _Evaluation(msgspec.Struct):
    evaluation_call_id: str
    trials: list[_Trial] = []


class _Row(msgspec.Struct):
    row_digest: str
    evaluations: list[_Evaluation] = []
    raw_data_row: msgspec.Raw = msgspec.Raw(b"null")


def recognises(path: str, head: bytes) -> bool:
    """Whether rows by their digests have trials of evaluations."""
    look = head[:_LOOK]
    return look.lstrip()[:1] in (b"{", b"[") and all(mark in look for mark in _MARKS)


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each trial of each evaluation on each row of the data set.

    Raises
    ------
    FormatError
        If the file is broken.
    NoAnswersError
        If no trial has a score.
    """
    found, named = pages.records(log, _Row, "results of evaluations of Weave", "row", ("rows",))
    trials = [
        (at, row, evaluation.evaluation_call_id, run, trial)
        for at, row in enumerate(found)
        for evaluation in row.evaluations
        for run, trial in enumerate(evaluation.trials, start=1)
    ]
    values = [dict(_leaves(trial.scores or {})) for *_, trial in trials]
    scores, left_out = score_columns(values)
    if not scores:
        raise NoAnswersError(
            "no trial has a score.",
            where=log.path,
            fix="Check that the query asked for scores.",
        )
    hashes = {
        row.row_digest: fingerprint(unpacked(row.raw_data_row, log.path), log.path)
        for row in found
        if bytes(row.raw_data_row) != b"null"
    }
    columns = {
        "row_digest": pl.Series([row.row_digest for _, row, *_ in trials], dtype=pl.String),
        "system": pl.Series([call for _, _, call, _, _ in trials], dtype=pl.String),
        "hash": texts(hashes.get(row.row_digest) for _, row, *_ in trials),
        "latency in seconds": pl.Series(
            [score(trial.model_latency_seconds) for *_, trial in trials], dtype=pl.Float64
        ),
    }
    roles = {"item": "row_digest", "system": "system"}
    if hashes:
        roles["hash"] = "hash"
    if max(run for _, _, _, run, _ in trials) > 1:
        columns["run"] = pl.Series([run for _, _, _, run, _ in trials], dtype=pl.Int64)
        roles["run"] = "run"
    scores = {f"score {n}" if n in columns else n: v for n, v in scores.items()}
    lacking = sum(not value for value in values)
    at_ = pl.Series([at for at, *_ in trials], dtype=pl.Int64).to_numpy()
    return Table(
        columns=columns | scores,
        height=len(trials),
        rows=named.take(at_),
        source=log.source("weave"),
        roles=roles,
        scores=tuple(scores),
        notes=(
            *no_scores_of_items(left_out, "Values of Weave"),
            *unscored(log.path, lacking, "trials were not scored"),
        ),
    )


def _leaves(
    values: Mapping[str, object], prefix: str = "", depth: int = 0
) -> Iterator[tuple[str, object]]:
    """Yield the values inside one another with their dotted names."""
    for name, value in values.items():
        if isinstance(value, dict) and depth < _DEEPEST:
            yield from _leaves(value, f"{prefix}{name}.", depth + 1)
        else:
            yield f"{prefix}{name}", value
