"""Systems as documents of Every Eval Ever, schema 0.3.0: an aggregate and its samples."""

from __future__ import annotations

import hashlib
import json
import re
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
import polars as pl

from deadheat._version import __version__
from deadheat.errors import UsageError
from deadheat.evaluation import Answers, Evaluation
from deadheat.notes import Note

VERSION = "0.3.0"


COLLECTION = "deadheat"
"""Name of the collection in the paths that the schema demands."""

_KNOWN = {
    "deployment_type": ("self_deployed", "externally_managed"),
    "model_availability": ("open_weights", "closed_weights"),
}
"""What the schema wants to know of a model, and what may be said."""


def documents(evaluation: Evaluation) -> tuple[dict[str, str], tuple[Note, ...]]:
    """Return the text of each document by its path: an aggregate and its samples for a system.

    Paths are those that the schema demands: data/deadheat/DEVELOPER/MODEL/UUID.json beside
    UUID_samples.jsonl. The format has no missing scores: samples without one are left out and
    counted in a note.

    Raises
    ------
    UsageError
        If a system has outputs and no scores, or no score that is not missing.
    """
    written: dict[str, str] = {}
    left_out: dict[str, int] = {}
    for answers in evaluation.answers:
        if answers.scores is None:
            raise UsageError(
                f"{answers.system} has outputs and no scores, and Every Eval Ever wants a score "
                "of every sample.",
                fix="Name the column of scores with --score.",
            )
        samples = list(_samples(answers, evaluation))
        if not samples:
            raise UsageError(
                f"{answers.system} has no score that is not missing, and Every Eval Ever has no "
                "missing ones.",
                fix="Leave the system out.",
            )
        if len(samples) < len(answers.scores):
            left_out[answers.system] = len(answers.scores) - len(samples)
        lines = "".join(f"{json.dumps(sample, ensure_ascii=False)}\n" for sample in samples)
        name = _path(answers.system)
        written[f"{name}.json"] = json.dumps(
            _aggregate(answers, samples, f"{name}_samples.jsonl", lines),
            indent=2,
            ensure_ascii=False,
        )
        written[f"{name}_samples.jsonl"] = lines
    if not left_out:
        return written, ()
    counts = ", ".join(f"{system} {n:,}" for system, n in left_out.items())
    message = f"Samples without a score have no place in this format and were left out: {counts}."
    return written, (Note(code="unscored_left_out", message=message),)


def _aggregate(
    answers: Answers, samples: list[dict[str, Any]], file: str, lines: str
) -> dict[str, Any]:
    """Return the document that states the mean of every task."""
    by_task: dict[str, list[float]] = {}
    for sample in samples:
        by_task.setdefault(sample["evaluation_name"], []).append(sample["evaluation"]["score"])
    organisation, _, model = answers.system.rpartition("/")
    return {
        "schema_version": VERSION,
        "evaluation_id": _evaluation_id(answers),
        "retrieved_timestamp": str(int(time.time())),
        "source_metadata": {
            "source_name": answers.source.format or "table",
            "source_type": "evaluation_run",
            "source_organization_name": "unknown",
            "evaluator_relationship": "other",
        },
        "eval_library": {
            "name": answers.about.get("harness", answers.source.format or "unknown"),
            "version": answers.about.get("version", "unknown"),
            "additional_details": {"converted_by": f"deadheat {__version__}"},
        },
        "model_info": {
            "name": answers.about.get("model", model or answers.system),
            "id": answers.system,
            "developer": organisation or "unknown",
            "additional_details": _details(answers.about),
        },
        "evaluation_results": [
            {
                "evaluation_result_id": task,
                "evaluation_name": task,
                "source_data": {"dataset_name": task, "source_type": "other"},
                "metric_config": _metric(answers.about.get("score", "score"), scores),
                "score_details": {"score": sum(scores) / len(scores)},
            }
            for task, scores in by_task.items()
        ],
        "detailed_evaluation_results": {
            "format": "jsonl",
            "file_path": file,
            "hash_algorithm": "sha256",
            "checksum": _digest(lines).hex(),
            "total_rows": len(samples),
        },
    }


def _details(about: Mapping[str, str]) -> dict[str, str]:
    """Return what is known of a model, with what the schema wants to know."""
    known = {
        name: about[name] if about.get(name) in values else "unknown"
        for name, values in _KNOWN.items()
    }
    return {**{key: str(value) for key, value in about.items()}, **known}


def _metric(name: str, scores: list[float]) -> dict[str, Any]:
    """Describe scores: of two values, or of a range that nobody stated."""
    common = {"metric_id": name, "metric_name": name, "lower_is_better": False}
    if _binary(scores):
        return {**common, "score_type": "binary"}
    return {**common, "score_type": "continuous", "min_score": None, "max_score": None}


def _binary(scores: Iterable[float]) -> bool:
    return set(scores) <= {0.0, 1.0}


def _samples(answers: Answers, evaluation: Evaluation) -> Iterator[dict[str, Any]]:
    assert answers.scores is not None
    tasks = answers.tasks if answers.tasks is not None else answers.strata
    references = _references(answers, evaluation)
    binary = _binary(answers.scores.drop_nulls())
    prefixed = _prefixed(evaluation)
    for row, score in enumerate(answers.scores):
        if score is None:
            continue
        item = row + 1 if answers.items is None else answers.items[row]
        output = None if answers.outputs is None else answers.outputs[row]
        metadata = {
            name: str(column[row])
            for name, column in (("run", answers.runs), ("cluster", answers.clusters))
            if column is not None and column[row] is not None
        }
        task = "items" if tasks is None or tasks[row] is None else str(tasks[row])
        sample: dict[str, Any] = {
            "schema_version": VERSION,
            "evaluation_id": _evaluation_id(answers),
            "model_id": answers.system,
            "evaluation_name": task,
            "evaluation_result_id": task,
            "sample_id": str(item).removeprefix(f"{task}/") if prefixed else str(item),
            "interaction_type": "single_turn",
            "input": {"raw": "", "reference": _listed(references, row)},
            "output": {"raw": [] if output is None else [_text(output)]},
            "answer_attribution": [],
            "evaluation": {"score": float(score), "is_correct": binary and score == 1.0},
        }
        if answers.item_hashes is not None and answers.item_hashes[row] is not None:
            sample["sample_hash"] = str(answers.item_hashes[row])
        if metadata:
            sample["metadata"] = metadata
        yield sample


def _prefixed(evaluation: Evaluation) -> bool:
    """Whether ids were told apart by their tasks, which stand before all of them."""
    return all(
        a.tasks is not None
        and a.items is not None
        and all(
            str(item).startswith(f"{task}/") for item, task in zip(a.items, a.tasks, strict=True)
        )
        for a in evaluation.answers
    )


def _references(answers: Answers, evaluation: Evaluation) -> pl.Series | None:
    """Return the references of the rows, also where they stand apart and rows have ids."""
    right = evaluation.references
    if right is None or answers.references is not None:
        return answers.references
    if right.items is None or answers.items is None:
        return right.values
    apart = pl.DataFrame({"item": right.items.cast(pl.String), "reference": right.values})
    rows = answers.items.cast(pl.String).alias("item").to_frame()
    return rows.join(apart, on="item", how="left", maintain_order="left")["reference"]


def _listed(references: pl.Series | None, row: int) -> list[str]:
    if references is None or references[row] is None:
        return []
    value = references[row]
    if isinstance(value, bytes):
        found = msgspec.json.decode(value)
        return [_text(entry) for entry in found] if isinstance(found, list) else [_text(value)]
    return [_text(value)]


def _text(value: object) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def _evaluation_id(answers: Answers) -> str:
    return f"deadheat/{answers.system}"


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).digest()


def _path(system: str) -> str:
    """Return where documents of a system lie, always the same."""
    developer, _, model = system.rpartition("/")
    name = uuid.UUID(bytes=_digest(system)[:16], version=4)
    return f"data/{COLLECTION}/{_plain(developer) or 'unknown'}/{_plain(model) or 'model'}/{name}"


def _plain(text: str) -> str:
    """Return a name that every file system takes."""
    return re.sub(r"[^\w.-]+", "_", text).strip("._")[:100]
