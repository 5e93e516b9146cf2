"""Ragas: samples with a column for each metric."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import polars as pl

from deadheat.evaluation import Rows
from deadheat.readers import csv_logs
from deadheat.readers.assembly import (
    by_question,
    no_scores_of_items,
    score_columns,
    texts,
    unscored,
)
from deadheat.readers.log import Log
from deadheat.readers.table import Table
from deadheat.readers.unreadable import NoAnswersError

TOOL = "Ragas"

VERSIONS = "result.to_pandas() as CSV or JSON lines, 0.1 to 0.4, up to 256 MB"

QUIRKS = (
    "Samples have no ids. The item is the question (user_input, or question before 0.2) where "
    "questions differ, and else the number of the row, which is said.",
    "Columns were renamed in 0.2: question to user_input, contexts to retrieved_contexts, answer "
    "to response and ground_truth to reference. Both are known.",
    "Every column that is none of the sample and holds numbers is a metric, those of the library "
    "first. A cell that is empty or NaN says that the judge failed: it is missing.",
    "The file names the system.",
)

_LOOK = 1 << 18
_SAMPLE = frozenset(
    {"user_input", "retrieved_contexts", "reference_contexts", "retrieved_context_ids", "response"}
    | {"reference_context_ids", "multi_responses", "reference", "rubrics", "rubric", "id"}
    | {"reference_tool_calls", "reference_topics", "persona_name", "query_style", "query_length"}
    | {
        "question",
        "contexts",
        "answer",
        "ground_truth",
        "ground_truths",
        "metadata",
        "episode_done",
    }
    | {"synthesizer_name", "evolution_type", "Unnamed: 0"}
)
"""Columns of samples."""

_METRICS = frozenset(
    {"faithfulness", "answer_relevancy", "answer_correctness", "answer_similarity"}
    | {"context_precision", "context_recall", "context_relevancy", "context_entity_recall"}
    | {"context_utilization", "llm_context_precision_with_reference", "semantic_similarity"}
    | {"llm_context_precision_without_reference", "non_llm_context_precision_with_reference"}
    | {"non_llm_context_recall", "factual_correctness", "noise_sensitivity_relevant"}
    | {"noise_sensitivity_irrelevant", "nv_accuracy", "nv_context_relevance"}
    | {"nv_response_groundedness", "summary_score", "harmfulness", "maliciousness", "coherence"}
    | {"correctness", "conciseness", "faithfulness_with_hhem", "tool_call_accuracy"}
    | {"tool_call_f1", "topic_adherence", "agent_goal_accuracy", "bleu_score", "rouge_score"}
    | {"noise_sensitivity", "non_llm_string_similarity", "id_based_context_precision"}
    | {"id_based_context_recall", "response_relevancy", "chrf_score"}
)
"""Names that metrics of the library have."""

_ERAS = (("user_input", "response"), ("question", "answer"))
_CONTEXTS = frozenset({"retrieved_contexts", "contexts", "reference_contexts"})


def recognises(path: str, head: bytes) -> bool:
    """Whether there are samples with contexts, and a metric of the library."""
    return _is_ragas(_fields(head))


def _fields(head: bytes) -> frozenset[str]:
    line = head[:_LOOK].lstrip().partition(b"\n")[0]
    if not line.startswith(b"{"):
        return csv_logs.header(head)
    if b'"contexts"' not in line and b'_contexts"' not in line:
        return frozenset()
    try:
        return frozenset(msgspec.json.decode(line, type=dict[str, msgspec.Raw]))
    except (msgspec.MsgspecError, RecursionError):
        return frozenset()


def _is_ragas(names: frozenset[str]) -> bool:
    of_an_era = any(names >= {*era} for era in _ERAS)
    return of_an_era and any(map(_is_metric, names)) and bool(names & _CONTEXTS)


def _is_metric(name: str) -> bool:
    """Whether a name is one of the library, such as factual_correctness(mode=f1)."""
    return name.partition("(")[0] in _METRICS


def read(log: Log, wanted: Sequence[str | int]) -> Table:
    """Read a row for each sample.

    Raises
    ------
    FormatError
        If the file is no table.
    NoAnswersError
        If no column is a metric.
    """
    records, rows = _records(log)
    given = [{k: v for k, v in one.items() if k not in _SAMPLE} for one in records]
    scores, left_out = score_columns(given, words=True)
    first = sorted(scores, key=lambda name: not _is_metric(name))
    filled = {
        name: scores[name]
        for name in first
        if _is_metric(name) or scores[name].null_count() < len(records)
    }
    if not filled:
        raise NoAnswersError("no column is a metric with scores.", where=log.path)
    asked = [one.get("user_input", one.get("question")) for one in records]
    columns, roles, by_order = by_question(asked, log.path)
    for name in ("response", "answer", "reference", "ground_truth"):
        if any(isinstance(one.get(name), str) for one in records):
            columns[name] = texts(one.get(name) for one in records)
    filled = {f"metric {n}" if n in columns else n: values for n, values in filled.items()}
    failed = sum(values.null_count() for values in filled.values())
    return Table(
        columns=columns | filled,
        height=len(records),
        rows=rows,
        source=log.source("ragas"),
        roles=roles,
        scores=tuple(filled),
        notes=(
            *by_order,
            *no_scores_of_items(left_out, "Columns of Ragas"),
            *unscored(log.path, failed, "cells are of a metric whose judge failed"),
        ),
    )


def _records(log: Log) -> tuple[list[dict[str, object]], Rows]:
    if log.head.lstrip().startswith(b"{"):
        lines = [*log.records(dict[str, object], "a sample of Ragas")]
        numbers = pl.Series([number for number, _ in lines], dtype=pl.Int64).to_numpy()
        return [record for _, record in lines], Rows(word="line", lines=numbers)
    table = csv_logs.read(log)
    cells = {name: csv_logs.values(table, name) for name in table.columns}
    records: list[dict[str, object]] = [
        {name: column[row] for name, column in cells.items()} for row in range(table.height)
    ]
    return records, table.rows
