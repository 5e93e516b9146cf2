"""Documents in the layout of Every Eval Ever, with invented content."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from readers.logs.builders.lines import write_json, write_lines

Json = dict[str, Any]


def sample(name: str, score: Any, **more: Any) -> Json:
    return {
        "schema_version": "0.3.0",
        "evaluation_id": "source/org_model/1",
        "model_id": "org/model",
        "evaluation_name": "quiz",
        "evaluation_result_id": "quiz",
        "sample_id": name,
        "sample_hash": f"hash of {name}",
        "interaction_type": "single_turn",
        "input": {"raw": "Question?", "reference": ["yes"]},
        "output": {"raw": ["yes"]},
        "answer_attribution": [],
        "evaluation": {"score": score, "is_correct": score == 1.0},
        **more,
    }


def aggregate(score: float, **metric: Any) -> Json:
    return {
        "schema_version": "0.3.0",
        "evaluation_id": "source/org_model/1",
        "retrieved_timestamp": "1",
        "evaluation_timestamp": "1750000000",
        "source_metadata": {},
        "eval_library": {"name": "harness", "version": "1.2"},
        "model_info": {"name": "model", "id": "org/model", "additional_details": {"family": "m"}},
        "evaluation_results": [
            {
                "evaluation_result_id": "quiz",
                "evaluation_name": "quiz",
                "metric_config": {"lower_is_better": False, **metric},
                "score_details": {"score": score},
            }
        ],
    }


def log(folder: Path, samples: Sequence[Json], beside: Json | None = None) -> Path:
    if beside is not None:
        write_json(folder / "u1.json", beside, indent=2)
    return write_lines(folder / "u1_samples.jsonl", samples)


def example(folder: Path) -> Path:
    return log(folder, [sample(f"q{k}", s) for k, s in enumerate((1.0, 0.0, 1.0))])
