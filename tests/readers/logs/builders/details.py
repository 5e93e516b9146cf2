"""Writes details of tasks in Parquet as lighteval and the Open LLM Leaderboard do, invented."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

FIRST = "2026-01-01T10-00-00.000000"
SECOND = "2026-01-02T11-30-00.500000"
TASK = "arc:challenge|25"

Metrics = Sequence[Mapping[str, Any]]


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def question(k: object) -> str:
    return f"What is {k}?"


def new(
    metrics: Metrics,
    *,
    ids: Sequence[str] | None = None,
    questions: Sequence[str] | None = None,
    task: str = TASK,
    around: str = "",
) -> pl.DataFrame:
    """Return the columns of version 0.11 and later; the documentation has `around` = "__"."""
    rows = []
    for k, metric in enumerate(metrics):
        asked = questions[k] if questions else question(k)
        doc = {
            "query": asked,
            "choices": ["A", "B"],
            "gold_index": [0],
            "id": ids[k] if ids else str(k),
            "task_name": task,
        }
        response = {"input": asked, "text": ["A"], "logprobs": [-1.0, -2.0]}
        rows.append({"doc": doc, "metric": dict(metric), "model_response": response})
    names = dict.fromkeys(name for metric in metrics for name in metric)
    for row in rows:
        row["metric"] = {name: row["metric"].get(name) for name in names}
    frame = pl.DataFrame(rows, infer_schema_length=None)
    return frame.rename({name: f"{around}{name}{around}" for name in frame.columns})


def old(metrics: Metrics, *, questions: Sequence[str] | None = None) -> pl.DataFrame:
    """Return the columns of versions 0.8 to 0.10."""
    rows = []
    for k, metric in enumerate(metrics):
        asked = questions[k] if questions else question(k)
        rows.append(
            {
                "choices": ["A", "B"],
                "example": asked,
                "full_prompt": f"Example.\n{asked}",
                "gold": ["A"],
                "gold_index": [0],
                "metrics": dict(metric),
                "num_asked_few_shots": 25,
                "num_effective_few_shots": 25,
                "predictions": ["A"],
                "specifics": {"k": "v"},
            }
        )
    return pl.DataFrame(rows, infer_schema_length=None)


def shown(metrics: Metrics, **more: Any) -> pl.DataFrame:
    """Return the columns of versions up to 0.7: the text that Python shows of each value."""
    rows = old(metrics, **more).to_dicts()
    return pl.DataFrame([{name: str(value) for name, value in row.items()} for row in rows])


def board(
    metrics: Metrics, *, questions: Sequence[str] | None = None, together: bool = False
) -> pl.DataFrame:
    """Return the columns of the leaderboard: metrics on their own, or together in a struct."""
    rows = []
    for k, metric in enumerate(metrics):
        asked = questions[k] if questions else question(k)
        hashes = {"example": digest(asked)[:16], "full_prompt": digest("p" + asked)[:16]}
        row: dict[str, Any] = {
            "example": asked,
            "gold": 0,
            "hashes": hashes,
            "predictions": [-1.0, -2.0],
        }
        rows.append(row | ({"metrics": dict(metric)} if together else dict(metric)))
    return pl.DataFrame(rows, infer_schema_length=None)


def results(
    model: str,
    values: Mapping[str, Mapping[str, float]],
    *,
    aggregations: Mapping[str, str] | None = None,
    temperature: float | None = None,
) -> dict[str, Any]:
    general: dict[str, Any] = {
        "lighteval_sha": "abc1234",
        "max_samples": None,
        "start_time": 1.5,
        "model_config": {
            "model_name": model,
            "revision": "main",
            "dtype": "float16",
            "generation_parameters": {"temperature": temperature, "max_new_tokens": 64, "seed": 3},
        },
        "model_name": model,
    }
    tasks = {
        task: {
            "name": task,
            "metrics": [
                {"metric_name": name, "corpus_level_fn": (aggregations or {}).get(name, "mean")}
                for name in metrics
            ],
        }
        for task, metrics in values.items()
    }
    return {
        "config_general": general,
        "results": {**values, "all": {}},
        "versions": dict.fromkeys(values, 2),
        "config_tasks": tasks,
        "summary_tasks": {task: {"hashes": {"hash_examples": digest(task)}} for task in values},
        "summary_general": {"hashes": {}},
    }


def details(place: Path, task: str, time: str, frame: pl.DataFrame) -> Path:
    place.mkdir(parents=True, exist_ok=True)
    path = place / f"details_{task}_{time}.parquet"
    with path.open("wb") as file:  # the name is no URL and no pattern
        frame.write_parquet(file)
    return path


def write_results(path: Path, content: Mapping[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=2))
    return path


def run(
    out: Path,
    model: str,
    tasks: Mapping[str, pl.DataFrame],
    *,
    values: Mapping[str, Mapping[str, float]] | None = None,
    time: str = FIRST,
    **more: Any,
) -> Path:
    """Write details and results as lighteval does; the folder of details of the model."""
    place = out / "details" / model
    for task, frame in tasks.items():
        details(place / time, task, time, frame)
    content = results(model, values or {task: {} for task in tasks}, **more)
    write_results(out / "results" / model / f"results_{time}.json", content)
    return place


def repository(
    root: Path, model: str, tasks: Mapping[str, pl.DataFrame], *, time: str = FIRST
) -> Path:
    """Write details as a repository of the leaderboard holds them."""
    place = root / f"details_{model.replace('/', '__')}"
    for task, frame in tasks.items():
        details(place / time, task, time, frame)
    return place
