"""Annotations in the layout of AlpacaEval, with invented content."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from readers.logs.builders.lines import write_json

Json = dict[str, Any]


def annotation(instruction: str, preference: Any, **more: Any) -> Json:
    return {
        "instruction": instruction,
        "output_1": "one",
        "generator_1": "base",
        "dataset": "helpful_base",
        "output_2": "two",
        "generator_2": "model-a",
        "annotator": "weighted",
        "preference": preference,
        **more,
    }


def example(folder: Path) -> Path:
    rows = [annotation(f"Do {k}", p) for k, p in enumerate((1.0, 2.0, 1.25))]
    return write_json(folder / "annotations.json", rows, indent=2)
