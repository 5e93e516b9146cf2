"""A test set in the layout of PandaLM, with invented content."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from readers.logs.builders.lines import write_json

Json = dict[str, Any]


def pair(number: int, verdicts: tuple[Any, Any, Any], key: str = "model-a_model-b") -> Json:
    found = {"idx": number, "motivation_app": "App", "cmp_key": key, "instruction": "Do."}
    found |= {"input": "", "response1": "one", "response2": "two"}
    return found | {f"annotator{k}": verdict for k, verdict in enumerate(verdicts, start=1)}


def example(folder: Path) -> Path:
    rows = [pair(0, (1, 1, 1)), pair(1, (2, 0, 2)), pair(2, (1, 2, 0))]
    return write_json(folder / "testset.json", rows, indent=1)
