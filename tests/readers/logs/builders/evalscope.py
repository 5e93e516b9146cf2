"""Reviews in the layout of EvalScope, with invented content."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from readers.logs.builders.lines import write_json, write_lines

Json = dict[str, Any]


def review(index: int, value: Json, main: str | None = "acc", **more: Any) -> Json:
    score = {
        "value": value,
        "extracted_prediction": "18",
        "prediction": "... 18",
        "explanation": None,
        "metadata": {},
        "main_score_name": main,
    }
    sample = {"score": score, "sample_id": index, "group_id": index, "sample_metadata": {}, **more}
    return {"index": index, "target": "18", "messages": [], "sample_score": sample}


def log(folder: Path, reviews: Sequence[Json], model: str = "model-a") -> Path:
    return write_lines(folder / "reviews" / model / "gsm8k_main.jsonl", reviews)


def report(folder: Path, name: str, score: float, model: str = "model-a") -> Path:
    subset = {"name": "main", "score": score, "num": 3}
    metric = {
        "name": name,
        "num": 3,
        "score": score,
        "categories": [{"name": ["default"], "num": 3, "score": score, "subsets": [subset]}],
    }
    document = {
        "name": f"{model}@gsm8k",
        "dataset_name": "gsm8k",
        "model_name": model,
        "metrics": [metric],
    }
    return write_json(folder / "reports" / model / "gsm8k.json", document, indent=2)


def example(folder: Path) -> Path:
    return log(folder, [review(k, {"acc": s}) for k, s in enumerate((1.0, 0.0, 1.0))])
