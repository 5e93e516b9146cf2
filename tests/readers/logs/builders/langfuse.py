"""Dataset run items in the layout of Langfuse, with invented content."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from readers.logs.builders.lines import write_json

Json = dict[str, Any]


def score(value: Any, kind: str = "NUMERIC", name: str = "correctness", **more: Any) -> Json:
    return {"name": name, "value": value, "dataType": kind, "source": "EVAL", **more}


def item(number: int, *scores: Json, run: str = "model-a", **more: Any) -> Json:
    return {
        "id": f"ri-{run}-{number}",
        "datasetRunName": run,
        "datasetItemId": f"item-{number}",
        "traceId": f"t{number}",
        "scores": list(scores),
        **more,
    }


def example(folder: Path) -> Path:
    items = [item(k, score(s)) for k, s in enumerate((1.0, 0.0, 1.0))]
    return write_json(folder / "run_items.json", items, indent=2)
