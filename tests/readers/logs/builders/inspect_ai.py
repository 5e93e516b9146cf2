"""Logs in the layout of Inspect AI, with invented content."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from readers.logs.builders.zipped import Method, Packed, archive, packed

Json = dict[str, Any]

SUMMARY = (
    *("id", "epoch", "input", "choices", "target", "metadata", "scores", "score", "error"),
    *("model_usage", "total_time"),
)


def sample(
    name: int | str, value: Any = "C", *, epoch: int = 1, scorer: str = "match", **more: Any
) -> Json:
    """A sample in full; what is None is left out."""
    text = f"Question {name}?"
    found = {
        "id": name,
        "epoch": epoch,
        "input": text,
        "target": "yes",
        "messages": [{"id": f"m{name}", "content": text, "role": "user"}],
        "output": {
            "model": "m",
            "choices": [{"message": {"content": f"Answer {name}", "role": "assistant"}}],
            "completion": f"Answer {name}",
        },
        "scores": {scorer: {"value": value, "answer": f"a{name}", "history": []}},
        "metadata": {"document": f"d{len(str(name))}"},
        "events": [
            {
                "event": "info",
                "timestamp": "2026-01-02T03:04:05+00:00",
                "working_start": 0.0,
                "data": {"id": 99, "epoch": 9, "scores": {"no": {"value": "score"}}},
            }
        ],
        "model_usage": {"m": {"input_tokens": 7, "output_tokens": 2, "total_tokens": 9}},
        "total_time": 0.5,
        "uuid": f"u{name}",
        **more,
    }
    return {key: value for key, value in found.items() if value is not None}


def summary(one: Json) -> Json:
    found = {name: one[name] for name in SUMMARY if name in one}
    if isinstance(error := one.get("error"), dict):
        found["error"] = error["message"]
    return found | {"completed": True}


def score(
    name: str, metrics: Json, *, scorer: str | None = None, reducer: str | None = None
) -> Json:
    """An entry of the results."""
    found = {
        "name": name,
        "scorer": scorer or name,
        "metrics": {k: {"name": k, "value": v, "params": {}} for k, v in metrics.items()},
    }
    return found | ({} if reducer is None else {"reducer": reducer})


def header(
    model: str = "org/model",
    task: str = "quiz",
    *,
    status: str = "success",
    scores: Sequence[Json] = (),
    results: Json | None = None,
    spec: Json | None = None,
    **more: Any,
) -> Json:
    """A header; `spec` and `results` are put over what stands there."""
    return {
        "version": 2,
        "status": status,
        "eval": {
            "eval_id": "e1",
            "run_id": "r1",
            "created": "2026-01-02T03:04:05+00:00",
            "task": task,
            "task_id": f"t-{model}-{task}",
            "task_version": 0,
            "task_args": {},
            "dataset": {
                "name": "invented",
                "samples": 3,
                "sample_ids": [1, 2, 3],
                "shuffled": False,
            },
            "model": model,
            "model_generate_config": {},
            "model_args": {},
            "config": {"epochs": 1},
            "packages": {"inspect_ai": "0.3.999"},
            "scorers": [{"name": "match", "options": {}}],
            **(spec or {}),
        },
        "plan": {"steps": [{"solver": "generate", "params": {}}], "config": {}},
        "results": {"scores": [*scores], **(results or {})},
        "stats": {"model_usage": {}},
        "invalidated": False,
        **more,
    }


def entries(
    samples: Iterable[Json],
    head: Json | None = None,
    *,
    method: Method = "deflate",
    summaries: bool = True,
    journal: bool = False,
    finished: bool = True,
    reductions: Any = None,
) -> list[Packed]:
    """The entries of an .eval log, in the order in which Inspect AI writes them."""
    head, samples = header() if head is None else head, [*samples]
    found = [("_journal/start.json", {k: head[k] for k in ("version", "eval", "plan")})]
    found += [(f"samples/{s['id']}_epoch_{s['epoch']}.json", s) for s in samples]
    if journal:
        found += [
            (f"_journal/summaries/{at}.json", [summary(s)]) for at, s in enumerate(samples, start=1)
        ]
    if finished:
        if summaries:
            found.append(("summaries.json", [summary(s) for s in samples]))
        if reductions is not None:
            found.append(("reductions.json", reductions))
        found.append(("header.json", head))
    return [packed(name, json.dumps(content).encode(), method) for name, content in found]


def eval_log(path: Path, samples: Iterable[Json], head: Json | None = None, **options: Any) -> Path:
    """Write an .eval log."""
    return archive(path, entries(samples, head, **options))


def json_log(
    path: Path, samples: Iterable[Json] | None, head: Json | None = None, **more: Any
) -> Path:
    """Write a .json log."""
    whole = (header() if head is None else head) | (
        {} if samples is None else {"samples": [*samples]}
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(whole | more, indent=2))
    return path
