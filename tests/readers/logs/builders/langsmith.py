"""Experiments in the layout of LangSmith, with invented content."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from readers.logs.builders.lines import write_csv

Json = dict[str, Any]


def row(example: int, correctness: Any, **more: Any) -> Json:
    return {
        "inputs.question": f"q{example}",
        "outputs.answer": "a",
        "error": None,
        "reference.answer": "g",
        "feedback.correctness": correctness,
        "execution_time": 1.2,
        "example_id": f"0a1b2c3d-0000-4000-8000-{example:012}",
        "id": f"run of {example}",
        **more,
    }


def example(folder: Path) -> Path:
    return write_csv(folder / "model-a.csv", [row(k, s) for k, s in enumerate((1.0, 0.0, 1.0))])
