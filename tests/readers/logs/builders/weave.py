"""Results of evaluations in the layout of Weave, with invented content."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from readers.logs.builders.lines import write_json

Json = dict[str, Any]


def trial(scores: Any, **more: Any) -> Json:
    return {
        "predict_and_score_call_id": "c",
        "model_output": "a",
        "scores": scores,
        "model_latency_seconds": 1.2,
        **more,
    }


def row(number: int, **evaluations: list[Json]) -> Json:
    found = [{"evaluation_call_id": call, "trials": trials} for call, trials in evaluations.items()]
    return {
        "row_digest": f"digest-{number}",
        "raw_data_row": {"question": f"q{number}"},
        "evaluations": found,
    }


def example(folder: Path) -> Path:
    rows = [
        row(k, ev1=[trial({"match": {"correct": a}})], ev2=[trial({"match": {"correct": b}})])
        for k, (a, b) in enumerate(((True, True), (False, True), (True, False)))
    ]
    return write_json(folder / "query.json", {"rows": rows})
