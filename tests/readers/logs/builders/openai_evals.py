"""Logs in the layout of OpenAI evals, with invented content."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from readers.logs.builders.lines import write_lines

Json = dict[str, Any]


def spec(model: str = "gpt-x", **more: Any) -> Json:
    run = {
        "completion_fns": [model],
        "eval_spec": {
            "cls": "evals.elsuite.basic.match:Match",
            "args": {"samples_jsonl": "quiz/samples.jsonl", "num_few_shot": 2},
            "key": "quiz.dev.v0",
            "group": "quiz",
        },
        "seed": 7,
        "max_samples": None,
        "command": "oaieval gpt-x quiz",
        "initial_settings": {"visible": True},
    }
    return {
        "completion_fns": [model],
        "eval_name": "quiz.dev.v0",
        "base_eval": "quiz",
        "split": "dev",
        "run_config": run,
        "created_by": "",
        "run_id": "2601010000",
        "created_at": "2026-01-01 00:00:00",
        **more,
    }


def event(sample: int | str, kind: str, data: Any, number: int = 0) -> Json:
    name = f"quiz.dev.{sample}" if isinstance(sample, int) else sample
    return {
        "run_id": "2601010000",
        "event_id": number,
        "sample_id": name,
        "type": kind,
        "data": data,
        "created_by": "",
        "created_at": "2026-01-01 00:00:01+00:00",
    }


def sampling(sample: int, text: str = "yes") -> Json:
    prompt = [{"role": "user", "content": f"Question {sample}?"}]
    return event(sample, "sampling", {"prompt": prompt, "sampled": [text]})


def match(sample: int, correct: Any) -> Json:
    return event(sample, "match", {"correct": correct, "expected": "yes", "picked": None})


def metrics(sample: int, **values: Any) -> Json:
    return event(sample, "metrics", values)


def log(path: Path, events: Iterable[Json], head: Json | None = None, report: Any = None) -> Path:
    lines: list[Any] = [{"spec": spec() if head is None else head}, *events]
    if report is not None:
        lines.append({"final_report": report})
    return write_lines(path, lines)


def example(folder: Path) -> Path:
    events = [
        e for k, right in enumerate((True, False, True)) for e in (sampling(k), match(k, right))
    ]
    return log(folder / "log.jsonl", events, report={"accuracy": 2 / 3})
