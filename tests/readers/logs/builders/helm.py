"""Runs in the layout of HELM, with invented content."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from readers.logs.builders.lines import write_json

Json = dict[str, Any]


def stat(name: str, mean: float | None, split: str = "test", **more: Any) -> Json:
    """A statistic; one of nothing has no mean."""
    found: Json = {"name": {"name": name, "split": split, **more}, "count": int(mean is not None)}
    found |= {"sum": mean or 0, "sum_squared": (mean or 0) ** 2}
    return found if mean is None else {**found, "mean": mean, "variance": 0.0, "stddev": 0.0}


def instance(name: str, *stats: Json, trial: int = 0, **more: Any) -> Json:
    return {"instance_id": name, **more, "train_trial_index": trial, "stats": list(stats)}


def spec(model: str = "org/model-a", **more: Any) -> Json:
    adapter = {
        "method": "multiple_choice_joint",
        "instructions": "Answer.",
        "max_train_instances": 5,
        "max_eval_instances": 3,
        "num_outputs": 1,
        "model_deployment": f"hub/{model}",
        "model": model,
        "temperature": 0.0,
        "max_tokens": 1,
        **more,
    }
    name = f"mmlu:subject=law,method=joint,model={model.replace('/', '_')}"
    return {"name": name, "scenario_spec": {"class_name": "S", "args": {}}, "adapter_spec": adapter}


def log(
    folder: Path,
    instances: Sequence[Json],
    settings: Json | None = None,
    stats: Sequence[Json] | None = None,
    asked: Sequence[Json] | None = None,
) -> Path:
    for name, document in (("run_spec", settings), ("stats", stats), ("instances", asked)):
        if document is not None:
            write_json(folder / f"{name}.json", document, indent=2)
    return write_json(folder / "per_instance_stats.json", list(instances), indent=2)


def example(folder: Path) -> Path:
    scores = {"id1": 1.0, "id2": 0.0, "id3": 1.0}
    found = [
        instance(n, stat("num_output_tokens", 3), stat("exact_match", s)) for n, s in scores.items()
    ]
    return log(folder / "mmlu-subject=law,method=joint,model=org_model-a", found, spec())
