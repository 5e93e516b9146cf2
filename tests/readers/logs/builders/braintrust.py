"""Events of experiments in the layout of Braintrust, with invented content."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from readers.logs.builders.lines import write_json

Json = dict[str, Any]


def root(number: int, scores: Any, **more: Any) -> Json:
    return {
        "id": f"e{number}",
        "experiment_id": "x1",
        "span_id": f"s{number}",
        "root_span_id": f"s{number}",
        "is_root": True,
        "input": f"Question {number}?",
        "output": "yes",
        "expected": "yes",
        "scores": scores,
        "metadata": {"model": "model-a"},
        "metrics": {"start": 1.0, "end": 2.0},
        "dataset_record_id": f"d{number}",
        "error": None,
        **more,
    }


def step(number: int, scores: Any) -> Json:
    return root(
        number,
        scores,
        id=f"e{number}b",
        span_id=f"s{number}b",
        is_root=False,
        dataset_record_id=None,
    )


def example(folder: Path) -> Path:
    events = [
        e for k, s in enumerate((1, 0, 0.5)) for e in (root(k, {"Fact": s}), step(k, {"X": 1}))
    ]
    return write_json(folder / "model-a.json", events, indent=2)
