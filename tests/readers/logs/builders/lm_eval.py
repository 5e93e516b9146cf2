"""Writes what lm-evaluation-harness leaves in a folder, with invented content.

The layouts are those of its versions: ``array`` (0.4.0 to 0.4.2, and samples_*.json of the builds
between 0.4.2 and 0.4.3), ``unlabelled`` (0.4.3 to 0.4.6: lines, hashes, no filter) and
``labelled`` (since 0.4.7: filter and metrics).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

Era = Literal["array", "unlabelled", "labelled"]
Scores = Mapping[str, Sequence[Any]]

FIRST = "2025-03-01T10-00-00.123456"
SECOND = "2025-03-02T11-30-00.654321"


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def document(task: str, doc_id: int, text: str = "") -> dict[str, Any]:
    return {"id": f"{task}-{doc_id}", "question": text or f"What is {doc_id} of {task}?"}


def sample(
    task: str,
    doc_id: int,
    metrics: Mapping[str, Any],
    *,
    era: Era = "labelled",
    filter_: str = "none",
    answer: str = "42",
    response: str = "It is 42.",
    text: str = "",
    shots: int = 0,
) -> dict[str, Any]:
    """Return one sample, its fields in the order in which the harness writes them."""
    doc = document(task, doc_id, text)
    prompt = "Example.\n" * shots + doc["question"]
    found: dict[str, Any] = {"doc_id": doc_id, "doc": doc, "target": str(doc_id)}
    if era == "array":
        found["target"] = doc_id
        found["arguments"] = [[prompt, {"until": ["\n"]}]]
    else:
        found["arguments"] = {"gen_args_0": {"arg_0": prompt, "arg_1": {"until": ["\n"]}}}
    found |= {"resps": [[response]], "filtered_resps": [answer]}
    if era == "labelled":
        found |= {"filter": filter_, "metrics": [*metrics]}
    if era != "array":
        found["doc_hash"] = digest(json.dumps(doc, indent=2, ensure_ascii=False))
        found["prompt_hash"] = digest(prompt)
        found["target_hash"] = digest(str(doc_id))
    return found | dict(metrics)


def task_samples(
    task: str,
    filters: Mapping[str, Scores],
    *,
    era: Era = "labelled",
    doc_ids: Sequence[int] | None = None,
    **more: Any,
) -> list[dict[str, Any]]:
    """Return the samples of a task, filter by filter, from the scores of each metric."""
    found = []
    for name, scores in filters.items():
        n = len(next(iter(scores.values())))
        for at, doc_id in enumerate(doc_ids or range(n)):
            metrics = {metric: values[at] for metric, values in scores.items()}
            found.append(sample(task, doc_id, metrics, era=era, filter_=name, **more))
    return found


def lines(path: Path, samples: Iterable[Mapping[str, Any]], *, append: bool = False) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a" if append else "w", encoding="utf-8") as file:
        for one in samples:
            file.write(json.dumps(one, ensure_ascii=False) + "\n")
    return path


def array(path: Path, samples: Sequence[Mapping[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(samples, indent=2, ensure_ascii=False), encoding="utf-8")
    return path


def results(
    model: str,
    values: Mapping[str, Mapping[str, Any]],
    *,
    aggregations: Mapping[str, str] | None = None,
    shots: int = 0,
    temperature: float = 0.0,
    versions: Mapping[str, float] | None = None,
    n: Mapping[str, int] | None = None,
    lm_eval_version: str | None = "0.4.9.1",
    named: bool = True,
) -> dict[str, Any]:
    """Return the results of some tasks: "metric,filter" and its value, by task."""
    configs = {}
    for task, published in values.items():
        metrics = dict.fromkeys(key.partition(",")[0] for key in published)
        configs[task] = {
            "task": task,
            "doc_to_text": "{{question}}",
            "num_fewshot": shots,
            "metric_list": [
                {"metric": m, "aggregation": (aggregations or {}).get(m, "mean")}
                for m in metrics
                if not m.endswith("_stderr")
            ],
            "output_type": "generate_until",
            "generation_kwargs": {
                "until": ["\n"],
                "do_sample": temperature > 0.0,
                "temperature": temperature,
                "max_gen_toks": 64,
            },
        }
    found: dict[str, Any] = {
        "results": {task: {"alias": task, **published} for task, published in values.items()},
        "group_subtasks": {task: [] for task in values},
        "configs": configs,
        "versions": {task: (versions or {}).get(task, 1.0) for task in values},
        "n-shot": dict.fromkeys(values, shots),
    }
    if n is not None:
        found["n-samples"] = {task: {"original": 100, "effective": k} for task, k in n.items()}
    found["config"] = {
        "model": "hf",
        "model_args": f"pretrained={model},dtype=float16",
        "model_dtype": "torch.float16",
        "model_revision": "main",
        "batch_size": "8",
        "limit": None,
        "bootstrap_iters": 100000,
        "gen_kwargs": None,
        "random_seed": 0,
    }
    found |= {"git_hash": "abc1234", "date": 1740823200.5}
    if lm_eval_version is not None:
        found["lm_eval_version"] = lm_eval_version
    if named:
        found["task_hashes"] = {task: digest(task) for task in values}
        found["model_name"] = model
        found["model_name_sanitized"] = sanitized(model)
    return found


def sanitized(model: str) -> str:
    return re.sub(r"[\"<>:/|\\?*\[\]]+", "__", model)


def write_results(path: Path, content: Mapping[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False), encoding="utf-8")
    return path


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def run(
    folder: Path,
    model: str,
    tasks: Mapping[str, Mapping[str, Scores]],
    *,
    time: str = FIRST,
    era: Era = "labelled",
    settings: Mapping[str, Any] | None = None,
    **more: Any,
) -> Path:
    """Write samples and results of a run, as ``--output_path folder --log_samples`` does.

    Parameters
    ----------
    folder : Path
    model : str
    tasks : mapping
        By task and filter the scores of each metric.
    time, era : str
    settings : mapping, optional
        For `results`.
    **more
        For `task_samples`.
    """
    place = folder / sanitized(model)
    published: dict[str, dict[str, Any]] = {}
    for task, filters in tasks.items():
        rows = task_samples(task, filters, era=era, **more)
        lines(place / f"samples_{task}_{time}.jsonl", rows)
        published[task] = {}
        for name, scores in filters.items():
            for metric, values in scores.items():
                published[task][f"{metric},{name}"] = mean(values)
                published[task][f"{metric}_stderr,{name}"] = "N/A"
    write_results(place / f"results_{time}.json", results(model, published, **(settings or {})))
    return place
