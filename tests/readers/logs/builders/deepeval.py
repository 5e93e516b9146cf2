"""Test runs in the layout of DeepEval, with invented content."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from readers.logs.builders.lines import write_json

Json = dict[str, Any]


def metric(name: str, score: float | None, **more: Any) -> Json:
    """A metric; what is None is not written, as DeepEval does."""
    found = {"name": name, "threshold": 0.5, "score": score, "strictMode": False, **more}
    found.setdefault("success", score is not None and score >= 0.5)
    return {key: value for key, value in found.items() if value is not None}


def case(order: int, *metrics: Json, **more: Any) -> Json:
    found = {
        "name": f"test_case_{order}",
        "input": f"Question {order}?",
        "actualOutput": "yes",
        "success": all(m["success"] for m in metrics),
        "metricsData": list(metrics),
        "order": order,
        **more,
    }
    return {key: value for key, value in found.items() if value is not None}


def document(cases: Sequence[Json], **more: Any) -> Json:
    return {
        "testCases": list(cases),
        "conversationalTestCases": [],
        "metricsScores": [],
        "hyperparameters": {"model": "model-a", "temperature": 0},
        "testPassed": 1,
        "testFailed": 1,
        "runDuration": 1.0,
        **more,
    }


def log(path: Path, cases: Sequence[Json], **more: Any) -> Path:
    return write_json(path, document(cases, **more))


def example(folder: Path) -> Path:
    cases = [case(k, metric("Correctness [GEval]", s)) for k, s in enumerate((0.9, 0.2, 0.7))]
    scores = {"metric": "Correctness [GEval]", "scores": [0.9, 0.2, 0.7], "passes": 2, "fails": 1}
    return log(folder / "test_run_20260101_000000.json", cases, metricsScores=[scores])
