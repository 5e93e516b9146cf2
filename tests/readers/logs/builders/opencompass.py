"""Results in the layouts of OpenCompass, with invented content."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from readers.logs.builders.lines import write_json

Json = dict[str, Any]


def item(correct: Any, **more: Any) -> Json:
    return {
        "prompt": "Q?",
        "origin_prediction": "... 18",
        "predictions": "18",
        "references": "18",
        "correct": correct,
        **more,
    }


def keyed(items: Sequence[Json], accuracy: float, kind: str = "GEN") -> Json:
    """Details by number, as before 0.4."""
    return {
        "accuracy": accuracy,
        "details": {"type": kind, **dict(zip(map(str, range(99)), items, strict=False))},
    }


def listed(verdicts: dict[str, list[Any]], name: str = "correct", **more: Any) -> Json:
    """Details as a list, with a list of verdicts for the runs of each item."""
    details = [
        {"example_abbr": item, "pred": ["18"] * len(runs), "answer": ["18"] * len(runs), name: runs}
        for item, runs in verdicts.items()
    ]
    return {**more, "details": details}


def log(folder: Path, document: Json, model: str = "model-a", data: str = "gsm8k") -> Path:
    return write_json(folder / "results" / model / f"{data}.json", document, indent=4)


def example(folder: Path) -> Path:
    return log(folder, keyed([item(True), item(False), item(True)], 66.67))
